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
"""``citation``: a citation or note number left out. ``scan``: letters that a scanner confuses, spaces put in
or left out. ``inflexion``: another form of the same word. The two of ``-sense`` are an ellipsis that leaves
out a negation or exception, and a bracket that changes a modal verb, a number or a negation."""
Verdict = Literal["verbatim", "lawful", "spelling", "wording", "altered", "harmful", "absent"]
"""From the most faithful to the least; ``absent``: the passage is not in the authority at all."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

GRADES: dict[DifferenceKind, Verdict] = {
    kind: grade
    for grade, kinds in load_phrases(__package__, "vocabulary.toml")["grades"].items()
    for kind in kinds.split()
}
"""The verdict that a difference of each kind alone leads to."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A segment of a quotation that is not as in the authority.

    ``quoted`` is in code points of the quotation's text, ``original`` of the authority's; either is empty
    where words were left out or added. ``words`` are those that weigh (a negation left out), in normal form.
    """

    kind: DifferenceKind
    quoted: Span
    original: Span
    words: tuple[str, ...] = ()

    @property
    def grade(self) -> Verdict:
        """Return what it means for the quotation."""
        return GRADES[self.kind]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a quotation compares with an authority.

    ``place`` is where it stands there, from its first word to its last, None if it does not. ``share`` is the
    part of its words (0 to 1) that stand there in order, ``matched`` how many they are.
    """

    verdict: Verdict
    differences: tuple[Difference, ...]
    place: Span | None
    share: float
    matched: int

    def of_grade(self, *grades: Verdict) -> tuple[Difference, ...]:
        """The differences of these grades, in the order of the quotation."""
        return tuple(each for each in self.differences if each.grade in grades)
