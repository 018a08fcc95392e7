"""Rank passages with a Milvus server, giving the same scores as an index in memory.

Milvus finds candidates by term weights that were computed when the passages were copied to it. The current
scores of the candidates are computed here, from the postings in the index file and the counts in the file
next to it (``MirrorRows``). No weight has grown by more than a known factor since the copying. A search
requests more candidates until no other passage can enter the results, so the results are the same as those of
``IncrementalBM25``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.index.arrays import read_postings
from lexls.index.beside import find_beside
from lexls.index.bm25 import EPSILON, K1, B, choose_best, find_weighted_numbers
from lexls.index.config import MilvusAddress
from lexls.index.connection import Connect, ReaderPool, has_vector_extension, read_meta, select
from lexls.index.milvus import MOST, Kind, Limit, MilvusIndex, MilvusUnavailable
from lexls.index.mirror import DOCUMENT_B, DOCUMENT_K1, count_holders, open_empty, read_counts, saturate
from lexls.index.pruning import Scores
from lexls.index.slots import Ids
from lexls.index.vectors import VectorStore

if TYPE_CHECKING:
    from lexls.index.arrays import SearchArrays
    from lexls.index.matrix import VectorMatrix
    from lexls.index.searchable import Among, Found, Weights

    Arrays: TypeAlias = "SearchArrays | MirroredArrays"
    """Ranks a library's passages, with arrays in memory or with a server. Both give the same answers."""
    VectorRanking: TypeAlias = "VectorMatrix | MirroredVectors"

FEW = 64
"""If a search is limited to at most this many documents, all their passages are scored without Milvus."""
MORE = 64
"""Number of candidates requested in addition to 1.25 times the number wanted. Each further request asks for
``DEEPER`` times as many.
"""
DEEPER = 4
KEPT_LIMITS = 8
"""Number of document limits cached, since one search uses the same limit several times."""
_SLACK = 1 + 1e-5
"""Allowance for Milvus's single-precision arithmetic."""
_LEAST = 1e-6
_NOTHING = np.empty(0, np.int64), np.empty(0)
_Terms = NDArray[np.int32]
_Unit = tuple[int, _Terms, NDArray[np.integer], int]
"""An id, its terms, the frequency of each, and the length in terms."""


