"""Searching for passages: in the documents that a query names, or in those that fit it best."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexls.index.tokens import Tokenizer
from lexls.retrieval.fusion import RRF_K, rrf
from lexls.retrieval.inside import InsideDocuments, InsideRanking
from lexls.retrieval.model import Ranked
from lexls.retrieval.named_documents import NamedDocuments
from lexls.retrieval.naming import Naming, split_naming
from lexls.retrieval.query import Query

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.searchable import SearchableIndex
    from lexls.text.cancel import CancelToken

SEARCHED_DOCUMENTS = 10
"""A search that names no document looks into so many,"""
LEAST_SEARCHED = 3
"""or into one for every two passages that are asked for, but no fewer than this: reading a document that was
not asked for lately takes about 15 ms."""
NEAREST = 1000
"""So many passages of the documents looked into are compared by likeness."""


@dataclass(frozen=True, slots=True)
class PassageScope:
    """Which passages may answer, and what counts.

    ``answering`` are documents and ``passages`` passages (None: all); ``words`` and ``likeness`` weigh BM25
    and likeness where they are joined by their ranks, ``kinds`` says whether kinds of clauses count.
    """

    answering: frozenset[int] | None
    passages: Container[int] | None
    words: float
    likeness: float
    kinds: bool = True


@dataclass(frozen=True, slots=True)
class Asking:
    """How a search is asked: ``query`` makes one of a text, ``vector`` gives its vector (None without an
    embedder), ``best_documents`` the documents that fit it, best first."""

    query: Callable[[str], Query]
    vector: Callable[[Query], NDArray[np.float32] | None]
    best_documents: Callable[[Query], Sequence[int]]


class PassageSearch:
    """Ranks the passages of a library. Thread-safe."""

    def __init__(self, library: SearchableIndex, tokenizer: Tokenizer) -> None:
        self._library = library
        self._inside = InsideDocuments(library, tokenizer)
        self._names = NamedDocuments(library, tokenizer)

    def rank(
        self, query: Query, k: int, scope: PassageScope, asking: Asking, token: CancelToken
    ) -> list[Ranked]:
        """The ``k`` passages that fit ``query`` best. Raises ``Cancelled``.

        Where the query names documents (``NamedDocuments``), or only one may answer, the passages of these
        by what is asked of them. Otherwise the passages of the documents that fit best, by their ranks there
        and their document's rank.
        """
        naming = split_naming(query.text)
        named = self._looked_into(naming, scope.answering, token)
        asked = query
        if named and naming.certain:
            rest = asking.query(naming.rest)
            asked = rest if not rest.empty else query
        searched = min(SEARCHED_DOCUMENTS, max(LEAST_SEARCHED, k // 2))
        documents = named or tuple(asking.best_documents(query))[:searched]
        if not documents:
            return []
        insides = {
            document: self._inside.ranking(asked, document, token, kinds=scope.kinds)
            for document in documents
        }
        # Beside a kind of clause likeness gains nothing (benchmarks/results/contracts.md).
        plain = frozenset(document for document, inside in insides.items() if not inside.kinds)
        near = self._near(asking.vector(asked), plain, token) if plain and scope.likeness else {}
        ranked = []
        for place, (document, inside) in enumerate(insides.items(), 1):
            cosines = near.get(document, {})
            scores = _odds(inside) if named and inside.kinds else _by_ranks(inside, cosines, scope)
            for passage, score in scores:
                if scope.passages is None or passage in scope.passages:
                    place_score = 0.0 if named else 1 / (RRF_K + place)
                    lexical, cosine = inside.lexical.get(passage), cosines.get(passage)
                    ranked.append(Ranked(document, passage, score + place_score, lexical, cosine))
        ranked.sort(key=lambda each: -each.score)
        return ranked[:k]

    def named(
        self, query: Query, answering: frozenset[int] | None, token: CancelToken
    ) -> Mapping[int, float]:
        """The documents that ``query`` names, best first, with the share of the names that each bears."""
        return self._names.find(split_naming(query.text), answering, token)

    def _looked_into(
        self, naming: Naming, answering: frozenset[int] | None, token: CancelToken
    ) -> tuple[int, ...]:
        """The documents to which the search is limited: the only one that may answer, or those named."""
        if answering is not None and len(answering) == 1:
            return tuple(answering)
        return tuple(self._names.find(naming, answering, token))

    def _near(
        self, vector: NDArray[np.float32] | None, documents: frozenset[int], token: CancelToken
    ) -> dict[int, dict[int, float]]:
        """The cosines of the passages of these documents, by document; empty without vectors."""
        if vector is None or not self._library.has_vectors:
            return {}
        ids, cosines = self._library.nearest(vector, NEAREST, documents, token)
        found: dict[int, dict[int, float]] = {}
        owners = self._library.documents_of(int(passage) for passage in ids)
        for passage, owner, cosine in zip(ids.tolist(), owners, cosines.tolist(), strict=True):
            found.setdefault(owner, {})[passage] = cosine
        return found


def _odds(inside: InsideRanking) -> list[tuple[int, float]]:
    """Passages by the probability that belongs to their log-odds."""
    odds = zip(inside.passages, inside.scores, strict=True)
    return [(passage, 1 / (1 + math.exp(-max(min(score, 50.0), -50.0)))) for passage, score in odds]


def _by_ranks(
    inside: InsideRanking, cosines: Mapping[int, float], scope: PassageScope
) -> list[tuple[int, float]]:
    """Passages by their ranks: by words and by likeness, or by the kind of clause, which knows both."""
    if inside.kinds:
        return rrf([inside.passages], [scope.words + scope.likeness])
    nearest = sorted(cosines, key=lambda passage: -cosines[passage])
    return rrf([inside.passages, nearest], [scope.words, scope.likeness])
