"""Connections to the index file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw

BUSY_TIMEOUT_MS = 10_000
"""How long a statement waits for another process' commit before it fails."""


def open_writer(path: Path) -> apsw.Connection:
    """Open the index for writing, made if it is missing, readable by its owner only.

    Raises ``apsw.NotADBError`` if ``path`` is a file of another kind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.execute("PRAGMA journal_mode = WAL")
    # With WAL, NORMAL loses at most the last commits on a power cut, never the file's soundness; a
    # lost commit is found again by the next reconciliation.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    connection.execute("PRAGMA cache_size = -32000")
    return connection


def open_reader(path: Path) -> apsw.Connection:
    """Open an existing index for reading only. Raises ``apsw.CantOpenError`` if it is missing."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    # A WAL reader needs write access to the shared-memory file; query_only keeps it off the tables.
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.execute("PRAGMA query_only = ON")
    return connection


def load_vector_extension(connection: apsw.Connection) -> bool:
    """Load sqlite-vec into the connection; False where it has no build for this platform."""
    try:
        import sqlite_vec
    except ImportError:
        return False
    try:
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
    except apsw.Error:
        return False
    finally:
        connection.enable_load_extension(False)
    return True


def has_vector_extension(connection: apsw.Connection) -> bool:
    """Whether sqlite-vec is loaded into the connection."""
    row = connection.execute("SELECT 1 FROM pragma_module_list WHERE name = 'vec0'").fetchone()
    return row is not None


def select(connection: apsw.Connection, sql: str, bindings: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
    """The rows of a statement, their columns of the types that the schema says."""
    return iter(connection.execute(sql, tuple(bindings)))
