"""Run the stages of a search, each a ranking of documents, and fuse their results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexls.retrieval.model import Ranked, fuse
from lexls.retrieval.precedents import MatchedPrecedents, PrecedentMatch, rank_authorities
from lexls.retrieval.query import Query
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.refinements import is_bad_law

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.searchable import SearchableIndex
    from lexls.retrieval.past_cases import PastCases
    from lexls.text.cancel import CancelToken


BY_SIMILARITY = 0.5
"""Weight of authorities cited in passages found by similarity, relative to passages found by words."""


@dataclass(frozen=True, slots=True)
class PassageRanking:
    """Passages, best first, with their documents and scores."""

    passages: tuple[int, ...] = ()
    documents: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()

    def rank_documents(self) -> list[int]:
        """Return the documents in the order of their best passages."""
        return list(dict.fromkeys(self.documents))


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents that take part in a search (None: all).

    ``answering`` are the documents that may be returned. ``speaking`` are those whose sentences and citations
    count. They may be others: judgments support statutes even if only statutes are searched for, but a
    draft's own file, if excluded, does not support what it cites. Only passages of ``roles`` (empty: all) are
    returned. The user's own cases from ``excluded`` files do not count.
    """

    answering: frozenset[int] | None = None
    speaking: frozenset[int] | None = None
    roles: frozenset[str] = frozenset()
    excluded: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Stages:
    """The results of the stages; a stage that did not run is empty.

    ``documents`` are document ids, best first, and ``document_scores`` their scores. ``cited_by_lexical`` and
    ``cited_by_nearest`` are the authorities cited in the best passages by words and by similarity, in the
    order of these passages. ``precedents`` are the past propositions most similar to the query. ``vector`` is
    the query's (None without an embedder), and ``vector_share`` the share of the library's passages with a
    vector.

    ``said_lexical`` and ``said_nearest`` are the passages whose citations count, and ``cited_in`` the
    authorities cited in each. The reranking model weights these citations in its own way. ``vouching`` (0 to
    1) is the weight of citations in this library. ``fallen`` are cited authorities that are no longer good
    law; citations of these do not count.
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
        """Return the weight of similarity, reduced while only some of the passages have vectors.

        It falls with the square of the share that have one, so that a document does not come first merely
        because its vectors were computed earlier. At full weight, having a quarter of the vectors is worse
        than having none.
        """
        return ranking.vectors * self.vector_share**2

    def fuse(self, ranking: Ranking) -> list[tuple[int, float]]:
        """Return the documents with their fused scores, best first."""
        share = self.vector_share**2
        citing = ranking.citing * self.vouching
        cited_for = [authority for authority, _ in rank_authorities(self.precedents)]
        weighted: list[tuple[Sequence[int], float]] = [
            (self.lexical.rank_documents(), ranking.passages),
            (self.documents, ranking.documents),
            (self.nearest.rank_documents(), ranking.vectors * share),
            (self._good_law(self.cited_by_lexical), citing),
            (self._good_law(self.cited_by_nearest), citing * BY_SIMILARITY * share),
            (self._good_law(cited_for), ranking.precedents * self.vouching),
        ]
        return fuse(
            [documents for documents, _ in weighted], [weight for _, weight in weighted], ranking.rrf_k
        )

    def _good_law(self, documents: Sequence[int]) -> list[int]:
        """Return the ``documents`` that are good law."""
        return [document for document in documents if document not in self.fallen]

    def find_best_passages(self, ranking: Ranking) -> dict[int, int]:
        """Return each document's best passage among those found by BM25 or similarity.

        These passages are displayed. If neither search has a weight in the ranking, both count equally here.
        """
        weights = [ranking.passages, self.vector_weight(ranking)]
        if not any(weights):
            weights = [1.0, 1.0]
        owner = dict(zip(self.lexical.passages, self.lexical.documents, strict=True))
        owner.update(zip(self.nearest.passages, self.nearest.documents, strict=True))
        best: dict[int, int] = {}
        for passage, _ in fuse([self.lexical.passages, self.nearest.passages], weights, ranking.rrf_k):
            best.setdefault(owner[passage], passage)
        return best

    def place(self, documents: Iterable[tuple[int, float]], best: Mapping[int, int]) -> list[Ranked]:
        """Return ``documents`` with their scores, each with its ``best`` passage and that passage's
        scores.
        """
        lexical = dict(zip(self.lexical.passages, self.lexical.scores, strict=True))
        nearest = dict(zip(self.nearest.passages, self.nearest.scores, strict=True))
        return [
            Ranked(document, passage, score, lexical.get(passage), nearest.get(passage))
            if (passage := best.get(document)) is not None
            else Ranked(document, None, score, None, None)
            for document, score in documents
        ]


def rank_by_words(
    library: SearchableIndex,
    terms: Sequence[str],
    depth: int,
    documents: frozenset[int] | None,
    token: CancelToken,
    weights: Sequence[float] | None = None,
    roles: frozenset[str] = frozenset(),
) -> PassageRanking:
    """Rank passages by BM25; ``weights`` are the terms' weights (None: 1), ``roles`` is as in ``Scope``."""
    ids, scores = library.lexical(terms, depth, documents, token, weights=weights, roles=roles)
    return _ranking(library, ids, scores)


def weigh_by_role(
    library: SearchableIndex, found: PassageRanking, weights: Mapping[str, float]
) -> PassageRanking:
    """Return the same passages with their scores multiplied by the factors for their rhetorical roles."""
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


def _ranking(library: SearchableIndex, ids: Iterable[int], scores: Iterable[float]) -> PassageRanking:
    passages = [int(passage) for passage in ids]
    documents = library.documents_of(passages)
    # The library may have changed since the last call; removed passages have document 0.
    rows = zip(passages, documents, map(float, scores), strict=True)
    return PassageRanking(*map(tuple, zip(*(row for row in rows if row[1]), strict=True)))


