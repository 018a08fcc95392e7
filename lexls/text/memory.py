"""Cache computed values. lexls has no other cache in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar, cast

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_NOTHING = object()
_SWEPT = object()
"""Key that marks the position of the last sweep among the keys, which are in order of use."""


class Memory(Generic[K, V]):
    """A thread-safe cache of values, each with a key that includes everything it depends on.

    Keys are compared by equality, and objects that do not define it by identity. ``most`` limits the total of
    ``weigh`` over the values (by default their number): the least recently used value is removed first, but
    never the newest. Without ``most``, only `sweep` and `forget` remove values. If two threads miss a value
    at the same time, both compute it.
    """

    def __init__(self, most: int | None = None, weigh: Callable[[V], int] | None = None) -> None:
        self._most = most
        self._weigh = weigh
        self._lock = threading.Lock()
        self._kept: OrderedDict[object, object] = OrderedDict()
        self._weight = 0
        self._state: Hashable = None

    def __len__(self) -> int:
        return len(self._kept) - (_SWEPT in self._kept)

    def recall(self, key: K, make: Callable[[], V]) -> V:
        """Return the value for ``key``; if there is none, compute it by ``make`` and store it."""
        # Each step is atomic, so reading needs no lock; a value removed between the steps counts as missing.
        try:
            known = self._kept[key]
            self._kept.move_to_end(key)
        except KeyError:
            return self.keep(key, make())
        return cast(V, known)

    def get(self, key: K) -> V | None:
        """Return the value for ``key``, or None if there is none."""
        try:
            known = self._kept[key]
            self._kept.move_to_end(key)
        except KeyError:
            return None
        return cast(V, known)

    def keep(self, key: K, value: V) -> V:
        """Store a value, replacing any previous one for ``key``; return it."""
        with self._lock:
            self._drop(key)
            self._kept[key] = value
            self._weight += self._weight_of(value)
            while self._most is not None and self._weight > self._most and len(self._kept) > 1:
                self._drop_oldest()
        return value

    def forget(self, keys: Iterable[K] | None = None) -> None:
        """Remove the values for these keys (None: all)."""
        with self._lock:
            for key in list(self._kept) if keys is None else keys:
                self._drop(key)

    def renew(self, state: Hashable) -> None:
        """Remove all values if ``state``, on which they depend, differs from the state at the last call."""
        if state != self._state:
            self.forget()
            self._state = state

    def sweep(self) -> None:
        """Remove the values not used since the last sweep."""
        with self._lock:
            while _SWEPT in self._kept:
                self._drop_oldest()
            self._kept[_SWEPT] = None

    def _drop(self, key: object) -> None:
        value = self._kept.pop(key, _NOTHING)
        if value is not _NOTHING and key is not _SWEPT:
            self._weight -= self._weight_of(cast(V, value))

    def _drop_oldest(self) -> None:
        # In one step, since concurrent readers change the order of use.
        key, value = self._kept.popitem(last=False)
        if key is not _SWEPT:
            self._weight -= self._weight_of(cast(V, value))

    def _weight_of(self, value: V) -> int:
        return 1 if self._weigh is None else self._weigh(value)
