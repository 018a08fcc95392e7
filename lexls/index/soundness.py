"""Check an index's integrity, explain its errors in words, and report the versions of its components."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import apsw
import numpy as np

from lexls.index.beside import find_beside
from lexls.index.connection import (
    SCHEMA_VERSION,
    IndexTooNew,
    IndexTooOld,
    NotAnIndex,
    has_vector_extension,
    is_index,
    load_vector_extension,
    migrate,
    open_reader,
    read_meta,
    read_schema_version,
    select,
)
from lexls.index.milvus import MilvusUnavailable
from lexls.index.reconcile import FileKey
from lexls.index.vectors import VectorStore
from lexls.text.cancel import CancelToken

_OF_DOCUMENTS = (
    "texts", "passages", "postings", "edges", "treatments", "precedents", "precedent_postings",
    "record_places",
)  # fmt: skip
"""The tables whose rows belong to a document."""
_OWNERS = dict.fromkeys(_OF_DOCUMENTS, ("document", "documents")) | dict.fromkeys(
    ("precedent_keys", "precedent_vectors"), ("precedent", "precedents")
)
"""For each table, the column with the id of a row's owner, and the owner's table."""
_NAMES = ("SELECT library, relative, part FROM documents", "SELECT term FROM terms")
"""Queries that the indexer runs over all documents at start-up."""
_JSON = {
    "documents": ("citations", "keys", "docket", "sources", "warnings"),
    "corpora": ("problems",),
    "catalogues": ("problems",),
    "descriptions": ("facts",),
}
"""The JSON columns of each table; invalid JSON would make documents unreadable."""
LOOKED_THROUGH = "looked_through"
"""Metadata key of the last successful check of the whole file, in nanoseconds since 1970. Only an index that
was closed properly has it: each writer removes it first.
"""
_REMEMBERED = (
    "dimension", "generation", "horizon", LOOKED_THROUGH, "missing", "places", "progress", "reconciled",
    "reconciling", "renewed", "unread", "vectors_since",
)  # fmt: skip
"""Metadata keys whose values are numbers or JSON."""
_UNIT = 0.02
"""Maximum deviation of a vector's length from 1."""


class IndexDamaged(Exception):
    """Raised if the content of an index is unreliable and the index must be rebuilt; the message says why."""


DAMAGE = (IndexDamaged, apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError, zlib.error)
"""Errors that show that an index is damaged: found by SQLite, or caused by content that lexls did not
write.
"""
CLOSED = apsw.ConnectionClosedError
"""Raised if a connection was closed while in use."""


@dataclass(frozen=True, slots=True)
class VectorFaults:
    """Passages and precedents (ids) whose vectors contradict the index; the ``missing`` and ``damaged`` ones
    are passages. ``stray`` is the number of vectors and other rows without a passage.
    """

    missing: frozenset[int]
    damaged: frozenset[int]
    stray: int
    precedents: frozenset[int]

    def __bool__(self) -> bool:
        return bool(self.missing or self.damaged or self.stray or self.precedents)


def check_soundness(index: Path, token: CancelToken | None = None) -> str:
    """Return the first problem found in the file or its tables, in one line; "" if there is none. For an
    index of another version, only the file and the presence of its tables are checked.

    Takes as long as reading the whole file. Raises ``apsw.InterruptError`` if the token is cancelled.
    """
    return _look(index, _find_damage, token)


def find_loose_ends(index: Path, token: CancelToken | None = None) -> str:
    """Return the first inconsistency between rows of an otherwise intact index, in one line; "" if there is
    none. Such rows can be repaired one by one. Raises the errors of ``check_soundness``.
    """
    return _look(index, _find_loose_ends, token)


def _look(
    index: Path, find: Callable[[apsw.Connection], Iterator[str]], token: CancelToken | None = None
) -> str:
    try:
        with contextlib.closing(open_reader(index)) as connection:

            def interrupt() -> None:
                with contextlib.suppress(apsw.ConnectionClosedError):
                    connection.interrupt()

            forget = token.on_cancel(interrupt) if token else lambda: None
            try:
                return next(find(connection), "")
            finally:
                forget()
    except DAMAGE as error:
        return str(error)


