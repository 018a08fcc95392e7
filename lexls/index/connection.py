"""Open, lend and copy connections to the index file, whose tables are made and brought up to date here."""

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
    if _is_fixed(path):
        uri = f"{path.absolute().as_uri()}?immutable=1"
        return apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    # A WAL reader needs write access to the shared-memory file; query_only keeps it off the tables.
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _is_fixed(path: Path) -> bool:
    """Return whether an index lies, closed by its writer, where nobody may write: on a share for reading,
    say."""
    if not path.exists() or os.access(path.parent, os.W_OK):
        return False
    return not find_beside(path, "-wal").exists()


def find_file(path: Path) -> tuple[int, int] | None:
    """Device and inode of the file that lies at a path now; None if there is none, or nobody can tell."""
    try:
        info = os.stat(path)
    except OSError:
        return None
    return info.st_dev, info.st_ino


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
    """Return whether sqlite-vec is loaded into the connection."""
    return any(select(connection, "SELECT 1 FROM pragma_module_list WHERE name = 'vec0'"))


def select(connection: apsw.Connection, sql: str, bindings: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
    """The rows of a statement, their columns of the types that the schema says."""
    return iter(connection.execute(sql, tuple(bindings)))


def read_meta(connection: apsw.Connection, key: str) -> str:
    """A value that the index remembers, "" if there is none."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return "" if row is None else str(row[0])


_PAGES = 2000
"""So many pages of the file are copied before others may write to it again."""


def copy_index(source: Path, target: Path) -> None:
    """Copy the index ``source`` as it is at one moment, whoever writes to it meanwhile.

    What was at ``target`` is replaced. Raises ``apsw.Error`` and ``OSError``."""
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
"""Lends a connection to the calling thread; a cancelled token interrupts its statement."""


class ReaderPool:
    """Connections to the index file at ``path``, kept for the next who asks. Safe from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._free: list[apsw.Connection] = []
        self._lock = threading.Lock()
        self._closed = False

    def open(self) -> apsw.Connection:
        """A connection that is the caller's to close. Raises ``apsw.CantOpenError`` if there is no file."""
        connection = open_reader(self._path)
        load_vector_extension(connection)
        return connection

    @contextlib.contextmanager
    def lend(self, token: CancelToken | None = None) -> Iterator[apsw.Connection]:
        """Lend a connection to this thread; a cancelled token interrupts it, raising ``Cancelled``."""
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
        """Close the connections that are not lent, and the others when they come back."""
        with self._lock:
            self._closed = True
            for connection in self._free:
                connection.close()
            self._free.clear()


class IndexTooNew(Exception):
    """The index file was written by a newer lexls."""


class SchemaNotReady(Exception):
    """The index file has no tables yet, or ``older`` ones: its indexer has to come first."""

    def __init__(self, older: bool) -> None:
        super().__init__()
        self.older = older


class IndexTooOld(Exception):
    """The index file is still as an older lexls has made it, and another process works with it."""


class NotAnIndex(Exception):
    """The file is a database of another program."""


_MIGRATIONS = Path(__file__).with_name("migrations")
SCHEMA_VERSION = len(list(_MIGRATIONS.glob("*.sql")))
"""As ``PRAGMA user_version`` numbers it: ``migrations/n.sql`` takes a file from version n - 1 to n."""

FORGET_FILES = """UPDATE documents SET size = -1, hash = x''; UPDATE corpora SET size = -1, hash = x'';
                  UPDATE catalogues SET size = -1; DELETE FROM failures;"""
"""Lets every file be read again by the next reconciliation; documents answer until then."""


def read_schema_version(connection: apsw.Connection) -> int:
    """The version of the file behind ``connection`` (0 for a new one)."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])  # type: ignore[index]


def is_index(connection: apsw.Connection) -> bool:
    """Return whether the file is an index, damaged though it may be, or empty; else it is another
    program's."""
    names = "('documents', 'passages', 'postings')"
    sql = f"SELECT count(*) = 0 OR total(type = 'table' AND name IN {names}) > 1 FROM sqlite_master"
    return bool(connection.execute(sql).get)


def migrate(connection: apsw.Connection, to: int = SCHEMA_VERSION) -> None:
    """Bring the file to the current version, each step in a transaction of its own, or ``to`` an older one.

    After that the next reconciliation reads all documents again, and keeps the vectors of passages that
    stay the same. Raises ``IndexTooNew`` for a file of a later version, ``NotAnIndex`` for another program's.
    """
    version = read_schema_version(connection)
    if version > SCHEMA_VERSION:
        raise IndexTooNew(_too_new(version))
    if not is_index(connection):
        raise NotAnIndex("a database of another program")
    # A table that is made anew must not take along what refers to it.
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
