"""Postings and vectors in memory: loaded once, then moved on document by document."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.index.bm25 import IncrementalBM25
from lexls.index.connection import has_vector_extension, select
from lexls.index.matrix import VectorMatrix
from lexls.index.memory import give_back
from lexls.index.postings import DocumentPostings
from lexls.index.vectors import VectorStore

REBUILD_FROM = 256
"""From so many changed documents at once on, arrays made anew are cheaper than changed ones."""
COMPACT_ABOVE = 0.25
"""The part of dead passages from which the postings are compacted."""

Ids = NDArray[np.int64]
Scores = NDArray[np.float64]


@dataclass(slots=True)
class SearchArrays:
    """The searchable part of one index. Searches and changes are serialised by the caller.

    ``terms`` are the dictionary's numbers, of which the highest is ``last_term``; ``vectors_at`` is the
    generation up to which vectors are in, ``vectors_since`` the one at which the present model's began.
    """

    bm25: IncrementalBM25
    terms: dict[str, int]
    last_term: int
    vectors: VectorMatrix | None
    vectors_at: int
    vectors_since: int

    def lexical(
        self,
        tokens: Sequence[str],
        k: int,
        documents: Collection[int] | None,
        weights: Sequence[float] | None = None,
    ) -> tuple[Ids, Scores]:
        """The ``k`` best passages by BM25: ids and scores."""
        terms, held = self.bm25.weighted_numbers(tokens, weights)
        return self.bm25.top(terms, k, documents, held)

    def lexical_documents(
        self,
        tokens: Sequence[str],
        k: int,
        documents: Collection[int] | None,
        k1: float,
        b: float,
        weights: Sequence[float] | None = None,
    ) -> tuple[Ids, Scores]:
        """The ``k`` best documents by BM25: ids and scores."""
        terms, held = self.bm25.weighted_numbers(tokens, weights)
        return self.bm25.top_documents(terms, k, documents, k1, b, held)

    def nearest(
        self, vector: NDArray[np.float32], k: int, documents: Collection[int] | None
    ) -> tuple[Ids, Scores]:
        """The ``k`` passages nearest to ``vector``: ids and cosines."""
        if self.vectors is None or vector.shape != (self.vectors.dimension,):
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float64)
        return self.vectors.nearest(vector, k, documents)

    @property
    def exact_vectors(self) -> bool:
        """Whether cosines are exact; else they are near what the vectors in the index file give."""
        return self.vectors is None or self.vectors.exact

    def documents_of(self, passages: Sequence[int]) -> list[int]:
        """The document of each passage, 0 if it is unknown."""
        documents: list[int] = self.bm25.documents_of(passages).tolist()
        return documents


@dataclass(frozen=True, slots=True)
class ArrayUpdate:
    """The arrays after an update (the same object where they were changed in place)."""

    arrays: SearchArrays
    changed: bool


def load_arrays(connection: apsw.Connection) -> SearchArrays:
    """All postings and vectors of the index, inverted with one sort."""
    terms: dict[str, int] = {term: n for n, term in select(connection, "SELECT id, term FROM terms")}
    bm25 = IncrementalBM25.from_forward(_postings(connection, None), terms)
    arrays = SearchArrays(bm25, terms, max(terms.values(), default=0), None, 0, -1)
    _load_vectors(connection, arrays, contextlib.nullcontext())
    give_back()
    return arrays


def update_arrays(
    connection: apsw.Connection,
    arrays: SearchArrays | None,
    gone: Sequence[int],
    changed: Sequence[int],
    lock: AbstractContextManager[object],
) -> ArrayUpdate:
    """Move ``arrays`` on: documents that are gone or changed, and vectors that came.

    Runs in one read transaction of ``connection``. ``lock`` is held only while arrays change, a document
    at a time, so that a search waits for one document at most.
    """
    new = [] if arrays is None else [d for d in changed if d not in arrays.bm25]
    if arrays is None or len(gone) + len(new) > max(REBUILD_FROM, arrays.bm25.document_count // 4):
        return ArrayUpdate(load_arrays(connection), changed=True)
    for number, term in list(
        select(connection, "SELECT id, term FROM terms WHERE id > ?", (arrays.last_term,))
    ):
        arrays.terms[term] = number
        arrays.last_term = max(arrays.last_term, number)
    for document in gone:
        with lock:
            if arrays.bm25.remove_document(document) and arrays.vectors is not None:
                arrays.vectors.remove_document(document)
    for postings in _postings(connection, new):
        with lock:
            arrays.bm25.add_document(postings)
    if arrays.bm25.dead_fraction > COMPACT_ABOVE:
        compacted = arrays.bm25.compacted()  # beside the searches; only the exchange needs the lock
        with lock:
            arrays.bm25 = compacted
    vectors = _update_vectors(connection, arrays, lock)
    return ArrayUpdate(arrays, changed=bool(gone or new or vectors))


def _postings(connection: apsw.Connection, documents: Sequence[int] | None) -> Iterator[DocumentPostings]:
    sql = "SELECT document, first_passage, offsets, terms, frequencies FROM postings"
    if documents is None:
        rows = select(connection, sql)
    else:
        rows = (
            row
            for document in documents
            for row in list(select(connection, f"{sql} WHERE document = ?", (document,)))
        )
    for document, first, offsets, terms, frequencies in rows:
        starts = np.frombuffer(offsets, dtype=np.int32)
        yield DocumentPostings(
            document=document,
            passages=np.arange(first, first + len(starts) - 1, dtype=np.int64),
            offsets=starts,
            terms=np.frombuffer(terms, dtype=np.int32),
            frequencies=np.frombuffer(frequencies, dtype=np.uint16),
        )


def _load_vectors(
    connection: apsw.Connection, arrays: SearchArrays, lock: AbstractContextManager[object]
) -> None:
    """Put all vectors in the place of those that ``arrays`` has, which answer until these are read."""
    store = VectorStore(connection, has_vector_extension(connection))
    matrix_of: VectorMatrix | None = None
    if store.dimension and store.usable():
        matrix_of = VectorMatrix(store.dimension)
        matrix_of.reserve(store.count())
        for ids, matrix in store.parts():
            with lock:
                documents = arrays.bm25.documents_of(ids)
            known = documents > 0
            matrix_of.put(ids[known], documents[known], matrix[known])
    with lock:
        arrays.vectors = matrix_of
    arrays.vectors_since = _since(connection)
    arrays.vectors_at = _generation(connection)


def _update_vectors(
    connection: apsw.Connection, arrays: SearchArrays, lock: AbstractContextManager[object]
) -> bool:
    if arrays.vectors_since != _since(connection):
        _load_vectors(connection, arrays, lock)
        return True
    generation = _generation(connection)
    rows = list(
        select(
            connection,
            "SELECT id, document FROM passages WHERE embedded > ? ORDER BY id",
            (arrays.vectors_at,),
        )
    )
    if rows and arrays.vectors is not None:
        owners: dict[int, int] = dict(rows)
        store = VectorStore(connection, has_vector_extension(connection))
        found = list(store.get(owners))
        ids = np.asarray([passage for passage, _ in found], dtype=np.int64)
        documents = np.asarray([owners[passage] for passage, _ in found], dtype=np.int64)
        matrix = np.frombuffer(b"".join(data for _, data in found), dtype=np.float32)
        with lock:
            arrays.vectors.put(ids, documents, matrix.reshape(len(found), -1))
    # Not before they are in: a read that fails is tried again.
    arrays.vectors_at = generation
    return bool(rows) and arrays.vectors is not None


def _generation(connection: apsw.Connection) -> int:
    row = connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
    return int(row[0]) if row else 0


def _since(connection: apsw.Connection) -> int:
    row = connection.execute("SELECT value FROM meta WHERE key = 'vectors_since'").fetchone()
    return int(row[0]) if row else 0
