"""What is known of each candidate of a search, as numbers for a learnt model.

Every figure is of one candidate document for one query: how the stages found it, who cites it for what, how
it stands to the other candidates, and how its best passage words the matter. None depends on how large a
library is or on what its documents are called. A stage that found nothing gives zeros.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexls.retrieval.precedents import ranked_authorities
from lexls.retrieval.prior import citation_priors
from lexls.retrieval.reranking.overlap import Proposition
from lexls.retrieval.stages import PassageRanking, Stages

if TYPE_CHECKING:
    from lexls.index.library import Library
    from lexls.text.cancel import CancelToken

Column = NDArray[np.float64]

OFFSET = 10
"""A rank r counts ``1 / (OFFSET + r)``, that of a document which is not ranked nothing."""
CITING_DEPTH = 200
"""So many of the best passages are asked what they cite."""
RELATED = 200
"""So many of the documents that fit best by their own text speak for those that they cite."""
COMPARED = 40
"""Of so many candidates the best passage is compared with the proposition word by word."""
FIRST = 20
"""So many of the candidates tell whose company they keep, and half as many more which courts decide it."""
OWN = ("passage_rank", "document_rank", "likeness_rank", "pairs_relative", "window_relative")
"""What an authority's own words say for it; these count apart where nobody cites it."""
STANDING = (
    "passage_raw",
    "document_raw",
    "likeness_raw",
    "told_share",
    "told_likeness",
    "words_share",
    "window",
    "related_citers",
    "related_shared",
    "length",
)
"""What is also compared with the other candidates, in standard deviations above their mean."""
SHRUNK = 3
"""The mean of a court's authorities counts as if so many more of them were cited by none."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The documents to be put in order, best first by their fused ``scores``.

    ``best`` has the passage that fits each of them best, for those of which a stage found one.
    """

    documents: tuple[int, ...]
    scores: tuple[float, ...]
    best: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Asked:
    """The query as features need it.

    ``terms`` are its distinct index terms, ``sequence`` those of its text in order; ``vector`` is None where
    likeness cannot be told. ``speaking`` are the documents whose sentences and citations count (None: all).
    """

    terms: tuple[str, ...]
    sequence: tuple[str, ...]
    vector: NDArray[np.float32] | None
    speaking: frozenset[int] | None
    tokenize: Callable[[str], Sequence[str]]


def features(
    library: Library, asked: Asked, stages: Stages, candidates: Candidates, token: CancelToken
) -> dict[str, Column]:
    """The figures of ``candidates`` by name, a number a candidate each. Raises ``Cancelled``."""
    place = {document: row for row, document in enumerate(candidates.documents)}
    weights = dict(zip(asked.terms, map(abs, library.rarity(asked.terms)), strict=True))
    total = sum(weights.values()) or 1.0
    found: dict[str, Column] = {}
    found |= _of_passages("passage", stages.lexical, place, total)
    found |= _of_passages("likeness", stages.nearest, place, 1.0)
    found |= _of_documents(stages, place, total)
    found |= _of_citing("cited_lexical", stages.said_lexical, stages.cited_in, place)
    found |= _of_citing("cited_nearest", stages.said_nearest, stages.cited_in, place)
    found |= _of_matches(stages, place)
    token.raise_if_cancelled()
    found |= _of_told(library, asked, weights, place, token)
    token.raise_if_cancelled()
    found |= _of_graph(library, asked, stages, candidates)
    found |= _of_company(library, candidates, found["citers"])
    found["fused"] = np.asarray(candidates.scores) / (max(candidates.scores, default=1.0) or 1.0)
    found["fused_rank"] = _ranks(candidates.documents, place)
    token.raise_if_cancelled()
    found |= _of_words(library, asked, weights, candidates, token)
    # Nobody can have said what an authority is for that nobody cites: its own words count for more then.
    uncited = (found["citers"] == 0).astype(np.float64)
    found |= {f"{name}_uncited": found[name] * uncited for name in OWN}
    found |= {f"{name}_standing": _standing(found[name]) for name in STANDING}
    found["uncited"] = uncited
    return found


def _ranks(documents: Iterable[int], place: Mapping[int, int]) -> Column:
    column = np.zeros(len(place))
    for rank, document in enumerate(dict.fromkeys(documents), 1):
        if document in place:
            column[place[document]] = 1 / (OFFSET + rank)
    return column


def _relative(column: Column) -> Column:
    """As shares of the greatest."""
    greatest = column.max(initial=0.0)
    return column / greatest if greatest > 0 else column


def _standing(column: Column) -> Column:
    spread = column.std()
    return (column - column.mean()) / spread if spread > 0 else np.zeros(len(column))


