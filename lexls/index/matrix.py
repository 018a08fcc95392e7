"""Vectors in memory: exact where they fit, as codes where they would not."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from lexls.index.codes import CodedRows, Rows

CODED_FROM = 100_000
"""From so many vectors on (150 MB at 384 components, 15 ms a search) they are kept as codes."""
OVERSAMPLED = 12
"""So many times as many rows as are wanted are scored by their bytes …"""
LEAST_SAMPLED = 4_000
"""… and never fewer than this."""
NARROW = 20_000
"""Where no more rows may answer, all of them are scored by their bytes."""


class VectorMatrix:
    """Unit vectors by passage id; rows of removed ones are reused.

    Up to ``coded_from`` they are float32 and searches exact; then they become codes (see ``codes``), once and
    for all. Searches and changes are serialised by the caller.
    """

    def __init__(self, dimension: int, coded_from: int = CODED_FROM) -> None:
        self.dimension = dimension
        self._coded_from = coded_from
        self._rows: NDArray[np.float32] = np.empty((0, dimension), dtype=np.float32)
        self._codes: CodedRows | None = None
        self._ids: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._documents: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._used = 0
        self._expected = 0
        self._row_of: NDArray[np.int32] = np.empty(0, dtype=np.int32)
        self._holes: list[int] = []

    def __len__(self) -> int:
        return self._used - len(self._holes)

    def __contains__(self, passage: int) -> bool:
        return self._row(passage) >= 0

    @property
    def exact(self) -> bool:
        """Whether the vectors are here in full."""
        return self._codes is None

    @property
    def nbytes(self) -> int:
        """Memory of the arrays in bytes."""
        rows = self._rows.nbytes if self._codes is None else self._codes.nbytes
        return rows + self._ids.nbytes + self._documents.nbytes + self._row_of.nbytes

    def reserve(self, count: int) -> None:
        """Expect ``count`` vectors in all, which saves copying when they come in parts."""
        self._expected = count

    def put(
        self, passages: NDArray[np.int64], documents: NDArray[np.int64], vectors: NDArray[np.float32]
    ) -> None:
        """Add the vectors (n × dimension) of n new passages of these documents."""
        count = len(passages)
        if not count:
            return
        if max(self._used + count, self._expected) > self._coded_from:
            self._code(vectors.mean(axis=0, dtype=np.float32))
        reused = [self._holes.pop() for _ in range(min(count, len(self._holes)))]
        fresh = count - len(reused)
        if self._used + fresh > len(self._ids):
            # A quarter more than needed: growth by copying stays rare, and memory close to what is used.
            needed = self._used + fresh
            self._reserve(self._expected if needed <= self._expected else max(1024, needed * 5 // 4))
        rows = np.concatenate(
            [np.array(reused, np.intp), np.arange(self._used, self._used + fresh, dtype=np.intp)]
        )
        self._used += fresh
        if self._codes is not None:
            self._codes.put(rows, vectors)
        else:
            self._rows[rows] = vectors
        self._ids[rows] = passages
        self._documents[rows] = documents
        highest = int(passages.max())
        if highest >= len(self._row_of):
            more = max(highest + 1, len(self._row_of) * 5 // 4) - len(self._row_of)
            self._row_of = np.concatenate([self._row_of, np.full(more, -1, np.int32)])
        self._row_of[passages] = rows

    def remove_document(self, document: int) -> None:
        """Forget the vectors of a document."""
        rows = np.flatnonzero(self._documents[: self._used] == document)
        self._row_of[self._ids[rows]] = -1
        self._ids[rows] = self._documents[rows] = -1
        self._holes += rows.tolist()

    def nearest(
        self, vector: NDArray[np.float32], k: int, documents: Collection[int] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The ``k`` passages with the highest cosine to ``vector`` (unit length), best first, and cosines.

        ``documents`` limits the search to passages of these. Where ``exact`` is false, cosines are near what
        they would be, and a passage in a late place may be missing; among few allowed ones none is.
        """
        allowed = self._allowed(documents)
        rows: Rows = np.flatnonzero(allowed)
        if self._codes is not None:
            wanted = max(OVERSAMPLED * k, LEAST_SAMPLED)
            if len(rows) > max(NARROW, wanted):
                rows = self._codes.near(vector, wanted, self._used, allowed)
            similarity = self._codes.cosines(vector, rows)
        elif len(rows) == self._used:
            similarity = self._rows[: self._used] @ vector
        elif len(rows) > self._used // 8:
            similarity = (self._rows[: self._used] @ vector)[rows]
        else:
            similarity = self._rows[rows] @ vector
        if 0 < k < len(rows):
            best = np.argpartition(-similarity, k - 1)[:k]
        else:
            best = np.arange(len(rows))[: max(k, 0)]
        best = best[np.lexsort((self._ids[rows[best]], -similarity[best]))]
        return self._ids[rows[best]], similarity[best].astype(np.float64)

    def get(self, passage: int) -> NDArray[np.float32] | None:
        """The vector of a passage (near it, where ``exact`` is false), None if it has none yet."""
        row = self._row(passage)
        if row < 0:
            return None
        rows = np.array([row])
        found: NDArray[np.float32] = (self._rows[rows] if self._codes is None else self._codes.get(rows))[0]
        return found

    def _row(self, passage: int) -> int:
        return int(self._row_of[passage]) if 0 <= passage < len(self._row_of) else -1

    def _allowed(self, documents: Collection[int] | None) -> NDArray[np.bool_]:
        owners = self._documents[: self._used]
        if documents is None:
            return owners >= 0
        # A table over document ids; its last element stands for rows without a vector (-1).
        table = np.zeros(int(owners.max(initial=0)) + 2, np.bool_)
        wanted = np.fromiter(documents, np.int64, len(documents))
        table[wanted[(wanted >= 0) & (wanted < len(table) - 1)]] = True
        return table[owners]

    def _code(self, mean: NDArray[np.float32]) -> None:
        """Turn the vectors into codes; ``mean`` is used if there are none to take it from."""
        if self._codes is not None:
            return
        rows = self._rows[: self._used]
        self._codes = CodedRows(self.dimension, rows.mean(axis=0) if len(rows) else mean)
        self._codes.reserve(len(self._ids))
        self._codes.put(np.arange(self._used), rows)
        self._rows = self._rows[:0]

    def _reserve(self, capacity: int) -> None:
        more = capacity - len(self._ids)
        if more <= 0:
            return
        if self._codes is not None:
            self._codes.reserve(capacity)
        else:
            grown = np.zeros((capacity, self.dimension), dtype=np.float32)
            grown[: self._used] = self._rows[: self._used]
            self._rows = grown
        self._ids = np.concatenate([self._ids, np.full(more, -1, dtype=np.int64)])
        self._documents = np.concatenate([self._documents, np.full(more, -1, dtype=np.int64)])
