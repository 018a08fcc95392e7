"""Describe search candidates by who cites them for what, and make numbers comparable between queries.

Courts named in a proposition are found without a list: a name matches a court whose name in the library has
all its words in any order ("Delhi High Court", "High Court of Delhi"). A match counts less the more courts
the name fits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexls.retrieval.precedents import rank_authorities
from lexls.retrieval.refinements import compute_priors
from lexls.retrieval.stages import PassageRanking, Stages
from lexls.text.lexicon import ORDINALS, split_words
from lexls.text.phrases import load_patterns, load_phrases

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex
    from lexls.text.cancel import CancelToken


Column = NDArray[np.float64]
"""One number per candidate."""

OFFSET = 10
"""Offset in the value of a rank r, ``1 / (OFFSET + r)``; an unranked document gets 0."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The documents to be reordered, best first by their fused ``scores``.

    ``best`` maps a document to its best passage, if a stage found one.
    """

    documents: tuple[int, ...]
    scores: tuple[float, ...]
    best: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Described:
    """The documents of a fused ranking that may be reordered, and their features.

    ``places`` are their places in the ranking (from 0, ascending) and ``documents`` the documents there.
    ``features`` has a column per feature name. ``with_vectors`` is true if similarity was used.
    """

    places: tuple[int, ...] = ()
    documents: tuple[int, ...] = ()
    features: Mapping[str, Column] = field(default_factory=dict)
    with_vectors: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """The query as needed for computing features.

    ``text`` is the query's text, ``terms`` are its distinct index terms and ``sequence`` the terms of its
    text in order. ``vector`` is None if similarity is unavailable. ``speaking`` are the documents whose
    sentences and citations count (None: all).
    """

    text: str
    terms: tuple[str, ...]
    sequence: tuple[str, ...]
    vector: NDArray[np.float32] | None
    speaking: frozenset[int] | None
    tokenize: Callable[[str], Sequence[str]]


def count_ranks(documents: Iterable[int], place: Mapping[int, int]) -> Column:
    """Return a value for each candidate by its rank in ``documents`` (best first, duplicates ignored); see
    ``OFFSET``. ``place`` maps candidates to rows.
    """
    column = np.zeros(len(place))
    for rank, document in enumerate(dict.fromkeys(documents), 1):
        if document in place:
            column[place[document]] = 1 / (OFFSET + rank)
    return column


def scale(column: Column) -> Column:
    """Return the values divided by the largest one."""
    greatest = column.max(initial=0.0)
    return column / greatest if greatest > 0 else column


def standardise(column: Column) -> Column:
    """Return the values in standard deviations above the mean."""
    spread = column.std() if len(column) else 0.0
    return (column - column.mean()) / spread if spread > 0 else np.zeros(len(column))


_ORDINALS = tuple(word for word, number in ORDINALS.items() if number <= 13)
_FILE = "named_courts.toml"
_PATTERNS = load_patterns(__package__, _FILE, {"ordinals": "|".join(_ORDINALS)})
_WORDS = load_phrases(__package__, _FILE)["words"]
_NOISE = split_words(_WORDS["noise"])
_SHORT: Mapping[str, Sequence[str]] = _WORDS["short"]

Name = frozenset[str]
"""The words that distinguish a court from others."""

_NATIONS: frozenset[Name] = frozenset(split_words(nation) for nation in _WORDS["nations"])


def find_courts(text: str) -> list[tuple[Name, ...]]:
    """Return the courts that ``text`` names, in order, each with its possible names, longest first.

    Phrases such as "this Court" and "the court below" name none. A court whose decision is reversed is
    skipped.
    """
    found: dict[tuple[Name, ...], None] = {}
    for several in _PATTERNS["several"].finditer(text):
        for ordinal in _PATTERNS["ordinal"].findall(several["all"]):
            found[(_name(f"{ordinal} Circuit"),)] = None
    for match in _PATTERNS["name"].finditer(text):
        if _PATTERNS["below"].search(text[max(0, match.start() - 30) : match.start()]):
            continue
        after = match["after"]
        ends = (len(after), *(apart.start() for apart in reversed(list(_PATTERNS["apart"].finditer(after)))))
        names = dict.fromkeys(_name(match["name"] + after[:end]) for end in ends)
        if names := {name: None for name in names if name}:
            found[tuple(names)] = None
    return list(found)


def match_courts(named: Sequence[tuple[Name, ...]], courts: Sequence[str]) -> Column:
    """Return the probability that each of ``courts`` is one of those ``named``.

    It is 1, or 1 divided by the number of courts that a name matches equally. It is 0 for no match or an
    empty name. A court matches better if its own name has no further words, except those of a nation.
    """
    found = dict.fromkeys(courts, 0.0)
    held = {court: _name(court) for court in found} if named else {}
    for names in named:
        for name in names:
            fitting = [court for court, own in held.items() if name <= own]
            whole = [court for court in fitting if held[court] - name in _NATIONS]
            for court in whole or fitting:
                found[court] = max(found[court], 1 / len(whole or fitting))
            if fitting:
                break
    return np.array([found[court] for court in courts], np.float64)


def _name(phrase: str) -> Name:
    """Return the distinctive words of a court's name, without those that all courts have."""
    found = {word for each in _words(phrase) for word in _SHORT.get(each, (each,))}
    if "circuit" in found:
        # A federal circuit is its court of appeals.
        found -= {"appeal"}
    return frozenset(found - _NOISE)


def _words(phrase: str) -> Iterator[str]:
    whole = re.sub(r"(?<=\b[A-Za-z])\.(?:\s?(?=[A-Za-z]\.))?", "", phrase)
    for word in re.findall(r"[^\W_]+", re.sub(r"[’'](?=\w)", "", whole).lower()):
        ordinal = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|d)", word)
        if ordinal and 0 < int(ordinal[1]) <= len(_ORDINALS):
            yield _ORDINALS[int(ordinal[1]) - 1]
        else:
            yield word


CITING_DEPTH = 200
"""Number of the best passages whose citations are counted."""
RELATED = 200
"""Maximum number of documents from each search whose links to the candidates count."""
FIRST = 20
"""Number of first candidates used to measure citation links with the other candidates."""


def measure_citing(
    name: str, said: PassageRanking, cited_in: Mapping[int, Sequence[int]], place: Mapping[int, int]
) -> dict[str, Column]:
    """Return features of the authorities cited in the best passages. Each document counts once per authority,
    by its best passage.
    """
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
    """Return features of the candidates as authorities cited for past propositions similar to the query."""
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
    """Return features of all propositions for which each candidate is cited: the share of the query's terms
    that occur in them, and their similarity to the query.
    """
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
    """Return features of the citation links between the candidates and the documents whose own text matches
    the query.
    """
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
        """Return, for each candidate, the sum of ``worth`` over its linked documents, relative to the largest
        sum.
        """
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
