"""Which precedents of an index cite an authority of its library, with their postings and vectors."""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.citations.signals import AGAINST
from lexls.index.arrays import COMPACT_ABOVE
from lexls.index.bm25 import IncrementalBM25
from lexls.index.catalogue import Catalogue
from lexls.index.connection import select
from lexls.index.matrix import VectorMatrix
from lexls.index.postings import DocumentPostings
from lexls.index.vectors import PART_ROWS

Ids = NDArray[np.int64]


@dataclass(slots=True)
class PrecedentState:
    """The precedents that cite an authority of the library, after so many changes of its documents.

    It changes in place, under the lock of those who search, so that they see it before or after a change.

    ``pairs`` are (precedent, authority), in order, with ``pinpoints`` (kind, labels) where they have one.
    ``bm25`` holds the precedents as passages of their citing documents, of which ``held`` says which ones.
    ``vectors_since`` is the generation at which the present model's vectors began.
    """

    changes: int
    bm25: IncrementalBM25
    terms: Mapping[str, int]
    held: dict[int, tuple[int, ...]] = field(default_factory=dict)
    precedents: Ids = field(default_factory=lambda: np.empty(0, np.int64))
    authorities: Ids = field(default_factory=lambda: np.empty(0, np.int64))
    pinpoints: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)
    propositions: VectorMatrix | None = None
    entities: VectorMatrix | None = None
    vectors_since: int = -1

    def cited_by(self, precedent: int) -> tuple[int, ...]:
        """The authorities that a precedent cites; called with the lock held."""
        low, high = np.searchsorted(self.precedents, [precedent, precedent + 1])
        return tuple(self.authorities[low:high].tolist())


def resolve(
    connection: apsw.Connection,
    state: PrecedentState,
    catalogue: Catalogue,
    keys: Collection[str],
    lock: AbstractContextManager[object],
) -> None:
    """Bring ``state`` up to date with the documents: which precedents cite which authorities.

    ``keys`` are all by which these are cited. ``lock`` is held only while ``state`` changes.
    """
    pairs: dict[tuple[int, int], tuple[str, str]] = {}
    of: dict[int, set[int]] = {}
    against = sorted(AGAINST)
    for precedent, document, key, pinpoint, kind in select(
        connection,
        f"""SELECT p.id, p.document, k.key, k.pinpoint, k.pinpoint_kind FROM json_each(?) AS w
            JOIN precedent_keys AS k ON k.key = w.value JOIN precedents AS p ON p.id = k.precedent
            WHERE k.signal NOT IN ({",".join("?" * len(against))})""",
        (json.dumps(list(keys)), *against),
    ):
        if catalogue.get(document) is None:
            continue  # committed since, or going
        for authority in catalogue.find_folded(key)[:1]:
            if authority != document and (pinpoint or (precedent, authority) not in pairs):
                pairs[precedent, authority] = (kind, pinpoint)
                of.setdefault(document, set()).add(precedent)
    held = {document: tuple(sorted(precedents)) for document, precedents in of.items()}
    changed = {document for document in state.held if held.get(document) != state.held[document]}
    new = [document for document in held if held[document] != state.held.get(document)]
    added = list(_postings(connection, {document: held[document] for document in new}))
    ordered = np.asarray(sorted(pairs), np.int64).reshape(-1, 2)
    with lock:
        for document in changed:
            state.bm25.remove_document(document)
            for matrix in (state.propositions, state.entities):
                if matrix is not None:
                    matrix.remove_document(document)
        state.bm25.add_documents(added)
        state.held = held
        state.precedents, state.authorities = ordered[:, 0].copy(), ordered[:, 1].copy()
        state.pinpoints = {pair: at for pair, at in pairs.items() if at[1]}
    if state.bm25.dead_fraction > COMPACT_ABOVE:
        compacted = state.bm25.compacted()  # beside the searches; only the exchange needs the lock
        with lock:
            state.bm25 = compacted


def _postings(connection: apsw.Connection, held: Mapping[int, Sequence[int]]) -> Iterator[DocumentPostings]:
    """The postings of these precedents of documents."""
    for document, precedents in held.items():
        for first, offsets, terms, frequencies in list(
            select(
                connection,
                """SELECT first_precedent, offsets, terms, frequencies FROM precedent_postings
                   WHERE document = ?""",
                (document,),
            )
        ):
            starts = np.frombuffer(offsets, dtype=np.int32)
            rows = np.asarray(precedents, np.int64) - first
            pieces = [slice(int(starts[row]), int(starts[row + 1])) for row in rows]
            sizes = np.asarray([piece.stop - piece.start for piece in pieces], np.int32)
            all_terms, all_frequencies = np.frombuffer(terms, np.int32), np.frombuffer(frequencies, np.uint16)
            yield DocumentPostings(
                document=document,
                passages=np.asarray(precedents, np.int64),
                offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32),
                terms=np.concatenate([all_terms[piece] for piece in pieces]),
                frequencies=np.concatenate([all_frequencies[piece] for piece in pieces]),
            )


def update_vectors(
    connection: apsw.Connection, state: PrecedentState, lock: AbstractContextManager[object]
) -> None:
    """Add the vectors that came since."""
    meta = dict(select(connection, "SELECT key, value FROM meta WHERE key IN ('vectors_since', 'dimension')"))
    since, dimension = int(meta.get("vectors_since") or 0), int(meta.get("dimension") or 0)
    if since != state.vectors_since:
        state.vectors_since = since
        state.propositions = state.entities = None
    if not dimension:
        return
    propositions, entities = state.propositions, state.entities
    if propositions is None or entities is None:
        propositions, entities = VectorMatrix(dimension), VectorMatrix(dimension)
        lock_matrices: AbstractContextManager[object] = nullcontext()  # nobody else has them yet
    else:
        lock_matrices = lock
    missing = [each for each in np.unique(state.precedents).tolist() if each not in propositions]
    rows = select(
        connection,
        """SELECT p.id, p.document, v.proposition, v.entities FROM json_each(?) AS w
           JOIN precedents AS p ON p.id = w.value
           JOIN precedent_vectors AS v ON v.precedent = p.id""",
        (json.dumps(missing),),
    )
    while part := list(itertools.islice(rows, PART_ROWS)):
        part = [row for row in part if len(row[2]) == 2 * dimension]
        with lock_matrices:
            _put(propositions, [(row[0], row[1], row[2]) for row in part])
            _put(entities, [(row[0], row[1], row[3]) for row in part if len(row[3]) == 2 * dimension])
    with lock:
        state.propositions, state.entities = propositions, entities


def _put(matrix: VectorMatrix, rows: Sequence[tuple[int, int, bytes]]) -> None:
    """Add (precedent, document, vector in float16)."""
    if not rows:
        return
    vectors = np.frombuffer(b"".join(row[2] for row in rows), np.float16).reshape(len(rows), -1)
    ids = np.asarray([row[0] for row in rows], np.int64)
    documents = np.asarray([row[1] for row in rows], np.int64)
    matrix.put(ids, documents, vectors.astype(np.float32))
