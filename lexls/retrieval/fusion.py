"""Join rankings."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)

RRF_K = 60
"""The constant of Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual
Rank Learning Methods" (SIGIR 2009)."""


def fuse(
    rankings: Sequence[Sequence[Item]], weights: Sequence[float] | None = None, k: int = RRF_K
) -> list[tuple[Item, float]]:
    """Reciprocal rank fusion: every item with the sum of ``weight / (k + rank)``, best first.

    Ranks count from 1, and an item that a ranking does not hold gets nothing from it. ``weights`` has one
    number a ranking (None: all 1). Of equal scores the item that came first in an earlier ranking leads.
    Raises ``ValueError`` if the numbers of rankings and weights differ, ``k`` is negative, or a ranking
    names an item twice.
    """
    if weights is None:
        weights = [1.0] * len(rankings)
    if len(weights) != len(rankings):
        raise ValueError(f"{len(rankings)} rankings but {len(weights)} weights")
    if k < 0:
        raise ValueError(f"k must not be negative, but is {k}")
    scores: dict[Item, float] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        if len(set(ranking)) != len(ranking):
            raise ValueError("a ranking names an item twice")
        if weight == 0:
            continue
        for rank, item in enumerate(ranking, 1):
            scores[item] = scores.get(item, 0.0) + weight / (k + rank)
    return sort_best_first(scores)


def sort_best_first(scores: Mapping[Item, float]) -> list[tuple[Item, float]]:
    """The items with their scores, the highest first, equal ones in the order of the mapping."""
    return sorted(scores.items(), key=lambda entry: -entry[1])
