"""A citation while it is being read: what the finders pass on to the resolver."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.citations.model import CitationForm, CitationKind, Pinpoint, PinpointKind
from lexls.text.spans import Span


@dataclass(slots=True)
class Mention:
    """A mention found in a text, to be finished by the resolver.

    ``start`` and ``end`` bound the whole mention. ``reference`` is what a short form points back with: a
    name ("Carrow"), an Act's noun ("Act"), or "". ``style`` is what a bare number after the citation counts.
    ``volume`` and ``report`` are those of the core, for short forms by them ("531 U.S., at 104").
    ``acronym`` marks an abbreviation that names an Act only with a section, ``open_end`` a name that may end
    before the mention does. ``note`` is the footnote that a short form points at, as written; a ``loose``
    one is a citation only if it stands for one. ``chain`` is the group of the first case of a history.
    ``written`` is the mention as its source has it, where that is not in the text.
    """

    start: int
    end: int
    core: Span
    kind: CitationKind
    form: CitationForm
    jurisdiction: str = ""
    key: str = ""
    name: str = ""
    year: int | None = None
    pinpoint: Pinpoint | None = None
    group: int = 0
    reference: str = ""
    style: PinpointKind = "page"
    form_id: str = ""
    volume: str = ""
    report: str = ""
    acronym: bool = False
    open_end: bool = False
    note: str = ""
    loose: bool = False
    chain: int = 0
    written: str = ""
