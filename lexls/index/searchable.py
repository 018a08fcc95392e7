"""Declare all that retrieval asks of an index, so that another store can stand beside SQLite."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.contents import RolePassages
    from lexls.index.records import Authority, PassageRecord, PrecedentRecord, TreatedIn
    from lexls.library.document import Block
    from lexls.text.cancel import CancelToken

    Vector = NDArray[np.float32]
    Among = Collection[int] | None
    """The documents to which an answer is limited (None: all)."""
    Roles = frozenset[str]
    """The rhetorical roles to which an answer is limited (empty: all)."""
    Token = CancelToken | None
    Weights = Sequence[float] | None
    """A number for each token, not negative (None: 1 each)."""
    Found = tuple[NDArray[np.int64], NDArray[np.float64]]
    """Ids and scores, best first."""


class SearchablePrecedents(Protocol):
    """The sentences of a library that cite one of its authorities; ``Precedents`` are those over SQLite.

    ``speaking`` are the documents whose sentences count (None: all). For the rest as ``SearchableIndex``.
    """

    @property
    def moves(self) -> int:
        """Return how often they were made ready anew; what is remembered of them holds as long as this
        stands."""

    def lexical(self, tokens: Sequence[str], k: int, speaking: Among = None, token: Token = None) -> Found:
        """The best precedents by BM25."""

    def nearest(self, vector: Vector, k: int, speaking: Among = None, token: Token = None) -> Found:
        """The precedents whose propositions have the highest cosine to a vector of unit length."""

    def compare_propositions(self, vector: Vector, precedents: Sequence[int]) -> NDArray[np.float64]:
        """The cosine with each proposition, not a number where it has no vector."""

    def compare_entities(self, vector: Vector, precedents: Sequence[int]) -> NDArray[np.float64]:
        """The cosine with the entities of each, not a number where there is none."""

    def compare_supports(
        self, vector: Vector, pairs: Sequence[tuple[int, int]], token: Token = None
    ) -> NDArray[np.float64]:
        """The cosine with the supporting passage of each pair (precedent, authority)."""

    def find_citations(
        self, precedents: Sequence[int], token: Token = None
    ) -> list[tuple[int, tuple[int, ...]]]:
        """The document that each precedent stands in, and the authorities that it cites."""

    def records(self, precedents: Iterable[int], token: Token = None) -> list[PrecedentRecord]:
        """The precedents with these ids, in the order given."""

    def find_citing(
        self, authorities: Collection[int], speaking: Among = None, token: Token = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Every precedent that cites one of ``authorities``, each with the authority."""

    def holding(
        self, tokens: Sequence[str], precedents: NDArray[np.int64], token: Token = None
    ) -> NDArray[np.bool_]:
        """For each token (rows) whether each precedent (columns) holds it."""


class SearchableCatalogue(Protocol):
    """The documents of a library; ``Catalogue`` over SQLite. For the rest as ``SearchableIndex``."""

    def all(self) -> Sequence[Authority]:
        """Every document."""

    def get(self, document: int) -> Authority | None:
        """Return what is known of a document."""

    def find_key(self, key: str) -> tuple[int, ...]:
        """The documents with this citation."""


class SearchableContents(Protocol):
    """What documents say; ``Contents`` are those over SQLite. For the rest as ``SearchableIndex``."""

    def text(self, document: int) -> str:
        """The text of a document, in which all offsets count."""

    def outline(self, document: int) -> tuple[Block, ...]:
        """The structure of a document, in order."""

    def passages(self, document: int) -> tuple[PassageRecord, ...]:
        """The passages of a document, in order."""

    def find_passage(self, document: int, offset: int) -> PassageRecord | None:
        """The passage that ``offset`` of a document's text lies in, None if in none."""

    def passage_records(self, passages: Iterable[int], token: Token = None) -> list[PassageRecord]:
        """The passages with these ids, in the order given."""


