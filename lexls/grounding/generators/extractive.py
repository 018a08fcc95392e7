"""The generator without a model: sentences of the evidence itself, the best first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lexls.grounding.generator import Claim, Insufficient, Part, Quoted
from lexls.grounding.injection import gives_orders
from lexls.grounding.opposition import LIMITS, Proposition, opposition
from lexls.grounding.relevance import Tokens, Weights, content_terms
from lexls.grounding.request import Request
from lexls.grounding.selection import (
    Candidate,
    Encode,
    Standards,
    bears,
    candidates,
    chosen,
    convinces,
    with_vectors,
)
from lexls.grounding.voices import reports_a_party
from lexls.text.cancel import CancelToken
from lexls.text.words import words

ROOM = 120_000
"""Characters of evidence; reading so many takes 50 ms."""
_LEANS = re.compile(
    r"^\W{0,3}(?:\d{1,4}\W{1,3})?(?:and|but|or|nor|so|thus|hence|however|therefore|accordingly|moreover|further|furthermore|also|"
    r"nevertheless|this|that|these|those|such|it|its|he|she|they|his|her|their|here|there|we|i|our|my|you|"
    r"see|id|ibid|the (?:latter|former|same))\b|\b(?:we|I|our|my)\b",
    re.IGNORECASE,
)
"""A sentence that leans on the one before it, or that only its own court can say."""
_LONGEST_DRAFTED = 450
_LEANING = 0.5
"""What a leaning sentence counts when one is wanted that can stand in a draft."""
_POINTS_BACK = re.compile(
    r"^\W{0,3}(?:\d{1,4}\W{1,3})?(?:it(?!\s(?:is|was|shall|will|would|may|must)\b)|its|he|she|they|his|her|"
    r"their|this|that|these|those|such|here|see|cf|accord|compare)\b",
    re.IGNORECASE,
)
_POINTING_BACK = 0.75
"""What a sentence counts whose subject stands in the one before it, or that only cites: alone it says less
than its words."""
_SAYING_NOTHING = words(
    "become becomes became happen happens happened make makes made get gets got need needs use uses"
)
"""Verbs of questions that no reader looks for in an answer."""
_PARTYS = 0.5
"""What a sentence counts that tells what a party says: the court may well have held the opposite."""


class ExtractiveGenerator:
    """Answers with sentences of the evidence, word for word, by words and, with ``encode``, by likeness.

    ``standards`` say when a sentence bears. For a drafted sentence it prefers those that can stand alone;
    for contrary authority it gives only those that deny, limit or do not follow what the question says.
    """

    name = "extractive"
    room = ROOM

    def __init__(
        self, tokens: Tokens, encode: Encode | None = None, standards: Standards | None = None
    ) -> None:
        self._tokens = tokens
        self._encode = encode
        self._standards = standards or Standards()

    def generate(self, request: Request, token: CancelToken) -> Iterator[Part]:
        """An extract for each sentence chosen, then the words of the question that none of them has.

        Those of the place that a citation points at come first. Where nothing bears, only words that the
        evidence lacks are named. Raises ``Cancelled``.
        """
        asked = content_terms(request.subject, self._tokens)
        if not asked or not request.evidence:
            return
        found, weights = candidates(request, tuple(asked), self._tokens, self._standards, token)
        token.raise_if_cancelled()
        bearing = self._bearing(request, found, weights, token)
        said: set[str] = set()
        for each in self._ordered(bearing, weights, request):
            said |= each.terms.keys()
            yield Claim("", (Quoted(each.evidence.identifier, each.text),))
        if not said:
            said = {term for each in found for term in each.terms}
        missing = tuple(
            word
            for term, word in asked.items()
            if term not in said and word.casefold() not in _SAYING_NOTHING
        )
        if missing:
            yield Insufficient(missing)

    def _bearing(
        self, request: Request, found: list[Candidate], weights: Weights, token: CancelToken
    ) -> list[Candidate]:
        if request.task == "draft":
            found = [each for each in found if len(each.text) <= _LONGEST_DRAFTED and "?" not in each.text]
        if request.task == "contrary":
            found = self._against(request, found, weights)
        if self._encode is not None and found:
            found = with_vectors(request.subject, found, self._encode)
            token.raise_if_cancelled()
        bearing = [
            each for each in found if bears(each, weights, self._standards) and not gives_orders(each.text)
        ]
        if not any(convinces(each, self._standards) for each in bearing):
            return []
        bearing = [
            replace(each, score=each.score * _PARTYS) if _is_a_partys(each) else each for each in bearing
        ]
        leans, share = (_LEANS, _LEANING) if request.task == "draft" else (_POINTS_BACK, _POINTING_BACK)
        return [
            replace(each, score=each.score * share) if leans.search(each.text) else each for each in bearing
        ]

    def _against(self, request: Request, found: list[Candidate], weights: Weights) -> list[Candidate]:
        """The candidates that stand against the question, their scores by how much they do."""
        proposition = Proposition.of(request.subject, self._tokens)
        against = []
        for each in found:
            if not any(term in each.terms for term in weights.terms):
                continue
            strength = opposition(each.text, proposition, self._tokens)
            if strength > LIMITS or (strength == LIMITS and each.coverage >= self._standards.enough):
                against.append(replace(each, score=each.score * strength))
        return against

    def _ordered(self, bearing: list[Candidate], weights: Weights, request: Request) -> list[Candidate]:
        """The sentences chosen: those of the pinpoint first, then by their scores."""
        return sorted(
            chosen(bearing, weights, request.sentences), key=lambda each: (not each.at_pinpoint, -each.score)
        )


def _is_a_partys(candidate: Candidate) -> bool:
    return candidate.evidence.authority.kind == "case" and reports_a_party(candidate.text)
