"""How the words of a passage stand to those of a proposition: in the same order, and close together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

SLACK = 10
"""A window is so many terms longer than the proposition."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Shares, 0 to 1, of what a proposition weighs that a passage holds.

    ``pairs`` and ``triples`` count neighbouring terms that are neighbours in both, ``window`` the terms that
    stand within one stretch of the passage not much longer than the proposition, ``all`` the terms anywhere.
    """

    pairs: float
    triples: float
    window: float
    all: float


NONE = Overlap(0.0, 0.0, 0.0, 0.0)


class Proposition:
    """What is compared with passages: ``terms`` in order, with repetitions, and what each term weighs."""

    def __init__(self, terms: Sequence[str], weights: Mapping[str, float]) -> None:
        weight = {term: weights.get(term, 0.0) for term in terms}
        self._weights = weight
        self._length = len(terms) + SLACK
        self._pairs = {(a, b): weight[a] + weight[b] for a, b in pairwise(terms)}
        self._triples = {
            (a, b, c): weight[a] + weight[b] + weight[c]
            for a, b, c in zip(terms, terms[1:], terms[2:], strict=False)
        }
        self._all = sum(weight.values()) or 1.0
        self._all_pairs = sum(self._pairs.values()) or 1.0
        self._all_triples = sum(self._triples.values()) or 1.0

    def overlap(self, passage: Sequence[str]) -> Overlap:
        """The overlap with a passage, given as its terms in order."""
        weight = self._weights
        hits = [(place, term) for place, term in enumerate(passage) if term in weight]
        if not hits:
            return NONE
        pairs = self._pairs.keys() & pairwise(passage)
        triples = (
            self._triples.keys() & zip(passage, passage[1:], passage[2:], strict=False) if pairs else set()
        )
        return Overlap(
            sum(self._pairs[pair] for pair in pairs) / self._all_pairs,
            sum(self._triples[triple] for triple in triples) / self._all_triples,
            self._best_window(hits) / self._all,
            sum(weight[term] for term in {term for _, term in hits}) / self._all,
        )

    def _best_window(self, hits: Sequence[tuple[int, str]]) -> float:
        counts: dict[str, int] = {}
        held = best = 0.0
        first = 0
        for place, term in hits:
            counts[term] = counts.get(term, 0) + 1
            if counts[term] == 1:
                held += self._weights[term]
            while hits[first][0] <= place - self._length:
                gone = hits[first][1]
                counts[gone] -= 1
                if not counts[gone]:
                    held -= self._weights[gone]
                first += 1
            best = max(best, held)
        return best
