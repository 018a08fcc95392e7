"""Rank passages by what a Milvus server holds of an index, with the scores of an index in memory.

Milvus finds candidates by the weights that their terms had when they were written. What they score now is
computed here from their postings in the index file, by the counts beside it (``mirror_rows``). No weight has
grown by more than a known factor since; so a search goes deeper until nothing that it has not seen can reach
the last place of its answer, and then that is what ``IncrementalBM25`` would give.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.index.beside import find_beside
from lexls.index.bm25 import EPSILON, K1, B, choose_best, find_weighted_numbers
from lexls.index.config import MilvusAddress
from lexls.index.connection import Connect, ReaderPool, has_vector_extension, read_meta, select
from lexls.index.milvus import MOST, Kind, Limit, MilvusIndex, MilvusUnavailable
from lexls.index.mirror import DOCUMENT_B, DOCUMENT_K1, saturate
from lexls.index.mirror_rows import (
    count_holders,
    count_terms_by_holders,
    open_empty,
    read_counts,
    read_documents,
    read_terms,
)
from lexls.index.pruning import Scores
from lexls.index.slots import Ids
from lexls.index.vectors import VectorStore

if TYPE_CHECKING:
    from lexls.index.arrays import SearchArrays
    from lexls.index.matrix import VectorMatrix
    from lexls.index.searchable import Found

    Arrays: TypeAlias = "SearchArrays | MirroredArrays"
    """What ranks a library's passages: arrays in memory, or a server. Both answer alike."""
    VectorRanking: TypeAlias = "VectorMatrix | MirroredVectors"

FEW = 64
"""Among the passages of no more documents than this every one is scored, and Milvus is not asked."""
MORE = 64
"""So many candidates, and a quarter, are asked for beyond what is wanted; then ``DEEPER`` times as many."""
DEEPER = 4
KEPT_LIMITS = 8
"""So many lists of documents to which searches are limited are kept: one search asks several times."""
_SLACK = 1 + 1e-5
"""Milvus computes in single precision."""
_LEAST = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class QueryFactors:
    """The distinct terms of a query that occur, rising, with the factor of each one's saturation."""

    terms: NDArray[np.int32]
    factors: Scores

    def for_milvus(self) -> dict[int, float]:
        """As Milvus is asked: a factor that is not positive becomes one that puts a passage last."""
        least = _LEAST * (float(np.abs(self.factors).max()) or 1.0)
        return dict(zip(self.terms.tolist(), np.maximum(self.factors, least).tolist(), strict=True))


