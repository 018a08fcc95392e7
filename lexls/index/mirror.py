"""Copy to a Milvus server the data of an index that is needed to rank passages, and nothing else.

The index file remains authoritative. Documents are copied in batches. Each batch is recorded before writing
and marked as done afterwards, so an interrupted copy resumes. Rewriting a document gives the same rows, since
a document that is read again gets a new id. A file next to the index has these records and the counts for
ranking. If it is missing or has another version, everything is copied again.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.index.arrays import read_postings
from lexls.index.beside import find_beside
from lexls.index.bm25 import K1, B
from lexls.index.config import MilvusAddress
from lexls.index.connection import load_vector_extension, open_reader, open_writer, read_meta, select
from lexls.index.milvus import KINDS, Kind, MilvusIndex, MilvusUnavailable, Row, is_copied, note_place
from lexls.index.slots import Ids, NewPassages
from lexls.index.vectors import VectorStore

if TYPE_CHECKING:
    from lexls.index.postings import DocumentPostings

log = logging.getLogger(__name__)
T = TypeVar("T")

BATCH_PASSAGES = 1_000
"""Number of rows written at a time."""
BATCH_DOCUMENTS = 50
"""Number of documents whose postings are in memory at a time."""
TOLD_PASSAGES = 20_000
"""Number of passages written before readers are notified. A server may need a fifth of a second to make new
rows visible to everyone.
"""
MANY = 200
"""If at least this many documents or vectors were added at once, the server is asked to organise them."""
DRIFT = 0.1
"""Relative change of the mean length above which all weights are recomputed. The larger the change, the
deeper a search must look to be exact.
"""
FOLLOW_SECONDS = 1.0
"""Seconds between checks whether the index has changed."""
RETRY_SECONDS = 30.0
"""Seconds before an unavailable server is tried again."""
END_SECONDS = 5.0
_LAST_ID = (1 << 63) - 1
DOCUMENT_K1, DOCUMENT_B = 2.0, 0.9
"""BM25 parameters of the weights of whole documents; searches with other values look deeper."""
_VERSION = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
DELETE FROM meta WHERE key <> 'name';
DROP TABLE IF EXISTS documents; DROP TABLE IF EXISTS terms; DROP TABLE IF EXISTS counts; DROP TABLE IF EXISTS underway;
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
_AVERAGES = {"passages": "average", "documents": "document_average"}
_COUNT = """INSERT INTO counts VALUES (?, ?, ?) ON CONFLICT (term) DO UPDATE
            SET passages = passages + excluded.passages, documents = documents + excluded.documents"""
Averages = Mapping[str, float]
"""The mean length of ``passages`` and of ``documents``, in terms."""


@dataclass(frozen=True, slots=True)
class MirrorCounts:
    """Totals on the server: numbers of ``passages``, ``documents`` and ``vectors``, and ``length``, the total
    length in terms. ``made_for`` are the averages used to compute the weights on the server.
    """

    passages: int
    documents: int
    length: int
    vectors: int
    made_for: Averages

    @property
    def averages(self) -> Averages:
        """The current mean lengths, 0 if the server has no passages or documents."""
        counted = {"passages": self.passages, "documents": self.documents}
        return {kind: self.length / (count or 1) for kind, count in counted.items()}


@dataclass(frozen=True, slots=True, eq=False)
class MirroredDocument:
    """A document as stored by ``MirrorRows``."""

    document: int
    first_passage: int
    passages: int
    length: int
    terms: NDArray[np.int32]
    held: NDArray[np.int32]
    frequencies: NDArray[np.int32]

    @classmethod
    def of(cls, postings: DocumentPostings) -> MirroredDocument:
        """Build the document from its postings."""
        terms, place = np.unique(postings.terms, return_inverse=True)
        frequencies = np.bincount(place, postings.frequencies, len(terms)).astype(np.int32)
        held = np.bincount(place, minlength=len(terms)).astype(np.int32)
        first, count = next(iter(postings.passages), 0), len(postings.passages)
        length = int(frequencies.sum(dtype=np.int64))
        return cls(postings.document, int(first), count, length, terms, held, frequencies)


class MirrorRows:
    """The file that records what was copied, opened for writing and created if missing. The caller holds the
    index's lock.
    """

    def __init__(self, path: Path) -> None:
        self._connection = open_writer(path)
        if self._connection.execute("PRAGMA user_version").get != _VERSION:
            with self._connection:
                self._connection.execute(f"{_TABLES} PRAGMA user_version = {_VERSION}")
                # Collections are rebuilt under the same name, because administrators grant access by name.
                if not self.get("name"):
                    self.take_new_name()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def get(self, key: str) -> str:
        """Return a stored value, "" if there is none; ``name`` is the prefix of the collections' names."""
        return read_meta(self._connection, key)

    def remember(self, **values: str | int | float) -> None:
        """Store values in one transaction."""
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

    def counts(self) -> MirrorCounts:
        """Return the totals on the server."""
        return read_counts(self._connection)

    def documents(self, table: str = "documents") -> set[int]:
        """Return the documents on the server. With the table "underway", return those that may be incomplete
        or outdated there.
        """
        return {each for (each,) in select(self._connection, f"SELECT document FROM {table}")}

    def forget(self) -> None:
        """Delete everything but the name, after the server's collections have been emptied."""
        with self._connection:
            self._connection.execute(_TABLES)

    def take_new_name(self) -> None:
        """Delete everything, and choose a new name for the collections."""
        with self._connection:
            self.forget()
            self.remember(name=f"lexls_{secrets.token_hex(8)}")

    def begin(self, documents: Collection[int]) -> None:
        """Record that these documents are about to be written."""
        with self._connection:
            self._with_each("INSERT OR IGNORE INTO underway VALUES (?)", documents)

    def put(self, documents: Sequence[MirroredDocument]) -> None:
        """Record that these documents have been written to the server completely."""
        with self._connection:
            for each in documents:
                row = (each.document, each.first_passage, each.passages, each.length)
                self._connection.execute("INSERT INTO documents VALUES (?, ?, ?, ?)", row)
                blobs = (each.terms.tobytes(), each.held.tobytes(), each.frequencies.tobytes())
                self._connection.execute("INSERT INTO terms VALUES (?, ?, ?, ?)", (each.document, *blobs))
            self._count([(each.terms, each.held) for each in documents], 1)
            self._with_each("DELETE FROM underway WHERE document = ?", (each.document for each in documents))

    def remove(self, documents: Collection[int]) -> None:
        """Record that these documents were deleted from the server."""
        sql = "SELECT terms, passages FROM terms WHERE document = ?"
        with self._connection:
            rows = [row for each in documents for row in select(self._connection, sql, (each,))]
            self._count([(np.frombuffer(t, np.int32), np.frombuffer(h, np.int32)) for t, h in rows], -1)
            for table in ("documents", "terms", "underway"):
                self._with_each(f"DELETE FROM {table} WHERE document = ?", documents)

    def _with_each(self, sql: str, documents: Iterable[int]) -> None:
        self._connection.executemany(sql, ((each,) for each in documents))

    def _count(self, held: Sequence[tuple[NDArray[np.int32], NDArray[np.int32]]], sign: int) -> None:
        if not held:
            return
        terms, place = np.unique(np.concatenate([each for each, _ in held]), return_inverse=True)
        passages = sign * np.bincount(place, np.concatenate([each for _, each in held])).astype(np.int64)
        documents = sign * np.bincount(place)
        rows = zip(terms.tolist(), passages.tolist(), documents.tolist(), strict=True)
        self._connection.executemany(_COUNT, rows)