class MirroredWords:
    """A replacement for ``IncrementalBM25`` that ranks the passages copied to a server.

    ``counts`` are as of the creation of this object; it is replaced when the index changes.
    """

    def __init__(
        self, milvus: Callable[[], MilvusIndex], connect: Connect, beside: Connect, terms: dict[str, int]
    ) -> None:
        self._milvus, self._connect, self._beside, self._terms = milvus, connect, beside, terms
        self._average_idf: float | None = None
        self._limit_to = lru_cache(maxsize=KEPT_LIMITS)(self._find_limit)
        sql = "SELECT document, first_passage, passages, length FROM documents ORDER BY first_passage"
        with beside(None) as connection, connection:
            self.counts = read_counts(connection)
            rows = np.array(list(select(connection, sql)), np.int64).reshape(-1, 4)
        self._documents, self._first, self._passages, self._lengths = rows.T
        self._row_of = {document: row for row, document in enumerate(self._documents.tolist())}

    @property
    def corpus_size(self) -> int:
        """Number of passages."""
        return self.counts.passages

    def documents_of(self, passages: Sequence[int] | Ids) -> Ids:
        """Return the document of each passage id, or 0 for an unknown passage."""
        wanted = np.asarray(passages, np.int64)
        if not len(self._first):
            return np.zeros(len(wanted), np.int64)
        rows = np.searchsorted(self._first, wanted, side="right") - 1
        inside = (rows >= 0) & (wanted < self._first[rows] + self._passages[rows])
        return np.where(inside, self._documents[rows], 0).astype(np.int64)

    def limit(self, documents: Collection[int] | None) -> Limit | None:
        """Return the limit that restricts a search on the server to ``documents`` (None: no limit).

        The limit lists the allowed or the excluded documents, whichever are fewer. For example, it excludes
        only the draft itself if that is in the library.
        """
        return None if documents is None else self._limit_to(frozenset(documents))

    def _find_limit(self, documents: frozenset[int]) -> Limit | None:
        wanted = np.isin(self._documents, np.fromiter(documents, np.int64, len(documents)))
        if wanted.all() and len(wanted):
            return None
        others = 2 * int(wanted.sum()) > len(wanted)
        return Limit(self._documents[~wanted if others else wanted].tolist(), others)

    def passages_of(self, document: int) -> Ids:
        """Return the passage ids of a document, none if it is unknown."""
        row = self._row_of.get(document)
        return _NOTHING[0] if row is None else self._first[row] + np.arange(self._passages[row])

    def find_weighted_numbers(
        self, query: Sequence[str], weights: Weights
    ) -> tuple[list[int], list[float] | None]:
        """Call the function ``find_weighted_numbers`` of ``lexls.index.bm25`` with this index's terms."""
        return find_weighted_numbers(self._terms, query, weights)

    def rarity(self, tokens: Sequence[str]) -> list[float]:
        """Return the idf over passages of each token, in order; 0 if no passage contains it."""
        numbers = [self._terms.get(token, -1) for token in tokens]
        with self._beside(None) as beside:
            holders, _ = count_holders(beside, numbers)
            found: list[float] = np.where(holders > 0, self._idf_of(beside, holders), 0.0).tolist()
        return found

    def top(self, terms: Sequence[int], k: int, documents: Among = None, weights: Weights = None) -> Found:
        """Return the same results as ``IncrementalBM25.top``."""
        with self._beside(None) as beside:
            asked, sums, holders, _ = _weigh(beside, terms, weights)
            factors = sums * self._idf_of(beside, holders)
        return self._rank("passages", asked, factors, k, documents, K1, B)

    def top_documents(
        self,
        terms: Sequence[int],
        k: int,
        among: Among = None,
        k1: float | None = None,
        b: float | None = None,
        weights: Weights = None,
    ) -> Found:
        """Return the same results as ``IncrementalBM25.top_documents``."""
        with self._beside(None) as beside:
            asked, sums, _, holding = _weigh(beside, terms, weights)
        factors = sums * np.log(1 + (self.counts.documents - holding + 0.5) / (holding + 0.5))
        k1, b = K1 if k1 is None else k1, B if b is None else b
        return self._rank("documents", asked, factors, k, among, k1, b)

    # -- internal --------------------------------------------------------------------------------------

    def _rank(
        self, kind: Kind, asked: _Terms, factors: Scores, k: int, documents: Among, k1: float, b: float
    ) -> Found:
        """Return the ``k`` best units that contain a term."""
        if k <= 0 or not len(asked):
            return _NOTHING
        of_passages = kind == "passages"
        now, then = (each[kind] for each in (self.counts.averages, self.counts.made_for))
        written = (K1, B, then) if of_passages else (DOCUMENT_K1, DOCUMENT_B, then)
        grown = _most_grown(written, (k1, b, now), int(self._lengths.max(initial=1))) * _SLACK
        # Weights must be positive: a factor that is not becomes one that ranks a passage last.
        least = _LEAST * (float(np.abs(factors).max()) or 1.0)
        to_milvus = dict(zip(asked.tolist(), np.maximum(factors, least).tolist(), strict=True))
        with (self._connect if of_passages else self._beside)(None) as connection:

            def choose(ids: Ids) -> Found:
                if of_passages:
                    units = _read_passages(connection, ids, self.documents_of(ids))
                else:
                    units = self._read_documents(connection, ids, asked)
                return choose_best(*_score(units, asked, factors, k1, b, now), k)

            if documents is not None and len(documents) <= FEW:
                of_each = [self.passages_of(each) if of_passages else [each] for each in documents]
                return choose(np.concatenate([_NOTHING[0], *of_each]))
            depth = MOST if (factors < 0).any() else k + k // 4 + MORE
            while True:
                ids, products = self._milvus().search(kind, to_milvus, depth, self.limit(documents))
                found = choose(ids)
                if len(ids) < depth or depth >= MOST:
                    return found
                if len(found[1]) == k and found[1][-1] > products[-1] * grown:
                    return found
                depth = min(MOST, DEEPER * depth)

    def _read_documents(self, beside: apsw.Connection, documents: Ids, asked: _Terms) -> Iterator[_Unit]:
        """Yield the ``documents`` on the server as units, each with only those of its terms that are in
        ``asked``.
        """
        sql = "SELECT terms, frequencies FROM terms WHERE document = ?"
        for document in documents.tolist():
            row = self._row_of.get(document)
            for terms, frequencies in select(beside, sql, (document,)) if row is not None else ():
                held, places = _find(np.frombuffer(terms, np.int32), asked)
                counts = np.frombuffer(frequencies, np.int32)[places]
                yield document, asked[held], counts, int(self._lengths[row])

    def _idf_of(self, beside: apsw.Connection, holders: Ids) -> Scores:
        values = self._raw_idf(holders)
        if (values < 0).any():
            if self._average_idf is None:
                sql = "SELECT passages, count(*) FROM counts WHERE passages > 0 GROUP BY passages"
                numbers, terms = np.array(list(select(beside, sql)), np.int64).reshape(-1, 2).T
                self._average_idf = float(self._raw_idf(numbers) @ terms / (terms.sum() or 1))
            values = np.where(values < 0, EPSILON * self._average_idf, values)
        return values

    def _raw_idf(self, holders: Ids) -> Scores:
        without = np.maximum(self.counts.passages - holders, 0)
        found: Scores = np.log(without + 0.5) - np.log(holders + 0.5)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class MirroredVectors:
    """A replacement for ``VectorMatrix`` over the vectors copied to a server. Milvus finds the nearest;
    vectors themselves are read from the index file.
    """

    milvus: Callable[[], MilvusIndex]
    connect: Connect
    words: MirroredWords
    dimension: int
    count: int
    exact: ClassVar[bool] = False

    def __len__(self) -> int:
        return self.count

    def __contains__(self, passage: int) -> bool:
        return self.get(passage) is not None

    def nearest(self, vector: NDArray[np.float32], k: int, documents: Collection[int] | None = None) -> Found:
        """Return the same results as ``VectorMatrix.nearest``."""
        if k <= 0 or (documents is not None and not len(documents)):
            return _NOTHING
        limit = self.words.limit(documents)
        ids, cosines = self.milvus().search("vectors", vector, k, limit)
        if documents is not None and (limit is None or limit.others):  # others may have been added meanwhile
            known = self.words.documents_of(ids) > 0
            ids, cosines = ids[known], cosines[known]
        return choose_best(ids, cosines, k)

    def get(self, passage: int) -> NDArray[np.float32] | None:
        """Return the vector of a passage, or None if it has none yet."""
        _, found = self.get_many(np.array([passage]))
        return found[0] if len(found) else None

    def get_many(self, passages: Ids) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """Return a mask of the passages that have a vector, and their vectors (n × dimension)."""
        with self.connect(None) as connection, connection:
            store = VectorStore(connection, has_vector_extension(connection))
            found = dict(store.get(passages.tolist())) if store.dimension == self.dimension else {}
        held = [passage for passage in passages.tolist() if passage in found]
        rows = np.frombuffer(b"".join(found[each] for each in held), np.float32).reshape(-1, self.dimension)
        return np.isin(passages, np.array(held, np.int64)), rows


