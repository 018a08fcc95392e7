"""Remember beside an index what of it is on a Milvus server, and count there what ranking needs to know.

The file is made from the index: where it is missing or of another version, the mirror is made anew.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.index.connection import open_writer, read_meta, select
from lexls.index.postings import DocumentPostings
from lexls.index.slots import Ids, NewPassages

_VERSION = 1
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
-- What is on the server; a document's passages have consecutive ids. Lengths are in terms.
CREATE TABLE documents (
    document INTEGER PRIMARY KEY, first_passage INTEGER NOT NULL, passages INTEGER NOT NULL, length INTEGER NOT NULL
);
-- The distinct terms of each, rising (int32), how many of its passages hold each (int32), and how often it occurs (int32).
CREATE TABLE terms (document INTEGER PRIMARY KEY, terms BLOB NOT NULL, passages BLOB NOT NULL, frequencies BLOB NOT NULL);
CREATE TABLE counts (term INTEGER PRIMARY KEY, passages INTEGER NOT NULL, documents INTEGER NOT NULL);
-- Of what may be on the server, whole or in part, without standing above.
CREATE TABLE underway (document INTEGER PRIMARY KEY);
"""  # noqa: E501
_COUNT = """INSERT INTO counts VALUES (?, ?, ?) ON CONFLICT (term) DO UPDATE
            SET passages = passages + excluded.passages, documents = documents + excluded.documents"""


@dataclass(frozen=True, slots=True)
class Averages:
    """The mean length, in terms, of a passage and of a document."""

    passages: float
    documents: float


@dataclass(frozen=True, slots=True)
class MirrorCounts:
    """What is on the server: how many ``passages`` and ``documents``, their ``length`` in terms, how many
    ``vectors``. ``made_for`` are the averages that the weights there were computed with."""

    passages: int
    documents: int
    length: int
    vectors: int
    made_for: Averages

    @property
    def averages(self) -> Averages:
        """The averages of what is there, 0 of nothing."""
        return Averages(self.length / (self.passages or 1), self.length / (self.documents or 1))


@dataclass(frozen=True, slots=True, eq=False)
class MirroredDocument:
    """A document as ``MirrorRows`` keep it; see the tables."""

    document: int
    first_passage: int
    passages: int
    length: int
    terms: NDArray[np.int32]
    held: NDArray[np.int32]
    frequencies: NDArray[np.int32]

    @classmethod
    def of(cls, postings: DocumentPostings) -> MirroredDocument:
        """The document with these postings."""
        terms, place = np.unique(postings.terms, return_inverse=True)
        frequencies = np.bincount(place, postings.frequencies, len(terms)).astype(np.int32)
        held = np.bincount(place, minlength=len(terms)).astype(np.int32)
        ids = NewPassages.of(postings).ids
        first = int(ids[0]) if len(ids) else 0
        length = int(frequencies.sum(dtype=np.int64))
        return cls(postings.document, first, len(ids), length, terms, held, frequencies)


