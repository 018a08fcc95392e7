"""A citation while it is being read: what the finders pass on to the resolver."""

from __future__ import annotations

from dataclasses import dataclass, field

from lexls.citations.model import CitationForm, CitationKind, Pinpoint
from lexls.text.spans import Span


@dataclass(slots=True)
class Mention:
    """A mention found in a text, to be finished by the resolver.

    ``start`` and ``end`` bound the whole mention. ``reference`` is what a short form points back with: a
    name ("Carrow"), a noun ("Act"), or "". ``choices`` are the jurisdictions of other readings.
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
    form_id: str = ""
    report: str = ""
    choices: tuple[str, ...] = field(default=())
    defines: tuple[str, ...] = field(default=())
