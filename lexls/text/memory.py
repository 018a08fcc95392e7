"""Remember what was worked out: the one cache of lexls, for whatever else would be worked out again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar, cast

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_NOTHING = object()
_SWEPT = object()
"""Stands in the order of use where the last sweep was."""


class Memory(Generic[K, V]):
    """Keeps values by a key that holds all they depend on. Safe from several threads.

    A key is known by equality; objects without one of their own are known by identity. ``most`` bounds the
    sum of what ``weigh`` says of the values (by default their number): the value not used for longest goes
    first, but never the last one kept. Without ``most``, only `sweep` and `forget` let go of anything. Two
    threads that miss a value at the same time both work it out.
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
        """The value for ``key``; where there is none, what ``make`` gives, which is kept."""
        # Each step is atomic, so that reading needs no lock: what goes in between counts as missed.
        try:
            known = self._kept[key]
            self._kept.move_to_end(key)
        except KeyError:
            return self.keep(key, make())
        return cast(V, known)

    def get(self, key: K) -> V | None:
        """The value for ``key``, None if there is none."""
        try:
            known = self._kept[key]
            self._kept.move_to_end(key)
        except KeyError:
            return None
        return cast(V, known)

    def keep(self, key: K, value: V) -> V:
        """Keep a value, in place of the one that ``key`` had; gives it back."""
        with self._lock:
            self._drop(key)
            self._kept[key] = value
            self._weight += self._weight_of(value)
            while self._most is not None and self._weight > self._most and len(self._kept) > 1:
                self._drop_oldest()
        return value

    def forget(self, keys: Iterable[K] | None = None) -> None:
        """Let go of the values for these keys (None: of all)."""
        with self._lock:
            for key in list(self._kept) if keys is None else keys:
                self._drop(key)

    def renew(self, state: Hashable) -> None:
        """Forget everything if ``state``, on which all values depend, differs from the last one."""
        if state != self._state:
            self.forget()
            self._state = state

    def sweep(self) -> None:
        """Forget what was not used since the last sweep."""
        with self._lock:
            while _SWEPT in self._kept:
                self._drop_oldest()
            self._kept[_SWEPT] = None

    def _drop(self, key: object) -> None:
        value = self._kept.pop(key, _NOTHING)
        if value is not _NOTHING and key is not _SWEPT:
            self._weight -= self._weight_of(cast(V, value))

    def _drop_oldest(self) -> None:
        # In one step: who reads meanwhile changes the order of use.
        key, value = self._kept.popitem(last=False)
        if key is not _SWEPT:
            self._weight -= self._weight_of(cast(V, value))

    def _weight_of(self, value: V) -> int:
        return 1 if self._weigh is None else self._weigh(value)
