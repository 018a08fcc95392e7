"""Define everything that retrieval needs from an index, so that SQLite could be replaced by another store."""

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
    """A non-negative factor for each token (None: 1 each)."""
    Found = tuple[NDArray[np.int64], NDArray[np.float64]]
    """Ids and scores, best first."""


class SearchablePrecedents(Protocol):
    """The sentences of a library that cite one of its authorities; implemented by ``Precedents``.

    ``speaking`` limits results to precedents from these documents (None: all). See also ``SearchableIndex``.
    """

    @property
    def moves(self) -> int:
        """The number of updates so far; results cached from the precedents are valid until it changes."""

    def lexical(self, tokens: Sequence[str], k: int, speaking: Among = None, token: Token = None) -> Found:
        """Return the best precedents by BM25."""

    def nearest(self, vector: Vector, k: int, speaking: Among = None, token: Token = None) -> Found:
        """Return the precedents whose propositions have the highest cosine to a unit vector."""

    def compare_propositions(self, vector: Vector, precedents: Sequence[int]) -> NDArray[np.float64]:
        """Return the vector's cosine with the proposition of each precedent; NaN for one without a vector."""

    def compare_entities(self, vector: Vector, precedents: Sequence[int]) -> NDArray[np.float64]:
        """Return the vector's cosine with the entities of each precedent; NaN for one without entities."""

    def compare_supports(
        self, vector: Vector, pairs: Sequence[tuple[int, int]], token: Token = None
    ) -> NDArray[np.float64]:
        """Return the vector's cosine with the supporting passage of each pair (precedent, authority)."""

    def find_citations(
        self, precedents: Sequence[int], token: Token = None
    ) -> list[tuple[int, tuple[int, ...]]]:
        """Return the document of each precedent, and the authorities that the precedent cites."""

    def records(self, precedents: Iterable[int], token: Token = None) -> list[PrecedentRecord]:
        """Return the precedents with these ids, in the order given."""

    def find_citing(
        self, authorities: Collection[int], speaking: Among = None, token: Token = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return every precedent that cites one of ``authorities``, each with the authority."""

    def holding(
        self, tokens: Sequence[str], precedents: NDArray[np.int64], token: Token = None
    ) -> NDArray[np.bool_]:
        """Return a mask of which tokens (rows) occur in which precedents (columns)."""


class SearchableCatalogue(Protocol):
    """The documents of a library; implemented by ``Catalogue``. See also ``SearchableIndex``."""

    def all(self) -> Sequence[Authority]:
        """Return every document."""

    def get(self, document: int) -> Authority | None:
        """Return the stored metadata of a document."""

    def find_key(self, key: str) -> tuple[int, ...]:
        """Return the documents with this citation."""


class SearchableContents(Protocol):
    """The content of documents; implemented by ``Contents``. See also ``SearchableIndex``."""

    def text(self, document: int) -> str:
        """Return a document's text, to which all its offsets refer."""

    def outline(self, document: int) -> tuple[Block, ...]:
        """Return a document's blocks in order."""

    def passages(self, document: int) -> tuple[PassageRecord, ...]:
        """Return the passages of a document, in order."""

    def find_passage(self, document: int, offset: int) -> PassageRecord | None:
        """Return the passage that contains ``offset`` of a document's text, or None."""

    def passage_records(self, passages: Iterable[int], token: Token = None) -> list[PassageRecord]:
        """Return the passages with these ids, in the order given."""


class SearchableGraph(Protocol):
    """The citations between documents; implemented by ``CitationGraph``. See also ``SearchableIndex``."""

    def find_cited_in(self, passages: Iterable[int], token: Token = None) -> list[tuple[int, int]]:
        """Return pairs of a passage and a document that it cites, in the order of the passages given."""

    def citers(self, document: int) -> frozenset[int]:
        """Return the other documents that cite a document."""

    def cited_by(self, document: int) -> frozenset[int]:
        """Return the other documents that a document cites."""

    def find_worst_treatment(self, document: int) -> TreatedIn | None:
        """Return the worst treatment of a document by other documents."""


class SearchableStatus(Protocol):
    """Properties of an index as a whole; implemented by ``IndexStatus``."""

    @property
    def embedder(self) -> str:
        """The name of the model that made the vectors, "" if there are none."""


class SearchableIndex(Protocol):
    """A library that can be searched; implemented by ``Library``.

    Documents and passages have positive ids that stay valid until ``generation`` changes. For ids that are
    gone, methods return 0, "", None or nothing, and never raise. Rankings are ids and scores, best first,
    equal scores in order of id. Every method is safe from any thread. A method with a token raises
    ``Cancelled`` once the token is cancelled. ``lexls.index.library`` documents the methods in full.
    """

    @property
    def generation(self) -> int:
        """Number that increases whenever documents are added, changed or removed."""

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
        """Return the best passages by BM25; a term's part of the score is multiplied by its weight."""

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
        """Return the best documents by BM25 over whole documents."""

    def lexical_titles(
        self, tokens: Sequence[str], k: int, documents: Among, token: Token, weights: Weights = None
    ) -> Found:
        """Return the best documents by BM25 over titles, using each term's weight in place of its idf."""

    def nearest(
        self,
        vector: Vector,
        k: int,
        documents: Among = None,
        token: Token = None,
        *,
        roles: Roles = frozenset(),
    ) -> Found:
        """Return the passages with the highest cosine to a unit vector."""

    # Terms and vectors.

    def rarity(self, tokens: Sequence[str]) -> list[float]:
        """Return the idf of each token over passages, 0 if it does not occur."""

    def title_terms(self, documents: Among = None) -> frozenset[str]:
        """Return the index terms of the titles of documents (None: all)."""

    @property
    def has_vectors(self) -> bool:
        """Return whether any passage has a vector."""

    @property
    def vector_share(self) -> float:
        """The fraction of passages that have a vector, from 0 to 1."""

    def vector(self, passage: int) -> Vector | None:
        """Return the vector of a passage, or an approximation."""

    def want(self, passages: Iterable[int]) -> None:
        """Ask the indexer to compute the vectors of these passages first."""

    # Passages by id.

    @property
    def passage_count(self) -> int:
        """Number of passages."""
        ...

    def passage_counts(self, documents: Iterable[int]) -> list[int]:
        """Return the number of passages of each document."""

    def documents_of(self, passages: Iterable[int]) -> list[int]:
        """Return the document of each passage."""

    def role_passages(self, roles: frozenset[str]) -> RolePassages:
        """Return the passages with these rhetorical roles."""

    # The parts of the library.

    @property
    def catalogue(self) -> SearchableCatalogue:
        """The documents and their metadata."""

    @property
    def contents(self) -> SearchableContents:
        """The texts, structures and passages of the documents."""

    @property
    def graph(self) -> SearchableGraph:
        """The citations between documents."""

    @property
    def precedents(self) -> SearchablePrecedents:
        """The precedents: sentences of the library that cite authorities."""

    @property
    def status(self) -> SearchableStatus:
        """The status of the index and its vectors."""
