"""Read the roles of a judgment's sentences and passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from lexls.library.roles.classifier import (
    RoleWeights,
    classify,
    classify_by_rules,
    load_weights,
    score_sentences,
    softmax,
)
from lexls.library.roles.features import FeatureReader, SentenceFeatures
from lexls.library.roles.indicators import IndicatorFile, Scores, load_indicators
from lexls.library.roles.role import ROLES, Role
from lexls.library.roles.words import Vocabulary, find_sentence_spans, sum_by
from lexls.text.spans import Span

Method = Literal["both", "rules", "classifier"]

TELLING: Mapping[Role, float] = MappingProxyType(
    {"ISSUE": 2.0, "RATIO": 2.0, "RPC": 1.5, "PRE_NOT_RELIED": 1.5, "ANALYSIS": 0.8, "NONE": 0.3}
)
"""How much more than others a sentence of a role says about its passage: one sentence that poses the question
or gives the holding makes the passage, however much discussion surrounds it."""

SURE = 0.4
"""The part of what its sentences say that must speak for a passage's role."""


@dataclass(frozen=True, slots=True)
class SentenceRole:
    """A sentence, ``span`` of its passage's text, and its role with the probability of it."""

    span: Span
    role: Role
    probability: float


class RoleReader:
    """Reads roles; safe to use from several threads.

    ``method`` says what decides: rules and classifier together, or one of them alone (for measuring).
    """

    def __init__(self, indicators: IndicatorFile, weights: RoleWeights, method: Method = "both") -> None:
        self._weights = weights
        self._features = FeatureReader(indicators, Vocabulary(weights.words))
        self._method = method
        self._telling = np.array([TELLING.get(role, 1.0) for role in ROLES])

    @classmethod
    def load(cls, method: Method = "both") -> RoleReader:
        """The reader with the indicators and weights that come with lexls."""
        return cls(load_indicators(), load_weights(), method)

    def passage_roles(
        self, texts: Sequence[str], headings: Sequence[str], numbered: Sequence[bool] = ()
    ) -> tuple[Role, ...]:
        """The role of each passage of a judgment, all passages given in order with the headings above them.

        It is the role that most of the passage's sentences speak for, telling ones (``TELLING``) more; "NONE"
        where none is sure enough (``SURE``): better nothing than a wrong word. A numbered paragraph
        (``numbered``, empty: not known) is no part of the head.
        """
        features = self._features.read(texts, headings)
        found = np.zeros((len(texts), len(ROLES)))
        if len(features.sentences):
            shares = self._shares(features) * self._telling
            found = sum_by(features.sentences.passages, shares, len(texts))
        if len(numbered):
            found[np.asarray(numbered, np.bool_), ROLES.index("PREAMBLE")] = 0.0
        found[:, ROLES.index("NONE")] += 1e-9  # where there is no sentence
        best = found.argmax(axis=1)
        best[found.max(axis=1) < SURE * found.sum(axis=1)] = ROLES.index("NONE")
        return tuple(ROLES[place] for place in best.tolist())

    def sentence_roles(
        self, texts: Sequence[str], headings: Sequence[str]
    ) -> tuple[tuple[SentenceRole, ...], ...]:
        """The sentences of each passage of a judgment with their roles; arguments as of ``passage_roles``."""
        features = self._features.read(texts, headings)
        shares = self._shares(features)
        best = shares.argmax(axis=1)
        bounds = np.searchsorted(features.sentences.passages, np.arange(len(texts) + 1))
        return tuple(
            tuple(
                SentenceRole(span, ROLES[best[row]], float(shares[row, best[row]]))
                for row, span in zip(
                    range(bounds[place], bounds[place + 1]),
                    find_sentence_spans(text, self._features.vocabulary),
                    strict=True,
                )
            )
            for place, text in enumerate(texts)
        )

    def _shares(self, features: SentenceFeatures) -> Scores:
        if not len(features.sentences):
            return np.zeros((0, len(ROLES)))
        if self._method == "rules":
            return classify_by_rules(features)
        if self._method == "classifier":
            return softmax(score_sentences(self._weights, features))
        return classify(self._weights, features)