def was_closed(index: Path) -> bool:
    """Return whether the last writer closed the index properly, so that it need not be checked."""
    log = find_beside(index, "-wal")
    if log.exists() and log.stat().st_size:
        return False
    with contextlib.suppress(apsw.Error), contextlib.closing(open_reader(index)) as connection:
        return bool(read_meta(connection, LOOKED_THROUGH)) and not _find_missing(connection)
    return False


def _find_damage(connection: apsw.Connection) -> Iterator[str]:
    # A file without tables is new, or its creation was interrupted.
    if not any(select(connection, "SELECT 1 FROM sqlite_master")) or not is_index(connection):
        return
    for (found,) in select(connection, "PRAGMA integrity_check(1)"):
        if found != "ok":
            yield str(found).replace("\n", " ")
    if read_schema_version(connection) > SCHEMA_VERSION:
        return  # other tables, which this version does not know
    if missing := _find_missing(connection):
        yield f"without {', '.join(missing)}"
        return
    if read_schema_version(connection) < SCHEMA_VERSION:
        return
    for sql in _NAMES:
        for _ in select(connection, sql):
            pass  # raises if it is not text
    yield from _find_unreadable(connection)


def _find_missing(connection: apsw.Connection) -> list[str]:
    """Return the tables and indexes of the index's schema version that are missing."""
    with contextlib.closing(apsw.Connection(":memory:")) as fresh:
        migrate(fresh, min(read_schema_version(connection), SCHEMA_VERSION))
        return sorted(_list_tables(fresh) - _list_tables(connection)) or _find_missing_of_vectors(
            connection, fresh
        )


def _find_missing_of_vectors(connection: apsw.Connection, fresh: apsw.Connection) -> list[str]:
    """Return sqlite-vec's internal tables that are missing, if sqlite-vec is installed here."""
    store = VectorStore(connection, True)
    if not store.usable() or not load_vector_extension(fresh):
        return []
    VectorStore(fresh, True).create(store.dimension)
    return sorted(_list_tables(fresh) - _list_tables(connection))


