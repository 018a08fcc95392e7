"""Python's cycle collector, kept out of the way of a person who types.

A draft of 300 pages and a library are millions of objects that stay. Looking through them all takes a tenth
of a second or more, in which nothing else runs, and Python would do it every few dozen key presses. Here only
what is new is looked through at once; the rest when nobody has asked for anything for a while.
"""

from __future__ import annotations

import gc
import time

NEW_OBJECTS = 10_000
"""So many new containers are looked through at a time (Python's default: 700)."""
NEVER = 1_000_000
IDLE_SECONDS = 5.0


class Sweeper:
    """Collects cyclic garbage of long-lived objects while the server is idle."""

    def __init__(self) -> None:
        self._asked_at = time.monotonic()
        self._swept = False

    @staticmethod
    def begin() -> None:
        """From now on Python itself looks through new objects only."""
        gc.set_threshold(NEW_OBJECTS, 10, NEVER)

    def asked(self) -> None:
        """Somebody asked for something."""
        self._asked_at = time.monotonic()
        self._swept = False

    def sweep_if_idle(self) -> None:
        """Look through everything once after each time that somebody asked, when it has been quiet since."""
        if not self._swept and time.monotonic() - self._asked_at >= IDLE_SECONDS:
            self._swept = True
            gc.collect()
