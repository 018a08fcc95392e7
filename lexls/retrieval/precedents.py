"""Match a sentence with precedents: similar past sentences and the authorities they cite.

Every sentence of the library that cites an authority is a case ⟨question Q, support S, entities E, answer A⟩:
its proposition, the supporting passage of the authority, the names and figures in it, and the authority. A
new sentence q is compared with each part (Wiratunga and others, CBR-RAG, 2024, equation 3):

    w1 · Sim(f(q), f(Q)) + w2 · Sim(g(q), g(S)) + w3 · Sim(g(q), g(E))

f encodes the sentence as it is, g with the query prefix that the embedding model expects. If a case lacks a
part, the weights of the others are scaled up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from lexls.retrieval.model import sort_best_first

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.searchable import SearchableIndex
    from lexls.text.cancel import CancelToken

CaseMode = Literal["hybrid", "question", "support", "entities"]
"""The parts of a case that are compared: all of them, or a single one."""
DEFAULT_WEIGHTS = (0.25, 0.40, 0.35)
"""Weights of question, support and entities, as published."""
DEPTH = 100
"""Number of candidates by words, and as many by similarity."""
Parts = tuple[float | None, float | None, float | None]
"""The cosines of question, support and entities, each None if not comparable."""
BY_WORDS = 0.3
NEXT = 0.1
"""Weights, in ranking authorities, of the BM25 score and of further matches; see ``rank_authorities``."""


@dataclass(frozen=True, slots=True)
class CaseWeights:
    """The weights of question, support and entities.

    Raises ``ValueError`` if the mode is unknown, a weight is negative, or no weight is positive.
    """

    mode: CaseMode = "hybrid"
    weights: tuple[float, float, float] = DEFAULT_WEIGHTS

    def __post_init__(self) -> None:
        if self.mode not in get_args(CaseMode):
            raise ValueError(f"unknown mode {self.mode!r}: give one of {', '.join(get_args(CaseMode))}")
        if len(self.weights) != 3 or min(self.weights) < 0 or not any(self.weights):
            raise ValueError("the weights are three numbers that are not negative, one of them above 0")

    @property
    def used(self) -> tuple[float, float, float]:
        """Return the weights of the three parts in this mode."""
        if self.mode == "hybrid":
            return self.weights
        return float(self.mode == "question"), float(self.mode == "support"), float(self.mode == "entities")

    def combine(self, parts: Parts) -> float | None:
        """Return the weighted mean of the available parts, or None if no part with a weight is available."""
        total = combined = 0.0
        for weight, part in zip(self.used, parts, strict=True):
            if weight and part is not None:
                total += weight
                combined += weight * part
        return combined / total if total else None


@dataclass(frozen=True, slots=True)
class PrecedentMatch:
    """A precedent similar to the sentence, for one authority that it cites.

    ``citing`` is the citing document, or 0 for a case of a case base or draft, whose index is then
    ``precedent``. ``question``, ``support`` and ``entities`` are cosines (None if not comparable).
    ``lexical`` is its BM25 score (None if found by similarity only) and ``score`` the combined score.
    """

    precedent: int
    citing: int
    authority: int
    score: float
    question: float | None
    support: float | None
    entities: float | None
    lexical: float | None


class MatchedPrecedents:
    """The precedents that may be similar to a sentence: the best by words and the nearest by similarity.

    They are searched for once and can then be ranked in several ways. ``terms`` are the sentence's index
    terms. ``vector`` and ``prefixed`` are its vectors without and with the query prefix (f and g in the
    module description; ``prefixed`` None: the same). Without ``vector``, only words are compared.
    ``speaking`` are the documents whose sentences count (None: all). Raises ``Cancelled``.
    """

    def __init__(
        self,
        library: SearchableIndex,
        terms: Sequence[str],
        vector: NDArray[np.float32] | None,
        speaking: Collection[int] | None,
        token: CancelToken,
        *,
        prefixed: NDArray[np.float32] | None = None,
    ) -> None:
        self._precedents = library.precedents
        self._vector = vector
        self._prefixed = vector if prefixed is None else prefixed
        ids, scores = self._precedents.lexical(terms, DEPTH, speaking, token)
        self._lexical: dict[int, float] = dict(zip(ids.tolist(), scores.tolist(), strict=True))
        found = list(self._lexical)
        if vector is not None:
            near, _ = self._precedents.nearest(vector, DEPTH, speaking, token)
            found = list(dict.fromkeys([*found, *near.tolist()]))
        citations = dict(zip(found, self._precedents.find_citations(found, token), strict=True))
        self._citing = {precedent: document for precedent, (document, _) in citations.items()}
        self._pairs = [(each, authority) for each, (_, cited) in citations.items() for authority in cited]

    def rank(
        self, k: int, options: CaseWeights, answering: Collection[int] | None, token: CancelToken
    ) -> list[PrecedentMatch]:
        """Return the ``k`` precedents most similar to the sentence, best first, with one match per authority
        cited.

        ``answering`` are the documents that may be returned (None: all). Raises ``Cancelled``.
        """
        pairs = [pair for pair in self._pairs if answering is None or pair[1] in answering]
        parts = self._compare(pairs, options, token)
        best_lexical = max(self._lexical.values(), default=0.0)
        best_question = max((part[0] for part in parts if part[0] is not None), default=1.0)
        matches = []
        for (precedent, authority), (question, support, entities) in zip(pairs, parts, strict=True):
            by_words = self._lexical.get(precedent)
            similarity = question
            if question is None and by_words is not None:
                # No vector yet: the best by words is assumed to be as similar as the best by vector.
                similarity = best_question * _share(by_words, best_lexical)
            score = options.combine((similarity, support, entities))
            citing = self._citing[precedent]
            if score is not None and citing:
                matches.append(
                    PrecedentMatch(precedent, citing, authority, score, question, support, entities, by_words)
                )
        matches.sort(key=lambda match: (-match.score, match.precedent, match.authority))
        return matches[:k]

    def _compare(
        self, pairs: Sequence[tuple[int, int]], options: CaseWeights, token: CancelToken
    ) -> list[Parts]:
        """Return the cosines of question, support and entities for each pair, None if not comparable."""
        if self._vector is None or self._prefixed is None or not pairs:
            return [(None, None, None)] * len(pairs)
        ids = [precedent for precedent, _ in pairs]
        question = self._precedents.compare_propositions(self._vector, ids)
        support: Iterable[float] = [float("nan")] * len(ids)
        if options.used[1]:
            support = self._precedents.compare_supports(self._prefixed, pairs, token)
        entities = self._precedents.compare_entities(self._prefixed, ids)
        parts = zip(question, support, entities, strict=True)
        return [(to_part(q), to_part(s), to_part(e)) for q, s, e in parts]


def rank_authorities(matches: Sequence[PrecedentMatch]) -> list[tuple[int, float]]:
    """Return the authorities of ``matches``, all for one sentence, with their scores, best first.

    The value of a match is its score plus ``BY_WORDS`` times its BM25 score relative to the best. The score
    of an authority is the value of its best match, plus ``NEXT`` times that of the second, and for each
    further match a tenth of the previous factor. Each citing document counts once, so that no judgment
    outvotes others by repetition. On 561 citing sentences this found more of the cited authorities than the
    sum of several matches, the best match alone, or either part alone (``benchmarks/RESULTS.md``).
    """
    most = max((match.lexical for match in matches if match.lexical is not None), default=0.0)
    best: dict[int, dict[int, float]] = {}
    for match in matches:
        of = best.setdefault(match.authority, {})
        by_words = _share(match.lexical, most) if match.lexical is not None else 0.0
        score = match.score + BY_WORDS * by_words
        of[match.citing] = max(score, of.get(match.citing, 0.0))
    scores: Mapping[int, float] = {
        authority: sum(score * NEXT**place for place, score in enumerate(sorted(of.values(), reverse=True)))
        for authority, of in best.items()
    }
    return sort_best_first(scores)


def _share(score: float, best: float) -> float:
    """Return a BM25 score relative to the best one, from 0 to 1. A negative score, which occurs among very
    few sentences, counts 0.
    """
    return max(0.0, score) / best if best > 0 else 1.0


def to_part(value: float) -> float | None:
    """Return ``value``, or None if it is not a number (NaN)."""
    return float(value) if value == value else None
