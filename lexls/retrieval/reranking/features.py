"""Describe each candidate of a search in numbers for a learned model.

Every feature describes one candidate document for one query: how the stages found it, who cites it for what,
how it relates to the other candidates, and how its best passage is worded. None depends on the size of the
library or the names of its documents. A stage without results gives zeros.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lexls.retrieval.reranking.candidates import (
    Asked,
    Candidates,
    Column,
    count_ranks,
    find_courts,
    match_courts,
    measure_cited_for,
    measure_citing,
    measure_graph,
    measure_matches,
    scale,
    standardise,
)
from lexls.retrieval.stages import PassageRanking, Stages

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex
    from lexls.text.cancel import CancelToken


COMPARED = 40
"""Number of candidates whose best passage is compared with the proposition word by word."""
QUOTING = 40
"""Maximum number of passages of these candidates, best by the words of a quotation, that are searched
for it.
"""
FIRST = 20
"""Number of first candidates used to measure citation links. One and a half times as many are used to find
likely courts.
"""
OWN = ("passage_rank", "document_rank", "similarity_rank", "pairs_relative", "window_relative")
"""Features of an authority's own text, which also have separate weights for uncited authorities."""
STANDING = (
    "passage_raw",
    "document_raw",
    "similarity_raw",
    "cited_for_share",
    "cited_for_similarity",
    "words_share",
    "window",
    "related_citers",
    "related_shared",
    "length",
)
"""Features that are also given in standard deviations above the mean of the candidates."""
SHRUNK = 3
"""Number of uncited authorities added to a court's authorities before the mean of their citations is
computed, so that a court with few candidates gets no extreme value.
"""


def compute_features(
    library: SearchableIndex, asked: Asked, stages: Stages, candidates: Candidates, token: CancelToken
) -> dict[str, Column]:
    """Return the features of ``candidates`` by name, with one number per candidate. Raises ``Cancelled``."""
    place = {document: row for row, document in enumerate(candidates.documents)}
    weights = dict(zip(asked.terms, map(abs, library.rarity(asked.terms)), strict=True))
    total = sum(weights.values()) or 1.0
    found: dict[str, Column] = {}
    found |= _of_passages("passage", stages.lexical, place, total)
    found |= _of_passages("similarity", stages.nearest, place, 1.0)
    found |= _of_documents(stages, place, total)
    found |= measure_citing("cited_lexical", stages.said_lexical, stages.cited_in, place)
    found |= measure_citing("cited_nearest", stages.said_nearest, stages.cited_in, place)
    found |= measure_matches(stages, place)
    token.raise_if_cancelled()
    found |= measure_cited_for(library, asked, weights, place, token)
    token.raise_if_cancelled()
    found |= measure_graph(library, asked, stages, candidates)
    found |= _of_courts(library, asked, candidates, found["citers"])
    found["fused"] = np.asarray(candidates.scores) / (max(candidates.scores, default=1.0) or 1.0)
    found["fused_rank"] = count_ranks(candidates.documents, place)
    token.raise_if_cancelled()
    found |= _of_words(library, asked, weights, candidates, token)
    found["quoted"] = _quoted(library, asked, candidates, token)
    # For an uncited authority no propositions are known, so its own words count more.
    uncited = (found["citers"] == 0).astype(np.float64)
    found |= {f"{name}_uncited": found[name] * uncited for name in OWN}
    found |= {f"{name}_standing": standardise(found[name]) for name in STANDING}
    found["uncited"] = uncited
    return found


def _of_passages(
    name: str, ranking: PassageRanking, place: Mapping[int, int], total: float
) -> dict[str, Column]:
    """Return features of the passages that a stage found in each document. Scores are scaled so that the
    worst is 0 and the best is 1.
    """
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
        f"{name}_rank": count_ranks(ranking.documents, place),
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
        "document_rank": count_ranks(stages.documents, place),
        "document_best": scores / greatest,
        "document_raw": scores / total,
    }


def _of_courts(
    library: SearchableIndex, asked: Asked, candidates: Candidates, citers: Column
) -> dict[str, Column]:
    """Return features of each candidate's court and length: whether the query names the court, how common the
    court is among the first candidates, how often the court's other candidates are cited, and the
    document's length.
    """
    authorities = [library.catalogue.get(document) for document in candidates.documents]
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
        "named_court": match_courts(find_courts(asked.text), courts),
        "length": np.log1p(np.asarray(library.passage_counts(candidates.documents), np.float64)),
    }


def _quoted(library: SearchableIndex, asked: Asked, candidates: Candidates, token: CancelToken) -> Column:
    """Return, for each of the first candidates, the share of the query's quoted words that its text contains
    verbatim.
    """
    share = np.zeros(len(candidates.documents))
    segments = find_quoted_words(asked.text)
    if not segments:
        return share
    place = {document: row for row, document in enumerate(candidates.documents[:COMPARED])}
    terms = list(dict.fromkeys(term for segment in segments for term in asked.tokenize(segment)))
    passages, scores = library.lexical(terms, QUOTING, frozenset(place), token)
    if not len(passages):
        return share
    texts: dict[int, list[str]] = {}
    # A passage with the quotation has all its terms, so it cannot score far below the best.
    for record in library.contents.passage_records(passages[scores >= scores[0] / 2].tolist(), token):
        texts.setdefault(place[record.document], []).append(record.text)
    wanted = [keep_letters(segment) for segment in segments]
    for row, held in texts.items():
        share[row] = measure_quoted_share(wanted, held)
    return share


