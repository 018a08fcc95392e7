"""Let one indexer work on a library, however many editors are open."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from lexls.index.beside import find_beside


class IndexBusy(Exception):
    """Another process is the indexer of this library."""


@contextlib.contextmanager
def lock_index(index: Path) -> Iterator[None]:
    """Hold the right to write an index; the operating system takes it back when its holder dies.

    Raises ``IndexBusy`` at once if another process has it.
    """
    index.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(find_beside(index, "-lock"), mode=0o600)
    try:
        held = lock.acquire(timeout=0)
    except Timeout:
        raise IndexBusy from None
    with held:
        yield


def is_indexer_running(index: Path) -> bool:
    """Whether some process writes this index now."""
    try:
        with lock_index(index):
            return False
    except IndexBusy:
        return True