class MirroredWords:
    """What ``IncrementalBM25`` answers, of the passages that a mirror has put on a server.

    ``counts`` are those of the moment at which it was made; as an index moves on, another takes its place.
    """

    k1, b = K1, B

    def __init__(
        self, milvus: Callable[[], MilvusIndex], connect: Connect, beside: Connect, terms: dict[str, int]
    ) -> None:
        self._milvus, self._connect, self._beside, self._terms = milvus, connect, beside, terms
        self._average_idf: float | None = None
        self._limit_to = lru_cache(maxsize=KEPT_LIMITS)(self._find_limit)
        with beside(None) as connection, connection:
            self.counts = read_counts(connection)
            rows = np.array(list(read_documents(connection)), np.int64).reshape(-1, 4)
        self._documents, self._first, self._passages, self._lengths = rows.T
        self._row_of = {document: row for row, document in enumerate(self._documents.tolist())}

    @property
    def corpus_size(self) -> int:
        """The number of passages."""
        return self.counts.passages

    def documents_of(self, passages: Sequence[int] | Ids) -> Ids:
        """The document of each passage id, 0 where there is no such passage."""
        wanted = np.asarray(passages, np.int64)
        if not len(self._first):
            return np.zeros(len(wanted), np.int64)
        rows = np.searchsorted(self._first, wanted, side="right") - 1
        inside = (rows >= 0) & (wanted < self._first[rows] + self._passages[rows])
        return np.where(inside, self._documents[rows], 0).astype(np.int64)

    def limit(self, documents: Collection[int] | None) -> Limit | None:
        """How to limit a search on the server to ``documents`` (None: to all): by the shorter of two lists,
        as a draft that lies in the library leaves out itself alone."""
        if documents is None:
            return None
        return self._limit_to(documents if isinstance(documents, frozenset) else frozenset(documents))

    def _find_limit(self, documents: frozenset[int]) -> Limit | None:
        wanted = np.isin(self._documents, np.fromiter(documents, np.int64, len(documents)))
        if wanted.all() and len(wanted):
            return None
        others = 2 * int(wanted.sum()) > len(wanted)
        return Limit(self._documents[~wanted if others else wanted].tolist(), others)

    def passages_of(self, document: int) -> Ids:
        """The passages of a document, none if it is unknown."""
        row = self._row_of.get(document)
        if row is None:
            return np.empty(0, np.int64)
        return np.arange(self._first[row], self._first[row] + self._passages[row])

    def find_weighted_numbers(
        self, query: Sequence[str], weights: Sequence[float] | None
    ) -> tuple[list[int], list[float] | None]:
        """As ``lexls.index.bm25.find_weighted_numbers`` over the index's terms."""
        return find_weighted_numbers(self._terms, query, weights)

    def rarity(self, tokens: Sequence[str]) -> list[float]:
        """The idf over passages of each token, in order; 0 for one that no passage holds."""
        numbers = [self._terms.get(token, -1) for token in tokens]
        with self._beside(None) as beside:
            holders, _ = count_holders(beside, numbers)
            found: list[float] = np.where(holders > 0, self._idf_of(beside, holders), 0.0).tolist()
        return found

    def top(
        self,
        terms: Sequence[int],
        k: int,
        documents: Collection[int] | None = None,
        weights: Sequence[float] | None = None,
    ) -> Found:
        """As ``IncrementalBM25.top``."""
        with self._beside(None) as beside:
            asked = _weigh(terms, weights)
            holders, _ = count_holders(beside, asked.terms.tolist())
            asked = _keep(
                QueryFactors(asked.terms, asked.factors * self._idf_of(beside, holders)), holders > 0
            )

            def score(connection: apsw.Connection, passages: Ids) -> Found:
                return self._score_passages(connection, passages, asked)

            grown = _most_grown(
                (K1, B, self.counts.made_for.passages),
                (self.k1, self.b, self.counts.averages.passages),
                self._longest,
            )
            few = self._passages_among(documents)
            return self._rank("passages", asked, k, documents, few, score, grown)

    def top_documents(
        self,
        terms: Sequence[int],
        k: int,
        among: Collection[int] | None = None,
        k1: float | None = None,
        b: float | None = None,
        weights: Sequence[float] | None = None,
    ) -> Found:
        """As ``IncrementalBM25.top_documents``."""
        k1, b = self.k1 if k1 is None else k1, self.b if b is None else b
        average, count = self.counts.averages.documents, self.counts.documents
        with self._beside(None) as beside:
            asked = _weigh(terms, weights)
            _, holding = count_holders(beside, asked.terms.tolist())
            idf = np.log(1 + (count - holding + 0.5) / (holding + 0.5))
            asked = _keep(QueryFactors(asked.terms, asked.factors * idf), holding > 0)

            def score(connection: apsw.Connection, documents: Ids) -> Found:
                return self._score_documents(beside, documents, asked, k1, b, average)

            grown = _most_grown(
                (DOCUMENT_K1, DOCUMENT_B, self.counts.made_for.documents), (k1, b, average), self._longest
            )
            few = None
            if among is not None and len(among) <= FEW:
                few = np.array(sorted(each for each in among if each in self._row_of), np.int64)
            return self._rank("documents", asked, k, among, few, score, grown)

    # -- inside ----------------------------------------------------------------------------------------

    def _rank(
        self,
        kind: Kind,
        asked: QueryFactors,
        k: int,
        documents: Collection[int] | None,
        few: Ids | None,
        score: Callable[[apsw.Connection, Ids], Found],
        grown: float,
    ) -> Found:
        """The ``k`` best that hold a term, among ``few`` if there are no more (None: among all)."""
        if k <= 0 or not len(asked.terms):
            return np.empty(0, np.int64), np.empty(0)
        with self._connect(None) as connection:
            if few is not None:
                return choose_best(*score(connection, few), k)
            depth = MOST if (asked.factors < 0).any() else k + k // 4 + MORE
            while True:
                ids, products = self._milvus().search(kind, asked.for_milvus(), depth, self.limit(documents))
                found = choose_best(*score(connection, ids), k)
                if len(ids) < depth or depth >= MOST:
                    return found
                if len(found[1]) == k and found[1][-1] > products[-1] * grown * _SLACK:
                    return found
                depth = min(MOST, DEEPER * depth)

    def _passages_among(self, documents: Collection[int] | None) -> Ids | None:
        if documents is None or len(documents) > FEW:
            return None
        parts = [self.passages_of(int(document)) for document in documents]
        return np.concatenate([np.empty(0, np.int64), *parts])

    def _score_passages(self, connection: apsw.Connection, passages: Ids, asked: QueryFactors) -> Found:
        """Those of ``passages`` that hold a term, and their scores."""
        documents = self.documents_of(passages)
        order = np.argsort(documents, kind="stable")
        order = order[documents[order] > 0]
        sql = "SELECT first_passage, offsets, terms, frequencies FROM postings WHERE document = ?"
        ids: list[int] = []
        terms: list[NDArray[np.int32]] = []
        frequencies: list[NDArray[np.uint16]] = []
        document = 0
        for place in order.tolist():
            if documents[place] != document:
                document = int(documents[place])
                row = next(select(connection, sql, (document,)), None)
                if row is None:  # it went just now
                    first, starts = 0, []
                else:
                    first, starts = row[0], np.frombuffer(row[1], np.int32).tolist()
                    own_terms, counts = np.frombuffer(row[2], np.int32), np.frombuffer(row[3], np.uint16)
            at = int(passages[place]) - first
            if at + 1 < len(starts):
                ids.append(int(passages[place]))
                terms.append(own_terms[starts[at] : starts[at + 1]])
                frequencies.append(counts[starts[at] : starts[at + 1]])
        if not ids:
            return np.empty(0, np.int64), np.empty(0)
        sizes = [len(each) for each in terms]
        unit = np.repeat(np.arange(len(ids)), sizes)
        joined, counted = np.concatenate(terms), np.concatenate(frequencies)
        lengths = np.bincount(unit, counted, len(ids))
        held, places = _find(asked.terms, joined)
        unit, counted = unit[held], counted[held]
        average = self.counts.averages.passages
        parts = saturate(counted, lengths[unit], self.k1, self.b, average) * asked.factors[places]
        scores: Scores = np.bincount(unit, parts, len(ids)).astype(np.float64)
        matched = np.bincount(unit, minlength=len(ids)) > 0
        return np.array(ids, np.int64)[matched], scores[matched]

    def _score_documents(
        self,
        beside: apsw.Connection,
        documents: Ids,
        asked: QueryFactors,
        k1: float,
        b: float,
        average: float,
    ) -> Found:
        ids: list[int] = []
        scores: list[float] = []
        for document, terms, frequencies in read_terms(beside, documents.tolist()):
            row = self._row_of.get(document)
            held, places = _find(terms, asked.terms)
            if row is not None and held.any():
                parts = saturate(frequencies[places], int(self._lengths[row]), k1, b, average)
                ids.append(document)
                scores.append(float(parts @ asked.factors[held]))
        return np.array(ids, np.int64), np.array(scores)

    def _idf_of(self, beside: apsw.Connection, holders: Ids) -> Scores:
        values = self._raw_idf(holders)
        if (values < 0).any():
            if self._average_idf is None:
                numbers, terms = count_terms_by_holders(beside)
                self._average_idf = float(self._raw_idf(numbers) @ terms / (terms.sum() or 1))
            values = np.where(values < 0, EPSILON * self._average_idf, values)
        return values

    def _raw_idf(self, holders: Ids) -> Scores:
        without = np.maximum(self.counts.passages - holders, 0)
        found: Scores = np.log(without + 0.5) - np.log(holders + 0.5)
        return found

    @property
    def _longest(self) -> int:
        return int(self._lengths.max(initial=1))


