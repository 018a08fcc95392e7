"""The stages of a search, each a ranking of documents with the passage that brought each there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexls.retrieval.fusion import best_first, rrf
from lexls.retrieval.precedents import PrecedentMatch, ranked_authorities
from lexls.retrieval.ranking import Aggregation, Ranking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.searchable import SearchableIndex
    from lexls.text.cancel import CancelToken


BY_LIKENESS = 0.5
"""What authorities cited in passages found by likeness count, beside those in passages found by words."""


@dataclass(frozen=True, slots=True)
class PassageRanking:
    """Passages, best first, with their documents and scores."""

    passages: tuple[int, ...] = ()
    documents: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()

    def best_documents(self, aggregation: Aggregation = "max", aggregated: int = 1) -> list[int]:
        """The documents in the order of their best passages, or of the sum of so many of their best."""
        if aggregation == "max":
            return list(dict.fromkeys(self.documents))
        sums: dict[int, float] = {}
        counts: dict[int, int] = {}
        for document, score in zip(self.documents, self.scores, strict=True):
            counts[document] = counts.get(document, 0) + 1
            if counts[document] <= aggregated:
                sums[document] = sums.get(document, 0.0) + score
        return [document for document, _ in best_first(sums)]

    def score_of(self) -> dict[int, float]:
        """Passage → score."""
        return dict(zip(self.passages, self.scores, strict=True))


@dataclass(frozen=True, slots=True)
class Scope:
    """Which documents take part in a search (None: all).

    ``answering`` may be answered with. ``speaking`` are those whose sentences and citations count: judgments
    vouch for statutes also where only statutes are asked for, but a draft's own document, left out of the
    search, does not vouch for what it cites. Only passages of ``roles`` (empty: of all) are answered with.
    """

    answering: frozenset[int] | None = None
    speaking: frozenset[int] | None = None
    roles: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Stages:
    """What the stages found; a stage that did not run is empty.

    ``documents`` are document ids, best first; ``cited_by_lexical`` and ``cited_by_nearest`` those of the
    authorities cited in the best passages of each ranking, in the order of these passages. ``precedents``
    are the past propositions most like the query. ``vector_share`` is the part of the library's passages
    that have a vector. ``document_scores`` are those of ``documents``; ``said_lexical`` and ``said_nearest``
    the passages that may speak, of which ``cited_in`` has the authorities cited in each, for those who weigh
    what the stages found in another way; ``vector`` is the query's (None: there is no embedder).
    ``vouching`` (0 to 1) is what it counts in this library that others cite an authority. ``fallen`` are
    those that are cited but no longer good law: nothing vouches for them.
    """

    lexical: PassageRanking = field(default_factory=PassageRanking)
    nearest: PassageRanking = field(default_factory=PassageRanking)
    documents: tuple[int, ...] = ()
    cited_by_lexical: tuple[int, ...] = ()
    cited_by_nearest: tuple[int, ...] = ()
    precedents: tuple[PrecedentMatch, ...] = ()
    vector_share: float = 1.0
    document_scores: tuple[float, ...] = ()
    said_lexical: PassageRanking = field(default_factory=PassageRanking)
    said_nearest: PassageRanking = field(default_factory=PassageRanking)
    cited_in: Mapping[int, Sequence[int]] = field(default_factory=dict)
    vector: NDArray[np.float32] | None = None
    vouching: float = 1.0
    fallen: frozenset[int] = frozenset()

    def vector_weight(self, ranking: Ranking) -> float:
        """The weight of likeness while only a share of the passages have vectors.

        It falls with the square of that share: a document must not come first merely because its vectors
        were made before others' (at full weight a quarter of the vectors is worse than none).
        """
        return ranking.vectors * self.vector_share**2

    def fused(self, ranking: Ranking, kind_of: Callable[[int], str]) -> list[tuple[int, float]]:
        """The documents with their fused scores, best first; ``kind_of`` tells a document's kind."""
        how = ranking.aggregation, ranking.aggregated
        share = self.vector_share**2
        citing = ranking.citing * self.vouching
        cited_for = [authority for authority, _ in ranked_authorities(self.precedents)]
        rankings: list[tuple[str, Sequence[int], float]] = [
            ("passages", self.lexical.best_documents(*how), ranking.passages),
            ("documents", self.documents, ranking.documents),
            ("vectors", self.nearest.best_documents(*how), ranking.vectors * share),
            ("citing", self._standing(self.cited_by_lexical), citing),
            ("citing", self._standing(self.cited_by_nearest), citing * BY_LIKENESS * share),
            ("precedents", self._standing(cited_for), ranking.precedents * self.vouching),
        ]
        if ranking.by_kind:
            return self._weighted_by_kind(rankings, ranking, kind_of)
        weights = [weight for _, _, weight in rankings]
        return rrf([documents for _, documents, _ in rankings], weights, ranking.rrf_k)

    def _standing(self, documents: Sequence[int]) -> list[int]:
        """Those of ``documents`` that are good law."""
        return [document for document in documents if document not in self.fallen]

    def _weighted_by_kind(
        self,
        rankings: Sequence[tuple[str, Sequence[int], float]],
        ranking: Ranking,
        kind_of: Callable[[int], str],
    ) -> list[tuple[int, float]]:
        weights: dict[str, list[float]] = {}
        scores: dict[int, float] = {}
        for number, (_, documents, _) in enumerate(rankings):
            for rank, document in enumerate(documents, 1):
                kind = kind_of(document)
                if kind not in weights:
                    weights[kind] = _of_kind(rankings, ranking.by_kind.get(kind, {}))
                part = weights[kind][number] / (ranking.rrf_k + rank)
                if part:
                    scores[document] = scores.get(document, 0.0) + part
        return best_first(scores)

    def fused_passages(self, ranking: Ranking) -> list[tuple[int, float]]:
        """The passages that BM25 or likeness returned, with their fused scores, best first.

        They are the ones to show; so they count also where their stage does not rank documents.
        """
        weights = [ranking.passages, self.vector_weight(ranking)]
        if not any(weights):
            weights = [1.0, 1.0]
        return rrf([self.lexical.passages, self.nearest.passages], weights, ranking.rrf_k)

    def documents_of_passages(self) -> Mapping[int, int]:
        """Passage → document, for every passage that a stage returned."""
        pairs = dict(zip(self.lexical.passages, self.lexical.documents, strict=True))
        pairs.update(zip(self.nearest.passages, self.nearest.documents, strict=True))
        return pairs


