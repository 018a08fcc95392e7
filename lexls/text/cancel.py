"""Cancel running work through a token."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Cancelled(Exception):
    """The work was cancelled by its requester."""


class CancelToken:
    """Indicates whether a request has been cancelled; thread-safe.

    Long work calls ``raise_if_cancelled`` between its steps. Work that cannot check, such as an SQL
    statement, registers a callback with ``on_cancel`` that interrupts it.
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._callbacks: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    @property
    def cancelled(self) -> bool:
        """True if the work should stop."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Ask the work to stop. Repeated calls have no effect."""
        with self._lock:
            callbacks = [] if self._event.is_set() else list(self._callbacks)
            self._event.set()
        for callback in callbacks:
            callback()

    def on_cancel(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` on cancellation, or immediately if already cancelled. Return a function that
        unregisters it.
        """
        with self._lock:
            if not self._event.is_set():
                self._callbacks.append(callback)
                return lambda: self._remove(callback)
        callback()
        return lambda: None

    def raise_if_cancelled(self) -> None:
        """Raise ``Cancelled`` if the work should stop."""
        if self._event.is_set():
            raise Cancelled

    def _remove(self, callback: Callable[[], None]) -> None:
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)
