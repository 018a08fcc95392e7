"""Limit the memory of a process that reads files, by the user's setting or by what the machine has."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

MOST = 2**30
"""Bytes that one file may take unless the user says otherwise: 24 MB of plain text do, 28 MB do not."""
SHARE = 8
"""A machine of less than so many times ``MOST`` gives a reader this part of its memory."""
LEAST = 2**28
"""Bytes that a reader may always take, however small the machine."""
_PROGRAM = 2**29
"""Bytes of address space for the program and its libraries, which are half of it or less."""
_CONTAINER = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Where Linux says how much memory a container may take (cgroup 2, 1)."""


def find_most_memory(megabytes: int = 0) -> int:
    """Return the bytes that a file may take: the user's ``megabytes``, or if 0 what fits the machine."""
    if megabytes:
        return megabytes * 2**20
    total = measure_machine()
    return min(MOST, max(LEAST, total // SHARE)) if total else MOST


def measure_machine() -> int:
    """Return the memory of this machine, or of the container that lexls runs in; 0 if unknown."""
    found: list[int] = []
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for limit in _CONTAINER:
        with contextlib.suppress(OSError, ValueError):
            found.append(int(limit.read_text()))
    return min(found, default=0)


def limit_memory(most: int) -> None:
    """Have this process raise ``MemoryError`` if it takes more than ``most`` bytes beside the program's own,
    where the platform has such a limit."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if not 0 <= soft <= most + _PROGRAM:
        with contextlib.suppress(OSError, ValueError):  # macOS may refuse it
            resource.setrlimit(resource.RLIMIT_AS, (most + _PROGRAM, hard))


def describe_need(most: int) -> str:
    """Say that a file needs more than ``most`` bytes."""
    allowed = f"{most / 2**30:.1f}".removesuffix(".0") + " GB" if most >= 2**30 else f"{most // 2**20} MB"
    return f"takes more than {allowed} of memory to read; split it, or raise index.readerMegabytes"