def lexical_stage(
    library: SearchableIndex,
    terms: Sequence[str],
    depth: int,
    documents: frozenset[int] | None,
    token: CancelToken,
    weights: Sequence[float] | None = None,
    roles: frozenset[str] = frozenset(),
) -> PassageRanking:
    """BM25 over passages; ``weights`` has what each term counts (None: 1), ``roles`` is as in ``Scope``."""
    ids, scores = library.lexical(terms, depth, documents, token, weights=weights, roles=roles)
    return _ranking(library, ids, scores)


def vector_stage(
    library: SearchableIndex,
    vector: NDArray[np.float32],
    depth: int,
    documents: frozenset[int] | None,
    token: CancelToken,
    roles: frozenset[str] = frozenset(),
) -> PassageRanking:
    """Likeness to the passages that have vectors so far; ``roles`` is as in ``Scope``."""
    ids, cosines = library.nearest(vector, depth, documents, token, roles=roles)
    return _ranking(library, ids, cosines)


def weighed_by_role(
    library: SearchableIndex, found: PassageRanking, weights: Mapping[str, float]
) -> PassageRanking:
    """The same passages with their scores multiplied by the factors of their rhetorical roles."""
    if not weights or not found.passages:
        return found
    import numpy as np

    passages = np.asarray(found.passages, np.int64)
    scores = np.asarray(found.scores)
    for role, factor in weights.items():
        scores = np.where(library.role_passages(frozenset({role})).has(passages), scores * factor, scores)
    order = np.argsort(-scores, kind="stable").tolist()
    return PassageRanking(
        tuple(found.passages[at] for at in order),
        tuple(found.documents[at] for at in order),
        tuple(scores[order].tolist()),
    )


def citing_stage(
    library: SearchableIndex,
    rankings: Sequence[PassageRanking],
    depth: int,
    documents: frozenset[int] | None,
    token: CancelToken,
) -> Mapping[int, Sequence[int]]:
    """The authorities cited in each of the first ``depth`` passages of the rankings, in their order.

    The passages are those of documents that may speak; ``documents`` may answer.
    """
    asked = dict.fromkeys(passage for ranking in rankings for passage in ranking.passages[:depth])
    cited_in: dict[int, list[int]] = {}
    for passage, cited in library.cited_in(asked, token):
        if documents is None or cited in documents:
            cited_in.setdefault(passage, []).append(cited)
    return cited_in


def cited_by_best(
    ranking: PassageRanking, depth: int, cited_in: Mapping[int, Sequence[int]]
) -> tuple[int, ...]:
    """The authorities cited in the first ``depth`` passages of ``ranking``, in the order of these."""
    return tuple(dict.fromkeys(cited for p in ranking.passages[:depth] for cited in cited_in.get(p, ())))


def _of_kind(
    rankings: Sequence[tuple[str, Sequence[int], float]], factors: Mapping[str, float]
) -> list[float]:
    """The weights of the rankings for a kind of document with these factors, of the same sum as without.

    A ranking that found nothing has none to give to the others.
    """
    plain = [weight if documents else 0.0 for _, documents, weight in rankings]
    changed = [
        weight * factors.get(stage, 1.0) for (stage, _, _), weight in zip(rankings, plain, strict=True)
    ]
    total = sum(changed)
    return [weight * sum(plain) / total for weight in changed] if total else plain


def _ranking(library: SearchableIndex, ids: Iterable[int], scores: Iterable[float]) -> PassageRanking:
    passages = [int(passage) for passage in ids]
    documents = library.documents_of(passages)
    # Between two questions the library may have moved on: what is gone has document 0.
    found = [row for row in zip(passages, documents, scores, strict=True) if row[1]]
    return PassageRanking(
        tuple(passage for passage, _, _ in found),
        tuple(document for _, document, _ in found),
        tuple(float(score) for _, _, score in found),
    )
