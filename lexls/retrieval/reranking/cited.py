"""What the library's citations say of each candidate: who cites it, where, and for what."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lexls.retrieval.precedents import ranked_authorities
from lexls.retrieval.prior import citation_priors
from lexls.retrieval.reranking.candidates import OFFSET, Asked, Candidates, Column, ranks, relative
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


def of_citing(
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
        f"{name}_sum": relative(summed),
        f"{name}_squares": relative(squares),
        f"{name}_best": best,
        f"{name}_count": np.log1p(count),
    }


def of_matches(stages: Stages, place: Mapping[int, int]) -> dict[str, Column]:
    """The past propositions most like the query."""
    best, words, support = (np.zeros(len(place)) for _ in range(3))
    for match in stages.precedents:
        row = place.get(match.authority)
        if row is not None:
            best[row] = max(best[row], match.question or 0.0)
            words[row] = max(words[row], match.lexical or 0.0)
            support[row] = max(support[row], match.support or 0.0)
    ranked = [authority for authority, _ in ranked_authorities(stages.precedents)]
    return {
        "precedent_rank": ranks(ranked, place),
        "precedent_likeness": relative(best),
        "precedent_words": relative(words),
        "precedent_support": support,
    }


def of_told(
    library: SearchableIndex,
    asked: Asked,
    weights: Mapping[str, float],
    place: Mapping[int, int],
    token: CancelToken,
) -> dict[str, Column]:
    """All that others cite a candidate for, taken together: the query's terms in it, and its likeness."""
    share, likest, mean = (np.zeros(len(place)) for _ in range(3))
    precedents, cited = library.precedents.told_of(list(place), asked.speaking, token)
    if len(precedents):
        rows = np.array([place[int(authority)] for authority in cited])
        holding = library.precedents.holding(asked.terms, precedents, token)
        total = sum(weights.values()) or 1.0
        for term, holds in zip(asked.terms, holding, strict=True):
            share[np.unique(rows[holds])] += weights[term] / total
        if asked.vector is not None:
            likeness = np.nan_to_num(library.precedents.question_likeness(asked.vector, precedents.tolist()))
            np.maximum.at(likest, rows, likeness)
            counts = np.bincount(rows, minlength=len(place))
            mean = np.bincount(rows, likeness, len(place)) / np.maximum(counts, 1)
    return {
        "told_share": share,
        "told_share_relative": relative(share),
        "told_likeness": likest,
        "told_mean_likeness": mean,
    }


def of_graph(
    library: SearchableIndex, asked: Asked, stages: Stages, candidates: Candidates
) -> dict[str, Column]:
    """How the candidates stand among the documents whose own text fits, by who cites whom."""
    relevance: dict[int, float] = {}
    for ranking, weight in (
        (stages.lexical.best_documents(), 1.0),
        (stages.documents, 1.0),
        (stages.nearest.best_documents(), 0.5),
    ):
        for rank, document in enumerate(ranking[:RELATED], 1):
            relevance[document] = relevance.get(document, 0.0) + weight / (OFFSET + rank)
    if asked.speaking is not None:
        relevance = {each: value for each, value in relevance.items() if each in asked.speaking}
    first = frozenset(candidates.documents[:FIRST])
    columns: dict[str, list[float]] = {
        name: []
        for name in ("related_citers", "related_cited", "first_citers", "first_cited", "related_shared")
    }
    shared: dict[int, float] = {}
    for document, value in relevance.items():
        cited = library.cited_by(document)
        for each in cited:
            shared[each] = shared.get(each, 0.0) + value / len(cited)
    for document in candidates.documents:
        citers, cited = library.citers(document), library.cited_by(document)
        columns["related_citers"].append(sum(relevance.get(each, 0.0) for each in citers))
        columns["related_cited"].append(sum(relevance.get(each, 0.0) for each in cited))
        columns["first_citers"].append(math.log1p(len(citers & first)))
        columns["first_cited"].append(math.log1p(len(cited & first)))
        columns["related_shared"].append(sum(shared.get(each, 0.0) for each in cited))
    priors = citation_priors(library, candidates.documents, asked.speaking)
    return {
        "citers": np.asarray([priors[document] for document in candidates.documents]),
        "related_citers": relative(np.asarray(columns["related_citers"])),
        "related_cited": relative(np.asarray(columns["related_cited"])),
        "related_shared": relative(np.asarray(columns["related_shared"])),
        "first_citers": np.asarray(columns["first_citers"]),
        "first_cited": np.asarray(columns["first_cited"]),
        "relevance": relative(
            np.asarray([relevance.get(document, 0.0) for document in candidates.documents])
        ),
    }