class MirroredVectors:
    """What ``VectorMatrix`` answers, of the vectors that a mirror has put on a server: Milvus finds the
    nearest, their components are read from the index file."""

    exact = False

    def __init__(
        self,
        milvus: Callable[[], MilvusIndex],
        connect: Connect,
        words: MirroredWords,
        dimension: int,
        count: int,
    ) -> None:
        self._milvus, self._connect, self._words = milvus, connect, words
        self.dimension, self._count = dimension, count

    def __len__(self) -> int:
        return self._count

    def __contains__(self, passage: int) -> bool:
        sql = "SELECT 1 FROM passages WHERE id = ? AND embedded > 0"
        with self._connect(None) as connection:
            return next(select(connection, sql, (passage,)), None) is not None

    def nearest(self, vector: NDArray[np.float32], k: int, documents: Collection[int] | None = None) -> Found:
        """As ``VectorMatrix.nearest``."""
        if k <= 0 or (documents is not None and not len(documents)):
            return np.empty(0, np.int64), np.empty(0)
        limit = self._words.limit(documents)
        ids, cosines = self._milvus().search("vectors", vector, k, limit)
        if documents is not None and (limit is None or limit.others):  # others may have come meanwhile
            known = self._words.documents_of(ids) > 0
            ids, cosines = ids[known], cosines[known]
        return choose_best(ids, cosines, k)

    def get(self, passage: int) -> NDArray[np.float32] | None:
        """The vector of a passage, None if it has none yet."""
        _, found = self.get_many(np.array([passage]))
        return found[0] if len(found) else None

    def get_many(self, passages: Ids) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """Which of the passages have a vector, and the vectors of these (n × dimension)."""
        with self._connect(None) as connection, connection:
            store = VectorStore(connection, has_vector_extension(connection))
            found = dict(store.get(passages.tolist())) if store.dimension == self.dimension else {}
        held = [passage for passage in passages.tolist() if passage in found]
        rows = np.frombuffer(b"".join(found[each] for each in held), np.float32).reshape(-1, self.dimension)
        return np.isin(passages, np.array(held, np.int64)), rows


