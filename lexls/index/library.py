"""The library as everything above the index sees it: read-only, current, safe from any thread."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.index.aliases import Aliases
from lexls.index.arrays import SearchArrays, load_arrays, update_arrays
from lexls.index.catalogue import Catalogue
from lexls.index.citation_graph import CitationGraph
from lexls.index.connection import has_vector_extension
from lexls.index.contents import Contents
from lexls.index.documents import forgotten_since, load_entries
from lexls.index.passage_roles import RolePassages, role_passages
from lexls.index.precedents import Precedents
from lexls.index.reader_pool import ReaderPool
from lexls.index.records import (
    Authority,
    CitingPassage,
    FailedFile,
    IndexProgress,
    MostQuoted,
    OpenLocation,
    PassageRecord,
    Place,
    TreatedIn,
)
from lexls.index.schema import check_readable
from lexls.index.status import IndexStatus
from lexls.index.titles import TitleIndex
from lexls.index.vectors import VectorStore, rescored
from lexls.index.views import locate
from lexls.index.wanted import want
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    from lexls.library.document import Block

RESCORED = 16
"""So many of the nearest passages are scored by their vectors in full where memory holds codes of them."""
KEPT_ROLES = 64
"""Of how many sets of rhetorical roles the passages stay in memory."""


class Library:
    """An index file opened for reading.

    Answers come from one *generation* of the documents at a time: ``refresh`` moves on to the newest, and
    nothing else does. Raises ``apsw.CantOpenError`` if there is no such file, ``SchemaNotReady`` before its
    indexer has made the tables, and ``IndexTooNew``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        # Taken in this order. _refresh_lock lets one thread at a time move on, _titles_lock one prepare
        # titles; _lock guards what answers are made from and is held for the time of a search at most;
        # _status_lock is for the connection of _status alone.
        self._refresh_lock = threading.Lock()
        self._titles_lock = threading.Lock()
        self._lock = threading.RLock()
        self._status_lock = threading.Lock()
        self._readers = ReaderPool(path)
        self._watch = self._readers.open()
        check_readable(self._watch)
        self._status = IndexStatus(path)
        self._data_version = -1
        self._generation = 0
        self._complete = False
        self._catalogue = Catalogue()
        self._aliases = Aliases()
        self._role_passages: tuple[int, dict[frozenset[str], RolePassages]] = (-1, {})
        self._titles: tuple[int, TitleIndex] = (-1, TitleIndex())
        with self._watch:  # one read transaction, or what comes meanwhile might be taken in twice
            self._arrays: SearchArrays = load_arrays(self._watch)
        self._contents = Contents(self._readers.lend)
        self._graph = CitationGraph(self._readers.lend, self._lock, self._contents)
        self._precedents = Precedents(self._readers.lend, self._lock)
        self.refresh()

    def close(self) -> None:
        """Close all connections, when a refresh under way is done."""
        with self._refresh_lock:
            self._readers.close()
            self._watch.close()
        with self._status_lock:
            self._status.close()

    # -- moving on -------------------------------------------------------------------------------------

    @property
    def generation(self) -> int:
        """Rises whenever documents come, change or go; not with vectors alone."""
        return self._generation

    @property
    def complete(self) -> bool:
        """Whether the folders have been read to the end once: only then is a missing document missing."""
        return self._complete

    def refresh(self) -> bool:
        """Pick up what was committed since; whether documents or vectors changed."""
        with self._refresh_lock:
            version = int(self._watch.execute("PRAGMA data_version").fetchone()[0])  # type: ignore[index]
            if version == self._data_version:
                return False
            with self._watch:  # one read transaction: everything below is of one moment
                changed = self._move_on()
                self._data_version = version
            return changed

    def _move_on(self) -> bool:
        since = self._generation
        forgotten = forgotten_since(self._watch, since)
        if forgotten is None:  # too far behind to know what went: begin anew
            catalogue = Catalogue()
            since, gone = 0, []
        else:
            catalogue, gone = self._catalogue, forgotten
        newest, entries = load_entries(self._watch, since)
        arrays = None if forgotten is None else self._arrays
        update = update_arrays(self._watch, arrays, gone, [e.authority.id for e in entries], self._lock)
        with self._lock:
            catalogue.remove(gone)
            for entry in entries:
                catalogue.put(entry)
        # Beside the searches, since it reads all citations; nobody else changes the catalogue.
        aliases = None
        if gone or entries:
            aliases = self._aliases.learn(self._watch, catalogue.unreported, catalogue.reported)
        with self._status_lock:
            complete = self._status.reconciled_at() > 0
        with self._lock:
            if aliases is not None:
                catalogue.use_aliases(aliases)
            self._contents.forget(gone if forgotten is not None else None)
            self._catalogue = catalogue
            self._arrays = update.arrays
            moved = bool(gone or entries or forgotten is None)
            if not self._complete and complete:
                self._complete = moved = True
            self._generation = max(newest, self._generation)
            self._graph.use(catalogue, self._generation)
            self._precedents.use(catalogue, update.arrays, changed=moved)
        return moved or update.changed

    # -- authorities -----------------------------------------------------------------------------------

    def authorities(self) -> Sequence[Authority]:
        """Every authority."""
        with self._lock:
            return self._catalogue.all()

    def authority(self, document: int) -> Authority | None:
        """The authority with this id, None if it is gone."""
        with self._lock:
            return self._catalogue.get(document)

    def by_path(self, path: Path) -> Authority | None:
        """The authority in this file (absolute path)."""
        with self._lock:
            return self._catalogue.by_path(path)

    def shown_in(self, path: Path) -> Authority | None:
        """The authority that an editor shows in this file: its own, or its readable copy (absolute path)."""
        copies = self.path.with_name(self.path.name + "-views")
        if path.parent.parent == copies and path.parent.name.isdigit():
            return self.authority(int(path.parent.name))
        return self.by_path(path)

    def find_key(self, key: str) -> tuple[int, ...]:
        """The authorities that have this citation, however it is spaced and punctuated."""
        with self._lock:
            return self._catalogue.find_key(key)

    def find_name(self, name: str, year: int | None = None) -> tuple[int, ...]:
        """The authorities with exactly this title or short title."""
        with self._lock:
            return self._catalogue.find_name(name, year)

    def jurisdictions(self) -> Mapping[str, int]:
        """How many authorities are of each jurisdiction, the most frequent first; "" is none."""
        with self._lock:
            return self._catalogue.jurisdictions()

    # -- their content ---------------------------------------------------------------------------------

    def text(self, document: int) -> str:
        """The text that all offsets of a document count in; "" if it is gone."""
        return self._contents.text(document)

    def outline(self, document: int) -> tuple[Block, ...]:
        """The structure of a document, in order."""
        return self._contents.outline(document)

    def places(self, document: int, pinpoint: Pinpoint, *, fallback: bool = False) -> list[Place]:
        """What a pinpoint names; empty if it is not there. ``fallback``: what encloses it then."""
        return self._contents.places(document, pinpoint, fallback=fallback)

    def labels(self, document: int, kind: PinpointKind) -> tuple[str, ...]:
        """Every label a pinpoint of this kind can name; empty if the authority has no such numbering."""
        return self._contents.labels(document, kind)

    def locate(self, document: int, start: int, end: int) -> OpenLocation | None:
        """Where an editor shows ``[start, end)`` of a document's text; None if it is gone."""
        authority, content = self.authority(document), self._contents.get(document)
        if authority is None or content is None:
            return None
        views = self.path.with_name(self.path.name + "-views")
        return locate(authority, content.text, content.structure.source_map, views, start, end)

    def passages(self, document: int) -> tuple[PassageRecord, ...]:
        """All passages of a document, in order; none if it is gone."""
        return self._contents.passages(document)

    def passage_records(
        self, passages: Iterable[int], token: CancelToken | None = None
    ) -> list[PassageRecord]:
        """The passages with these ids, in the order given; those that are gone are left out."""
        return self._contents.passage_records(passages, token)

    def passage_at(self, document: int, offset: int) -> PassageRecord | None:
        """The passage that ``offset`` of a document's text lies in, None if in none."""
        return self._contents.passage_at(document, offset)

    # -- the citation graph ----------------------------------------------------------------------------

    def citing(self, document: int) -> list[CitingPassage]:
        """Every citation of a document by another one of the library."""
        return self._graph.citing(document)

    def treatments(self, document: int) -> list[TreatedIn]:
        """How other documents treat an authority, beyond citing it: worst first, each sentence once."""
        return self._graph.treatments(document)

    def worst_treatment(self, document: int) -> TreatedIn | None:
        """The worst that the library says of an authority; None if nothing in it warns one off.

        Cheap enough to ask for each citation of a draft.
        """
        return self._graph.worst_treatment(document)

    def most_quoted(self, document: int) -> MostQuoted | None:
        """The words of an authority that other documents point at most, by pinpoint or quotation; None if
        none does. Remembered for the authorities asked for last.
        """
        return self._graph.most_quoted(document)

    def citing_count(self, document: int) -> int:
        """How many other documents of the library cite a document."""
        return self._graph.citing_count(document)

    @property
    def precedents(self) -> Precedents:
        """What the documents of the library cite its authorities for."""
        return self._precedents

    def citers(self, document: int) -> frozenset[int]:
        """The other documents of the library that cite a document.

        Cheap enough to ask for each of a hundred candidates.
        """
        return self._graph.citers(document)

    def cited_by(self, document: int) -> frozenset[int]:
        """The other documents of the library that a document cites; as cheap as ``citers``."""
        return self._graph.cited_by(document)

    def cited(self, document: int) -> list[tuple[CitingPassage, int | None]]:
        """Every citation in a document, with the authority it names if that is in the library."""
        return self._graph.cited(document)

    def cited_in(self, passages: Iterable[int], token: CancelToken | None = None) -> list[tuple[int, int]]:
        """Which authorities of the library are cited inside these passages: pairs (passage, authority).

        In the order given; each pair once; what a document cites of itself is left out.
        """
        return self._graph.cited_in(passages, token)

    # -- search ----------------------------------------------------------------------------------------

    def lexical(
        self,
        tokens: Sequence[str],
        k: int,
        documents: Collection[int] | None = None,
        token: CancelToken | None = None,
        *,
        weights: Sequence[float] | None = None,
        roles: frozenset[str] = frozenset(),
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The ``k`` passages with the highest BM25 score for ``tokens``, best first: ids and scores.

        ``documents`` limits the search to passages of these, ``roles`` to passages of these rhetorical roles
        (empty: all). ``weights`` has one number a token, not
        negative, which multiplies its part of the score (0: as if it were not asked; None: 1 each). Raises
        ``ValueError`` if there are not as many weights as tokens.
        """
        _check(token)
        wanted = self.role_passages(roles) if roles else None
        with self._lock:
            if wanted is None:
                return self._arrays.lexical(tokens, k, documents, weights)
            return wanted.best(lambda depth: self._arrays.lexical(tokens, depth, documents, weights), k)

    def role_passages(self, roles: frozenset[str]) -> RolePassages:
        """The passages of these rhetorical roles, remembered for the roles asked for last."""
        with self._lock:
            generation = self._generation
            if self._role_passages[0] != generation or len(self._role_passages[1]) > KEPT_ROLES:
                self._role_passages = (generation, {})
            kept = self._role_passages[1]
            if roles in kept:
                return kept[roles]
        with self._readers.lend() as connection:
            found = role_passages(connection, roles)
        with self._lock:
            kept[roles] = found
        return found

    def lexical_documents(
        self,
        tokens: Sequence[str],
        k: int,
        documents: Collection[int] | None = None,
        token: CancelToken | None = None,
        *,
        k1: float = 1.5,
        b: float = 0.75,
        weights: Sequence[float] | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """As ``lexical``, with whole documents as units: document ids and scores."""
        _check(token)
        with self._lock:
            return self._arrays.lexical_documents(tokens, k, documents, k1, b, weights)

    def rarity(self, tokens: Sequence[str]) -> list[float]:
        """The idf over passages of each token, in order; 0 for one that the library does not hold."""
        with self._lock:
            return self._arrays.bm25.rarity(tokens)

    def lexical_titles(
        self,
        tokens: Sequence[str],
        k: int,
        documents: Collection[int] | None = None,
        token: CancelToken | None = None,
        *,
        k1: float = 1.2,
        b: float = 0.75,
        weights: Sequence[float] | None = None,
        by_rarity: bool = True,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The ``k`` documents whose titles fit ``tokens`` best by BM25: ids and scores, best first.

        ``by_rarity`` false leaves the idf out, for weights that hold it already; the rest as in ``lexical``.
        """
        _check(token)
        return self._title_index().top(tokens, k, documents, weights, k1, b, by_rarity)

    def title_terms(self, documents: Collection[int] | None = None) -> frozenset[str]:
        """The index terms of the titles of ``documents`` (None: of all)."""
        return self._title_index().terms(documents)

    def _title_index(self) -> TitleIndex:
        """The titles of this generation, prepared beside the searches by whoever asks first."""
        with self._lock:
            generation, index = self._titles
            if generation == self._generation:
                return index
        with self._titles_lock:
            with self._lock:
                known, index = self._titles
                generation, authorities = self._generation, self._catalogue.all()
            if known != generation:
                index = TitleIndex(authorities, index)
                with self._lock:
                    self._titles = generation, index
            return index

    def nearest(
        self,
        vector: NDArray[np.float32],
        k: int,
        documents: Collection[int] | None = None,
        token: CancelToken | None = None,
        *,
        roles: frozenset[str] = frozenset(),
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The ``k`` passages nearest to ``vector`` (unit length), best first: ids and cosines.

        ``documents`` and ``roles`` are as of ``lexical``. Where there are so many vectors that memory holds
        only codes of them, the first places are by the vectors in full, and a few of the late ones may be
        others than an exact search would give.
        """
        _check(token)
        wanted = self.role_passages(roles) if roles else None
        with self._lock:
            exact = self._arrays.exact_vectors
            depth = k if exact or k <= 0 else max(k, RESCORED)
            if wanted is None:
                ids, cosines = self._arrays.nearest(vector, depth, documents)
            else:
                ids, cosines = wanted.best(lambda n: self._arrays.nearest(vector, n, documents), depth)
        if not exact and len(ids):
            with self._readers.lend(token) as connection, connection:  # of one moment
                store = VectorStore(connection, has_vector_extension(connection))
                if store.dimension == len(vector):
                    ids, cosines = rescored(ids, cosines, vector, *store.of(ids[:RESCORED].tolist()))
        return ids[: max(k, 0)], cosines[: max(k, 0)]

    @property
    def has_vectors(self) -> bool:
        """Whether any passage has a vector yet."""
        with self._lock:
            return self._arrays.vectors is not None and len(self._arrays.vectors) > 0

    @property
    def vector_share(self) -> float:
        """The part of the passages that have a vector, 0 to 1."""
        with self._lock:
            passages = self._arrays.bm25.corpus_size
            vectors = len(self._arrays.vectors) if self._arrays.vectors is not None else 0
        return min(1.0, vectors / passages) if passages else 0.0

    def has_vector(self, passage: int) -> bool:
        """Whether this passage has a vector."""
        with self._lock:
            return self._arrays.vectors is not None and passage in self._arrays.vectors

    def vector(self, passage: int) -> NDArray[np.float32] | None:
        """The vector of a passage (unit length), None if it has none yet; in a very large library near it."""
        with self._lock:
            return None if self._arrays.vectors is None else self._arrays.vectors.get(passage)

    def documents_of(self, passages: Iterable[int]) -> list[int]:
        """The document of each passage id (of passages that a search returned)."""
        with self._lock:
            return self._arrays.documents_of([int(passage) for passage in passages])

    @property
    def passage_count(self) -> int:
        """How many passages there are."""
        with self._lock:
            return self._arrays.bm25.corpus_size

    def passage_counts(self, documents: Iterable[int]) -> list[int]:
        """How many passages each document has, 0 if it is gone."""
        with self._lock:
            return [len(self._arrays.bm25.slots_of_document(int(document))) for document in documents]

    def want(self, passages: Iterable[int]) -> None:
        """Ask the indexer to embed these passages before others."""
        with self._lock:
            missing = [int(p) for p in passages if not self.has_vector(int(p))]
        if missing:
            with contextlib.suppress(OSError):
                want(self.path, missing)

    # -- status ----------------------------------------------------------------------------------------

    @property
    def embedder(self) -> str:
        """The name of the model that made the vectors, "" if there are none."""
        with self._status_lock:
            return self._status.meta("embedder")

    def progress(self) -> IndexProgress:
        """How far the indexer is."""
        with self._status_lock:
            return self._status.progress()

    def failed(self) -> list[FailedFile]:
        """The files that could not be indexed, and why."""
        with self._status_lock:
            return self._status.failed()

    def counts(self) -> tuple[int, int, int]:
        """(documents, passages, passages with a vector)."""
        with self._status_lock:
            return self._status.counts()

    def no_vectors_reason(self) -> str:
        """Why passages have no vectors and will get none, "" if they have or will."""
        with self._status_lock:
            return self._status.meta("embedder_problem")


def _check(token: CancelToken | None) -> None:
    if token is not None:
        token.raise_if_cancelled()
