"""Cancel work in a way that reaches it."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Cancelled(Exception):
    """The work was cancelled by whoever asked for it."""


class CancelToken:
    """Says whether somebody still wants the answer; safe to use from any thread.

    Long work calls ``raise_if_cancelled`` between its steps; work that cannot look (an SQL statement)
    registers a callback with ``on_cancel`` and is interrupted through it.
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._callbacks: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    @property
    def cancelled(self) -> bool:
        """Return whether the work should stop."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Ask the work to stop. Calling it again changes nothing."""
        with self._lock:
            callbacks = [] if self._event.is_set() else list(self._callbacks)
            self._event.set()
        for callback in callbacks:
            callback()

    def on_cancel(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` once on cancellation (at once if it has happened); returns its removal."""
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
