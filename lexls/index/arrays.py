"""Load postings and vectors into memory once, then update them document by document."""

from __future__ import annotations

import contextlib
import ctypes
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import apsw
import numpy as np

from lexls.index.bm25 import IncrementalBM25
from lexls.index.connection import has_vector_extension, read_meta, select
from lexls.index.matrix import VectorMatrix
from lexls.index.postings import DocumentPostings
from lexls.index.vectors import VectorStore

REBUILD_FROM = 256
"""If more documents than this change at once, the arrays are rebuilt, which is then faster than updating
them.
"""
COMPACT_ABOVE = 0.25
"""Fraction of dead passages above which the postings are compacted."""


@dataclass(slots=True)
class SearchArrays:
    """The arrays in memory that a search of one index uses. The caller must serialise searches and changes.

    ``terms`` maps terms to their numbers; ``last_term`` is the highest number. Vectors are loaded up to
    generation ``vectors_at``. The vectors of the current model began at generation ``vectors_since``.
    """

    bm25: IncrementalBM25
    terms: dict[str, int]
    last_term: int
    vectors: VectorMatrix | None
    vectors_at: int
    vectors_since: int


def load_arrays(connection: apsw.Connection) -> SearchArrays:
    """Load all postings and vectors of the index, inverting the postings with one sort."""
    terms: dict[str, int] = {term: n for n, term in select(connection, "SELECT id, term FROM terms")}
    bm25 = IncrementalBM25(terms=terms)
    bm25.add_documents(read_postings(connection, "postings"))
    arrays = SearchArrays(bm25, terms, max(terms.values(), default=0), None, 0, -1)
    _load_vectors(connection, arrays, contextlib.nullcontext())
    give_back()
    return arrays


def update_arrays(
    connection: apsw.Connection,
    arrays: SearchArrays,
    gone: Sequence[int],
    changed: Sequence[int],
    lock: AbstractContextManager[object],
) -> tuple[SearchArrays, bool]:
    """Update ``arrays`` with removed and changed documents and new vectors. Return the arrays (the same
    object if updated in place), and whether anything changed.

    Runs in one read transaction of ``connection``. ``lock`` is acquired only while arrays change, one
    document at a time, so a search waits for one document at most.
    """
    new = [d for d in changed if d not in arrays.bm25.slots]
    if len(gone) + len(new) > max(REBUILD_FROM, arrays.bm25.slots.document_count // 4):
        return load_arrays(connection), True
    for number, term in list(
        select(connection, "SELECT id, term FROM terms WHERE id > ? ORDER BY id", (arrays.last_term,))
    ):
        arrays.terms[term] = arrays.last_term = number
    for document in gone:
        with lock:
            if arrays.bm25.remove_document(document) and arrays.vectors is not None:
                arrays.vectors.remove_document(document)
    for postings in read_postings(connection, "postings", new):
        with lock:
            arrays.bm25.add_document(postings)
    if arrays.bm25.dead_fraction > COMPACT_ABOVE:
        compacted = arrays.bm25.copy_compacted()  # while searches continue; only the swap needs the lock
        with lock:
            arrays.bm25 = compacted
    vectors = _update_vectors(connection, arrays, lock)
    return arrays, bool(gone or new or vectors)


def read_postings(
    connection: apsw.Connection, table: str, documents: Collection[int] | None = None
) -> Iterator[DocumentPostings]:
    """Yield the postings of these documents (None: all) from ``table``, which has those of passages or of
    precedents.
    """
    sql = f"SELECT * FROM {table}"
    one = f"{sql} WHERE document = ?"
    rows = (
        select(connection, sql)
        if documents is None
        else (row for each in documents for row in list(select(connection, one, (each,))))
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
    """Load the vectors of the index, then replace those of ``arrays`` with them. Until then, searches use the
    old ones.
    """
    store = VectorStore(connection, has_vector_extension(connection))
    matrix_of: VectorMatrix | None = None
    if store.dimension and store.usable():
        matrix_of = VectorMatrix(store.dimension)
        matrix_of.reserve(store.count())
        for ids, matrix in store.parts():
            with lock:
                documents = arrays.bm25.slots.documents_of(ids)
            known = documents > 0
            matrix_of.put(ids[known], documents[known], matrix[known])
    with lock:
        arrays.vectors = matrix_of
    arrays.vectors_since = int(read_meta(connection, "vectors_since") or 0)
    arrays.vectors_at = int(read_meta(connection, "generation") or 0)


def _update_vectors(
    connection: apsw.Connection, arrays: SearchArrays, lock: AbstractContextManager[object]
) -> bool:
    if arrays.vectors_since != int(read_meta(connection, "vectors_since") or 0):
        _load_vectors(connection, arrays, lock)
        return True
    generation = int(read_meta(connection, "generation") or 0)
    sql = "SELECT id, document FROM passages WHERE embedded > ? ORDER BY id"
    owners: dict[int, int] = dict(select(connection, sql, (arrays.vectors_at,)))
    if owners and arrays.vectors is not None:
        ids, matrix = VectorStore(connection, has_vector_extension(connection)).of(list(owners))
        documents = np.asarray([owners[passage] for passage in ids.tolist()], dtype=np.int64)
        with lock:
            arrays.vectors.put(ids, documents, matrix)
    # Only now: if reading the vectors fails, the next update tries again.
    arrays.vectors_at = generation
    return bool(owners) and arrays.vectors is not None


def give_back() -> None:
    """Return freed memory to the operating system, if the C library supports this (glibc).

    Otherwise, after loading a large library, the process would keep about as much free memory as the postings
    occupy.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
