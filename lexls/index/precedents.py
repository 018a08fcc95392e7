"""Precedents in memory: what the documents of a library cite its authorities for.

A precedent is a sentence with what it cites. Only those that cite an authority of the library answer; which
these are is learnt anew in every generation, so that an authority that comes later is found at once.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.citations.signals import AGAINST
from lexls.index.arrays import COMPACT_ABOVE, REBUILD_FROM, SearchArrays
from lexls.index.bm25 import IncrementalBM25
from lexls.index.catalogue import Catalogue
from lexls.index.connection import select
from lexls.index.matrix import VectorMatrix
from lexls.index.postings import DocumentPostings
from lexls.index.records import PrecedentRecord
from lexls.text.cancel import CancelToken

Ids = NDArray[np.int64]
Scores = NDArray[np.float64]
Connect = Callable[[CancelToken | None], AbstractContextManager[apsw.Connection]]

KEPT_SUPPORTS = 65_536
"""Of how many precedents and authorities the supporting passage stays in memory."""


@dataclass(slots=True)
class _Arrays:
    """Postings and vectors: ``vectors_at`` is the generation up to which vectors are in, ``vectors_since``
    the one at which the present model's began.
    """

    bm25: IncrementalBM25
    propositions: VectorMatrix | None = None
    entities: VectorMatrix | None = None
    vectors_at: int = 0
    vectors_since: int = -1


@dataclass(frozen=True, slots=True)
class _Resolved:
    """Which precedents cite which authorities, in one generation: pairs in the order of precedents.

    ``pinpoints`` has the kind and labels of those pairs that have one.
    """

    generation: int
    precedents: Ids
    authorities: Ids
    pinpoints: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)

    def of(self, precedent: int) -> tuple[int, ...]:
        low, high = np.searchsorted(self.precedents, [precedent, precedent + 1])
        return tuple(self.authorities[low:high].tolist())


class Precedents:
    """The precedents of a library. Safe from any thread; moved on by its ``Library``."""

    def __init__(self, connect: Connect, lock: AbstractContextManager[object]) -> None:
        self._connect = connect
        self._lock = lock
        self._arrays = _Arrays(IncrementalBM25())
        self._passages: SearchArrays | None = None
        self._catalogue = Catalogue()
        self._generation = 0
        self._resolved: _Resolved | None = None
        self._resolving = threading.Lock()
        self._masks: tuple[_Resolved, int, NDArray[np.bool_]] | None = None
        self._supports: OrderedDict[tuple[int, int], int] = OrderedDict()

    # -- moving on -------------------------------------------------------------------------------------

    def move_on(
        self,
        connection: apsw.Connection,
        passages: SearchArrays,
        gone: Sequence[int],
        changed: Sequence[int],
    ) -> bool:
        """Pick up what was committed; ``gone`` and ``changed`` are documents, ``passages`` the arrays as they
        are now. Whether vectors came. Runs in a read transaction of ``connection``.
        """
        with self._lock:
            self._supports.clear()
        known = self._arrays.bm25
        anew = self._passages is not passages or self._passages is None
        new = [] if anew else [document for document in changed if document not in known]
        if anew or len(gone) + len(new) > max(REBUILD_FROM, known.document_count // 4):
            arrays = _Arrays(IncrementalBM25.from_forward(_postings(connection, None), passages.terms))
            _update_vectors(connection, arrays, None)
            with self._lock:
                self._arrays, self._passages = arrays, passages
            return True
        for document in gone:
            with self._lock:
                if known.remove_document(document):
                    for matrix in (self._arrays.propositions, self._arrays.entities):
                        if matrix is not None:
                            matrix.remove_document(document)
        for postings in _postings(connection, new):
            with self._lock:
                known.add_document(postings)
        if known.dead_fraction > COMPACT_ABOVE:
            compacted = known.compacted()
            with self._lock:
                self._arrays.bm25 = compacted
        return _update_vectors(connection, self._arrays, self._lock)

    def use(self, catalogue: Catalogue, generation: int) -> None:
        """Resolve keys by ``catalogue``; called with the lock held, when documents changed."""
        self._catalogue, self._generation = catalogue, generation

    # -- search ----------------------------------------------------------------------------------------

    def lexical(
        self,
        tokens: Sequence[str],
        k: int,
        speaking: Collection[int] | None = None,
        token: CancelToken | None = None,
        *,
        weights: Sequence[float] | None = None,
    ) -> tuple[Ids, Scores]:
        """The ``k`` precedents with the highest BM25 score for ``tokens``, best first: ids and scores.

        ``speaking`` are the documents whose sentences count (None: all); ``weights`` multiply the terms'
        parts.
        """
        resolved = self._now(token)
        with self._lock:
            bm25 = self._arrays.bm25
            terms, held = bm25.weighted_numbers(tokens, weights)
            allowed = self._mask(resolved)
            if speaking is not None:
                allowed = allowed & np.isin(bm25.owners, np.fromiter(speaking, np.int64, len(speaking)))
            return bm25.top(terms, k, allowed, held)

    def nearest(
        self,
        vector: NDArray[np.float32],
        k: int,
        speaking: Collection[int] | None = None,
        token: CancelToken | None = None,
    ) -> tuple[Ids, Scores]:
        """The ``k`` precedents whose propositions are nearest to ``vector`` (unit length), best first: ids
        and cosines.
        """
        resolved = self._now(token)
        with self._lock:
            matrix = self._arrays.propositions
            if matrix is None or vector.shape != (matrix.dimension,) or not len(matrix):
                return np.empty(0, np.int64), np.empty(0, np.float64)
            wanted = None if speaking is None else np.fromiter(speaking, np.int64, len(speaking))
            ids, cosines = matrix.nearest(vector, k, wanted)
        # A precedent keeps its vectors when the authority that it cites goes.
        kept = np.isin(ids, resolved.precedents)
        return ids[kept], cosines[kept]

    def question_likeness(self, vector: NDArray[np.float32], precedents: Sequence[int]) -> Scores:
        """The cosine of ``vector`` with each precedent's proposition; not a number where it has no vector."""
        with self._lock:
            return _cosines(self._arrays.propositions, vector, precedents)

    def entity_likeness(self, vector: NDArray[np.float32], precedents: Sequence[int]) -> Scores:
        """The cosine of ``vector`` with each precedent's entities; not a number where it has none."""
        with self._lock:
            return _cosines(self._arrays.entities, vector, precedents)

    def support_likeness(
        self,
        vector: NDArray[np.float32],
        pairs: Sequence[tuple[int, int]],
        token: CancelToken | None = None,
    ) -> Scores:
        """The cosine of ``vector`` with the supporting passage of each pair (precedent, authority); not a
        number where there is none.
        """
        passages = self.supports(pairs, token)
        with self._lock:
            matrix = self._passages.vectors if self._passages is not None else None
            return _cosines(matrix, vector, passages)

    def supports(self, pairs: Sequence[tuple[int, int]], token: CancelToken | None = None) -> list[int]:
        """The passage of the authority that supports each pair (precedent, authority): at the pinpoint, or
        the one most like the proposition; 0 where vectors are missing. Remembered.
        """
        resolved = self._now(token)
        with self._lock:
            known = {pair: self._supports[pair] for pair in pairs if pair in self._supports}
        by_authority: dict[int, list[int]] = {}
        for precedent, authority in dict.fromkeys(pairs):
            if (precedent, authority) not in known:
                by_authority.setdefault(authority, []).append(precedent)
        for authority, precedents in by_authority.items():
            if token is not None:
                token.raise_if_cancelled()
            pointed = [p for p in precedents if (p, authority) in resolved.pinpoints]
            places = self._places(authority) if pointed else []
            with self._lock:
                ids, rows = self._vectors_of(authority)
                for precedent in precedents:
                    own = self._arrays.propositions.get(precedent) if self._arrays.propositions else None
                    passage = 0
                    if own is not None and len(ids):
                        likeness = rows @ own
                        at = resolved.pinpoints.get((precedent, authority))
                        inside = np.isin(ids, _pointed(places, *at)) if at else np.zeros(len(ids), np.bool_)
                        if inside.any():
                            likeness = np.where(inside, likeness, -np.inf)
                        passage = int(ids[int(np.argmax(likeness))])
                        self._supports[precedent, authority] = passage
                    known[precedent, authority] = passage
                while len(self._supports) > KEPT_SUPPORTS:
                    self._supports.popitem(last=False)
        return [known[pair] for pair in pairs]

    # -- what they are ---------------------------------------------------------------------------------

    def authorities(
        self, precedents: Iterable[int], token: CancelToken | None = None
    ) -> list[tuple[int, ...]]:
        """The authorities of the library that each precedent cites for what it says."""
        resolved = self._now(token)
        return [resolved.of(int(precedent)) for precedent in precedents]

    def documents_of(self, precedents: Sequence[int]) -> list[int]:
        """The citing document of each precedent, 0 if it is gone."""
        with self._lock:
            return [int(document) for document in self._arrays.bm25.documents_of(precedents)]

    def records(self, precedents: Iterable[int], token: CancelToken | None = None) -> list[PrecedentRecord]:
        """The precedents with these ids, in the order given; those that are gone are left out."""
        resolved = self._now(token)
        records = []
        with self._connect(token) as connection:
            for precedent in map(int, precedents):
                row = connection.execute(
                    """SELECT id, document, "start", "end", proposition, entities FROM precedents
                       WHERE id = ?""",
                    (precedent,),
                ).fetchone()
                if row is None:
                    continue
                cited = tuple(
                    (authority, resolved.pinpoints.get((precedent, authority), ("", ""))[1])
                    for authority in resolved.of(precedent)
                )
                entities = tuple(filter(None, str(row[5]).split("\n")))
                records.append(PrecedentRecord(*row[:5], entities, cited))
        return records

    def citing(self, authority: int, token: CancelToken | None = None) -> list[int]:
        """The precedents that cite an authority, in order."""
        resolved = self._now(token)
        found: list[int] = resolved.precedents[resolved.authorities == authority].tolist()
        return found

    def __len__(self) -> int:
        """How many precedents cite an authority of the library."""
        return len(np.unique(self._now(None).precedents))

    @property
    def has_vectors(self) -> bool:
        """Whether any precedent has a vector yet."""
        with self._lock:
            return bool(self._arrays.propositions)

    # -- inside ----------------------------------------------------------------------------------------

    def _now(self, token: CancelToken | None) -> _Resolved:
        """Which precedents resolve in the present generation, learnt once."""
        if token is not None:
            token.raise_if_cancelled()
        with self._lock:
            generation, catalogue, known = self._generation, self._catalogue, self._resolved
        if known is not None and known.generation == generation:
            return known
        with self._resolving:
            known = self._resolved
            if known is None or known.generation != generation:
                with self._connect(token) as connection:
                    known = _resolve(connection, catalogue, generation)
                with self._lock:
                    self._resolved = known
        return known

    def _mask(self, resolved: _Resolved) -> NDArray[np.bool_]:
        bm25 = self._arrays.bm25
        if (
            self._masks is None
            or self._masks[0] is not resolved
            or self._masks[1] != id(bm25)
            or len(self._masks[2]) != bm25.slot_count
        ):
            mask = np.zeros(bm25.slot_count, np.bool_)
            slots = bm25.slots_of(resolved.precedents)
            mask[slots[slots >= 0]] = True
            self._masks = (resolved, id(bm25), mask)
        return self._masks[2]

    def _vectors_of(self, document: int) -> tuple[Ids, NDArray[np.float32]]:
        """The passages of a document that have a vector, and these."""
        arrays = self._passages
        if arrays is None or arrays.vectors is None:
            return np.empty(0, np.int64), np.empty((0, 0), np.float32)
        slots = arrays.bm25.slots_of_document(document)
        found = [
            (passage, vector)
            for passage in arrays.bm25.ids[slots.start : slots.stop].tolist()
            if (vector := arrays.vectors.get(passage)) is not None
        ]
        ids = np.asarray([passage for passage, _ in found], np.int64)
        return ids, np.asarray([vector for _, vector in found], np.float32)

    def _places(self, document: int) -> list[tuple[int, str, int]]:
        """(id, paragraph, page) of a document's passages, in order."""
        with self._connect(None) as connection:
            rows = select(
                connection,
                "SELECT id, paragraph, page FROM passages WHERE document = ? ORDER BY id",
                (document,),
            )
            return [(int(passage), str(paragraph), int(page)) for passage, paragraph, page in rows]


