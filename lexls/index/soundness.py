"""Look for what is wrong with an index in itself, without the files that it was made of."""

from __future__ import annotations

import contextlib
import itertools
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import apsw
import numpy as np

from lexls.index.connection import has_vector_extension, open_reader, select
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
"""The column of each table that names the row of another which it belongs to, and that table."""
_NAMES = ("SELECT library, relative, part FROM documents", "SELECT term FROM terms")
"""What the indexer reads of all documents before it does anything."""
_UNIT = 0.02
"""A vector's length is 1; it may be off by this much."""


class IndexDamaged(Exception):
    """What the index holds cannot be trusted, and only making it anew helps; the message says why."""


DAMAGE = (IndexDamaged, apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError, zlib.error)
"""What shows that an index is damaged: SQLite finds it so, or what it holds was not written by lexls."""


@dataclass(frozen=True, slots=True)
class VectorFaults:
    """Passages and precedents (ids) whose vectors are not what the index says, and how many vectors and other
    rows belong to nothing.
    """

    missing: frozenset[int]
    damaged: frozenset[int]
    stray: int
    precedents: frozenset[int]

    def __bool__(self) -> bool:
        return bool(self.missing or self.damaged or self.stray or self.precedents)


def check_soundness(index: Path, token: CancelToken | None = None) -> str:
    """What is wrong with the file, its tables and what ties them together, in a line; "" for nothing.

    Takes as long as reading the whole file. Raises ``apsw.InterruptError`` when the token is cancelled.
    """
    try:
        with contextlib.closing(open_reader(index)) as connection:
            # A file without tables is a new one, or one whose making was interrupted.
            if not any(select(connection, "SELECT 1 FROM sqlite_master")):
                return ""

            def interrupt() -> None:
                with contextlib.suppress(apsw.ConnectionClosedError):
                    connection.interrupt()

            forget = token.on_cancel(interrupt) if token else lambda: None
            try:
                for (found,) in select(connection, "PRAGMA integrity_check(1)"):
                    if found != "ok":
                        return str(found).replace("\n", " ")
                for sql in _NAMES:
                    for _ in select(connection, sql):
                        pass  # what is no text raises
                return next(itertools.chain(find_orphans(connection), _find_incomplete(connection)), "")
            finally:
                forget()
    except DAMAGE as error:
        return str(error)


def find_vector_faults(connection: apsw.Connection) -> VectorFaults:
    """Compare the vectors of an index with what it says of them, within the caller's transaction."""
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
        held = marked  # by a sqlite-vec that this machine does not have
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
    """Rows that belong to nothing, in words."""
    for table, (column, owner) in _OWNERS.items():
        sql = f"SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT id FROM {owner})"
        [(count,)] = select(connection, sql)
        if count:
            yield f"rows of {table} that belong to nothing: {count:,}"


def remove_orphans(connection: apsw.Connection) -> None:
    """Delete the rows that belong to nothing, within the caller's transaction."""
    for table, (column, owner) in _OWNERS.items():
        connection.execute(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT id FROM {owner})")


def _find_incomplete(connection: apsw.Connection) -> Iterator[str]:
    """Documents without what each has; cheaper than a comparison, and needs no files."""
    for table in ("texts", "postings", "passages"):
        sql = f"SELECT count(*) FROM documents WHERE id NOT IN (SELECT document FROM {table})"
        [(count,)] = select(connection, sql)
        if count:
            yield f"documents without {table}: {count:,}"
    sql = """SELECT count(*) FROM postings AS p WHERE length(offsets) / 4 - 1
             != (SELECT count(*) FROM passages WHERE document = p.document)"""
    [(count,)] = select(connection, sql)
    if count:
        yield f"documents whose postings are of other passages: {count:,}"


def _ids(connection: apsw.Connection, sql: str) -> set[int]:
    return {each for (each,) in select(connection, sql)}
