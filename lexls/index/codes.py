"""Vectors as short codes, for a library so large that all its vectors in full would not fit beside an editor.

Each vector is kept twice: as one bit a component (above or below the mean of that component), and as one
signed byte a component with a scale of its own. A search counts differing bits over all vectors, which takes
some milliseconds a million, and scores the nearest few thousand by their bytes. Errors of a cosine by bytes
are some 0.0005; who wants the first places exactly right scores these from the index file.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

_PIECE = 1 << 15
_WORD = 64
_SAMPLED = 16
_CODED = 256
"""So many vectors are coded at a time, so that they stay in the processor's cache."""

Rows = NDArray[np.intp]


class CodedRows:
    """Rows of ``dimension`` components as codes. ``mean`` is about where the vectors' middle lies."""

    def __init__(self, dimension: int, mean: NDArray[np.float32]) -> None:
        self._mean = mean
        self._dimension = dimension
        words = -(-dimension // _WORD)
        # A word of all rows after the other, so that counting goes straight through memory.
        self._bits: NDArray[np.uint64] = np.empty((words, 0), np.uint64)
        self._bytes: NDArray[np.int8] = np.empty((0, dimension), np.int8)
        self._scales: NDArray[np.float32] = np.empty(0, np.float32)

    @property
    def nbytes(self) -> int:
        """Memory of the arrays in bytes: some 1.14 a component."""
        return self._bits.nbytes + self._bytes.nbytes + self._scales.nbytes

    def reserve(self, capacity: int) -> None:
        """Make room for so many rows."""
        more = capacity - len(self._scales)
        if more > 0:
            self._bits = np.concatenate([self._bits, np.zeros((len(self._bits), more), np.uint64)], axis=1)
            self._bytes = np.concatenate([self._bytes, np.zeros((more, self._dimension), np.int8)])
            self._scales = np.concatenate([self._scales, np.zeros(more, np.float32)])

    def put(self, rows: Rows, vectors: NDArray[np.float32]) -> None:
        """Set these rows."""
        for start in range(0, len(rows), _CODED):
            piece, part = rows[start : start + _CODED], vectors[start : start + _CODED]
            self._bits[:, piece] = self._packed(part)
            largest = np.maximum(part.max(axis=1, initial=0.0), -part.min(axis=1, initial=0.0))
            scales = np.where(largest > 0, largest / 127, 1).astype(np.float32)
            scaled = part * (1 / scales)[:, None]
            self._bytes[piece] = np.rint(scaled, out=scaled)
            self._scales[piece] = scales

    def get(self, rows: Rows) -> NDArray[np.float32]:
        """The vectors of these rows, as far as their bytes say."""
        return self._bytes[rows] * self._scales[rows, None]

    def near(self, vector: NDArray[np.float32], count: int, used: int, allowed: NDArray[np.bool_]) -> Rows:
        """About ``count`` of the ``allowed`` among the first ``used`` rows, those with the fewest bits other
        than ``vector``'s, rising.
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
        """The cosine of ``vector`` to each of these rows, by their bytes."""
        found = np.empty(len(rows), np.float32)
        for start in range(0, len(rows), _PIECE):
            piece = rows[start : start + _PIECE]
            found[start : start + _PIECE] = self._bytes[piece].astype(np.float32) @ vector
        return found * self._scales[rows]

    def _packed(self, vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
        """The bits of vectors (n × dimension) as words (words × n)."""
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
"""NumPy has a function for it from 2.0 on."""