@dataclass(frozen=True, slots=True)
class MirroredArrays:
    """What ``SearchArrays`` are, over a server; as the index moves on, others take their place."""

    bm25: MirroredWords
    terms: dict[str, int]
    vectors: MirroredVectors | None


class MirrorReader:
    """Reads what a mirror has put on the server at ``address`` of the index at ``path``.

    The server is asked when something is searched for, not before. Before there is a mirror nothing is found.
    """

    def __init__(self, path: Path, address: MilvusAddress) -> None:
        self._path, self._address = find_beside(path, "-mirror"), address
        self._pool: ReaderPool | None = None
        self._watch: apsw.Connection | None = None
        self._milvus: MilvusIndex | None = None
        self._lock = threading.Lock()
        self._words: tuple[int, MirroredWords] | None = None
        """What answered last, with the version that it was made at."""

    def close(self) -> None:
        """Leave the server and close the file."""
        if self._watch is not None:
            self._watch.close()
        if self._pool is not None:
            self._pool.close()
        if self._milvus is not None:
            self._milvus.close()

    def version(self) -> int:
        """Changes whenever the mirror has moved on."""
        if self._watch is None:
            if not self._path.exists():
                return 0
            self._pool = ReaderPool(self._path)
            self._watch = self._pool.open()
        return int(self._watch.execute("PRAGMA data_version").get) + 1

    def arrays(self, connection: apsw.Connection, connect: Connect, before: Arrays | None) -> MirroredArrays:
        """What answers now; ``connection`` is one to the index, of which ``connect`` lends others. ``before``
        is what answered before (None: nothing, or of an index in whose place another lies)."""
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
                self._milvus = MilvusIndex(self._address, name)
            return self._milvus


def _weigh(terms: Sequence[int], weights: Sequence[float] | None) -> QueryFactors:
    """The distinct terms, and the sum of each one's weights, without those of weight 0."""
    if weights is not None and min(weights, default=0.0) < 0:
        raise ValueError("a term's weight is not negative")
    distinct, place = np.unique(np.asarray(terms, np.int32), return_inverse=True)
    sums = np.bincount(place, weights, len(distinct)).astype(np.float64)
    return _keep(QueryFactors(distinct, sums), sums > 0)


def _keep(asked: QueryFactors, kept: NDArray[np.bool_]) -> QueryFactors:
    return QueryFactors(asked.terms[kept], asked.factors[kept])


def _find(rising: NDArray[np.int32], wanted: NDArray[np.int32]) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Which of ``wanted`` are among ``rising``, and the places of these there."""
    if not len(rising):
        return np.zeros(len(wanted), np.bool_), np.empty(0, np.intp)
    places = np.minimum(np.searchsorted(rising, wanted), len(rising) - 1)
    held = rising[places] == wanted
    return held, places[held]


def _most_grown(then: tuple[float, float, float], now: tuple[float, float, float], longest: int) -> float:
    """The most by which a saturation can have grown from one k1, b and average length to another, in texts of
    up to ``longest`` terms: it changes one way with the frequency and with the length, so at their ends."""
    once, lengths = np.ones(2, np.int64), np.array([0, longest])
    of_one = saturate(once, lengths, *now) / saturate(once, lengths, *then)
    return max(float(of_one.max()), (now[0] + 1) / (then[0] + 1))
