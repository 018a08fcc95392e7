"""Rank documents for a narrative: a statement of facts for which the governing precedents and provisions are
sought.

A narrative shares its plain words with the facts of judgments, but few with a provision, which names the
offence or the remedy. So the two are ranked separately:

- *Judgments* (and all else that is not a provision): BM25 over whole documents, and the authorities cited by
  the most similar judgments. Those were written about similar facts, and name the authorities that govern
  them.
- *Provisions*: BM25 of the narrative's rarer words, of words that judgments use together with its words
  (``related_words``), and of the related words that occur in titles; here too, the authorities cited by
  similar judgments.

The Git history of ``benchmarks/RESULTS.md`` explains how the numbers were chosen and what did not help.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexls.retrieval.model import RRF_K, sort_best_first
from lexls.retrieval.query import Query, RelatedWords, count_own_terms

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex
    from lexls.text.cancel import CancelToken

PROVISIONS = frozenset({"statute", "regulation", "treaty"})
"""Kinds of documents that contain provisions."""
DEPTH = 5000
"""Number of documents used from each search."""


@dataclass(frozen=True, slots=True)
class NarrativeRanking:
    """Parameters for ranking documents for a narrative.

    ``k1`` and ``b`` are the BM25 parameters for judgments, where a term counts ``1 + ln f`` for f occurrences
    in the narrative. Authorities cited by the ``neighbours`` most similar judgments get ``citing · ln(1 + Σ
    s^steepness)``, where s is the judgment's score relative to the best. On this scale, the best judgment
    gets 1 for its own words.

    Provisions are scored with ``provision_k1`` and ``provision_b``, which count length and frequency nearly
    in full: a short provision that has the word is about it. The scores of three searches are added. Each is
    scaled so that its best document gets the weight of the search: ``rare`` for the ``rare_share`` of the
    narrative's terms with the highest idf, ``related`` for the ``related_terms`` most related terms, and
    ``titles`` for the ``title_terms`` most related terms of titles.
    """

    k1: float = 6.0
    b: float = 0.8
    citing: float = 0.8
    neighbours: int = 200
    steepness: float = 5.0
    provision_k1: float = 5.0
    provision_b: float = 1.0
    rare: float = 0.5
    rare_share: float = 0.5
    related: float = 1.0
    related_terms: int = 200
    titles: float = 1.0
    title_terms: int = 100


def rank_narrative(
    library: SearchableIndex,
    query: Query,
    answering: frozenset[int] | None,
    speaking: frozenset[int] | None,
    related: RelatedWords,
    token: CancelToken,
    ranking: NarrativeRanking | None = None,
) -> list[tuple[int, float]]:
    """Return the documents that match a narrative with their scores, best first.

    ``answering`` are the documents that may be returned and ``speaking`` those whose citations count (None:
    all). If both provisions and other documents match, they alternate, since a narrative needs both and their
    scores cannot be compared. Raises ``Cancelled``.
    """
    ranking = ranking or NarrativeRanking()
    provisions = frozenset(
        authority.id
        for authority in library.catalogue.all()
        if authority.kind in PROVISIONS and (answering is None or authority.id in answering)
    )
    own, best = _own_words(library, query, answering, speaking, ranking, token)
    cited = _cited(library, best, answering, ranking)
    token.raise_if_cancelled()
    judgments = {document: score for document, score in own.items() if document not in provisions}
    _add(judgments, ((each, score) for each, score in cited.items() if each not in provisions))
    if not provisions:
        return sort_best_first(judgments)
    laws = _provisions(library, query, provisions, related, ranking, token)
    _add(laws, ((each, score) for each, score in cited.items() if each in provisions))
    if not judgments:
        return sort_best_first(laws)
    # Of equal ranks the judgment leads: a provision is found from it more easily than it from a provision.
    alternating = [
        (document, 1 / (RRF_K + rank))
        for listed in (judgments, laws)
        for rank, (document, _) in enumerate(sort_best_first(listed), 1)
    ]
    return sorted(alternating, key=lambda entry: -entry[1])


def _own_words(
    library: SearchableIndex,
    query: Query,
    answering: frozenset[int] | None,
    speaking: frozenset[int] | None,
    ranking: NarrativeRanking,
    token: CancelToken,
) -> tuple[dict[int, float], list[tuple[int, float]]]:
    """Return two results: document scores by the narrative's words, and the most similar documents whose
    citations count, with their scores.

    All scores are relative to that of the best document in ``speaking``.
    """
    weights = [
        weight * (1 + math.log(max(frequency, 1)))
        for weight, frequency in zip(query.weights, query.frequencies, strict=True)
    ]

    def search(documents: frozenset[int] | None) -> list[tuple[int, float]]:
        ids, scores = library.lexical_documents(
            query.terms, DEPTH, documents, token, k1=ranking.k1, b=ranking.b, weights=weights
        )
        return list(zip(ids.tolist(), scores.tolist(), strict=True))

    spoken = search(speaking)
    answers = spoken if answering == speaking else search(answering)
    top = spoken[0][1] if spoken else answers[0][1] if answers else 1.0
    neighbours = [(document, score / top) for document, score in spoken[: ranking.neighbours]]
    return {document: score / top for document, score in answers}, neighbours


def _cited(
    library: SearchableIndex,
    neighbours: Sequence[tuple[int, float]],
    answering: frozenset[int] | None,
    ranking: NarrativeRanking,
) -> dict[int, float]:
    """Return scores for the documents cited by the judgments most similar to the narrative."""
    if not ranking.citing:
        return {}
    sums: dict[int, float] = {}
    for document, share in neighbours:
        for cited in library.graph.cited_by(document):
            if answering is None or cited in answering:
                sums[cited] = sums.get(cited, 0.0) + share**ranking.steepness
    return {document: ranking.citing * math.log1p(total) for document, total in sums.items()}


def _provisions(
    library: SearchableIndex,
    query: Query,
    provisions: frozenset[int],
    related: RelatedWords,
    ranking: NarrativeRanking,
    token: CancelToken,
) -> dict[int, float]:
    matter = [term for term, weight in zip(query.terms, query.weights, strict=True) if weight >= 1]
    frequencies = count_own_terms(query)
    scores: dict[int, float] = {}

    def search(terms: Iterable[tuple[str, float]], weight: float) -> None:
        token.raise_if_cancelled()
        asked = dict(terms)
        ids, found = library.lexical_documents(
            list(asked),
            DEPTH,
            provisions,
            token,
            k1=ranking.provision_k1,
            b=ranking.provision_b,
            weights=list(asked.values()),
        )
        _add(scores, _scaled(ids.tolist(), found.tolist(), weight))

    search(((term, 1.0) for term in _rarest(library, matter, ranking.rare_share)), ranking.rare)
    search(related.find_related(frequencies, ranking.related_terms), ranking.related)
    token.raise_if_cancelled()
    of_titles = dict(related.find_related(frequencies, ranking.title_terms, library.title_terms(provisions)))
    # How rare a related term is was counted when it was found to be related.
    ids, found = library.lexical_titles(list(of_titles), DEPTH, provisions, token, list(of_titles.values()))
    _add(scores, _scaled(ids.tolist(), found.tolist(), ranking.titles))
    return scores


def _rarest(library: SearchableIndex, terms: Sequence[str], share: float) -> list[str]:
    """Return the ``share`` of the indexed ``terms`` with the highest idf (at least one term)."""
    rarity = {term: idf for term, idf in zip(terms, library.rarity(terms), strict=True) if idf > 0}
    kept = sorted(rarity, key=lambda term: -rarity[term])
    return kept[: max(1, int(len(kept) * share))]


def _scaled(ids: Sequence[int], scores: Sequence[float], weight: float) -> Iterable[tuple[int, float]]:
    """Return the documents with their scores, scaled so that the best one is ``weight``."""
    top = scores[0] if scores else 1.0
    return ((document, weight * score / top) for document, score in zip(ids, scores, strict=True))


def _add(scores: dict[int, float], more: Iterable[tuple[int, float]]) -> None:
    for document, score in more:
        scores[document] = scores.get(document, 0.0) + score
