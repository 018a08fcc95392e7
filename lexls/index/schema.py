"""Create the tables of the index file, and bring older files up to date."""

from __future__ import annotations

from pathlib import Path

import apsw


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
    """Whether the file is an index, damaged though it may be, or empty; else it is another program's."""
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
