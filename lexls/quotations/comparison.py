"""Represent the comparison of a quotation with an authority as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from lexls.text.phrases import load_phrases
from lexls.text.spans import Span

DifferenceKind = Literal[
    "typographic", "bracket", "ellipsis", "citation", "scan", "spelling", "function", "inflexion",
    "bracket-sense", "ellipsis-sense", "negation", "modal", "number", "name", "content", "order",
]  # fmt: skip
"""The kind of a difference. ``citation``: an omitted citation or note number. ``scan``: letters that OCR
confuses, or spaces added or omitted. ``inflexion``: another form of the same word. ``ellipsis-sense``: an
ellipsis that omits a negation or exception. ``bracket-sense``: a bracket that changes a modal verb, a
number or a negation.
"""
Verdict = Literal["verbatim", "lawful", "spelling", "wording", "altered", "harmful", "absent"]
"""The verdict on a quotation, from the most faithful to the least. ``absent``: the passage is not in the
authority at all.
"""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

GRADES: dict[DifferenceKind, Verdict] = {
    kind: grade
    for grade, kinds in load_phrases(__package__, "vocabulary.toml")["grades"].items()
    for kind in kinds.split()
}
"""The verdict that a single difference of each kind leads to."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of a quotation that differs from the authority. ``quoted`` is a span of the quotation's text,
    ``original`` of the authority's, both in code points. ``quoted`` is empty if words were omitted,
    ``original`` if words were added. ``words`` are the significant words in normal form, for example an
    omitted negation.
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
    """The result of comparing a quotation with an authority. ``place`` is the passage's span in the
    authority, from its first word to its last; None if the quotation is absent. ``share`` (0 to 1) is the
    share of the quotation's words that the passage has in the same order, and ``matched`` is their number.
    """

    verdict: Verdict
    differences: tuple[Difference, ...]
    place: Span | None
    share: float
    matched: int

    def of_grade(self, *grades: Verdict) -> tuple[Difference, ...]:
        """Return the differences that have one of these grades, in the order of the quotation."""
        return tuple(each for each in self.differences if each.grade in grades)
