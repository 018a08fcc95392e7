"""Bring a Milvus server up to date with an index: what ranks passages there, and nothing else of them.

The index file stays what is true. Documents go over in batches, each noted before anything of it is written
and ticked off afterwards, so that a mirror that was killed goes on where it was; a document's rows are the
same whenever they are written, since a document that is read again has another id.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.index.arrays import read_postings
from lexls.index.beside import find_beside
from lexls.index.bm25 import K1, B
from lexls.index.config import MilvusAddress
from lexls.index.connection import has_vector_extension, load_vector_extension, open_reader, read_meta, select
from lexls.index.milvus import KINDS, Kind, MilvusIndex, MilvusUnavailable, Row
from lexls.index.mirror_places import MirrorPlace, is_copied, note_place
from lexls.index.mirror_rows import Averages, MirroredDocument, MirrorRows
from lexls.index.slots import NewPassages
from lexls.index.vectors import VectorStore

if TYPE_CHECKING:
    from lexls.index.postings import DocumentPostings

log = logging.getLogger(__name__)
T = TypeVar("T")

BATCH_PASSAGES = 1_000
"""So many passages, about, are written at a time."""
BATCH_DOCUMENTS = 200
TOLD_PASSAGES = 20_000
"""After so many passages readers are told of them: a server may need a fifth of a second to show what it was
given to all who ask."""
MANY = 200
"""After so many documents, or vectors, that came at once the server is told to put them in order."""
DRIFT = 0.1
"""Where the mean length has changed by this part, all weights are computed anew: the more it has changed, the
deeper a search must look to be exact."""
FOLLOW_SECONDS = 1.0
"""How often it is looked whether the index has changed."""
RETRY_SECONDS = 30.0
"""After how long a server that could not be used is tried again."""
END_SECONDS = 5.0
_LAST_ID = (1 << 63) - 1
DOCUMENT_K1, DOCUMENT_B = 2.0, 0.9
"""Those with which the weights of whole documents are computed; a search with others looks deeper."""


class Mirror:
    """What of the index at a path is on a server. The caller holds the index' lock.

    Raises ``MilvusUnavailable``, and ``apsw.Error`` where the index cannot be read.
    """

    def __init__(self, index: Path, address: MilvusAddress) -> None:
        self._index = open_reader(index)
        load_vector_extension(self._index)
        self._rows = MirrorRows(find_beside(index, "-mirror"))
        self._url = address.url
        if is_copied(index, self._rows.get("name")):
            self._rows.take_new_name()
        note_place(MirrorPlace(address.url, self._rows.get("name"), index))
        self._milvus = MilvusIndex(address, self._rows.get("name"))

    def close(self) -> None:
        """Leave the server and close the files."""
        self._milvus.close()
        self._rows.close()
        self._index.close()

    def catch_up(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Bring the server up to date with what the index holds now; ``stopped`` ends it between batches."""
        with self._index:  # of one moment
            generation = int(read_meta(self._index, "generation") or 0)
            there = {each for (each,) in select(self._index, "SELECT document FROM postings")}
        if self._is_outdated():
            self._begin_anew()
        held = self._rows.documents()
        gone = (held | self._rows.underway()) - there
        for batch in _cut(sorted(gone), BATCH_DOCUMENTS):
            self._milvus.remove(batch)
            self._rows.remove(batch)
        written: list[MirroredDocument] = []
        for postings in self._batches(sorted(there - held)):
            if stopped():
                break
            written += self._put(postings)
            if sum(each.passages for each in written) >= TOLD_PASSAGES:
                self._tell(written)
                written = []
        self._tell(written)
        if stopped():
            return
        before = self._rows.counts().vectors
        complete = self._put_vectors(generation, stopped)
        if complete and max(len(there - held), self._rows.counts().vectors - before) >= MANY:
            self._milvus.settle()

    def index_version(self) -> int:
        """Changes whenever somebody has written to the index."""
        return int(self._index.execute("PRAGMA data_version").get)

    def make_anew(self) -> None:
        """Have the next ``catch_up`` write everything again."""
        for kind in KINDS:
            self._milvus.drop(kind)

    def find_differences(self) -> list[str]:
        """What the server holds otherwise than the index, in words; both are to be left alone meanwhile."""
        there = [each for (each,) in select(self._index, "SELECT document FROM postings ORDER BY 1")]
        averages = self._rows.made_for()
        held: Counter[Kind] = Counter()
        wrong: Counter[Kind] = Counter()
        for batch in self._batches(there):
            passages = [row for postings in batch for row in weigh_passages(postings, averages)]
            documents = [weigh_document(MirroredDocument.of(postings), averages) for postings in batch]
            vectors = self._read_vectors({passage: document for passage, document, _ in passages})
            rows: dict[Kind, list[Row]] = {"passages": passages, "documents": documents, "vectors": vectors}
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
        if self._rows.documents() != set(there):
            words.append("what is remembered of the server is not what the index holds")
        return words

    def _is_outdated(self) -> bool:
        """Whether what is on the server must be written anew, as it is not there or computed for others."""
        if not self._rows.get("average") or self._rows.get("url") != self._url:
            return True  # or what lies there is of another time
        if not (self._milvus.exists("passages") and self._milvus.exists("documents")):
            return True
        if self._rows.get("vectors_since") and not self._milvus.exists("vectors"):
            return True
        counts = self._rows.counts()
        if not counts.passages:
            return False
        now, then = counts.averages, counts.made_for
        pairs = (now.passages, then.passages), (now.documents, then.documents)
        return any(abs(mean - before) > DRIFT * before for mean, before in pairs)

    def _begin_anew(self) -> None:
        # In this order, wherever it ends: what is remembered of a server is never more than it holds.
        self.make_anew()
        self._rows.forget()
        self._milvus.make("passages")
        self._milvus.make("documents")
        averages = self._measure()
        self._rows.remember(url=self._url, average=averages.passages, document_average=averages.documents)

    def _measure(self) -> Averages:
        passages = documents = length = 0
        sql = "SELECT length(offsets) / 4 - 1, frequencies FROM postings"
        for count, frequencies in select(self._index, sql):
            passages, documents = passages + count, documents + 1
            length += int(np.frombuffer(frequencies, np.uint16).sum(dtype=np.int64))
        return Averages(length / (passages or 1) or 1.0, length / (documents or 1) or 1.0)

    def _batches(self, documents: list[int]) -> Iterator[list[DocumentPostings]]:
        batch: list[DocumentPostings] = []
        for postings in read_postings(self._index, "postings", documents):
            batch.append(postings)
            if sum(len(each.passages) for each in batch) >= BATCH_PASSAGES or len(batch) == BATCH_DOCUMENTS:
                yield batch
                batch = []
        if batch:
            yield batch

    def _put(self, batch: list[DocumentPostings]) -> list[MirroredDocument]:
        averages = self._rows.made_for()
        documents = [MirroredDocument.of(postings) for postings in batch]
        self._rows.begin(each.document for each in documents)
        self._milvus.put(
            "passages", [row for postings in batch for row in weigh_passages(postings, averages)]
        )
        self._milvus.put("documents", [weigh_document(each, averages) for each in documents])
        return documents

    def _tell(self, written: list[MirroredDocument]) -> None:
        """Tell readers of documents, once whoever searches the server finds them."""
        if written:
            self._milvus.count("passages")
            self._milvus.count("documents")
            self._rows.put(written)

    def _find_vectors(self) -> VectorStore | None:
        store = VectorStore(self._index, has_vector_extension(self._index))
        return store if store.dimension and store.usable() else None

    def _read_vectors(self, owners: Mapping[int, int]) -> list[Row]:
        """What the server is to know of these passages, each with its document, that have a vector."""
        store = self._find_vectors()
        if store is None:
            return []
        ids, vectors = store.of(list(owners))
        return [(id, owners[id], vector) for id, vector in zip(ids.tolist(), vectors, strict=True)]

    def _put_vectors(self, generation: int, stopped: Callable[[], bool]) -> bool:
        """Write the vectors that came up to a generation; whether all are there now."""
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
        if count != self._rows.counts().vectors:  # whoever reads looks again whenever something is remembered
            self._milvus.count("vectors")
            self._rows.remember(vectors=count)
        return True


