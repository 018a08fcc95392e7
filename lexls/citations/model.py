"""What a citation is, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexls.text.spans import Span

CitationKind = Literal[
    "case", "statute", "regulation", "rule", "constitution", "treaty", "journal", "book", "other"
]
CitationForm = Literal["full", "short", "supra", "id", "section", "defined"]
"""``full`` stands alone; ``short`` is a name or report with a pinpoint ("Carrow at [14]", "531 U.S., at
104"); ``supra`` points back by name or note; ``id`` is *id.*/*ibid.*; ``section`` is a bare section of the
nearest Act; ``defined`` is a defined short title ("the Act", "the *Carrow* case")."""
PinpointKind = Literal[
    "paragraph", "page", "section", "article", "regulation", "rule", "schedule", "clause", "note"
]


@dataclass(frozen=True, slots=True)
class Pinpoint:
    """The place in an authority that a citation points at.

    ``labels`` are the places in order, ranges kept as written with a hyphen ("12-14"), without brackets
    or signs: ``("50",)`` for "[50]", ``("6(1)", "8")`` for "ss 6(1) and 8", ``("1A para 2",)`` for "Sch 1A,
    para 2". ``span`` is the pinpoint in the text that was searched. ``notes`` are the footnotes cited there:
    ``("4",)`` for "103 n.4".
    """

    kind: PinpointKind
    labels: tuple[str, ...]
    span: Span
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A mention of an authority in a text. All spans are code points of the text that was searched.

    ``span`` covers the whole mention: name, citation, pinpoint. ``core`` covers what identifies the
    authority ("531 U.S. 98", "Human Rights Act 1998"). ``key`` is the normal form of the authority's
    citation ("531 U.S. 98", "[2019] UKSC 41", "Human Rights Act 1998"), the same for every way of
    writing it; a short form has its antecedent's key, or "" when there is none. ``name`` is the case
    name or short title as written, "" if none. ``jurisdiction`` is a code ("US", "UK", …) or "" if open.
    ``group`` is the same number for parallel citations of one mention. ``antecedent`` is the position,
    in the list of citations this one came with, of the full citation a short form stands for; *id.* after
    the history of a case ("…, aff'd, 531 U.S. 98") stands for the first of its citations.

    ``ambiguous`` is an *id.* or *ibid.* right behind several authorities: a string of citations, or a
    footnote that cites them. ``unread`` is a short form without key whose authority the text may well cite,
    but in a way that was not read; without it, a short form without key has nothing to stand for.
    """

    span: Span
    core: Span
    text: str
    kind: CitationKind
    form: CitationForm
    jurisdiction: str
    key: str
    name: str = ""
    year: int | None = None
    pinpoint: Pinpoint | None = None
    group: int = 0
    antecedent: int | None = None
    ambiguous: bool = False
    unread: bool = False
