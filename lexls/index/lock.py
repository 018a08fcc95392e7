"""Let one indexer work on a library, however many editors are open."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout


class IndexBusy(Exception):
    """Another process is the indexer of this library."""


class IndexLock:
    """The right to write an index; the operating system takes it back when its holder dies."""

    def __init__(self, index: Path) -> None:
        index.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(index.with_name(index.name + "-lock"), mode=0o600)

    def acquire(self) -> None:
        """Take the lock. Raises ``IndexBusy`` at once if another process has it."""
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise IndexBusy from None

    def release(self) -> None:
        """Give the lock back."""
        self._lock.release()

    def __enter__(self) -> IndexLock:
        self.acquire()
        return self

    def __exit__(self, *error: object) -> None:
        self.release()


def is_indexer_running(index: Path) -> bool:
    """Whether some process writes this index now."""
    lock = IndexLock(index)
    try:
        lock.acquire()
    except IndexBusy:
        return True
    lock.release()
    return False
