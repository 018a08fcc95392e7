"""Say in words what this machine's SQLite can do and why an index failed."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import apsw

from lexls.index.connection import load_vector_extension
from lexls.index.milvus import MilvusUnavailable
from lexls.index.schema import IndexTooNew, IndexTooOld, NotAnIndex
from lexls.index.soundness import IndexDamaged


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


_REASONS = (
    "made by a newer lexls; update this one, or start it again, and it makes another beside it",
    "is not an index of lexls",
    "is damaged, and is made anew from the files of the library",
    "the disk is full; lexls goes on by itself when there is room again",
    "may not be written; it is read as it is",
    "another program keeps it locked",
    "made by an older lexls, with which another process has it open; close or update the editor that runs it",
)
_TOO_NEW, _FOREIGN, _DAMAGED, _FULL, _READ_ONLY, _LOCKED, _TOO_OLD = range(len(_REASONS))
_KINDS: Mapping[type[Exception], int] = {
    IndexTooNew: _TOO_NEW,
    IndexTooOld: _TOO_OLD,
    NotAnIndex: _FOREIGN,
    apsw.NotADBError: _FOREIGN,
    IndexDamaged: _DAMAGED,
    apsw.CorruptError: _DAMAGED,
    apsw.FullError: _FULL,
    apsw.ReadOnlyError: _READ_ONLY,
    apsw.PermissionsError: _READ_ONLY,
    apsw.BusyError: _LOCKED,
    apsw.LockedError: _LOCKED,
}
_OF_SYSTEM = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EROFS: _READ_ONLY,
    errno.EACCES: _READ_ONLY,
    errno.EPERM: _READ_ONLY,
}
_FIRST_EXIT = 10
_FULL_BELOW = 1 << 20
"""With fewer bytes left SQLite says of a full disk that it cannot open a file, or write to it."""


def describe_failure(error: Exception, index: Path) -> str:
    """Why the index cannot be used, if ``error`` is about that; "" if it is about something else."""
    if isinstance(error, MilvusUnavailable):
        return str(error)
    kind = _find_kind(error, index)
    if kind is not None:
        return f"{index}: {_REASONS[kind]}"
    return f"{index}: {error}" if isinstance(error, apsw.Error) else ""


def is_read_only(error: BaseException | None, index: Path) -> bool:
    """Whether ``error`` means that the index may not be written."""
    return isinstance(error, Exception) and _find_kind(error, index) == _READ_ONLY


def choose_exit_status(error: Exception, index: Path) -> int:
    """The status with which a process ends that ``error`` ended, which ``describe_exit`` understands."""
    kind = _find_kind(error, index)
    return 1 if kind is None else _FIRST_EXIT + kind


def describe_exit(status: int, index: Path) -> str:
    """Why a process ended, by its exit status, in words as of ``describe_failure``; "" if it does not say."""
    kind = status - _FIRST_EXIT
    return f"{index}: {_REASONS[kind]}" if 0 <= kind < len(_REASONS) else ""


def _find_kind(error: Exception, index: Path) -> int | None:
    for each, kind in _KINDS.items():
        if isinstance(error, each):
            return kind
    if isinstance(error, apsw.SQLError) and str(error).startswith("no such table"):
        return _DAMAGED
    if isinstance(error, OSError):
        return _OF_SYSTEM.get(error.errno or 0)
    if isinstance(error, apsw.IOError | apsw.CantOpenError):
        with contextlib.suppress(OSError):
            if shutil.disk_usage(index.parent).free < _FULL_BELOW:
                return _FULL
            if not os.access(index.parent, os.W_OK) or (index.exists() and not os.access(index, os.W_OK)):
                return _READ_ONLY
    return None
