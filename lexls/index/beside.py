"""Name what lies beside an index file, so that whoever removes the index finds all of it and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args

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
Meanwhile = Literal["-fresh", "-verify-", "-copy-"]
"""An index that is being made: in the place of a damaged one, to be compared with, or as a copy."""


def find_beside(index: Path, kind: Beside) -> Path:
    """Where a companion of an index lies, whether it is there or not."""
    return index.with_name(index.name + kind)


def name_meanwhile(index: Path, kind: Meanwhile) -> str:
    """How the hidden names begin of what lies beside an index for a while only."""
    return f".{index.name}{kind}"


def list_beside(index: Path) -> Iterator[Path]:
    """What lies beside an index now, files and folders."""
    yield from (path for kind in get_args(Beside) if (path := find_beside(index, kind)).exists())
    beginnings = tuple(name_meanwhile(index, kind) for kind in get_args(Meanwhile))
    hidden = (path for path in index.parent.iterdir() if path.name.startswith(beginnings))
    yield from sorted(hidden)
