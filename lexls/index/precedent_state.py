"""Track which precedents of an index cite which of its authorities, and update these pairs after changes."""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.citations.citing_sentences import AGAINST
from lexls.index.arrays import COMPACT_ABOVE, read_postings
from lexls.index.bm25 import IncrementalBM25
from lexls.index.catalogue import Catalogue
from lexls.index.connection import read_meta, select
from lexls.index.matrix import VectorMatrix
from lexls.index.postings import DocumentPostings
from lexls.index.vectors import PART_ROWS

Ids = NDArray[np.int64]
Pinpoint = tuple[str, str]
"""A pinpoint's kind and its labels."""


@dataclass(slots=True)
class PrecedentState:
    """The precedents that cite an authority in the library, as of the last update.

    It is updated in place under the lock used for searches, so a search sees it before or after a change.

    ``precedents`` and ``authorities`` have one element per pair, sorted; ``pinpoints`` has the pinpoint of
    each pair that has one. In ``bm25``, precedents are the passages of their citing documents, and ``held``
    lists the precedents of each document. Vectors are loaded up to generation ``vectors_at``, except those of
    ``unread`` precedents. The current model's vectors began at generation ``vectors_since``.
    """

    bm25: IncrementalBM25
    terms: Mapping[str, int]
    held: dict[int, tuple[int, ...]] = field(default_factory=dict)
    precedents: Ids = field(default_factory=lambda: np.empty(0, np.int64))
    authorities: Ids = field(default_factory=lambda: np.empty(0, np.int64))
    pinpoints: dict[tuple[int, int], Pinpoint] = field(default_factory=dict)
    propositions: VectorMatrix | None = None
    entities: VectorMatrix | None = None
    unread: set[int] = field(default_factory=set)
    vectors_at: int = 0
    vectors_since: int = -1

    def cited_by(self, precedents: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the authorities that each precedent cites; the caller holds the lock."""
        wanted = np.asarray(precedents, np.int64)
        ranges = np.searchsorted(self.precedents, [wanted, wanted + 1]).T.tolist()
        return [tuple(self.authorities[low:high].tolist()) for low, high in ranges]

    def cited_for(self, precedent: int) -> tuple[tuple[int, str], ...]:
        """Return the authorities that a precedent cites, as in ``cited_by``, each with the labels of its
        pinpoint ("" if none).
        """
        (cited,) = self.cited_by([precedent])
        return tuple((each, self.pinpoints.get((precedent, each), ("", ""))[1]) for each in cited)

    def exchange_pairs(self, stale: Collection[int], pairs: Mapping[tuple[int, int], Pinpoint]) -> None:
        """Replace all pairs of the ``stale`` precedents with ``pairs``; the caller holds the lock."""
        gone = np.isin(self.precedents, np.fromiter(stale, np.int64, len(stale)))
        for pair in zip(self.precedents[gone].tolist(), self.authorities[gone].tolist(), strict=True):
            self.pinpoints.pop(pair, None)
        precedents, authorities = np.asarray(sorted(pairs), np.int64).reshape(-1, 2).T
        kept = self.precedents[~gone]
        places = np.searchsorted(kept, precedents)
        self.authorities = np.insert(self.authorities[~gone], places, authorities)
        self.precedents = np.insert(kept, places, precedents)
        self.pinpoints.update((pair, at) for pair, at in pairs.items() if at[1])


def resolve(
    connection: apsw.Connection,
    state: PrecedentState,
    catalogue: Catalogue,
    documents: Collection[int],
    keys: Collection[str],
    lock: AbstractContextManager[object],
) -> None:
    """Update which precedents in ``state`` cite which authorities.

    ``documents`` were added, changed or removed since the last update. ``keys`` are the folded keys that may
    now refer to another authority; for a new state, they are all keys of authorities. ``lock`` is acquired
    only while ``state`` changes.
    """
    looked, said = _read_pairs(connection, catalogue, documents, keys)
    cited = {precedent for precedent, _ in said}
    stale = set().union(*looked.values(), *(state.held.get(document, ()) for document in documents))
    held = {
        document: tuple(sorted({*state.held.get(document, ())} - stale | looked.get(document, set()) & cited))
        for document in {*documents, *looked}
    }
    changed = {each: now for each, now in held.items() if state.held.get(each, ()) != now}
    added = list(_postings(connection, {each: now for each, now in changed.items() if now}))
    with lock:
        for document, now in changed.items():
            state.bm25.remove_document(document)
            for matrix in (state.propositions, state.entities):
                if matrix is not None:
                    matrix.remove_document(document)
            if now:
                state.held[document] = now
            else:
                state.held.pop(document, None)
        state.bm25.add_documents(added)
        state.exchange_pairs(stale, said)
    state.unread.update(itertools.chain.from_iterable(changed.values()))
    if state.bm25.dead_fraction > COMPACT_ABOVE:
        compacted = state.bm25.copy_compacted()  # while searches continue; only the swap needs the lock
        with lock:
            state.bm25 = compacted


def _read_pairs(
    connection: apsw.Connection, catalogue: Catalogue, documents: Collection[int], keys: Collection[str]
) -> tuple[dict[int, set[int]], dict[tuple[int, int], Pinpoint]]:
    """Find the precedents that are in ``documents`` or cite one of ``keys``. Return them by document, and
    their pairs.

    A pair is a precedent and an authority that it cites. Each pair is returned with its first pinpoint in the
    sentence.
    """
    looked: defaultdict[int, set[int]] = defaultdict(set)
    pairs: dict[tuple[int, int], tuple[bool, int, Pinpoint]] = {}
    against = sorted(AGAINST)
    # Cached: there are ten times as many citations as documents, and searches wait for this.
    is_there = cache(lambda document: catalogue.get(document) is not None)
    find_authority = cache(lambda key: catalogue.find_folded(key)[:1])
    for precedent, document, key, start, kind, labels in select(
        connection,
        f"""WITH looked AS (
                SELECT k.precedent FROM json_each(?) AS w JOIN precedent_keys AS k ON k.key = w.value
                UNION SELECT p.id FROM json_each(?) AS w JOIN precedents AS p ON p.document = w.value
            )
            SELECT p.id, p.document, k.key, k."start", k.pinpoint_kind, k.pinpoint FROM looked
            JOIN precedents AS p ON p.id = looked.precedent JOIN precedent_keys AS k ON k.precedent = p.id
            WHERE k.signal NOT IN ({",".join("?" * len(against))})""",
        (json.dumps(list(keys)), json.dumps(list(documents)), *against),
    ):
        if not is_there(document):
            continue  # committed since, or being removed
        looked[document].add(precedent)
        for authority in find_authority(key):
            if authority != document:
                pair, said = (precedent, authority), (not labels, start, (kind, labels))
                pairs[pair] = min(pairs.get(pair, said), said)
    return looked, {pair: at for pair, (_, _, at) in pairs.items()}


def _postings(connection: apsw.Connection, held: Mapping[int, Sequence[int]]) -> Iterator[DocumentPostings]:
    """Yield the postings of these precedents, by document."""
    for each in read_postings(connection, "precedent_postings", held):
        ids, sizes = np.asarray(held[each.document], np.int64), np.diff(each.offsets)
        kept = np.isin(each.passages, ids)
        postings = np.repeat(kept, sizes)
        offsets = np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int32)
        terms, frequencies = each.terms[postings], each.frequencies[postings]
        yield DocumentPostings(each.document, ids, offsets, terms, frequencies)


def update_vectors(
    connection: apsw.Connection, state: PrecedentState, lock: AbstractContextManager[object]
) -> None:
    """Add the vectors written since the last update."""
    generation, since, dimension = (
        int(read_meta(connection, key) or 0) for key in ("generation", "vectors_since", "dimension")
    )
    if since != state.vectors_since:
        state.vectors_since = since
        state.propositions = state.entities = None
    if not dimension:
        return
    propositions, entities = state.propositions, state.entities
    if propositions is None or entities is None:
        propositions, entities = VectorMatrix(dimension), VectorMatrix(dimension)
        lock_matrices: AbstractContextManager[object] = nullcontext()  # not yet shared with other threads
        wanted = set(state.precedents.tolist())
    else:
        lock_matrices = lock
        sql = "SELECT id FROM precedents WHERE embedded > ?"
        came = [each for (each,) in select(connection, sql, (state.vectors_at,))]
        wanted = state.unread.union(np.intersect1d(came, state.precedents).tolist())
    missing = sorted(each for each in wanted if each not in propositions)
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
            _put(propositions, part, 2)
            _put(entities, [row for row in part if len(row[3]) == 2 * dimension], 3)
    with lock:
        state.propositions, state.entities = propositions, entities
    state.unread.clear()
    state.vectors_at = generation


def _put(matrix: VectorMatrix, rows: Sequence[tuple[Any, ...]], column: int) -> None:
    """Add rows of (precedent, document, float16 vectors …) to the matrix, using the vector in ``column``."""
    vectors = np.frombuffer(b"".join(row[column] for row in rows), np.float16).reshape(-1, matrix.dimension)
    ids, documents = np.asarray([row[:2] for row in rows], np.int64).reshape(-1, 2).T
    matrix.put(ids, documents, vectors.astype(np.float32))
