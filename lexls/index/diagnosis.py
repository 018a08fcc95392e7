"""Say in words what this machine's SQLite can do and why an index failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import apsw

from lexls.index.connection import load_vector_extension
from lexls.index.schema import IndexTooNew


@dataclass(frozen=True, slots=True)
class Components:
    """Versions of what the index stands on. ``sqlite_vec`` is "" where it cannot be loaded."""

    sqlite: str
    apsw: str
    sqlite_vec: str


def find_components() -> Components:
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


def describe_failure(error: Exception, index: Path) -> str:
    """Why the index file cannot be used, if ``error`` is about that; "" if it is about something else."""
    reasons: Mapping[type[Exception] | tuple[type[Exception], ...], str] = {
        IndexTooNew: "made by a newer lexls; install that one, or delete the file",
        apsw.NotADBError: "is not an index of lexls",
        apsw.CorruptError: "is damaged; delete it and index again",
        apsw.FullError: "the disk is full",
        (apsw.ReadOnlyError, apsw.PermissionsError): "may not be written",
        (apsw.BusyError, apsw.LockedError): "another program keeps it locked",
        apsw.Error: str(error),
    }
    return next((f"{index}: {words}" for kind, words in reasons.items() if isinstance(error, kind)), "")
