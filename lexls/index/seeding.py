"""Begin an index with a copy of another that shares folders with it: no file of these is read again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from lexls.index.config import IndexerConfig


def choose_seed(config: IndexerConfig, others: Iterable[IndexerConfig]) -> Path | None:
    """Return the index of the other configuration that shares most folders with one that has no index yet."""
    if config.index.exists():
        return None
    shared = {
        each.index: len(set(each.folders) & set(config.folders))
        for each in others
        if each.options.exhibits == config.options.exhibits
    }
    best = max(shared, key=lambda index: shared[index], default=None)
    return best if best is not None and shared[best] else None


def seed_index(config: IndexerConfig) -> None:
    """Copy the seed of a configuration to where its index will be, if none is there.

    Comparing it with the folders then removes what lies in none of them. Without a copy all is read.
    """
    import apsw

    from lexls.index.connection import copy_index

    if config.seed is not None and not config.index.exists():
        with contextlib.suppress(apsw.Error, OSError):
            copy_index(config.seed, config.index)