@dataclass(frozen=True, slots=True)
class MirroredArrays:
    """The counterpart of ``SearchArrays`` for a server; replaced when the index changes."""

    bm25: MirroredWords
    terms: dict[str, int]
    vectors: MirroredVectors | None


class MirrorReader:
    """Reads the copy of the index at ``path`` on the server at ``address``.

    The server is contacted only when a search is run. Until a copy exists, searches return nothing.
    """

    def __init__(self, path: Path, address: MilvusAddress) -> None:
        self._path, self._address = find_beside(path, "-mirror"), address
        self._opened = ExitStack()
        self._pool: ReaderPool | None = None
        self._watch: apsw.Connection | None = None
        self._milvus: MilvusIndex | None = None
        self._lock = threading.Lock()
        self._words: tuple[int, MirroredWords] | None = None
        """The last result of ``arrays``, with the version it was made for."""

    def close(self) -> None:
        """Disconnect from the server and close the file."""
        self._opened.close()

    def version(self) -> int:
        """Return a number that changes whenever the copy is updated."""
        if self._watch is None:
            if not self._path.exists():
                return 0
            self._pool = self._opened.enter_context(closing(ReaderPool(self._path)))
            self._watch = self._opened.enter_context(closing(self._pool.open()))
        return int(self._watch.execute("PRAGMA data_version").get) + 1

    def arrays(self, connection: apsw.Connection, connect: Connect, before: Arrays | None) -> MirroredArrays:
        """Return the current arrays. ``connection`` is a connection to the index, and ``connect`` lends
        further ones. ``before`` are the previous arrays (None: there are none, or they belong to an index
        that was replaced).
        """
        version = self.version()  # opens the file, once there is one
        terms = {} if before is None else before.terms
        sql = "SELECT id, term FROM terms WHERE id > ? ORDER BY id"
        last = next(reversed(terms.values()), 0)
        terms.update((term, number) for number, term in select(connection, sql, (last,)))
        if before is None or self._words is None or self._words[0] != version:
            self._words = version, MirroredWords(self._find_server, connect, self._lend, terms)
        words = self._words[1]
        dimension = int(read_meta(connection, "dimension") or 0)
        vectors = None
        if dimension and words.counts.vectors:
            vectors = MirroredVectors(self._find_server, connect, words, dimension, words.counts.vectors)
        return MirroredArrays(words, terms, vectors)

    def _lend(self, token: object) -> AbstractContextManager[apsw.Connection]:
        return nullcontext(open_empty()) if self._pool is None else self._pool.lend()

    def _find_server(self) -> MilvusIndex:
        with self._lock:
            if self._milvus is None:
                with self._lend(None) as connection:
                    name = read_meta(connection, "name")
                if not name:
                    raise MilvusUnavailable(
                        "nothing of the library is on the server yet; lexls index puts it there"
                    )
                self._milvus = self._opened.enter_context(closing(MilvusIndex(self._address, name)))
            return self._milvus


