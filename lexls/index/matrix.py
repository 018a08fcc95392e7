"""Search vectors in memory: exact while they fit, otherwise compressed to codes.

Each coded vector is stored twice: as one bit per component (above or below that component's mean), and as one
signed byte per component with a scale for the vector. A search counts differing bits over all vectors, which
takes some milliseconds per million, and scores the nearest few thousand by their bytes. Byte cosines are off
by about 0.0005. For exact top results, rescore them with vectors from the index file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import NDArray

_PIECE = 1 << 15
_WORD = 64
_SAMPLED = 16
_CODED = 256
"""Number of vectors coded at a time, chosen to fit the processor's cache."""

Rows = NDArray[np.intp]


class CodedRows:
    """Vectors of ``dimension`` components stored as codes. ``mean`` is the approximate mean of the
    vectors.
    """

    def __init__(self, dimension: int, mean: NDArray[np.float32]) -> None:
        self._mean = mean
        self._dimension = dimension
        words = -(-dimension // _WORD)
        # Bits are stored word by word across all rows, so that counting reads memory sequentially.
        self._bits: NDArray[np.uint64] = np.empty((words, 0), np.uint64)
        self._bytes: NDArray[np.int8] = np.empty((0, dimension), np.int8)
        self._scales: NDArray[np.float32] = np.empty(0, np.float32)

    def reserve(self, capacity: int) -> None:
        """Make room for ``capacity`` rows."""
        if (more := capacity - len(self._scales)) > 0:
            self._bits = np.concatenate([self._bits, np.zeros((len(self._bits), more), np.uint64)], axis=1)
            self._bytes = np.concatenate([self._bytes, np.zeros((more, self._dimension), np.int8)])
            self._scales = np.concatenate([self._scales, np.zeros(more, np.float32)])

    def put(self, rows: Rows, vectors: NDArray[np.float32]) -> None:
        """Store vectors in these rows."""
        for start in range(0, len(rows), _CODED):
            piece, part = rows[start : start + _CODED], vectors[start : start + _CODED]
            self._bits[:, piece] = self._packed(part)
            largest = np.maximum(part.max(axis=1, initial=0.0), -part.min(axis=1, initial=0.0))
            scales = np.where(largest > 0, largest / 127, 1).astype(np.float32)
            scaled = part * (1 / scales)[:, None]
            self._bytes[piece] = np.rint(scaled, out=scaled)
            self._scales[piece] = scales

    def get(self, rows: Rows) -> NDArray[np.float32]:
        """Return the approximate vectors of these rows, decoded from bytes."""
        return self._bytes[rows] * self._scales[rows, None]

    def near(self, vector: NDArray[np.float32], count: int, used: int, allowed: NDArray[np.bool_]) -> Rows:
        """Return the rows whose bits differ least from those of ``vector``: about ``count`` of the
        ``allowed`` rows among the first ``used``, in ascending order.
        """
        wanted = self._packed(vector[None, :])[:, 0]
        differing = np.empty(used, np.uint16)
        for start in range(0, used, _PIECE):
            piece = slice(start, min(start + _PIECE, used))
            found = differing[piece]
            found[:] = 0
            for word, bits in zip(wanted, self._bits, strict=True):
                found += _count_bits(bits[piece] ^ word)
        differing[~allowed] = np.iinfo(np.uint16).max
        sample = differing[::_SAMPLED]
        place = min(len(sample) - 1, count // _SAMPLED)
        limit = int(np.partition(sample, place)[place])
        return np.flatnonzero(differing <= min(limit, np.iinfo(np.uint16).max - 1))

    def cosines(self, vector: NDArray[np.float32], rows: Rows) -> NDArray[np.float32]:
        """Return the approximate cosine of ``vector`` to each of these rows, from their bytes."""
        found = np.empty(len(rows), np.float32)
        for start in range(0, len(rows), _PIECE):
            piece = rows[start : start + _PIECE]
            found[start : start + _PIECE] = self._bytes[piece].astype(np.float32) @ vector
        return found * self._scales[rows]

    def _packed(self, vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
        """Pack the bits of vectors (n × dimension) into words (words × n)."""
        packed = np.packbits(vectors > self._mean, axis=1)
        if packed.shape[1] % 8:
            packed = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))
        return packed.view(np.uint64).T


def _by_table(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    halves = words.view(np.uint16)
    counts: NDArray[np.uint8] = _TABLE[halves].reshape(len(words), 4).sum(axis=1, dtype=np.uint8)
    return counts


_TABLE: NDArray[np.uint8] = (
    np.unpackbits(np.arange(1 << 16, dtype=np.uint16).view(np.uint8))
    .reshape(-1, 16)
    .sum(axis=1, dtype=np.uint8)
)
_count_bits: Callable[[NDArray[np.uint64]], NDArray[np.uint8]] = getattr(np, "bitwise_count", _by_table)
"""Count the set bits of each word, with NumPy 2.0's function if available, or else with a lookup table."""


CODED_FROM = 100_000
"""Number of vectors above which codes are stored (150 MB at 384 components, 15 ms a search)."""
OVERSAMPLED = 12
"""Number of rows scored by their bytes for each row wanted."""
LEAST_SAMPLED = 4_000
"""Minimum number of rows scored by their bytes."""
NARROW = 20_000
"""If at most this many rows are allowed, all of them are scored by their bytes."""


class VectorMatrix:
    """Unit vectors by passage id; rows of removed vectors are reused.

    Up to ``coded_from`` vectors are stored as float32 and searched exactly. Beyond that they are converted to
    ``CodedRows``, permanently. The caller must serialise searches and changes.
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
        return 0 <= passage < len(self._row_of) and bool(self._row_of[passage] >= 0)

    @property
    def exact(self) -> bool:
        """Return whether full vectors are stored, not codes."""
        return self._codes is None

    def reserve(self, count: int) -> None:
        """Prepare for an expected total of ``count`` vectors, which saves copying when they are added in
        parts.
        """
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
            # Reserve a quarter more than needed, so that copying is rare and little memory is wasted.
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
        """Remove the vectors of a document's passages."""
        rows = np.flatnonzero(self._documents[: self._used] == document)
        self._row_of[self._ids[rows]] = -1
        self._ids[rows] = self._documents[rows] = -1
        self._holes += rows.tolist()

    def nearest(
        self, vector: NDArray[np.float32], k: int, documents: Collection[int] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the ``k`` passages with the highest cosine to ``vector`` (unit length), best first, and
        cosines.

        ``documents`` limits the search to their passages. Unless ``exact``, cosines are approximate and a
        low-ranked passage may be missed, but not if few passages are allowed.
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
        """Return the vector of a passage (approximate unless ``exact``), or None if it has none yet."""
        _, found = self.get_many(np.array([passage]))
        return found[0] if len(found) else None

    def get_many(self, passages: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """Return a mask of the passages that have a vector, and their vectors (n × dimension) as from
        ``get``.
        """
        known = (passages >= 0) & (passages < len(self._row_of))
        rows = np.full(len(passages), -1, np.intp)
        rows[known] = self._row_of[passages[known]]
        held = rows >= 0
        return held, self._rows[rows[held]] if self._codes is None else self._codes.get(rows[held])

    def _allowed(self, documents: Collection[int] | None) -> NDArray[np.bool_]:
        owners = self._documents[: self._used]
        if documents is None:
            return owners >= 0
        # A table by document id; its last element is for rows without a vector (-1).
        table = np.zeros(int(owners.max(initial=0)) + 2, np.bool_)
        wanted = np.fromiter(documents, np.int64, len(documents))
        table[wanted[(wanted >= 0) & (wanted < len(table) - 1)]] = True
        return table[owners]

    def _code(self, mean: NDArray[np.float32]) -> None:
        """Convert the vectors to codes relative to their mean, or to ``mean`` if there are no vectors yet."""
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