def _of_passages(
    name: str, ranking: PassageRanking, place: Mapping[int, int], total: float
) -> dict[str, Column]:
    """The passages that a stage found in each document: above the worst of all, as shares of the best."""
    best, second, three, count, raw = (np.zeros(len(place)) for _ in range(5))
    floor = ranking.scores[-1] if ranking.scores else 0.0
    top = (ranking.scores[0] - floor if ranking.scores else 0.0) or 1.0
    for document, score in zip(ranking.documents, ranking.scores, strict=True):
        row = place.get(document)
        if row is None:
            continue
        share = (score - floor) / top
        if count[row] == 0:
            best[row], raw[row] = share, score / total
        elif count[row] == 1:
            second[row] = share
        if count[row] < 3:
            three[row] += share
        count[row] += 1
    return {
        f"{name}_rank": _ranks(ranking.documents, place),
        f"{name}_best": best,
        f"{name}_second": second,
        f"{name}_three": three,
        f"{name}_count": np.log1p(count),
        f"{name}_raw": raw,
    }


def _of_documents(stages: Stages, place: Mapping[int, int], total: float) -> dict[str, Column]:
    scores = np.zeros(len(place))
    for document, score in zip(stages.documents, stages.document_scores, strict=True):
        if document in place:
            scores[place[document]] = score
    greatest = max(stages.document_scores, default=0.0) or 1.0
    return {
        "document_rank": _ranks(stages.documents, place),
        "document_best": scores / greatest,
        "document_raw": scores / total,
    }


def _of_citing(
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
        f"{name}_sum": _relative(summed),
        f"{name}_squares": _relative(squares),
        f"{name}_best": best,
        f"{name}_count": np.log1p(count),
    }


def _of_matches(stages: Stages, place: Mapping[int, int]) -> dict[str, Column]:
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
        "precedent_rank": _ranks(ranked, place),
        "precedent_likeness": _relative(best),
        "precedent_words": _relative(words),
        "precedent_support": support,
    }


def _of_told(
    library: Library,
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
        "told_share_relative": _relative(share),
        "told_likeness": likest,
        "told_mean_likeness": mean,
    }


def _of_graph(library: Library, asked: Asked, stages: Stages, candidates: Candidates) -> dict[str, Column]:
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
        "related_citers": _relative(np.asarray(columns["related_citers"])),
        "related_cited": _relative(np.asarray(columns["related_cited"])),
        "related_shared": _relative(np.asarray(columns["related_shared"])),
        "first_citers": np.asarray(columns["first_citers"]),
        "first_cited": np.asarray(columns["first_cited"]),
        "relevance": _relative(
            np.asarray([relevance.get(document, 0.0) for document in candidates.documents])
        ),
    }


def _of_company(library: Library, candidates: Candidates, citers: Column) -> dict[str, Column]:
    """Whether a candidate is of the courts that the first candidates are of, how much the others of its court
    are cited, and its length.
    """
    authorities = [library.authority(document) for document in candidates.documents]
    courts = [authority.court if authority is not None else "" for authority in authorities]
    weight_of: dict[str, float] = {}
    for rank, court in enumerate(courts[: FIRST + FIRST // 2]):
        if court:
            weight_of[court] = weight_of.get(court, 0.0) + 1 / (5 + rank)
    total = sum(weight_of.values()) or 1.0
    sums: dict[str, float] = {}
    for court, count in zip(courts, citers.tolist(), strict=True):
        sums[court] = sums.get(court, 0.0) + count
    counts = Counter(courts)
    others = [
        (sums[court] - count) / (counts[court] - 1 + SHRUNK) if court else 0.0
        for court, count in zip(courts, citers.tolist(), strict=True)
    ]
    return {
        "court_share": np.asarray([weight_of.get(court, 0.0) / total for court in courts]),
        "court_citers": np.asarray(others),
        "length": np.log1p(np.asarray(library.passage_counts(candidates.documents), np.float64)),
    }


def _of_words(
    library: Library,
    asked: Asked,
    weights: Mapping[str, float],
    candidates: Candidates,
    token: CancelToken,
) -> dict[str, Column]:
    """How the best passage of each of the first candidates words what the query says."""
    pairs, triples, window, share = (np.zeros(len(candidates.documents)) for _ in range(4))
    proposition = Proposition(asked.sequence, weights)
    rows = {
        candidates.best[document]: row
        for row, document in enumerate(candidates.documents[:COMPARED])
        if document in candidates.best
    }
    for record in library.passage_records(rows, token):
        overlap = proposition.overlap(asked.tokenize(record.text))
        row = rows[record.id]
        pairs[row], triples[row] = overlap.pairs, overlap.triples
        window[row], share[row] = overlap.window, overlap.all
    return {
        "pairs": pairs,
        "pairs_relative": _relative(pairs),
        "triples_relative": _relative(triples),
        "window": window,
        "window_relative": _relative(window),
        "words_share": share,
        "words_relative": _relative(share),
    }
