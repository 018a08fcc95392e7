"""How a user's settings have a search rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lexls.settings.declaration import Settings

if TYPE_CHECKING:
    from lexls.retrieval.ranking import Aggregation, Ranking


def ranking_of(settings: Settings) -> Ranking:
    """The ranking that ``settings`` ask for."""
    from lexls.retrieval.ranking import Ranking

    return Ranking(
        passages=settings.search_weights_passages,
        documents=settings.search_weights_documents,
        vectors=settings.search_weights_vectors,
        citing=settings.search_weights_citing,
        precedents=settings.search_weights_precedents,
        rrf_k=settings.search_rrf_k,
        passage_depth=settings.search_passage_depth,
        vector_depth=settings.search_vector_depth,
        aggregation=cast("Aggregation", settings.search_aggregation),
        prior=settings.search_prior,
        diversity=settings.search_diversity,
    )