def _of_words(
    library: SearchableIndex,
    asked: Asked,
    weights: Mapping[str, float],
    candidates: Candidates,
    token: CancelToken,
) -> dict[str, Column]:
    """Return features of how closely the best passage of each of the first candidates matches the query's
    wording.
    """
    columns = np.zeros((len(Overlap._fields), len(candidates.documents)))
    proposition = RankedProposition(asked.sequence, weights)
    rows = {
        candidates.best[document]: row
        for row, document in enumerate(candidates.documents[:COMPARED])
        if document in candidates.best
    }
    for record in library.contents.passage_records(rows, token):
        columns[:, rows[record.id]] = proposition.measure_overlap(asked.tokenize(record.text))
    pairs, triples, window, share = columns
    return {
        "pairs": pairs,
        "pairs_relative": scale(pairs),
        "triples_relative": scale(triples),
        "window": window,
        "window_relative": scale(window),
        "words_share": share,
        "words_relative": scale(share),
    }


FEWEST_WORDS = 4
"""Minimum number of words in a quotation; fewer are a mere phrase."""
_QUOTED = re.compile(
    r"“([^“”]{12,1500})(?:”|$)|\"([^\"]{12,1500})(?:\"|$)|‘([^‘]{12,1500}?)(?:[.,]?’(?!\w)|$)"
)
_ALTERED = re.compile(r"\.\s?\.\s?\.|…|\*\s?\*\s?\*|\[[^\]]{2,}\]")
"""Match an omission or an insertion in a quotation."""


def find_quoted_words(text: str) -> list[str]:
    """Return the segments of at least ``FEWEST_WORDS`` words that ``text`` quotes without change, in order. A
    quotation without a closing mark extends to the end.
    """
    return [
        segment.strip()
        for match in _QUOTED.finditer(text)
        for segment in _ALTERED.split(next(group for group in match.groups() if group))
        if len(re.findall(r"\w+", segment)) >= FEWEST_WORDS
    ]


def keep_letters(text: str) -> str:
    """Return the letters and digits of ``text`` in lower case, so that texts can be compared without
    punctuation and spaces.
    """
    return "".join(filter(str.isalnum, text.lower()))


def measure_quoted_share(segments: Sequence[str], passages: Iterable[str]) -> float:
    """Return the share of ``segments`` (see ``keep_letters``), by length, that occur verbatim in a
    passage.
    """
    texts = [keep_letters(passage) for passage in passages]
    total = sum(map(len, segments))
    return (
        sum(len(each) for each in segments if any(each in text for text in texts)) / total if total else 0.0
    )


SLACK = 10
"""Number of terms by which the compared segment of a passage (``Overlap.window``) is longer than the
proposition.
"""


class Overlap(NamedTuple):
    """Weighted shares, from 0 to 1, of a proposition's terms found in a passage.

    ``pairs`` and ``triples`` count terms that are consecutive in both. ``window`` counts the terms within one
    segment of the passage that is slightly longer than the proposition, and ``all`` the terms anywhere.
    """

    pairs: float
    triples: float
    window: float
    all: float


class RankedProposition:
    """A proposition for comparison with passages: its ``terms`` in order, with repetitions, and their
    weights.
    """

    def __init__(self, terms: Sequence[str], weights: Mapping[str, float]) -> None:
        weight = {term: weights.get(term, 0.0) for term in terms}
        self._weights = weight
        self._length = len(terms) + SLACK
        self._pairs = {(a, b): weight[a] + weight[b] for a, b in pairwise(terms)}
        self._triples = {
            (a, b, c): weight[a] + weight[b] + weight[c]
            for a, b, c in zip(terms, terms[1:], terms[2:], strict=False)
        }
        self._all = sum(weight.values()) or 1.0
        self._all_pairs = sum(self._pairs.values()) or 1.0
        self._all_triples = sum(self._triples.values()) or 1.0

    def measure_overlap(self, passage: Sequence[str]) -> Overlap:
        """Return the overlap with a passage, given as its terms in order."""
        weight = self._weights
        hits = [(place, term) for place, term in enumerate(passage) if term in weight]
        if not hits:
            return Overlap(0.0, 0.0, 0.0, 0.0)
        pairs = self._pairs.keys() & pairwise(passage)
        triples = (
            self._triples.keys() & zip(passage, passage[1:], passage[2:], strict=False) if pairs else set()
        )
        return Overlap(
            sum(self._pairs[pair] for pair in pairs) / self._all_pairs,
            sum(self._triples[triple] for triple in triples) / self._all_triples,
            self._best_window(hits) / self._all,
            sum(weight[term] for term in {term for _, term in hits}) / self._all,
        )

    def _best_window(self, hits: Sequence[tuple[int, str]]) -> float:
        counts: dict[str, int] = {}
        held = best = 0.0
        first = 0
        for place, term in hits:
            counts[term] = counts.get(term, 0) + 1
            if counts[term] == 1:
                held += self._weights[term]
            while hits[first][0] <= place - self._length:
                gone = hits[first][1]
                counts[gone] -= 1
                if not counts[gone]:
                    held -= self._weights[gone]
                first += 1
            best = max(best, held)
        return best
