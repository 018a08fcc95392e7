"""Which passages have which rhetorical role, for searches among some roles only."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.index.connection import select

Ids = NDArray[np.int64]
Scores = NDArray[np.float64]
_DEEPER = 4


@dataclass(frozen=True, slots=True)
class RolePassages:
    """The passages of some roles: their ids, rising, and the documents they stand in."""

    ids: Ids
    documents: frozenset[int]

    def __contains__(self, passage: object) -> bool:
        if not isinstance(passage, int):
            return False
        place = int(np.searchsorted(self.ids, passage))
        return place < len(self.ids) and int(self.ids[place]) == passage

    def has(self, passages: Ids) -> NDArray[np.bool_]:
        """Which of ``passages`` are among these."""
        if not len(self.ids):
            return np.zeros(len(passages), np.bool_)
        found: NDArray[np.bool_] = (
            self.ids[np.minimum(np.searchsorted(self.ids, passages), len(self.ids) - 1)] == passages
        )
        return found

    def best(self, search: Callable[[int], tuple[Ids, Scores]], k: int) -> tuple[Ids, Scores]:
        """The first ``k`` of these in the ranking whose first n entries ``search(n)`` returns.

        The search goes deeper until there are enough, so that the answer is that of a search among these.
        """
        depth = _DEEPER * max(k, 1)
        while True:
            ids, scores = search(depth)
            kept = np.flatnonzero(self.has(ids))[:k]
            if len(kept) == k or len(ids) < depth:
                return ids[kept], scores[kept]
            # As deep as the share found so far lets expect: every search reads all postings again.
            depth *= max(_DEEPER, 3 * k // (2 * max(len(kept), 1)))


def role_passages(connection: apsw.Connection, roles: Collection[str]) -> RolePassages:
    """The passages that have one of ``roles``."""
    marks = ", ".join("?" * len(roles))
    rows = list(
        select(
            connection,
            f"SELECT id, document FROM passages WHERE role IN ({marks}) ORDER BY id",
            tuple(sorted(roles)),
        )
    )
    return RolePassages(np.array([row[0] for row in rows], np.int64), frozenset(row[1] for row in rows))
