"""How a user's settings have a search rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lexls.settings.declaration import Settings

if TYPE_CHECKING:
    from lexls.citations.grammar import Grammar
    from lexls.index.library import Library
    from lexls.index.tokens import Tokenizer
    from lexls.retrieval.past_cases import PastCases
    from lexls.retrieval.precedents import CaseMode, CaseWeights
    from lexls.retrieval.ranking import Aggregation, Ranking


def ranking_of(settings: Settings) -> Ranking:
    """The ranking that ``settings`` ask for."""
    from lexls.retrieval.ranking import Ranking

    return Ranking(
        passages=settings.search_weights_passages,
        documents=settings.search_weights_documents,
        vectors=settings.search_weights_vectors,
        citing=settings.search_weights_citing,
        precedents=settings.search_weights_precedents if settings.precedents_enabled else 0.0,
        precedent_depth=settings.precedents_k,
        case_weights=case_weights_of(settings),
        rrf_k=settings.search_rrf_k,
        passage_depth=settings.search_passage_depth,
        vector_depth=settings.search_vector_depth,
        aggregation=cast("Aggregation", settings.search_aggregation),
        prior=settings.search_prior,
        rerank=float(settings.rerank_learned),
        cross_encoder=settings.rerank_depth,
        diversity=settings.search_diversity,
    )


def case_weights_of(settings: Settings) -> CaseWeights:
    """What of a precedent is compared; the published weights where all of the user's are 0."""
    from lexls.retrieval.precedents import DEFAULT_WEIGHTS, CaseWeights

    question, support, entities = settings.precedents_weights
    weights = (question, support, entities) if question or support or entities else DEFAULT_WEIGHTS
    return CaseWeights(cast("CaseMode", settings.precedents_mode), weights)


def past_cases_of(
    settings: Settings, library: Library, grammar: Grammar, tokenizer: Tokenizer
) -> PastCases | None:
    """The user's own cases, not read yet; None where the settings name none.

    Vectors are kept in a folder beside the index.
    """
    if not settings.precedents_enabled or not (settings.precedents_case_bases or settings.precedents_drafts):
        return None
    from lexls.retrieval.past_cases import PastCases

    return PastCases(
        library,
        grammar,
        tokenizer,
        settings.precedents_case_bases,
        settings.precedents_drafts,
        jurisdiction=settings.jurisdiction,
        cache=library.path.with_name(library.path.name + "-cases"),
    )


def cue_of(settings: Settings) -> str:
    """What the user has put before questions for the embedding model, "" to leave it to lexls."""
    cue = settings.embeddings_query_cue
    return f"{cue} " if cue and not cue[-1].isspace() else cue
