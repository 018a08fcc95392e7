"""Name what lies beside an index file, and lock the index, so that one indexer works on a library.

Whoever removes an index finds all of it and nothing else.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args

from filelock import FileLock, Timeout

Beside = Literal[
    "-wal",
    "-shm",
    "-lock",
    "-wanted",
    "-paused",
    "-views",
    "-models",
    "-order",
    "-mirror",
    "-mirror-wal",
    "-mirror-shm",
]
"""SQLite's log and its index, the lock of the indexer, wishes, the pause, copies for editors, what was
measured of models, the order learnt on the library, and what of the index is on a Milvus server."""
Meanwhile = Literal["-fresh", "-verify-", "-copy-", "-seed"]
"""An index that is being made: in the place of a damaged one, to be compared with, or as a copy."""


def find_beside(index: Path, kind: Beside) -> Path:
    """Return where a companion of an index lies, whether it is there or not."""
    return index.with_name(index.name + kind)


def name_meanwhile(index: Path, kind: Meanwhile) -> str:
    """Return how the hidden names begin of what lies beside an index for a while only."""
    return f".{index.name}{kind}"


def list_beside(index: Path) -> Iterator[Path]:
    """Yield what lies beside an index now, files and folders."""
    yield from (path for kind in get_args(Beside) if (path := find_beside(index, kind)).exists())
    beginnings = tuple(name_meanwhile(index, kind) for kind in get_args(Meanwhile))
    hidden = (path for path in index.parent.iterdir() if path.name.startswith(beginnings))
    yield from sorted(hidden)


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
    """Return whether some process writes this index now."""
    try:
        with lock_index(index):
            return False
    except IndexBusy:
        return True
