"""Letting hits that say the same thing not stand side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Item = TypeVar("Item")


def diversified(
    items: Sequence[Item],
    score: Callable[[Item], float],
    vector: Callable[[Item], NDArray[np.float32] | None],
    strength: float,
    depth: int,
) -> list[Item]:
    """The first ``depth`` items in an order that avoids likeness; the rest stays behind them.

    Maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998): the item that comes next has the highest
    ``(1 − strength) · score / best score − strength · cosine to the most similar one before it``. Vectors
    have unit length; an item without one (None) is like no other. ``strength`` is from 0 (the order given)
    to 1.
    """
    chosen: list[Item] = []
    waiting = list(items[:depth])
    best = max((score(item) for item in waiting), default=0.0)
    if strength <= 0 or best <= 0:
        return list(items)
    vectors = {id(item): vector(item) for item in waiting}
    likeness = {id(item): 0.0 for item in waiting}
    while waiting:
        following = max(
            waiting, key=lambda item: (1 - strength) * score(item) / best - strength * likeness[id(item)]
        )
        waiting.remove(following)
        chosen.append(following)
        ours = vectors[id(following)]
        if ours is None:
            continue
        for item in waiting:
            theirs = vectors[id(item)]
            if theirs is not None:
                likeness[id(item)] = max(likeness[id(item)], float(ours @ theirs))
    return [*chosen, *items[depth:]]