def _list_tables(connection: apsw.Connection) -> set[str]:
    """Return the names of a file's tables and indexes, except SQLite's internal ones."""
    return {
        name
        for (name,) in select(connection, "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
    }


def _find_unreadable(connection: apsw.Connection) -> Iterator[str]:
    """Describe numbers and JSON values that are invalid."""
    marks = ", ".join("?" * len(_REMEMBERED))
    sql = f"SELECT key FROM meta WHERE key IN ({marks}) AND NOT json_valid(value)"
    for (key,) in select(connection, sql, _REMEMBERED):
        yield f"what it remembers as {key} cannot be read"
    for table, columns in _JSON.items():
        wrong = " OR ".join(f"NOT json_valid({column})" for column in columns)
        for (count,) in select(connection, f"SELECT count(*) FROM {table} WHERE {wrong}"):
            if count:
                yield f"rows of {table} that cannot be read: {count:,}"


def find_vector_faults(connection: apsw.Connection) -> VectorFaults:
    """Compare an index's vectors with the records of them in its tables, within the caller's transaction."""
    store = VectorStore(connection, has_vector_extension(connection))
    marked = _ids(connection, "SELECT id FROM passages WHERE embedded > 0")
    held: set[int] = set()
    damaged: set[int] = set()
    count = 0
    if store.dimension and store.usable():
        for ids, matrix in store.parts():
            with np.errstate(all="ignore"):
                lengths = np.linalg.norm(matrix, axis=1)
                held.update(ids.tolist())
                damaged.update(ids[~(np.abs(lengths - 1) <= _UNIT)].tolist())
        count = store.count()
    elif store.kind():
        held = marked  # stored by a sqlite-vec that this machine lacks
        count = len(held)
    of_precedents = dict(
        select(
            connection,
            "SELECT precedent, length(proposition) = ? FROM precedent_vectors",
            (2 * store.dimension,),
        )
    )
    embedded = _ids(connection, "SELECT id FROM precedents WHERE embedded > 0")
    short = {each for each, whole in of_precedents.items() if not whole}
    stray = len(held - marked) + abs(count - len(held))
    return VectorFaults(
        frozenset(marked - held),
        frozenset(damaged & marked),
        stray,
        frozenset((embedded ^ of_precedents.keys()) | short),
    )


def find_orphans(connection: apsw.Connection) -> Iterator[str]:
    """Describe rows whose owner no longer exists."""
    for table, (column, owner) in _OWNERS.items():
        sql = f"SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT id FROM {owner})"
        [(count,)] = select(connection, sql)
        if count:
            yield f"rows of {table} that belong to nothing: {count:,}"


def remove_orphans(connection: apsw.Connection) -> None:
    """Delete the rows whose owner no longer exists, within the caller's transaction."""
    for table, (column, owner) in _OWNERS.items():
        connection.execute(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT id FROM {owner})")


def _find_loose_ends(connection: apsw.Connection) -> Iterator[str]:
    if read_schema_version(connection) != SCHEMA_VERSION:
        return
    yield from find_orphans(connection)
    if incomplete := find_incomplete(connection):
        yield f"documents without all that belongs to each: {len(incomplete):,}"


def find_incomplete(connection: apsw.Connection) -> set[FileKey]:
    """Return the files of documents that lack required rows. This is cheaper than comparing indexes and does
    not need the files.
    """
    sql = """SELECT library, relative FROM documents WHERE id NOT IN (SELECT document FROM texts)
             OR coalesce((SELECT length(offsets) / 4 - 1 FROM postings WHERE document = documents.id), -1)
             IS NOT (SELECT nullif(count(*), 0) FROM passages WHERE document = documents.id)"""
    return {FileKey(library, relative) for library, relative in select(connection, sql)}


def _ids(connection: apsw.Connection, sql: str) -> set[int]:
    return {each for (each,) in select(connection, sql)}


@dataclass(frozen=True, slots=True)
class Components:
    """Versions of the index's components; ``sqlite_vec`` is "" if it cannot be loaded."""

    sqlite: str
    apsw: str
    sqlite_vec: str


def find_components() -> Components:
    """Return the versions of SQLite, apsw and sqlite-vec, found by opening an in-memory database."""
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
    "the system refuses to read or write it (a limit on the size of files, or a bad disk)",
)
_TOO_NEW, _FOREIGN, _DAMAGED, _FULL, _READ_ONLY, _LOCKED, _TOO_OLD, _REFUSED = range(len(_REASONS))
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
    errno.EFBIG: _REFUSED,
    errno.EIO: _REFUSED,
}
_FIRST_EXIT = 10
_FULL_BELOW = 1 << 20
"""Free bytes below which a disk counts as full: SQLite then reports that it cannot open or write a file."""


def describe_failure(error: Exception, index: Path) -> str:
    """Return why the index cannot be used, if ``error`` shows this; "" if the error has another cause."""
    if isinstance(error, MilvusUnavailable):
        return str(error)
    kind = _find_kind(error, index)
    if kind is not None:
        return f"{index}: {_REASONS[kind]}"
    return f"{index}: {error}" if isinstance(error, apsw.Error) else ""


def is_read_only(error: BaseException | None, index: Path) -> bool:
    """Return whether ``error`` means that the index cannot be written to."""
    return isinstance(error, Exception) and _find_kind(error, index) == _READ_ONLY


def choose_exit_status(error: Exception, index: Path) -> int:
    """Return the exit status for a process ended by ``error``; ``describe_exit`` explains it."""
    kind = _find_kind(error, index)
    return 1 if kind is None else _FIRST_EXIT + kind


def describe_exit(status: int, index: Path) -> str:
    """Explain a process's exit status in the words of ``describe_failure``; "" if the status does not give a
    reason.
    """
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
    return _REFUSED if isinstance(error, apsw.IOError) else None
