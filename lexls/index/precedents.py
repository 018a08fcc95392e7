"""Keep precedents in memory and search them: the sentences for which documents cite authorities.

A precedent is a sentence with its citations. Searches find only precedents that cite an authority in the
library. This is determined again after every change, so the precedents of an authority added later are found
at once.
"""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexls.index.bm25 import IncrementalBM25
from lexls.index.catalogue import Catalogue
from lexls.index.connection import Connect, select
from lexls.index.precedent_state import Ids, PrecedentState, resolve, update_vectors
from lexls.index.records import PrecedentRecord
from lexls.text.memory import Memory

if TYPE_CHECKING:
    from lexls.index.mirrored import Arrays, VectorRanking
    from lexls.index.searchable import Among, Found, Token, Vector

Scores = NDArray[np.float64]
Holding = NDArray[np.bool_]


KEPT_SUPPORTS = 65_536
"""Number of pairs of precedent and authority whose supporting passage is cached."""
MOST_AT_ONCE = 8
"""If more documents than this have changed, the update is left to ``prepare``, provided that it has been
called before.
"""


class Precedents:
    """The precedents of a library. Safe from any thread.

    Its ``Library`` reports changes through ``use``; ``prepare`` or the next query processes them. Once
    ``prepare`` has been called, it must be called after every large change; until then, queries use the
    earlier state.
    """

    def __init__(self, connect: Connect, lock: AbstractContextManager[object]) -> None:
        self._connect = connect
        self._lock = lock
        self._catalogue = Catalogue()
        self._passages: Arrays | None = None
        self._documents: set[int] = set()
        self._keys: set[str] = set()
        self._stale = True
        self._is_prepared = False
        self._moves = 0
        self._state: PrecedentState | None = None
        self._moving_on = threading.Lock()
        self._supports = Memory[tuple[int, int], int](KEPT_SUPPORTS)

    def use(
        self, catalogue: Catalogue, passages: Arrays, documents: Iterable[int], keys: Iterable[str]
    ) -> None:
        """Use this catalogue and these passages from now on; the caller holds the lock.

        ``documents`` were added, changed or removed since the last call, and the folded ``keys`` may now
        refer to another authority. Everything else must be unchanged, unless ``passages.terms`` is a new
        mapping.
        """
        self._catalogue, self._passages = catalogue, passages
        self._documents.update(documents)
        self._keys.update(keys)
        self._stale = True
        self._supports.forget()

    def prepare(self) -> None:
        """Process pending changes now, so that the next query does not have to. Queries made meanwhile need
        not wait.
        """
        self._is_prepared = True
        self._now(None, waits=True)

    @property
    def moves(self) -> int:
        """The number of updates so far. An update may happen later than the library's change to a new
        generation.
        """
        return self._moves

    # -- search ----------------------------------------------------------------------------------------

    def lexical(self, tokens: Sequence[str], k: int, speaking: Among = None, token: Token = None) -> Found:
        """Return the ``k`` precedents with the highest BM25 scores for ``tokens``, best first: ids and
        scores.

        If ``speaking`` is given, only precedents from those documents are returned.
        """
        state = self._now(token)
        with self._lock:
            return state.bm25.top(state.bm25.numbers(tokens), k, speaking)

    def nearest(self, vector: Vector, k: int, speaking: Among = None, token: Token = None) -> Found:
        """Return the ``k`` precedents with propositions nearest to ``vector`` (unit length): ids and
        cosines.
        """
        matrix = self._now(token).propositions
        with self._lock:
            if matrix is None or vector.shape != (matrix.dimension,) or not len(matrix):
                return np.empty(0, np.int64), np.empty(0, np.float64)
            wanted = None if speaking is None else np.fromiter(speaking, np.int64, len(speaking))
            return matrix.nearest(vector, k, wanted)

    def compare_propositions(self, vector: Vector, precedents: Sequence[int]) -> Scores:
        """Return the cosine of ``vector`` with the proposition of each precedent; NaN if the proposition has
        no vector.
        """
        matrix = self._now(None).propositions
        with self._lock:
            return _cosines(matrix, vector, precedents)

    def compare_entities(self, vector: Vector, precedents: Sequence[int]) -> Scores:
        """Return the cosine of ``vector`` with the entities of each precedent; NaN if they have no vector."""
        matrix = self._now(None).entities
        with self._lock:
            return _cosines(matrix, vector, precedents)

    def compare_supports(
        self, vector: Vector, pairs: Sequence[tuple[int, int]], token: Token = None
    ) -> Scores:
        """Return the cosine of ``vector`` with the supporting passage of each pair (precedent, authority);
        NaN if there is none.
        """
        passages = self.supports(pairs, token)
        with self._lock:
            matrix = self._passages.vectors if self._passages is not None else None
            return _cosines(matrix, vector, passages)

    def supports(self, pairs: Sequence[tuple[int, int]], token: Token = None) -> list[int]:
        """Return the passage of the authority that supports each pair (precedent, authority), or 0 if vectors
        are missing. Cached.

        Of the passages at the pinpoint, the one most similar to the proposition is returned. If no passage is
        at the pinpoint, all passages are compared.
        """
        state = self._now(token)
        known = {pair: found for pair in pairs if (found := self._supports.get(pair)) is not None}
        by_authority: defaultdict[int, list[int]] = defaultdict(list)
        for precedent, authority in dict.fromkeys(pairs):
            if (precedent, authority) not in known:
                by_authority[authority].append(precedent)
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
                        similarity = rows @ own
                        at = state.pinpoints.get((precedent, authority))
                        inside = np.isin(ids, _pointed(places, *at)) if at else np.zeros(len(ids), np.bool_)
                        if inside.any():
                            similarity = np.where(inside, similarity, -np.inf)
                        passage = int(ids[int(np.argmax(similarity))])
                        self._supports.keep((precedent, authority), passage)
                    known[precedent, authority] = passage
        return [known[pair] for pair in pairs]

    # -- records ---------------------------------------------------------------------------------------

    def find_citations(
        self, precedents: Sequence[int], token: Token = None
    ) -> list[tuple[int, tuple[int, ...]]]:
        """Return each precedent's document (0 if it is gone), and the authorities in the library that it
        cites.
        """
        state = self._now(token)
        with self._lock:
            documents = state.bm25.slots.documents_of(precedents).tolist()
            return list(zip(documents, state.cited_by(precedents), strict=True))

    def records(self, precedents: Iterable[int], token: Token = None) -> list[PrecedentRecord]:
        """Return the precedents with these ids in the given order, skipping any that are gone."""
        state = self._now(token)
        sql = """SELECT p.id, p.document, p."start", p."end", p.proposition, p.entities FROM json_each(?) AS w
                 JOIN precedents AS p ON p.id = w.value ORDER BY w.key"""
        with self._connect(token) as connection:
            rows = list(select(connection, sql, (json.dumps([int(each) for each in precedents]),)))
        with self._lock:
            return [
                PrecedentRecord(*(*row, tuple(filter(None, entities.split("\n"))), state.cited_for(row[0])))
                for *row, entities in rows
            ]

    def find_citing(
        self, authorities: Collection[int], speaking: Among = None, token: Token = None
    ) -> tuple[Ids, Ids]:
        """Return the precedents that cite any of ``authorities``, each with the authority it cites; a
        precedent that cites several of them is returned once for each. If ``speaking`` is given, only
        precedents from those documents are returned.
        """
        state = self._now(token)
        with self._lock:
            rows = np.isin(state.authorities, np.fromiter(authorities, np.int64, len(authorities)))
            precedents, cited = state.precedents[rows], state.authorities[rows]
            if speaking is not None:
                owners = state.bm25.slots.documents_of(precedents)
                heard = np.isin(owners, np.fromiter(speaking, np.int64, len(speaking)))
                precedents, cited = precedents[heard], cited[heard]
        return precedents, cited

    def holding(self, tokens: Sequence[str], precedents: Ids, token: Token = None) -> Holding:
        """Return a mask that says which ``tokens`` (rows) occur in which ``precedents`` (columns)."""
        state = self._now(token)
        found = np.zeros((len(tokens), len(precedents)), np.bool_)
        with self._lock:
            slots = state.bm25.slots.of(precedents)
            # One element more than slots: a precedent that is gone has slot -1, which is the last element.
            there = np.zeros(state.bm25.slots.count + 1, np.bool_)
            for row, each in enumerate(tokens):
                holding = state.bm25.find_slots_with(each)
                there[holding] = True
                found[row] = there[slots]
                there[holding] = False
        return found

    # -- internal --------------------------------------------------------------------------------------

    def _now(self, token: Token, *, waits: bool = False) -> PrecedentState:
        """Return the current state, updating it first if needed.

        If many changes await ``prepare``, return the previous state instead, unless ``waits`` is true.
        """
        if token is not None:
            token.raise_if_cancelled()
        with self._lock:
            many = self._is_prepared and not waits and len(self._documents) > MOST_AT_ONCE
            if self._state is not None and (many or not self._stale):
                return self._state
        with self._moving_on:
            with self._lock:
                state, catalogue, passages = self._state, self._catalogue, self._passages
                documents, keys, stale = self._documents, self._keys, self._stale
                self._documents, self._keys, self._stale = set(), set(), False
            if state is not None and not stale:
                return state
            terms: Mapping[str, int] = passages.terms if passages is not None else {}
            lock: AbstractContextManager[object] = self._lock
            if state is None or state.terms is not terms:
                state = PrecedentState(IncrementalBM25(terms=terms), terms)
                lock = nullcontext()  # not yet shared with other threads
                with self._lock:
                    documents, keys = set(), set(catalogue.all_keys())
            try:
                # In one read transaction, and not cancelled with the query: the next ones need the result
                # too.
                with self._connect(None) as connection, connection:
                    if documents or keys:
                        resolve(connection, state, catalogue, documents, keys, lock)
                    update_vectors(connection, state, lock)
            except BaseException:
                with self._lock:
                    self._stale = True
                    self._state = None  # discard a partial update
                raise
            with self._lock:
                self._state = state
                self._moves += 1
        if token is not None:
            token.raise_if_cancelled()
        return state

    def _vectors_of(self, document: int) -> tuple[Ids, Vector]:
        """Return the passages of a document that have a vector, and the vectors."""
        arrays = self._passages
        if arrays is None or arrays.vectors is None:
            return np.empty(0, np.int64), np.empty((0, 0), np.float32)
        ids = arrays.bm25.passages_of(document)
        held, rows = arrays.vectors.get_many(ids)
        return ids[held], rows

    def _places(self, document: int) -> list[tuple[int, str, int]]:
        """Return (id, paragraph, page) of a document's passages, in order."""
        sql = "SELECT id, paragraph, page FROM passages WHERE document = ? ORDER BY id"
        with self._connect(None) as connection:
            rows = select(connection, sql, (document,))
            return [(passage, paragraph, page) for passage, paragraph, page in rows]


def _pointed(places: Sequence[tuple[int, str, int]], kind: str, labels: str) -> list[int]:
    """Return the passages at the first label of a pinpoint; empty if the label is not found."""
    first = labels.split("\n")[0].split("-")[0].strip()
    if kind != "page":
        return [passage for passage, paragraph, _ in places if paragraph == first]
    if not first.isdigit():
        return []
    # A passage is listed with its first page but may continue onto the next.
    before = [page for _, _, page in places if 0 < page <= int(first)]
    return [passage for passage, _, page in places if before and page in (before[-1], int(first))]


def _cosines(matrix: VectorRanking | None, vector: Vector, ids: Sequence[int]) -> Scores:
    found = np.full(len(ids), np.nan)
    if matrix is not None and vector.shape == (matrix.dimension,):
        held, rows = matrix.get_many(np.asarray(ids, np.int64))
        found[held] = rows @ vector
    return found
