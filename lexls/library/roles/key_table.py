"""Find many numbers at once among those that are known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_MULTIPLIER = 0x9E3779B97F4A7C15


class KeyTable:
    """Keys, none negative, in the slots of a table by a hash; those whose slot is taken are in a second one,
    and so on. For thousands of keys far faster than a binary search."""

    def __init__(self, keys: NDArray[np.int64]) -> None:
        self._none = len(keys)
        self._keys = np.append(keys, -1)
        self._tables: list[tuple[np.uint64, np.uint64, NDArray[np.int32]]] = []
        left = np.arange(len(keys), dtype=np.int32)
        while len(left) or not self._tables:
            multiplier = np.uint64(_MULTIPLIER + 2 * len(self._tables))
            bits = (8 * len(left) + 1).bit_length()  # so that few keys share a slot
            table = np.full(2**bits, self._none, np.int32)
            self._tables.append((multiplier, np.uint64(64 - bits), table))
            slots = keys[left].view(np.uint64) * multiplier >> np.uint64(64 - bits)
            table[slots] = left
            left = left[keys[table[slots]] != keys[left]]

    def find(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The places in ``keys`` of those that are known, and their places among the known ones."""
        which = self._look(keys, 0)
        found = np.flatnonzero(which < self._none)
        return found, which[found]

    def _look(self, keys: NDArray[np.int64], table: int) -> NDArray[np.int32]:
        multiplier, shift, places = self._tables[table]
        which = places[(keys.view(np.uint64) * multiplier >> shift).view(np.int64)]
        others = np.flatnonzero(self._keys[which] != keys)
        others = others[which[others] < self._none]
        if len(others):
            last = table + 1 == len(self._tables)
            which[others] = self._none if last else self._look(keys[others], table + 1)
        return which
