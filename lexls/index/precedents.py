"""Precedents in memory: what the documents of a library cite its authorities for.

A precedent is a sentence with what it cites. Only those that cite an authority of the library answer; which
these are is learnt anew in every generation, so that an authority that comes later is found at once.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

import numpy as np
from numpy.typing import NDArray

from lexls.index.arrays import SearchArrays
from lexls.index.bm25 import IncrementalBM25
from lexls.index.catalogue import Catalogue
from lexls.index.connection import select
from lexls.index.matrix import VectorMatrix
from lexls.index.precedent_state import PrecedentState, resolve, update_vectors
from lexls.index.reader_pool import Connect
from lexls.index.records import PrecedentRecord
from lexls.text.cancel import CancelToken

Ids = NDArray[np.int64]
Scores = NDArray[np.float64]
Holding = NDArray[np.bool_]

KEPT_SUPPORTS = 65_536
"""Of how many precedents and authorities the supporting passage stays in memory."""


class Precedents:
    """The precedents of a library. Safe from any thread.

    Its ``Library`` tells of changes with ``use``; the work is done when somebody asks next.
    """

    def __init__(self, connect: Connect, lock: AbstractContextManager[object]) -> None:
        self._connect = connect
        self._lock = lock
        self._catalogue = Catalogue()
        self._passages: SearchArrays | None = None
        self._changes = 0
        self._stale = True
        self._state: PrecedentState | None = None
        self._moving_on = threading.Lock()
        self._supports: OrderedDict[tuple[int, int], int] = OrderedDict()

    def use(self, catalogue: Catalogue, passages: SearchArrays, *, changed: bool) -> None:
        """Answer from now on for these authorities and passages; called with the lock held.

        ``changed`` says that documents came, changed or went, and not vectors alone.
        """
        self._catalogue, self._passages = catalogue, passages
        self._changes += changed
        self._stale = True
        self._supports.clear()

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
        state = self._now(token)
        with self._lock:
            terms, held = state.bm25.weighted_numbers(tokens, weights)
            return state.bm25.top(terms, k, speaking, held)

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
        matrix = self._now(token).propositions
        with self._lock:
            if matrix is None or vector.shape != (matrix.dimension,) or not len(matrix):
                return np.empty(0, np.int64), np.empty(0, np.float64)
            wanted = None if speaking is None else np.fromiter(speaking, np.int64, len(speaking))
            return matrix.nearest(vector, k, wanted)

    def question_likeness(self, vector: NDArray[np.float32], precedents: Sequence[int]) -> Scores:
        """The cosine of ``vector`` with each precedent's proposition; not a number where it has no vector."""
        matrix = self._now(None).propositions
        with self._lock:
            return _cosines(matrix, vector, precedents)

    def entity_likeness(self, vector: NDArray[np.float32], precedents: Sequence[int]) -> Scores:
        """The cosine of ``vector`` with each precedent's entities; not a number where it has none."""
        matrix = self._now(None).entities
        with self._lock:
            return _cosines(matrix, vector, precedents)

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
        state = self._now(token)
        with self._lock:
            known = {pair: self._supports[pair] for pair in pairs if pair in self._supports}
        by_authority: dict[int, list[int]] = {}
        for precedent, authority in dict.fromkeys(pairs):
            if (precedent, authority) not in known:
                by_authority.setdefault(authority, []).append(precedent)
        for authority, precedents in by_authority.items():
            if token is not None:
                token.raise_if_cancelled()
            pointed = [p for p in precedents if (p, authority) in state.pinpoints]
            places = self._places(authority) if pointed else []
            with self._lock:
                ids, rows = self._vectors_of(authority)
                for precedent in precedents:
                    own = state.propositions.get(precedent) if state.propositions is not None else None
                    passage = 0
                    if own is not None and len(ids):
                        likeness = rows @ own
                        at = state.pinpoints.get((precedent, authority))
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
        state = self._now(token)
        with self._lock:
            return [state.cited_by(int(precedent)) for precedent in precedents]

    def documents_of(self, precedents: Sequence[int]) -> list[int]:
        """The citing document of each precedent, 0 if it is gone."""
        state = self._now(None)
        with self._lock:
            return [int(document) for document in state.bm25.documents_of(precedents)]

    def records(self, precedents: Iterable[int], token: CancelToken | None = None) -> list[PrecedentRecord]:
        """The precedents with these ids, in the order given; those that are gone are left out."""
        state = self._now(token)
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
                with self._lock:
                    cited = tuple(
                        (authority, state.pinpoints.get((precedent, authority), ("", ""))[1])
                        for authority in state.cited_by(precedent)
                    )
                entities = tuple(filter(None, str(row[5]).split("\n")))
                records.append(PrecedentRecord(*(*row[:5], entities, cited)))
        return records

    def citing(self, authority: int, token: CancelToken | None = None) -> list[int]:
        """The precedents that cite an authority, in order."""
        state = self._now(token)
        with self._lock:
            found: list[int] = state.precedents[state.authorities == authority].tolist()
        return found

    def told_of(
        self,
        authorities: Collection[int],
        speaking: Collection[int] | None = None,
        token: CancelToken | None = None,
    ) -> tuple[Ids, Ids]:
        """The precedents that cite one of ``authorities``, each with the authority; one that cites several
        comes for each. ``speaking`` are the documents whose sentences count (None: all).
        """
        state = self._now(token)
        with self._lock:
            rows = np.isin(state.authorities, np.fromiter(authorities, np.int64, len(authorities)))
            precedents, cited = state.precedents[rows], state.authorities[rows]
            if speaking is not None:
                owners = state.bm25.documents_of(precedents).tolist()
                heard = np.fromiter((owner in speaking for owner in owners), np.bool_, len(owners))
                precedents, cited = precedents[heard], cited[heard]
        return precedents, cited

    def holding(self, tokens: Sequence[str], precedents: Ids, token: CancelToken | None = None) -> Holding:
        """For each of ``tokens`` (rows) whether each of ``precedents`` (columns) holds it."""
        state = self._now(token)
        found = np.zeros((len(tokens), len(precedents)), np.bool_)
        with self._lock:
            slots = state.bm25.slots_of(precedents)
            # One more than slots: a precedent that is gone has slot -1, the last.
            there = np.zeros(state.bm25.slot_count + 1, np.bool_)
            for row, each in enumerate(tokens):
                holding = state.bm25.slots_with(each)
                there[holding] = True
                found[row] = there[slots]
                there[holding] = False
        return found

    def __len__(self) -> int:
        """How many precedents cite an authority of the library."""
        return len(np.unique(self._now(None).precedents))

    @property
    def has_vectors(self) -> bool:
        """Whether any precedent has a vector yet."""
        matrix = self._now(None).propositions
        return matrix is not None and len(matrix) > 0

    # -- inside ----------------------------------------------------------------------------------------

    def _now(self, token: CancelToken | None) -> PrecedentState:
        """The present generation's precedents, made ready by whoever asks first."""
        if token is not None:
            token.raise_if_cancelled()
        with self._lock:
            if self._state is not None and not self._stale:
                return self._state
        with self._moving_on:
            with self._lock:
                state, catalogue, passages = self._state, self._catalogue, self._passages
                changes, stale = self._changes, self._stale
                self._stale = False
                keys = catalogue.all_keys() if state is None or state.changes != changes else ()
            if state is not None and not stale:
                return state
            terms: Mapping[str, int] = passages.terms if passages is not None else {}
            lock: AbstractContextManager[object] = self._lock
            if state is None or state.terms is not terms:
                state = PrecedentState(-1, IncrementalBM25((), terms=terms), terms)
                lock = nullcontext()  # nobody else has it yet
                with self._lock:
                    keys = catalogue.all_keys()
            try:
                # Of one moment, and not given up when the question is: the next ones need it too.
                with self._connect(None) as connection, connection:
                    if state.changes != changes:
                        resolve(connection, state, catalogue, keys, lock)
                        state.changes = changes
                    update_vectors(connection, state, lock)
            except BaseException:
                with self._lock:
                    self._stale = True
                    self._state = None  # whatever was half done
                raise
            with self._lock:
                self._state = state
        if token is not None:
            token.raise_if_cancelled()
        return state

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


def _cosines(matrix: VectorMatrix | None, vector: NDArray[np.float32], ids: Sequence[int]) -> Scores:
    found = np.full(len(ids), np.nan)
    if matrix is None or vector.shape != (matrix.dimension,):
        return found
    rows = [(place, row) for place, each in enumerate(ids) if (row := matrix.get(int(each))) is not None]
    if rows:
        places = np.asarray([place for place, _ in rows], np.int64)
        found[places] = np.asarray([row for _, row in rows], np.float32) @ vector
    return found