def open_empty() -> apsw.Connection:
    """Return an in-memory database like the file of an empty mirror."""
    connection = apsw.Connection(":memory:")
    connection.execute(_TABLES)
    return connection


def read_counts(connection: apsw.Connection) -> MirrorCounts:
    """Return the server's totals as recorded in the file."""
    sql = "SELECT count(*), coalesce(sum(passages), 0), coalesce(sum(length), 0) FROM documents"
    documents, passages, length = next(select(connection, sql))
    made_for = {kind: float(read_meta(connection, key) or 0) for kind, key in _AVERAGES.items()}
    return MirrorCounts(passages, documents, length, int(read_meta(connection, "vectors") or 0), made_for)


def count_holders(connection: apsw.Connection, terms: Iterable[int]) -> tuple[Ids, Ids]:
    """Return how many passages and how many documents contain each of these terms."""
    sql = "SELECT passages, documents FROM counts WHERE term = ?"
    found = [next(select(connection, sql, (term,)), (0, 0)) for term in terms]
    passages, documents = np.array(found, np.int64).reshape(-1, 2).T
    return passages, documents


class Mirror:
    """The copy of an index on a server. The caller holds the index's lock.

    Raises ``MilvusUnavailable``, and ``apsw.Error`` if the index cannot be read.
    """

    def __init__(self, index: Path, address: MilvusAddress) -> None:
        self._index = open_reader(index)
        self._has_extension = load_vector_extension(self._index)
        self._rows = MirrorRows(find_beside(index, "-mirror"))
        self._url = address.url
        if is_copied(index, self._rows.get("name")):
            self._rows.take_new_name()
        note_place(address.url, self._rows.get("name"), index)
        self._milvus = MilvusIndex(address, self._rows.get("name"))

    def close(self) -> None:
        """Disconnect from the server and close the files."""
        self._milvus.close()
        self._rows.close()
        self._index.close()

    def catch_up(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Bring the server up to date with the index; if ``stopped`` returns true, stop between batches."""
        with self._index:  # one read transaction
            generation = int(read_meta(self._index, "generation") or 0)
            there = {each for (each,) in select(self._index, "SELECT document FROM postings")}
        if self._is_outdated():
            self._begin_anew()
        held = self._rows.documents()
        gone = (held | self._rows.documents("underway")) - there
        for batch in _cut(sorted(gone), BATCH_DOCUMENTS):
            self._milvus.remove(batch)
            self._rows.remove(batch)
        before = self._rows.counts()
        written: list[MirroredDocument] = []
        for postings in self._batches(there - held):
            if stopped():
                break
            written += self._put(postings, before.made_for)
            if sum(each.passages for each in written) >= TOLD_PASSAGES:
                self._tell(written)
                written = []
        self._tell(written)
        if stopped():
            return
        complete = self._put_vectors(generation, stopped)
        if complete and max(len(there - held), self._rows.counts().vectors - before.vectors) >= MANY:
            self._milvus.settle()

    def index_version(self) -> int:
        """Return a number that changes whenever the index is written to."""
        return int(self._index.execute("PRAGMA data_version").get)

    def make_anew(self) -> None:
        """Delete the collections, so that the next ``catch_up`` writes everything again."""
        for kind in KINDS:
            self._milvus.drop(kind)

    def find_differences(self) -> list[str]:
        """Describe the differences between the server and the index, neither of which may change
        meanwhile.
        """
        there = {each for (each,) in select(self._index, "SELECT document FROM postings")}
        averages = self._rows.counts().made_for
        held: Counter[Kind] = Counter()
        wrong: Counter[Kind] = Counter()
        for batch in self._batches(there):
            owners = {int(passage): each.document for each in batch for passage in each.passages}
            rows: dict[Kind, Iterable[Row]] = {
                "passages": _weigh_passages(batch, averages),
                "documents": _weigh_documents(map(MirroredDocument.of, batch), averages),
                "vectors": self._read_vectors(owners),
            }
            for kind, expected in rows.items():
                for part in _cut(expected, BATCH_PASSAGES):
                    found = self._milvus.read(kind, [row[0] for row in part])
                    held[kind] += len(found)
                    wrong[kind] += sum(_differs(row, found.get(row[0])) for row in part)
        words = [
            f"{wrong[kind]:,} of its {kind} are missing there, or others" for kind in KINDS if wrong[kind]
        ]
        for kind in KINDS:
            if more := self._milvus.count(kind) - held[kind]:
                words.append(f"{more:,} {kind} there are not its own")
        if self._rows.documents() != there:
            words.append("what is remembered of the server is not what the index holds")
        return words

    def _is_outdated(self) -> bool:
        """Return whether everything must be written again: collections are missing, or the server or the mean
        lengths have changed.
        """
        if not self._rows.get("average") or self._rows.get("url") != self._url:
            return True  # or it is left over from another index
        kinds = KINDS if self._rows.get("vectors_since") else KINDS[:2]
        if not all(map(self._milvus.exists, kinds)):
            return True
        counts = self._rows.counts()
        return counts.passages > 0 and any(
            abs(counts.averages[each] - mean) > DRIFT * mean for each, mean in counts.made_for.items()
        )

    def _begin_anew(self) -> None:
        # In this order, so that wherever it stops, no more is recorded than the server has.
        self.make_anew()
        self._rows.forget()
        self._milvus.make("passages")
        self._milvus.make("documents")
        sql = "SELECT length(offsets) / 4 - 1, frequencies FROM postings"
        passages = documents = length = 0
        for count, frequencies in select(self._index, sql):
            passages, documents = passages + count, documents + 1
            length += int(np.frombuffer(frequencies, np.uint16).sum(dtype=np.int64))
        averages = MirrorCounts(passages, documents, length, 0, {}).averages
        self._rows.remember(url=self._url, **{key: averages[kind] for kind, key in _AVERAGES.items()})

    def _batches(self, documents: set[int]) -> Iterator[list[DocumentPostings]]:
        return _cut(read_postings(self._index, "postings", sorted(documents)), BATCH_DOCUMENTS)

    def _put(self, batch: list[DocumentPostings], averages: Averages) -> list[MirroredDocument]:
        documents = [MirroredDocument.of(postings) for postings in batch]
        self._rows.begin([each.document for each in documents])
        for part in _cut(_weigh_passages(batch, averages), BATCH_PASSAGES):
            self._milvus.put("passages", part)
        self._milvus.put("documents", list(_weigh_documents(documents, averages)))
        return documents

    def _tell(self, written: list[MirroredDocument]) -> None:
        """Wait until all searches on the server find these documents, then record them as complete for
        readers.
        """
        if written:
            self._milvus.count("passages")
            self._milvus.count("documents")
            self._rows.put(written)

    def _find_vectors(self) -> VectorStore | None:
        store = VectorStore(self._index, self._has_extension)
        return store if store.dimension and store.usable() else None

    def _read_vectors(self, owners: Mapping[int, int]) -> list[Row]:
        """Return the rows of the passages that have a vector; ``owners`` maps each passage to its
        document.
        """
        store = self._find_vectors()
        if store is None:
            return []
        ids, vectors = store.of(list(owners))
        return [(id, owners[id], vector) for id, vector in zip(ids.tolist(), vectors, strict=True)]

    def _put_vectors(self, generation: int, stopped: Callable[[], bool]) -> bool:
        """Write the vectors that the index added up to ``generation``. Return False if stopped before all
        were written.
        """
        store = self._find_vectors()
        if store is None:
            return True
        since = read_meta(self._index, "vectors_since") or "0"
        if self._rows.get("vectors_since") != since:
            self._rows.remember(vectors_since="")
            self._milvus.make("vectors", store.dimension)
            self._rows.remember(vectors_since=since, vectors_at=0, vectors_id=_LAST_ID)
        at, last = (int(self._rows.get(key)) for key in ("vectors_at", "vectors_id"))
        sql = """SELECT embedded, id, document FROM passages WHERE (embedded, id) > (?, ?) AND embedded <= ?
                 ORDER BY embedded, id LIMIT ?"""
        while batch := list(select(self._index, sql, (at, last, generation, BATCH_PASSAGES))):
            if stopped():
                return False
            owners = {passage: document for _, passage, document in batch}
            self._milvus.put("vectors", self._read_vectors(owners))
            at, last, _ = batch[-1]
            self._rows.remember(vectors_at=at, vectors_id=last)
        sql = "SELECT count(*) FROM passages WHERE embedded BETWEEN 1 AND ?"
        (count,) = next(select(self._index, sql, (generation,)))
        if count != self._rows.counts().vectors:  # readers refresh whenever anything is stored
            self._milvus.count("vectors")
            self._rows.remember(vectors=count)
        return True


def _differs(row: Row, found: tuple[int, Any] | None) -> bool:
    """Return whether the row ``found`` on the server differs from ``row``. A row without terms need not exist
    there.
    """
    _, document, value = row
    if found is None:
        return len(value) > 0
    ours, theirs = (
        np.array(sorted(each.items()) if isinstance(each, Mapping) else each, np.float64)
        for each in (value, found[1])
    )
    return found[0] != document or ours.shape != theirs.shape or not np.allclose(ours, theirs, rtol=1e-6)


def _weigh_passages(batch: Iterable[DocumentPostings], averages: Averages) -> Iterator[Row]:
    """Yield the row of each passage: id, document and term weights."""
    for postings in batch:
        passages = NewPassages.of(postings)
        starts = postings.offsets.tolist()
        lengths = np.repeat(passages.lengths, np.diff(postings.offsets))
        weights = saturate(postings.frequencies, lengths, K1, B, averages["passages"])
        for number, passage in enumerate(passages.ids.tolist()):
            part = slice(starts[number], starts[number + 1])
            terms = dict(zip(postings.terms[part].tolist(), weights[part].tolist(), strict=True))
            yield passage, postings.document, terms


def _weigh_documents(documents: Iterable[MirroredDocument], averages: Averages) -> Iterator[Row]:
    """Yield the row of each document: its id (also as the row's id) and its term weights."""
    for each in documents:
        weights = saturate(each.frequencies, each.length, DOCUMENT_K1, DOCUMENT_B, averages["documents"])
        yield each.document, each.document, dict(zip(each.terms.tolist(), weights.tolist(), strict=True))


def saturate(
    frequencies: NDArray[np.integer], lengths: NDArray[np.integer] | int, k1: float, b: float, average: float
) -> NDArray[np.float64]:
    """Return BM25's ``f (k1 + 1) / (f + k1 (1 − b + b · length / average))`` for each frequency."""
    norms = k1 * (1 - b + b * np.asarray(lengths, np.float64) / (average or 1.0))
    saturated: NDArray[np.float64] = frequencies * (k1 + 1) / (frequencies + norms)
    return saturated


def _cut(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(itertools.islice(rest, size)):
        yield batch


@contextlib.contextmanager
def following_index(index: Path, address: MilvusAddress | None) -> Iterator[None]:
    """Keep the server at ``address`` (None: no server) up to date with an index, on a thread, for a ``with``
    block.

    The index's tables must exist. Errors are logged and the update is tried again.
    """
    if address is None:
        yield
        return
    stopped = threading.Event()
    thread = threading.Thread(target=_follow, args=(index, address, stopped), daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join(END_SECONDS)


def _follow(index: Path, address: MilvusAddress, stopped: threading.Event) -> None:
    while not stopped.is_set():
        try:
            with contextlib.closing(Mirror(index, address)) as mirror:
                version = -1
                while not stopped.wait(FOLLOW_SECONDS):
                    if (now := mirror.index_version()) != version:
                        version = now
                        mirror.catch_up(stopped.is_set)
        except (MilvusUnavailable, apsw.Error) as error:
            words = error if isinstance(error, MilvusUnavailable) else type(error).__name__
            log.warning("the mirror of the index waits: %s", words)
            stopped.wait(RETRY_SECONDS)
