"""What this machine's SQLite can do, and index failures in words for the user."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import apsw

from lexls.index.connection import load_vector_extension
from lexls.index.schema import MIGRATIONS, IndexTooNew

CURRENT_SCHEMA = len(MIGRATIONS)


@dataclass(frozen=True, slots=True)
class Components:
    """Versions of what the index stands on. ``sqlite_vec`` is "" where it cannot be loaded."""

    sqlite: str
    apsw: str
    sqlite_vec: str


def components() -> Components:
    """Try SQLite and its vector extension in memory."""
    connection = apsw.Connection(":memory:")
    try:
        version = ""
        if load_vector_extension(connection):
            row = connection.execute("SELECT vec_version()").fetchone()
            version = str(row[0]).removeprefix("v") if row else ""
        return Components(apsw.sqlite_lib_version(), apsw.apsw_version(), version)
    finally:
        connection.close()


def failure_in_words(error: Exception, index: Path) -> str:
    """Why the index file cannot be used, if ``error`` is about that; "" if it is about something else."""
    if isinstance(error, IndexTooNew):
        return f"{index}: made by a newer lexls; install that one, or delete the file"
    if isinstance(error, apsw.NotADBError):
        return f"{index}: is not an index of lexls"
    if isinstance(error, apsw.CorruptError):
        return f"{index}: is damaged; delete it and index again"
    if isinstance(error, apsw.FullError):
        return f"{index}: the disk is full"
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError):
        return f"{index}: may not be written"
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return f"{index}: another program keeps it locked"
    if isinstance(error, apsw.Error):
        return f"{index}: {error}"
    return ""