def _weigh(
    beside: apsw.Connection, terms: Sequence[int], weights: Weights
) -> tuple[_Terms, Scores, Ids, Ids]:
    """Return the distinct terms that occur and have a weight, in ascending order; the sum of each one's
    weights; and how many passages and how many documents contain it.
    """
    if weights is not None and min(weights, default=0.0) < 0:
        raise ValueError("a term's weight is not negative")
    distinct, place = np.unique(np.asarray(terms, np.int32), return_inverse=True)
    sums = np.bincount(place, weights, len(distinct)).astype(np.float64)
    holders, holding = count_holders(beside, distinct.tolist())
    kept = (sums > 0) & (holders > 0)
    return distinct[kept], sums[kept], holders[kept], holding[kept]


def _read_passages(connection: apsw.Connection, passages: Ids, documents: Ids) -> Iterator[_Unit]:
    """Yield the units of those ``passages`` that exist; ``documents`` gives the document of each passage (0:
    none).
    """
    rising = np.sort(passages)
    for postings in read_postings(connection, "postings", np.unique(documents[documents > 0]).tolist()):
        first = int(postings.passages[0])
        start, end = np.searchsorted(rising, (first, first + len(postings.passages)))
        for passage in rising[start:end].tolist():
            part = slice(*postings.offsets[passage - first : passage - first + 2].tolist())
            frequencies = postings.frequencies[part]
            yield passage, postings.terms[part], frequencies, int(frequencies.sum())


def _score(units: Iterable[_Unit], asked: _Terms, factors: Scores, k1: float, b: float, mean: float) -> Found:
    """Return the ids of the ``units`` that contain a term, and their scores."""
    found = list(units)
    if not found:
        return _NOTHING
    ids, terms, frequencies, lengths = zip(*found, strict=True)
    unit = np.repeat(np.arange(len(ids)), [len(each) for each in terms])
    held, places = _find(asked, np.concatenate(terms))
    unit = unit[held]
    parts = saturate(np.concatenate(frequencies)[held], np.array(lengths)[unit], k1, b, mean)
    scores: Scores = np.bincount(unit, parts * factors[places], len(ids)).astype(np.float64)
    matched = np.bincount(unit, minlength=len(ids)) > 0
    return np.array(ids, np.int64)[matched], scores[matched]


def _find(rising: NDArray[np.int32], wanted: NDArray[np.int32]) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Return a mask of the ``wanted`` terms that occur in ``rising`` (ascending), and the places of these
    terms in it.
    """
    if not len(rising):
        return np.zeros(len(wanted), np.bool_), np.empty(0, np.intp)
    places = np.minimum(np.searchsorted(rising, wanted), len(rising) - 1)
    held = rising[places] == wanted
    return held, places[held]


def _most_grown(then: tuple[float, float, float], now: tuple[float, float, float], longest: int) -> float:
    """Return the largest factor by which a saturation can have grown between two settings of k1, b and mean
    length, in texts of up to ``longest`` terms. The growth is monotonic in frequency and length, so only
    the extremes are computed.
    """
    once, lengths = np.ones(2, np.int64), np.array([0, longest])
    of_one = saturate(once, lengths, *now) / saturate(once, lengths, *then)
    return max(float(of_one.max()), (now[0] + 1) / (then[0] + 1))