class MirrorRows:
    """The file opened for writing, made if it is missing. The caller holds the index' lock."""

    def __init__(self, path: Path) -> None:
        self._connection = open_writer(path)
        if self._connection.execute("PRAGMA user_version").get != _VERSION:
            sql = "SELECT name FROM sqlite_master WHERE type = 'table'"
            with self._connection:
                tables = [name for (name,) in select(self._connection, sql)]
                # What is on the server is made anew in its place; who may read it is granted by its name.
                called = self.get("name") if "meta" in tables else ""
                for table in tables:
                    self._connection.execute(f'DROP TABLE "{table}"')
                self._connection.execute(f"{_TABLES} PRAGMA user_version = {_VERSION}")
                self.remember(name=called or _make_name())

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def get(self, key: str) -> str:
        """A remembered value, "" if there is none: ``name`` is what the collections' names begin with."""
        return read_meta(self._connection, key)

    def remember(self, **values: str | int | float) -> None:
        """Remember values, all or none."""
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

    def made_for(self) -> Averages:
        """The averages with which the weights on the server were computed."""
        return read_made_for(self._connection)

    def counts(self) -> MirrorCounts:
        """What is on the server."""
        return read_counts(self._connection)

    def documents(self) -> set[int]:
        """The documents that are on the server."""
        return {each for (each,) in select(self._connection, "SELECT document FROM documents")}

    def underway(self) -> set[int]:
        """The documents of which something may be there that should not."""
        return {each for (each,) in select(self._connection, "SELECT document FROM underway")}

    def forget(self) -> None:
        """Forget all but the name: the server has nothing now."""
        with self._connection:
            for table in ("documents", "terms", "counts", "underway"):
                self._connection.execute(f"DELETE FROM {table}")
            self._connection.execute("DELETE FROM meta WHERE key <> 'name'")

    def take_new_name(self) -> None:
        """Forget all, and call what will be on the server otherwise than before."""
        with self._connection:
            self.forget()
            self.remember(name=_make_name())

    def begin(self, documents: Iterable[int]) -> None:
        """Say that something is about to be written of these documents."""
        with self._connection:
            self._connection.executemany(
                "INSERT OR IGNORE INTO underway VALUES (?)", ((each,) for each in documents)
            )

    def put(self, documents: Sequence[MirroredDocument]) -> None:
        """These are on the server, whole."""
        with self._connection:
            for each in documents:
                row = (each.document, each.first_passage, each.passages, each.length)
                self._connection.execute("INSERT INTO documents VALUES (?, ?, ?, ?)", row)
                blobs = (each.terms.tobytes(), each.held.tobytes(), each.frequencies.tobytes())
                self._connection.execute("INSERT INTO terms VALUES (?, ?, ?, ?)", (each.document, *blobs))
            self._count([(each.terms, each.held) for each in documents], 1)
            self._end(each.document for each in documents)

    def remove(self, documents: Collection[int]) -> None:
        """Nothing of these is on the server any more."""
        sql = "SELECT terms, passages FROM terms WHERE document = ?"
        with self._connection:
            rows = [row for each in documents for row in select(self._connection, sql, (each,))]
            self._count([(np.frombuffer(t, np.int32), np.frombuffer(h, np.int32)) for t, h in rows], -1)
            for table in ("documents", "terms"):
                self._connection.executemany(
                    f"DELETE FROM {table} WHERE document = ?", ((each,) for each in documents)
                )
            self._end(documents)

    def _end(self, documents: Iterable[int]) -> None:
        self._connection.executemany("DELETE FROM underway WHERE document = ?", ((d,) for d in documents))

    def _count(self, held: Sequence[tuple[NDArray[np.int32], NDArray[np.int32]]], sign: int) -> None:
        if not held:
            return
        terms, place = np.unique(np.concatenate([each for each, _ in held]), return_inverse=True)
        passages = sign * np.bincount(place, np.concatenate([each for _, each in held])).astype(np.int64)
        documents = sign * np.bincount(place)
        rows = zip(terms.tolist(), passages.tolist(), documents.tolist(), strict=True)
        self._connection.executemany(_COUNT, rows)


def _make_name() -> str:
    return f"lexls_{secrets.token_hex(8)}"


def open_empty() -> apsw.Connection:
    """What the file would be before anything is on a server."""
    connection = apsw.Connection(":memory:")
    connection.execute(_TABLES)
    return connection


def read_counts(connection: apsw.Connection) -> MirrorCounts:
    """What the file behind ``connection`` says of the server."""
    sql = "SELECT count(*), coalesce(sum(passages), 0), coalesce(sum(length), 0) FROM documents"
    documents, passages, length = next(select(connection, sql))
    vectors = int(read_meta(connection, "vectors") or 0)
    return MirrorCounts(passages, documents, length, vectors, read_made_for(connection))


def read_made_for(connection: apsw.Connection) -> Averages:
    """As ``MirrorRows.made_for``."""
    return Averages(*(float(read_meta(connection, key) or 0) for key in ("average", "document_average")))


def read_documents(connection: apsw.Connection) -> Iterator[tuple[int, int, int, int]]:
    """Document, first passage, number of passages and length of all that is there, by the first passage."""
    sql = "SELECT document, first_passage, passages, length FROM documents ORDER BY first_passage"
    yield from select(connection, sql)


def count_holders(connection: apsw.Connection, terms: Iterable[int]) -> tuple[Ids, Ids]:
    """How many passages, and how many documents, hold each of these terms."""
    sql = "SELECT passages, documents FROM counts WHERE term = ?"
    found = [next(select(connection, sql, (term,)), (0, 0)) for term in terms]
    passages, documents = np.array(found, np.int64).reshape(-1, 2).T
    return passages, documents


def count_terms_by_holders(connection: apsw.Connection) -> tuple[Ids, Ids]:
    """The numbers of passages that hold a term, and of how many terms each is the number."""
    sql = "SELECT passages, count(*) FROM counts WHERE passages > 0 GROUP BY passages"
    holders, terms = np.array(list(select(connection, sql)), np.int64).reshape(-1, 2).T
    return holders, terms


def read_terms(
    connection: apsw.Connection, documents: Iterable[int]
) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.int32]]]:
    """Each of those of ``documents`` that are there, with its terms, rising, and their frequencies."""
    sql = "SELECT terms, frequencies FROM terms WHERE document = ?"
    for document in documents:
        for terms, frequencies in select(connection, sql, (document,)):
            yield document, np.frombuffer(terms, np.int32), np.frombuffer(frequencies, np.int32)
