"""Name the files that accompany an index, and lock the index so that only one indexer writes to it.

Code that deletes an index uses these names to find all its files and no others.
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
"""Suffixes of an index's companion files: SQLite's write-ahead log and shared memory, the indexer's lock,
wanted documents, the pause marker, copies for editors, model measurements, the ranking learnt on the
library, and the state of the Milvus mirror with its own two SQLite files.
"""
Meanwhile = Literal["-fresh", "-verify-", "-copy-", "-seed"]
"""Suffixes of temporary indexes: a replacement for a damaged one, one built for verification, a copy being
made, and a new one being seeded.
"""


def find_beside(index: Path, kind: Beside) -> Path:
    """Return the path of an index's companion file, whether or not it exists."""
    return index.with_name(index.name + kind)


def name_meanwhile(index: Path, kind: Meanwhile) -> str:
    """Return the beginning of the hidden names of an index's temporary files."""
    return f".{index.name}{kind}"


def list_beside(index: Path) -> Iterator[Path]:
    """Yield the files and folders that now accompany an index."""
    yield from (path for kind in get_args(Beside) if (path := find_beside(index, kind)).exists())
    beginnings = tuple(name_meanwhile(index, kind) for kind in get_args(Meanwhile))
    hidden = (path for path in index.parent.iterdir() if path.name.startswith(beginnings))
    yield from sorted(hidden)


class IndexBusy(Exception):
    """Raised if another process is indexing this library."""


@contextlib.contextmanager
def lock_index(index: Path) -> Iterator[None]:
    """Lock an index for writing. The operating system releases the lock if the process dies.

    Raises ``IndexBusy`` at once if another process has the lock.
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
    """Return whether any process has locked this index for writing."""
    try:
        with lock_index(index):
            return False
    except IndexBusy:
        return True
