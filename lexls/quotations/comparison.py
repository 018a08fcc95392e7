"""Describe how a quotation compares with an authority, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from lexls.text.phrases import load_phrases
from lexls.text.spans import Span

DifferenceKind = Literal[
    "typographic", "bracket", "ellipsis", "citation", "scan", "spelling", "function", "inflexion",
    "bracket-sense", "ellipsis-sense", "negation", "modal", "number", "name", "content", "order",
]  # fmt: skip
"""``citation``: an omitted citation or note number. ``scan``: letters that OCR confuses, or spaces added or
omitted. ``inflexion``: another form of the same word. ``ellipsis-sense``: an ellipsis that omits a
negation or exception. ``bracket-sense``: a bracket that changes a modal verb, a number or a negation.
"""
Verdict = Literal["verbatim", "lawful", "spelling", "wording", "altered", "harmful", "absent"]
"""Verdicts from the most faithful to the least; ``absent``: the passage is not in the authority at all."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

GRADES: dict[DifferenceKind, Verdict] = {
    kind: grade
    for grade, kinds in load_phrases(__package__, "vocabulary.toml")["grades"].items()
    for kind in kinds.split()
}
"""The verdict for a single difference of each kind."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of a quotation that differs from the authority. ``quoted`` is in code points of the quotation's
    text, ``original`` of the authority's; either is empty if words were omitted or added. ``words`` are
    the significant words (an omitted negation), in normal form.
    """

    kind: DifferenceKind
    quoted: Span
    original: Span
    words: tuple[str, ...] = ()

    @property
    def grade(self) -> Verdict:
        """The verdict for this difference alone."""
        return GRADES[self.kind]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of comparing a quotation with an authority. ``place`` is its span there, from its first word
    to its last; None if it is absent. ``share`` is the share of its words (0 to 1) that occur there in
    order, ``matched`` their number.
    """

    verdict: Verdict
    differences: tuple[Difference, ...]
    place: Span | None
    share: float
    matched: int

    def of_grade(self, *grades: Verdict) -> tuple[Difference, ...]:
        """Return the differences of these grades, in the order of the quotation."""
        return tuple(each for each in self.differences if each.grade in grades)