WANTED_PASSAGES = 50
"""Number of top BM25 passages that are given vectors first, if they have none yet."""
VOUCHING_FROM = 40_000
"""Number of passages at which a library is large enough for citations to count in full.

In a smaller library nearly every authority is cited by something slightly relevant, and must not outrank
texts that say the same themselves. With 1,000 to 5,000 passages, a tenth or less of the weight was best.
"""


def run_stages(
    library: SearchableIndex,
    query: Query,
    vector: NDArray[np.float32] | None,
    ranking: Ranking,
    scope: Scope,
    token: CancelToken,
    *,
    prefixed: NDArray[np.float32] | None = None,
    matched: MatchedPrecedents | None = None,
    past: PastCases | None = None,
) -> Stages:
    """Return the results of each stage for ``query``, whose ``vector`` is None without an embedder.

    ``prefixed`` is its vector with the model's query prefix (None: the same), for comparison with passages.
    ``matched`` are the candidate precedents (None: they are searched for here), ``past`` the user's own
    cases. A stage with weight 0 runs only if another needs its results. Raises ``Cancelled``.
    """
    lexical = rank_by_words(
        library, query.terms, ranking.passage_depth, scope.answering, token, query.weights, scope.roles
    )
    lexical = weigh_by_role(library, lexical, ranking.role_weights)
    token.raise_if_cancelled()
    documents: tuple[int, ...] = ()
    document_scores: tuple[float, ...] = ()
    if ranking.documents:
        ids, found = library.lexical_documents(
            query.terms,
            ranking.document_depth,
            scope.answering,
            token,
            k1=ranking.k1,
            b=ranking.b,
            weights=query.weights,
        )
        documents, document_scores = tuple(map(int, ids)), tuple(map(float, found))
        token.raise_if_cancelled()
    if vector is not None:
        library.want(lexical.passages[:WANTED_PASSAGES])
    asked = vector if prefixed is None else prefixed
    nearest = _nearest(library, asked, ranking, scope.answering, token, scope.roles)
    nearest = weigh_by_role(library, nearest, ranking.role_weights)
    said, cited_in = _cited(library, query, asked, ranking, scope, (lexical, nearest), token)
    precedents: tuple[PrecedentMatch, ...] = ()
    if ranking.precedents:
        if matched is None:
            matched = MatchedPrecedents(
                library, query.terms, vector, scope.speaking, token, prefixed=prefixed
            )
        depth, how = ranking.precedent_depth, ranking.case_weights
        found_precedents = matched.rank(depth, how, scope.answering, token)
        token.raise_if_cancelled()
        if past is not None and len(past.base):
            own = past.match(
                query.terms,
                vector,
                depth,
                how,
                token,
                prefixed=prefixed,
                answering=scope.answering,
                excluded=scope.excluded,
            )
            found_precedents += [match for match, _ in own]
            found_precedents.sort(key=lambda match: -match.score)
        precedents = tuple(found_precedents[:depth])
    citing = [each.passages[: ranking.citing_depth] for each in said]
    by_lexical, by_nearest = (
        tuple(dict.fromkeys(cited for p in passages for cited in cited_in.get(p, ()))) for passages in citing
    )
    vouched = {*by_lexical, *by_nearest, *(match.authority for match in precedents)}
    return Stages(
        lexical=lexical,
        nearest=nearest,
        documents=documents,
        cited_by_lexical=by_lexical,
        cited_by_nearest=by_nearest,
        precedents=precedents,
        vector_share=library.vector_share if nearest.passages else 0.0,
        document_scores=document_scores,
        said_lexical=said[0],
        said_nearest=said[1],
        cited_in=cited_in,
        vector=vector,
        vouching=min(1.0, library.passage_count / VOUCHING_FROM),
        fallen=frozenset(each for each in vouched if is_bad_law(library, each, scope.speaking)),
    )


def _nearest(
    library: SearchableIndex,
    vector: NDArray[np.float32] | None,
    ranking: Ranking,
    documents: frozenset[int] | None,
    token: CancelToken,
    roles: frozenset[str] = frozenset(),
) -> PassageRanking:
    """Return the passages most similar to the query, among those with a vector; ``roles`` is as in
    ``Scope``.
    """
    if vector is None or not library.has_vectors or not (ranking.vectors or ranking.citing):
        return PassageRanking()
    found = library.nearest(vector, ranking.vector_depth, documents, token, roles=roles)
    token.raise_if_cancelled()
    return _ranking(library, *found)


def _cited(
    library: SearchableIndex,
    query: Query,
    vector: NDArray[np.float32] | None,
    ranking: Ranking,
    scope: Scope,
    said: tuple[PassageRanking, PassageRanking],
    token: CancelToken,
) -> tuple[tuple[PassageRanking, PassageRanking], Mapping[int, Sequence[int]]]:
    """Return the passages whose citations count, by words and by similarity, and the authorities cited in the
    best of them, by passage.
    """
    if not ranking.citing:
        return said, {}
    if scope.speaking != scope.answering or scope.roles:
        said = (
            rank_by_words(library, query.terms, ranking.citing_depth, scope.speaking, token, query.weights),
            _nearest(library, vector, ranking, scope.speaking, token),
        )
    first = dict.fromkeys(p for found in said for p in found.passages[: ranking.citing_depth])
    cited_in: defaultdict[int, list[int]] = defaultdict(list)
    for passage, cited in library.graph.find_cited_in(first, token):
        if scope.answering is None or cited in scope.answering:
            cited_in[passage].append(cited)
    token.raise_if_cancelled()
    return said, cited_in
