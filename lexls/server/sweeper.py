"""Collect cyclic garbage, and clear large caches, while no request is waiting."""

from __future__ import annotations

import gc
import sys
import time

NEW_OBJECTS = 10_000
"""Number of new container objects that trigger a collection of new objects (Python's default: 700)."""
NEVER = 1_000_000
IDLE_SECONDS = 5.0
"""Seconds without a request after which the server counts as idle."""
BUSY_SECONDS = 60.0
"""Seconds between collections while requests keep coming."""
LARGE = 1000
"""Minimum size, in entries, of a cache that is cleared. Smaller ones contain what takes long to load."""


class Sweeper:
    """Collects long-lived cyclic garbage while the server is idle, and once a minute if it never is."""

    def __init__(self) -> None:
        self._asked_at = self._swept_at = time.monotonic()
        self._swept = False

    @staticmethod
    def begin() -> None:
        """Restrict Python's automatic garbage collection to new objects."""
        gc.set_threshold(NEW_OBJECTS, 10, NEVER)

    @property
    def seconds_since_request(self) -> float:
        """The time since the last request arrived."""
        return time.monotonic() - self._asked_at

    def asked(self) -> None:
        """Record that a request arrived."""
        self._asked_at = time.monotonic()
        self._swept = False

    def sweep_if_due(self) -> None:
        """Collect all garbage once if no request has come for ``IDLE_SECONDS``. Under continuous requests,
        collect every ``BUSY_SECONDS``, but only among the objects created since the server was last idle.
        """
        if self.seconds_since_request >= IDLE_SECONDS:
            if not self._swept:
                self._swept = True
                gc.unfreeze()
                self._collect()
                gc.freeze()  # a later collection under load skips what is alive now
        elif time.monotonic() - self._swept_at >= BUSY_SECONDS:
            self._collect()

    def _collect(self) -> None:
        clear_caches()
        gc.collect()
        self._swept_at = time.monotonic()


def clear_caches() -> None:
    """Clear the caches of functions that compare names and words, which are refilled in milliseconds.

    Every name ever typed would otherwise remain in them. Their entries are scattered over the memory that
    requests used meanwhile, so that it could not be reused: in half an hour of typing it grew by a tenth.
    """
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("lexls.")]
    for function in [each for module in modules for each in list(vars(module).values())]:
        if hasattr(function, "cache_parameters") and (function.cache_parameters()["maxsize"] or 0) >= LARGE:
            function.cache_clear()
