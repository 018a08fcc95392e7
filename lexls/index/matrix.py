"""Vectors in memory, for exact search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class VectorMatrix:
    """Unit vectors by passage id: rows of one growing float32 matrix; removed rows are reused.

    Searches and changes are serialised by the caller.
    """

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._rows: NDArray[np.float32] = np.empty((0, dimension), dtype=np.float32)
        self._ids: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._documents: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._used = 0
        self._row_of: dict[int, int] = {}
        self._holes: list[int] = []

    def __len__(self) -> int:
        return len(self._row_of)

    def __contains__(self, passage: int) -> bool:
        return passage in self._row_of

    def put(
        self, passages: NDArray[np.int64], documents: NDArray[np.int64], vectors: NDArray[np.float32]
    ) -> None:
        """Add the vectors (n × dimension) of n new passages of these documents."""
        count = len(passages)
        reused = [self._holes.pop() for _ in range(min(count, len(self._holes)))]
        fresh = count - len(reused)
        self._reserve(self._used + fresh)
        rows = np.asarray([*reused, *range(self._used, self._used + fresh)], dtype=np.int64)
        self._used += fresh
        self._rows[rows] = vectors
        self._ids[rows] = passages
        self._documents[rows] = documents
        self._row_of.update(zip(passages.tolist(), rows.tolist(), strict=True))

    def remove_document(self, document: int) -> None:
        """Forget the vectors of a document."""
        for row in np.flatnonzero(self._documents[: self._used] == document).tolist():
            del self._row_of[int(self._ids[row])]
            self._ids[row] = self._documents[row] = -1
            self._rows[row] = 0.0
            self._holes.append(row)

    def nearest(
        self, vector: NDArray[np.float32], k: int, documents: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The ``k`` passages with the highest cosine to ``vector`` (unit length), best first, and cosines.

        ``documents`` limits the search to passages of these.
        """
        used = slice(0, self._used)
        similarity = self._rows[used] @ vector
        similarity[self._ids[used] < 0] = -np.inf
        if documents is not None:
            similarity[~np.isin(self._documents[used], documents)] = -np.inf
        k = min(k, self._used)
        best = np.argpartition(-similarity, k - 1)[:k] if 0 < k < self._used else np.arange(self._used)[:k]
        best = best[np.lexsort((self._ids[best], -similarity[best]))]
        best = best[np.isfinite(similarity[best])]
        return self._ids[best], similarity[best].astype(np.float64)

    def get(self, passage: int) -> NDArray[np.float32] | None:
        """The vector of a passage, None if it has none yet."""
        row = self._row_of.get(passage)
        return None if row is None else self._rows[row].copy()

    def _reserve(self, rows: int) -> None:
        if rows <= len(self._rows):
            return
        # A quarter more than needed: growth by copying stays rare, and memory close to what is used.
        capacity = max(1024, rows + rows // 4)
        grown = np.zeros((capacity, self.dimension), dtype=np.float32)
        grown[: self._used] = self._rows[: self._used]
        self._rows = grown
        self._ids = np.concatenate([self._ids, np.full(capacity - len(self._ids), -1, dtype=np.int64)])
        self._documents = np.concatenate(
            [self._documents, np.full(capacity - len(self._documents), -1, dtype=np.int64)]
        )