class SearchableGraph(Protocol):
    """Who cites whom; ``CitationGraph`` is that over SQLite. For the rest as ``SearchableIndex``."""

    def find_cited_in(self, passages: Iterable[int], token: Token = None) -> list[tuple[int, int]]:
        """Pairs (passage, document that it cites), in the order given."""

    def citers(self, document: int) -> frozenset[int]:
        """The other documents that cite a document."""

    def cited_by(self, document: int) -> frozenset[int]:
        """The other documents that a document cites."""

    def find_worst_treatment(self, document: int) -> TreatedIn | None:
        """The worst that other documents say of a document."""


class SearchableStatus(Protocol):
    """What is known of an index as a whole; ``IndexStatus`` is that over SQLite."""

    @property
    def embedder(self) -> str:
        """The name of the model that made the vectors, "" if there are none."""


class SearchableIndex(Protocol):
    """A library that can be searched; ``Library`` is the one over SQLite.

    Documents and passages are positive numbers that name the same thing as long as ``generation`` does not
    change; ids that are gone are answered with 0, "", None or nothing, never with an error. Rankings are ids
    and scores, best first, equal scores in the order of ids. Every method may be called from any thread; a
    method with a token raises ``Cancelled`` once it is cancelled. Each method's meaning is that of the method
    of this name in ``lexls.index.library``.
    """

    @property
    def generation(self) -> int:
        """Rises whenever documents come, change or go."""

    # Rankings of passages and documents.

    def lexical(
        self,
        tokens: Sequence[str],
        k: int,
        documents: Among = None,
        token: Token = None,
        *,
        weights: Weights = None,
        roles: Roles = frozenset(),
    ) -> Found:
        """The best passages by BM25; a term's part of the score is multiplied by its weight."""

    def lexical_documents(
        self,
        tokens: Sequence[str],
        k: int,
        documents: Among = None,
        token: Token = None,
        *,
        k1: float = 1.5,
        b: float = 0.75,
        weights: Weights = None,
    ) -> Found:
        """The best documents by BM25 with whole documents as units."""

    def lexical_titles(
        self, tokens: Sequence[str], k: int, documents: Among, token: Token, weights: Weights = None
    ) -> Found:
        """The best documents by BM25 over their titles, where a term counts its weight and no idf."""

    def nearest(
        self,
        vector: Vector,
        k: int,
        documents: Among = None,
        token: Token = None,
        *,
        roles: Roles = frozenset(),
    ) -> Found:
        """The passages with the highest cosine to a vector of unit length."""

    # What is known of terms and vectors.

    def rarity(self, tokens: Sequence[str]) -> list[float]:
        """The idf of each token over passages, 0 where there is none."""

    def title_terms(self, documents: Among = None) -> frozenset[str]:
        """The index terms of the titles of documents (None: of all)."""

    @property
    def has_vectors(self) -> bool:
        """Return whether any passage has a vector."""

    @property
    def vector_share(self) -> float:
        """The part of the passages that have a vector, 0 to 1."""

    def vector(self, passage: int) -> Vector | None:
        """The vector of a passage, or one near it."""

    def want(self, passages: Iterable[int]) -> None:
        """Ask for the vectors of these passages before others."""

    # Passages by their numbers.

    @property
    def passage_count(self) -> int:
        """Return how many passages there are."""
        ...

    def passage_counts(self, documents: Iterable[int]) -> list[int]:
        """Return how many passages each document has."""

    def documents_of(self, passages: Iterable[int]) -> list[int]:
        """The document of each passage."""

    def role_passages(self, roles: frozenset[str]) -> RolePassages:
        """The passages of these rhetorical roles."""

    # The parts that know the rest.

    @property
    def catalogue(self) -> SearchableCatalogue:
        """The documents."""

    @property
    def contents(self) -> SearchableContents:
        """Return what the documents say."""

    @property
    def graph(self) -> SearchableGraph:
        """Who cites whom."""

    @property
    def precedents(self) -> SearchablePrecedents:
        """Return what documents are cited for."""

    @property
    def status(self) -> SearchableStatus:
        """Return what the vectors are."""