def _differs(row: Row, found: tuple[int, Any] | None) -> bool:
    """Whether the server has something else of a row; what has no terms need not be there."""
    _, document, value = row
    if found is None:
        return len(value) > 0
    if isinstance(value, Mapping):
        same = value.keys() == found[1].keys() and np.allclose(
            [found[1][term] for term in value], list(value.values()), rtol=1e-6
        )
    else:
        same = np.array_equal(value, np.asarray(found[1], np.float32))
    return found[0] != document or not same


def weigh_passages(postings: DocumentPostings, averages: Averages) -> Iterator[Row]:
    """What the server is to know of each passage of a document."""
    passages = NewPassages.of(postings)
    starts = postings.offsets.tolist()
    lengths = np.repeat(passages.lengths, np.diff(postings.offsets))
    weights = saturate(postings.frequencies, lengths, K1, B, averages.passages)
    for number, passage in enumerate(passages.ids.tolist()):
        part = slice(starts[number], starts[number + 1])
        terms = dict(zip(postings.terms[part].tolist(), weights[part].tolist(), strict=True))
        yield passage, postings.document, terms


def weigh_document(document: MirroredDocument, averages: Averages) -> Row:
    """What the server is to know of a document as one unit."""
    weights = saturate(document.frequencies, document.length, DOCUMENT_K1, DOCUMENT_B, averages.documents)
    terms = dict(zip(document.terms.tolist(), weights.tolist(), strict=True))
    return document.document, document.document, terms


