"""Copies of an index file."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import apsw

from lexls.index.connection import BUSY_TIMEOUT_MS, open_reader

_PAGES = 2000
"""So many pages of the file are copied before others may write to it again."""


def copy_index(source: Path, target: Path) -> None:
    """Copy the index ``source`` as it is at one moment, whoever writes to it meanwhile.

    What was at ``target`` is replaced. Raises ``apsw.Error`` and ``OSError``."""
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        os.close(os.open(beside, os.O_CREAT | os.O_WRONLY, 0o600))
        with (
            contextlib.closing(open_reader(source)) as original,
            contextlib.closing(apsw.Connection(str(beside))) as copy,
            copy.backup("main", original, "main") as backup,
        ):
            copy.set_busy_timeout(BUSY_TIMEOUT_MS)
            while not backup.done:
                backup.step(_PAGES)
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)
