"""Tell how sentences of an authority bear on a proposition: bear it out, in part, not at all, or deny it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lexls.grounding.relevance import Tokens, Weights, find_terms, weigh
from lexls.grounding.verification.clauses import find_turned, read_clauses
from lexls.text.spans import Span

BearingVerdict = Literal["supported", "weakly", "not-found", "contradicted"]

_MOST_TOGETHER = 2
"""Sentences that may bear out a proposition together."""
_ENOUGH, _SOME = 0.55, 0.2
"""Shares of the weighted terms of a proposition: with the first it is borne out, below the second the
authority does not speak of it."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an authority: where it stands in the authority's text, and its words without markup."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Bearing:
    """How a piece of an authority bears on a proposition; ``reasons`` are the words on which they part."""

    verdict: BearingVerdict
    span: Span
    text: str
    share: float
    reasons: tuple[str, ...]


def find_bearing(proposition: str, statements: Sequence[Statement], tokens: Tokens) -> Bearing | None:
    """How the statements, in the order of the authority's text, bear on a proposition; None without any."""
    terms = find_terms(proposition, tokens)
    counted = [Counter(tokens(each.text)) for each in statements]
    weights = weigh(terms, counted)
    best = _choose(terms.keys(), statements, counted, weights)
    if best is None:
        return None
    span, text, share = best
    reasons = find_turned(read_clauses(proposition, tokens), read_clauses(text, tokens))
    verdict: BearingVerdict = "supported"
    if share < _SOME:
        verdict = "not-found"
    elif share < _ENOUGH or reasons:
        verdict = "weakly"
    return Bearing(verdict, span, text, share, reasons)


def _choose(
    terms: object, statements: Sequence[Statement], counted: Sequence[Counter[str]], weights: Weights
) -> tuple[Span, str, float] | None:
    best: tuple[float, Span, str] | None = None
    for first in range(len(statements)):
        present: set[str] = set()
        for last in range(first, min(first + _MOST_TOGETHER, len(statements))):
            present |= counted[last].keys()
            share = weights.coverage(present) - 0.05 * (last - first)
            if best is None or share > best[0]:
                span = Span(statements[first].span.start, statements[last].span.end)
                text = " ".join(each.text for each in statements[first : last + 1])
                best = share, span, text
    return (best[1], best[2], best[0]) if best is not None else None
