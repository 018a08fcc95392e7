"""Comparing a quotation with an authority: by segments, then word by word."""

from __future__ import annotations

from collections.abc import Sequence

from lexls.grounding.quotations.authority_text import AuthorityText
from lexls.grounding.quotations.classify import differences_of
from lexls.grounding.quotations.comparison import VERDICTS, Comparison, Difference, Verdict
from lexls.grounding.quotations.locate import Placed, exactly, nearly
from lexls.grounding.quotations.quotation import Item, items_of
from lexls.grounding.quotations.sense import brackets_of, ellipses_of
from lexls.text.spans import Span

ENOUGH = 0.62
"""The share of a quotation's words that must stand in one place of an authority for it to come from there."""
_MOST_PLACES = 12
_WEIGHT = {verdict: place for place, verdict in enumerate(VERDICTS)}


def compare(authority: AuthorityText, quotation: str) -> Comparison:
    """How ``quotation`` (what stands between the marks, without them) compares with an authority.

    Where the passage stands there more than once, the most faithful place counts.
    """
    items = items_of(quotation)
    if not any(item.kind == "word" for item in items):
        return Comparison("verbatim", (), None, 1.0, 0)
    best: Comparison | None = None
    for placed in exactly(authority, items, most=3):
        found = _judged(authority, quotation, items, placed)
        if best is None or _better(found, best):
            best = found
    if best is not None:
        return best
    for placed in nearly(authority, items):
        found = _judged(authority, quotation, items, placed)
        if best is None or _better(found, best):
            best = found
        if best.verdict in ("verbatim", "lawful", "spelling"):
            break
    if best is None:
        return Comparison("absent", (), None, 0.0, 0)
    if best.share < ENOUGH:
        return Comparison("absent", (), best.place, best.share, best.matched)
    return best


def places(authority: AuthorityText, quotation: str) -> list[Span]:
    """Where the quotation stands in the authority, brackets and ellipses apart, word for word; at most 12."""
    items = items_of(quotation)
    return [authority.span(each.low, each.high) for each in exactly(authority, items, _MOST_PLACES)]


def _judged(authority: AuthorityText, quotation: str, items: Sequence[Item], placed: Placed) -> Comparison:
    found: list[Difference] = [
        *differences_of(authority, quotation, items, placed),
        *brackets_of(authority, items, placed),
        *ellipses_of(authority, items, placed),
    ]
    found.sort(key=lambda each: (each.quoted, each.original))
    verdict: Verdict = "verbatim"
    for each in found:
        if _WEIGHT[each.grade] > _WEIGHT[verdict]:
            verdict = each.grade
    words = sum(item.kind == "word" for item in items)
    matched = sum(
        step.q_high - step.q_low for step in placed.steps if step.kind in ("same", "joined", "alike")
    )
    return Comparison(
        verdict, tuple(found), authority.span(placed.low, placed.high), matched / words, matched
    )


def _better(one: Comparison, other: Comparison) -> bool:
    return _badness(one) < _badness(other)


def _badness(comparison: Comparison) -> tuple[float, float]:
    weights = sum(_WEIGHT[each.grade] ** 2 for each in comparison.differences)
    return (-round(comparison.share, 1), float(weights))