def _pointed(places: Sequence[tuple[int, str, int]], kind: str, labels: str) -> list[int]:
    """The passages that a pinpoint names, by its first label; none if it is not among them."""
    first = labels.split("\n")[0].split("-")[0].strip()
    if kind != "page":
        return [passage for passage, paragraph, _ in places if paragraph == first]
    if not first.isdigit():
        return []
    # A passage begins on its page and may go on beyond the next one's begin.
    before = [page for _, _, page in places if 0 < page <= int(first)]
    return [passage for passage, _, page in places if before and page in (before[-1], int(first))]


def _resolve(connection: apsw.Connection, catalogue: Catalogue, generation: int) -> _Resolved:
    pairs: dict[tuple[int, int], tuple[str, str]] = {}
    against = sorted(AGAINST)
    for precedent, document, key, pinpoint, kind in select(
        connection,
        f"""SELECT p.id, p.document, k.key, k.pinpoint, k.pinpoint_kind FROM json_each(?) AS w
            JOIN precedent_keys AS k ON k.key = w.value JOIN precedents AS p ON p.id = k.precedent
            WHERE k.signal NOT IN ({",".join("?" * len(against))})""",
        (json.dumps(list(catalogue.all_keys())), *against),
    ):
        for authority in catalogue.find_folded(key)[:1]:
            if authority != document and (pinpoint or (precedent, authority) not in pairs):
                pairs[precedent, authority] = (kind, pinpoint)
    ordered = np.asarray(sorted(pairs), np.int64).reshape(-1, 2)
    pinpoints = {pair: at for pair, at in pairs.items() if at[1]}
    return _Resolved(generation, ordered[:, 0].copy(), ordered[:, 1].copy(), pinpoints)


