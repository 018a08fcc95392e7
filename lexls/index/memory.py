"""Memory that the allocator keeps for itself."""

from __future__ import annotations

import contextlib
import ctypes
import sys


def give_back() -> None:
    """Let the C library return what it holds of freed memory to the system, where it can (glibc).

    After a large library was read that is as much as the library's postings; it would be kept otherwise.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