def saturate(
    frequencies: NDArray[np.integer], lengths: NDArray[np.integer] | int, k1: float, b: float, average: float
) -> NDArray[np.float64]:
    """BM25's ``f (k1 + 1) / (f + k1 (1 − b + b · length / average))`` of each frequency."""
    norms = k1 * (1 - b + b * np.asarray(lengths, np.float64) / (average or 1.0))
    saturated: NDArray[np.float64] = frequencies * (k1 + 1) / (frequencies + norms)
    return saturated


def _cut(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(itertools.islice(rest, size)):
        yield batch


@contextlib.contextmanager
def open_mirror(index: Path, address: MilvusAddress) -> Iterator[Mirror]:
    """A mirror that is closed afterwards."""
    mirror = Mirror(index, address)
    try:
        yield mirror
    finally:
        mirror.close()


@contextlib.contextmanager
def following_index(index: Path, address: MilvusAddress | None) -> Iterator[None]:
    """While the block runs, a thread keeps the server at ``address`` (None: there is none) up to date with an
    index, whose tables must be there. What hinders it is logged, and tried again."""
    if address is None:
        yield
        return
    stopped = threading.Event()
    thread = threading.Thread(
        target=_follow, args=(index, address, stopped), name="lexls-mirror", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join(END_SECONDS)


def _follow(index: Path, address: MilvusAddress, stopped: threading.Event) -> None:
    while not stopped.is_set():
        try:
            with open_mirror(index, address) as mirror:
                version = -1
                while not stopped.wait(FOLLOW_SECONDS):
                    if (now := mirror.index_version()) != version:
                        version = now
                        mirror.catch_up(stopped.is_set)
        except (MilvusUnavailable, apsw.Error) as error:
            words = error if isinstance(error, MilvusUnavailable) else type(error).__name__
            log.warning("the mirror of the index waits: %s", words)
            stopped.wait(RETRY_SECONDS)