def _cosines(matrix: VectorMatrix | None, vector: NDArray[np.float32], ids: Sequence[int]) -> Scores:
    found = np.full(len(ids), np.nan)
    if matrix is None or vector.shape != (matrix.dimension,):
        return found
    rows = [(place, row) for place, each in enumerate(ids) if (row := matrix.get(int(each))) is not None]
    if rows:
        places = np.asarray([place for place, _ in rows], np.int64)
        found[places] = np.asarray([row for _, row in rows], np.float32) @ vector
    return found


def _postings(connection: apsw.Connection, documents: Sequence[int] | None) -> Iterator[DocumentPostings]:
    sql = "SELECT document, first_precedent, offsets, terms, frequencies FROM precedent_postings"
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


def _update_vectors(
    connection: apsw.Connection, arrays: _Arrays, lock: AbstractContextManager[object] | None
) -> bool:
    """Add the vectors that came since; ``lock`` None: nobody searches ``arrays`` yet."""
    meta = dict(
        select(
            connection,
            "SELECT key, value FROM meta WHERE key IN ('generation', 'vectors_since', 'dimension')",
        )
    )
    since, dimension = int(meta.get("vectors_since") or 0), int(meta.get("dimension") or 0)
    if since != arrays.vectors_since:
        arrays.vectors_since, arrays.vectors_at = since, 0
        arrays.propositions = arrays.entities = None
    rows = list(
        select(
            connection,
            """SELECT p.id, p.document, v.proposition, v.entities FROM precedents AS p
               JOIN precedent_vectors AS v ON v.precedent = p.id WHERE p.embedded > ? ORDER BY p.id""",
            (arrays.vectors_at,),
        )
    )
    arrays.vectors_at = int(meta.get("generation") or 0)
    rows = [row for row in rows if len(row[2]) == 2 * dimension]
    if not rows:
        return False
    propositions = arrays.propositions or VectorMatrix(dimension)
    entities = arrays.entities or VectorMatrix(dimension)
    with lock if lock is not None else threading.Lock():
        _put(propositions, [(row[0], row[1], row[2]) for row in rows])
        _put(entities, [(row[0], row[1], row[3]) for row in rows if len(row[3]) == 2 * dimension])
        arrays.propositions, arrays.entities = propositions, entities
    return True


def _put(matrix: VectorMatrix, rows: Sequence[tuple[int, int, bytes]]) -> None:
    if not rows:
        return
    vectors = np.frombuffer(b"".join(row[2] for row in rows), np.float16).reshape(len(rows), -1)
    ids = np.asarray([row[0] for row in rows], np.int64)
    documents = np.asarray([row[1] for row in rows], np.int64)
    matrix.put(ids, documents, vectors.astype(np.float32))
