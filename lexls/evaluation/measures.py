"""Measures of a ranking, defined as trec_eval defines them.

A ranking is its items, best first, each at most once. ``relevant`` are the items that ought to be found, also
those that no search could find; a measure of a query without any is 0.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def average_precision(ranking: Sequence[Hashable], relevant: Collection[Hashable]) -> float:
    """The precision at each relevant item's rank, added up and divided by the number of relevant items."""
    found = 0
    total = 0.0
    for rank, item in enumerate(ranking, 1):
        if item in relevant:
            found += 1
            total += found / rank
    return total / len(relevant) if relevant else 0.0


def reciprocal_rank(ranking: Sequence[Hashable], relevant: Collection[Hashable]) -> float:
    """One divided by the rank of the first relevant item, 0 if there is none."""
    for rank, item in enumerate(ranking, 1):
        if item in relevant:
            return 1 / rank
    return 0.0


def precision(ranking: Sequence[Hashable], relevant: Collection[Hashable], k: int) -> float:
    """The share of relevant items among the first ``k``; a shorter ranking is filled up with others."""
    return sum(item in relevant for item in ranking[:k]) / k


def recall(ranking: Sequence[Hashable], relevant: Collection[Hashable], k: int) -> float:
    """The share of the relevant items that are among the first ``k``."""
    return sum(item in relevant for item in ranking[:k]) / len(relevant) if relevant else 0.0


def hit(ranking: Sequence[Hashable], relevant: Collection[Hashable], k: int) -> float:
    """1 if a relevant item is among the first ``k``, else 0."""
    return float(any(item in relevant for item in ranking[:k]))


def ndcg(ranking: Sequence[Item], gains: Mapping[Item, float], k: int) -> float:
    """Normalised discounted cumulative gain of the first ``k``.

    It is the sum of gain / log2(rank + 1) over the largest sum that any ranking could have.

    ``gains`` are the gains of all judged items; items that are not in it gain nothing.
    """
    best = sum(
        gain / math.log2(rank + 1) for rank, gain in enumerate(sorted(gains.values(), reverse=True)[:k], 1)
    )
    got = sum(gains.get(item, 0.0) / math.log2(rank + 1) for rank, item in enumerate(ranking[:k], 1))
    return got / best if best else 0.0


def percentile(values: Collection[float], percent: float) -> float:
    """The smallest value that at least ``percent`` per cent of ``values`` do not exceed (nearest rank).

    Raises ``ValueError`` if there are no values.
    """
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)]
