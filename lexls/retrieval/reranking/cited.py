"""Measure what the library's citations say of each candidate: who cites it, where, and for what."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lexls.retrieval.precedents import rank_authorities
from lexls.retrieval.refinements import compute_priors
from lexls.retrieval.reranking.candidates import OFFSET, Asked, Candidates, Column, count_ranks, scale
from lexls.retrieval.stages import PassageRanking, Stages

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex
    from lexls.text.cancel import CancelToken

CITING_DEPTH = 200
"""So many of the best passages are asked what they cite."""
RELATED = 200
"""So many of the documents that fit best by their own text speak for those that they cite."""
FIRST = 20
"""So many of the candidates tell whose company they keep."""


def measure_citing(
    name: str, said: PassageRanking, cited_in: Mapping[int, Sequence[int]], place: Mapping[int, int]
) -> dict[str, Column]:
    """What the best passages cite: each citing document counts once for an authority, by its best one."""
    first, summed, squares, best, count = (np.zeros(len(place)) for _ in range(5))
    floor = said.scores[min(CITING_DEPTH, len(said.scores)) - 1] if said.scores else 0.0
    top = (said.scores[0] - floor if said.scores else 0.0) or 1.0
    seen: set[tuple[int, int]] = set()
    order = 0
    ranked = zip(said.passages, said.documents, said.scores, strict=True)
    for rank, (passage, document, score) in enumerate(ranked, 1):
        cited = cited_in.get(passage)
        if rank > CITING_DEPTH:
            break
        if not cited:
            continue
        order += 1
        share = (score - floor) / top
        for authority in cited:
            row = place.get(authority)
            if row is None or (document, authority) in seen:
                continue
            seen.add((document, authority))
            first[row] = first[row] or 1 / (OFFSET + order)
            summed[row] += 1 / (5 + rank)
            squares[row] += share**2
            best[row] = max(best[row], share)
            count[row] += 1
    return {
        f"{name}_rank": first,
        f"{name}_sum": scale(summed),
        f"{name}_squares": scale(squares),
        f"{name}_best": best,
        f"{name}_count": np.log1p(count),
    }


def measure_matches(stages: Stages, place: Mapping[int, int]) -> dict[str, Column]:
    """The past propositions most like the query."""
    best, words, support = (np.zeros(len(place)) for _ in range(3))
    for match in stages.precedents:
        row = place.get(match.authority)
        if row is not None:
            best[row] = max(best[row], match.question or 0.0)
            words[row] = max(words[row], match.lexical or 0.0)
            support[row] = max(support[row], match.support or 0.0)
    ranked = [authority for authority, _ in rank_authorities(stages.precedents)]
    return {
        "precedent_rank": count_ranks(ranked, place),
        "precedent_similarity": scale(best),
        "precedent_words": scale(words),
        "precedent_support": support,
    }


def measure_cited_for(
    library: SearchableIndex,
    asked: Asked,
    weights: Mapping[str, float],
    place: Mapping[int, int],
    token: CancelToken,
) -> dict[str, Column]:
    """All that others cite a candidate for, taken together: the query's terms in it, and its similarity."""
    share, best, mean = (np.zeros(len(place)) for _ in range(3))
    precedents, cited = library.precedents.find_citing(list(place), asked.speaking, token)
    if len(precedents):
        rows = np.array([place[int(authority)] for authority in cited])
        holding = library.precedents.holding(asked.terms, precedents, token)
        total = sum(weights.values()) or 1.0
        for term, holds in zip(asked.terms, holding, strict=True):
            share[np.unique(rows[holds])] += weights[term] / total
        if asked.vector is not None:
            similarity = np.nan_to_num(
                library.precedents.compare_propositions(asked.vector, precedents.tolist())
            )
            np.maximum.at(best, rows, similarity)
            counts = np.bincount(rows, minlength=len(place))
            mean = np.bincount(rows, similarity, len(place)) / np.maximum(counts, 1)
    return {
        "cited_for_share": share,
        "cited_for_share_relative": scale(share),
        "cited_for_similarity": best,
        "cited_for_mean_similarity": mean,
    }


def measure_graph(
    library: SearchableIndex, asked: Asked, stages: Stages, candidates: Candidates
) -> dict[str, Column]:
    """How the candidates stand among the documents whose own text fits, by who cites whom."""
    relevance: dict[int, float] = {}
    for ranking, weight in (
        (stages.lexical.rank_documents(), 1.0),
        (stages.documents, 1.0),
        (stages.nearest.rank_documents(), 0.5),
    ):
        for rank, document in enumerate(ranking[:RELATED], 1):
            relevance[document] = relevance.get(document, 0.0) + weight / (OFFSET + rank)
    if asked.speaking is not None:
        relevance = {each: value for each, value in relevance.items() if each in asked.speaking}
    first = frozenset(candidates.documents[:FIRST])
    shared: dict[int, float] = {}
    for document, value in relevance.items():
        cited = library.graph.cited_by(document)
        for each in cited:
            shared[each] = shared.get(each, 0.0) + value / len(cited)
    documents = candidates.documents
    citers_of = [library.graph.citers(document) for document in documents]
    cited_by = [library.graph.cited_by(document) for document in documents]
    priors = compute_priors(library, documents, asked.speaking)

    def total(worth: Mapping[int, float], of: Iterable[Iterable[int]]) -> Column:
        """For each candidate what those beside it are worth together, as a share of the greatest."""
        return scale(np.asarray([sum(worth.get(each, 0.0) for each in row) for row in of], np.float64))

    return {
        "citers": np.asarray([priors[document] for document in documents]),
        "related_citers": total(relevance, citers_of),
        "related_cited": total(relevance, cited_by),
        "related_shared": total(shared, cited_by),
        "first_citers": np.asarray([math.log1p(len(row & first)) for row in citers_of]),
        "first_cited": np.asarray([math.log1p(len(row & first)) for row in cited_by]),
        "relevance": total(relevance, ((document,) for document in documents)),
    }
