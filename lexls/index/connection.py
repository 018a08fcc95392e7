"""Open and lend connections to the index file, copy the file, and create or migrate its tables."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import apsw

from lexls.index.beside import find_beside, name_meanwhile
from lexls.text.cancel import Cancelled, CancelToken

BUSY_TIMEOUT_MS = 10_000
"""Milliseconds that a statement waits for another process's commit before it fails."""


def open_writer(path: Path) -> apsw.Connection:
    """Open the index for writing. A missing file is created, readable by its owner only.

    Raises ``apsw.NotADBError`` if ``path`` is not a SQLite file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.execute("PRAGMA journal_mode = WAL")
    # With WAL, NORMAL loses at most the last commits in a power cut and never corrupts the file. The next
    # reconciliation repeats lost commits.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    connection.execute("PRAGMA cache_size = -32000")
    return connection


def open_reader(path: Path) -> apsw.Connection:
    """Open an existing index for reading only. Raises ``apsw.CantOpenError`` if it is missing."""
    if _is_fixed(path):
        uri = f"{path.absolute().as_uri()}?immutable=1"
        return apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    # A WAL reader needs write access to the shared-memory file; query_only keeps it off the tables.
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _is_fixed(path: Path) -> bool:
    """Return whether an index was closed by its writer and is in a folder that this user cannot write to,
    such as a read-only share.
    """
    if not path.exists() or os.access(path.parent, os.W_OK):
        return False
    return not find_beside(path, "-wal").exists()


def find_file(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of the file at a path; None if it is missing or cannot be examined."""
    try:
        info = os.stat(path)
    except OSError:
        return None
    return info.st_dev, info.st_ino


def load_vector_extension(connection: apsw.Connection) -> bool:
    """Load sqlite-vec into the connection; return False if there is no build for this platform."""
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
    """Return whether sqlite-vec is loaded into the connection."""
    return any(select(connection, "SELECT 1 FROM pragma_module_list WHERE name = 'vec0'"))


def select(connection: apsw.Connection, sql: str, bindings: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
    """Run a statement and return an iterator over its rows, typed as the columns of the schema."""
    return iter(connection.execute(sql, tuple(bindings)))


def read_meta(connection: apsw.Connection, key: str) -> str:
    """Return a value stored in the index's metadata, "" if there is none."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return "" if row is None else str(row[0])


_PAGES = 2000
"""Number of pages copied at a time; others may write to the file in between."""


def copy_index(source: Path, target: Path) -> None:
    """Copy the index ``source`` to ``target`` as a consistent snapshot, even while others write to it.

    Replaces any file at ``target``. Raises ``apsw.Error`` and ``OSError``.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f"{name_meanwhile(target, '-copy-')}{os.getpid()}")
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


Connect = Callable[[CancelToken | None], AbstractContextManager[apsw.Connection]]
"""Lends a connection to the calling thread; cancelling the token interrupts its statement."""


class ReaderPool:
    """A pool of connections to the index file at ``path``, reused when returned. Safe from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._free: list[apsw.Connection] = []
        self._lock = threading.Lock()
        self._closed = False

    def open(self) -> apsw.Connection:
        """Open a connection that the caller must close. Raises ``apsw.CantOpenError`` if there is no file."""
        connection = open_reader(self._path)
        load_vector_extension(connection)
        return connection

    @contextlib.contextmanager
    def lend(self, token: CancelToken | None = None) -> Iterator[apsw.Connection]:
        """Lend a connection to this thread. Cancelling the token interrupts it and raises ``Cancelled``."""
        with self._lock:
            connection = self._free.pop() if self._free else None
        connection = connection or self.open()
        forget = token.on_cancel(connection.interrupt) if token else lambda: None
        try:
            yield connection
        except apsw.InterruptError:
            raise Cancelled from None
        finally:
            forget()
            with self._lock:
                if self._closed:
                    connection.close()
                else:
                    self._free.append(connection)

    def close(self) -> None:
        """Close the connections that are not lent; lent ones are closed when returned."""
        with self._lock:
            self._closed = True
            for connection in self._free:
                connection.close()
            self._free.clear()


class IndexTooNew(Exception):
    """Raised if the index file was written by a newer lexls."""


class SchemaNotReady(Exception):
    """Raised if the index file has no tables yet, or ``older`` tables that its indexer must migrate first."""

    def __init__(self, older: bool) -> None:
        super().__init__()
        self.older = older


class IndexTooOld(Exception):
    """Raised if the index file still has an older lexls's schema while another process is using it."""


class NotAnIndex(Exception):
    """Raised if the file is another program's database."""


_MIGRATIONS = Path(__file__).with_name("migrations")
SCHEMA_VERSION = len(list(_MIGRATIONS.glob("*.sql")))
"""Current schema version (``PRAGMA user_version``); ``migrations/n.sql`` migrates from version n - 1 to n."""

FORGET_FILES = """UPDATE documents SET size = -1, hash = x''; UPDATE corpora SET size = -1, hash = x'';
                  UPDATE catalogues SET size = -1; DELETE FROM failures;"""
"""SQL that marks every file to be read again at the next reconciliation. Until then, searches still find the
documents.
"""


def read_schema_version(connection: apsw.Connection) -> int:
    """Return the schema version of the file (0 for a new one)."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])  # type: ignore[index]


def is_index(connection: apsw.Connection) -> bool:
    """Return whether the file is empty or an index, even a damaged one, rather than another program's
    database.
    """
    names = "('documents', 'passages', 'postings')"
    sql = f"SELECT count(*) = 0 OR total(type = 'table' AND name IN {names}) > 1 FROM sqlite_master"
    return bool(connection.execute(sql).get)


def migrate(connection: apsw.Connection, to: int = SCHEMA_VERSION) -> None:
    """Migrate the file to the current version, or to the older version ``to``, each step in its own
    transaction.

    The next reconciliation then reads all documents again, but keeps the vectors of unchanged passages.
    Raises ``IndexTooNew`` for a file with a later version, and ``NotAnIndex`` for another program's file.
    """
    version = read_schema_version(connection)
    if version > SCHEMA_VERSION:
        raise IndexTooNew(_too_new(version))
    if not is_index(connection):
        raise NotAnIndex("a database of another program")
    # Otherwise, replacing a table would also delete the rows that refer to it.
    connection.execute("PRAGMA foreign_keys = OFF")
    for step in range(version + 1, to + 1):
        with connection:
            connection.execute((_MIGRATIONS / f"{step}.sql").read_text(encoding="utf-8"))
            if step == SCHEMA_VERSION:
                connection.execute(FORGET_FILES)
            connection.execute(f"PRAGMA user_version = {step}")
    connection.execute("PRAGMA foreign_keys = ON")


def check_readable(connection: apsw.Connection) -> None:
    """Raise ``SchemaNotReady`` or ``IndexTooNew`` unless the file has the current version."""
    version = read_schema_version(connection)
    if version > SCHEMA_VERSION:
        raise IndexTooNew(_too_new(version))
    if version < SCHEMA_VERSION:
        raise SchemaNotReady(older=version > 0)


def _too_new(version: int) -> str:
    return (
        f"the index has schema version {version}, this lexls knows up to {SCHEMA_VERSION}: "
        "update lexls, or name another index file"
    )
