"""Find many numbers at once among those that are known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class KeyTable:
    """Keys, none negative, in the slots of a table by a hash, and apart those whose slot another one has.

    For thousands of keys far faster than a binary search.
    """

    def __init__(self, keys: NDArray[np.int64]) -> None:
        self._none = len(keys)
        self._keys = np.append(keys, -1)
        bits = (8 * len(keys) + 1).bit_length()  # so that few keys share a slot
        self._shift = np.uint64(64 - bits)
        self._table = np.full(2**bits, self._none, np.int32)
        slots = self._slots(keys)
        self._table[slots] = np.arange(len(keys))
        apart = np.flatnonzero(keys[self._table[slots]] != keys)
        self._apart = dict(zip(keys[apart].tolist(), apart.tolist(), strict=True))

    def find(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The places in ``keys`` of those that are known, and their places among the known ones."""
        which = self._table[self._slots(keys)]
        others = np.flatnonzero(self._keys[which] != keys)
        others = others[which[others] < self._none]
        which[others] = [self._apart.get(key, self._none) for key in keys[others].tolist()]
        found = np.flatnonzero(which < self._none)
        return found, which[found]

    def _slots(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        return (keys.view(np.uint64) * _MULTIPLIER >> self._shift).view(np.int64)
