"""Asking a library in every way that a ranking counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lexls.retrieval.precedents import PrecedentMatch, match_precedents
from lexls.retrieval.prior import fallen
from lexls.retrieval.query import Query
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.stages import (
    PassageRanking,
    Scope,
    Stages,
    cited_by_best,
    citing_stage,
    lexical_stage,
    vector_stage,
    weighed_by_role,
)

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.searchable import SearchableIndex
    from lexls.retrieval.past_cases import PastCases
    from lexls.text.cancel import CancelToken

WANTED_PASSAGES = 50
"""So many of the best passages by BM25 are embedded before others when they have no vector yet."""
VOUCHING_FROM = 40_000
"""From so many passages on it counts in full what passages cite and what authorities were cited for. In a
smaller library nearly every authority is cited by something that fits a little, and what says the same itself
must not stand behind it: with 1,000 to 5,000 passages a tenth and less was best
(``benchmarks/results/retrieval.md``)."""


def run_stages(
    library: SearchableIndex,
    query: Query,
    vector: NDArray[np.float32] | None,
    ranking: Ranking,
    scope: Scope,
    token: CancelToken,
    *,
    cued: NDArray[np.float32] | None = None,
    past: PastCases | None = None,
    excluded: Sequence[Path] = (),
) -> Stages:
    """What each stage finds for ``query``, whose ``vector`` is None where there is no embedder.

    ``cued`` is its vector with the model's cue for questions (None: the same), which passages are compared
    with. ``past`` are the user's own cases, those of ``excluded`` files left out. A stage of weight 0 is run
    only where another needs what it finds. Raises ``Cancelled``.
    """
    lexical = lexical_stage(
        library, query.terms, ranking.passage_depth, scope.answering, token, query.weights, scope.roles
    )
    lexical = weighed_by_role(library, lexical, ranking.role_weights)
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
    asked = vector if cued is None else cued
    nearest = _nearest(library, asked, ranking, scope.answering, token, scope.roles)
    nearest = weighed_by_role(library, nearest, ranking.role_weights)
    said, cited_in = _cited(library, query, asked, ranking, scope, (lexical, nearest), token)
    precedents = _precedents(library, query, (vector, cued), ranking, scope, (past, excluded), token)
    by_lexical, by_nearest = (cited_by_best(each, ranking.citing_depth, cited_in) for each in said)
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
        fallen=frozenset(each for each in vouched if fallen(library, each, scope.speaking)),
    )


def _nearest(
    library: SearchableIndex,
    vector: NDArray[np.float32] | None,
    ranking: Ranking,
    documents: frozenset[int] | None,
    token: CancelToken,
    roles: frozenset[str] = frozenset(),
) -> PassageRanking:
    """The passages most like the query, among those with a vector."""
    if vector is None or not library.has_vectors or not (ranking.vectors or ranking.citing):
        return PassageRanking()
    found = vector_stage(library, vector, ranking.vector_depth, documents, token, roles)
    token.raise_if_cancelled()
    return found


def _cited(
    library: SearchableIndex,
    query: Query,
    vector: NDArray[np.float32] | None,
    ranking: Ranking,
    scope: Scope,
    said: tuple[PassageRanking, PassageRanking],
    token: CancelToken,
) -> tuple[tuple[PassageRanking, PassageRanking], Mapping[int, Sequence[int]]]:
    """The passages of those that may speak, by words and by likeness, and what the best of them cite."""
    if not ranking.citing:
        return said, {}
    if scope.speaking != scope.answering or scope.roles:
        said = (
            lexical_stage(library, query.terms, ranking.citing_depth, scope.speaking, token, query.weights),
            _nearest(library, vector, ranking, scope.speaking, token),
        )
    cited_in = citing_stage(library, said, ranking.citing_depth, scope.answering, token)
    token.raise_if_cancelled()
    return said, cited_in


def _precedents(
    library: SearchableIndex,
    query: Query,
    vectors: tuple[NDArray[np.float32] | None, NDArray[np.float32] | None],
    ranking: Ranking,
    scope: Scope,
    own: tuple[PastCases | None, Sequence[Path]],
    token: CancelToken,
) -> tuple[PrecedentMatch, ...]:
    """The past propositions most like the query, of the library and of the user (``own``, without the files
    named). ``vectors`` are the query's without and with the model's cue.
    """
    if not ranking.precedents:
        return ()
    (vector, cued), (past, excluded) = vectors, own
    found = match_precedents(
        library,
        query.terms,
        vector,
        ranking.precedent_depth,
        scope.speaking,
        scope.answering,
        ranking.case_weights,
        token,
        cued=cued,
    )
    token.raise_if_cancelled()
    if past is not None and len(past.base):
        own_cases = past.matches(
            query.terms,
            vector,
            ranking.precedent_depth,
            ranking.case_weights,
            token,
            cued=cued,
            answering=scope.answering,
            excluded=excluded,
        )
        found = sorted([*found, *(match for match, _ in own_cases)], key=lambda match: -match.score)
    return tuple(found[: ranking.precedent_depth])
