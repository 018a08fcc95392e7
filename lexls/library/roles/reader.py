"""Determine the roles of a judgment's sentences and passages, by a logistic regression and rules.

The roles of adjacent sentences influence each other. ``benchmarks/train_roles.py`` trains the weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from types import MappingProxyType
from typing import IO, Literal

import numpy as np
from numpy.typing import NDArray

from lexls.library.roles.indicators import (
    FeatureReader,
    IndicatorFile,
    Scores,
    SentenceFeatures,
    load_indicators,
)
from lexls.library.roles.role import ROLES, Role
from lexls.library.roles.words import KeyTable, Numbers, Sentences, Vocabulary, find_sentence_spans, sum_by
from lexls.text.spans import Span

Method = Literal["both", "rules", "classifier"]

TELLING: Mapping[Role, float] = MappingProxyType(
    {"ISSUE": 2.0, "RATIO": 2.0, "RPC": 1.5, "PRE_NOT_RELIED": 1.5, "ANALYSIS": 0.8, "NONE": 0.3}
)
"""The weight of a sentence of each role when its passage's role is determined. A single sentence that states
the issue or the holding determines the passage, however much discussion surrounds it.
"""

SURE = 0.4
"""Minimum share of a passage's weight (the sum of its sentences' weights) that must support its role."""


@dataclass(frozen=True, slots=True)
class SentenceRole:
    """A sentence (a ``span`` of its passage's text) with its role and the role's probability."""

    span: Span
    role: Role
    probability: float


class RoleReader:
    """Determines roles; safe to use from several threads.

    ``method`` is what decides: rules and classifier together, or only one of them (for evaluation).
    """

    def __init__(self, indicators: IndicatorFile, weights: RoleWeights, method: Method = "both") -> None:
        self._weights = weights
        self._features = FeatureReader(indicators, Vocabulary(weights.words))
        self._method = method
        self._telling = np.array([TELLING.get(role, 1.0) for role in ROLES])

    @classmethod
    def load(cls, method: Method = "both") -> RoleReader:
        """Return a reader with the indicators and weights included with lexls."""
        return cls(load_indicators(), load_weights(), method)

    def passage_roles(
        self, texts: Sequence[str], headings: Sequence[str], numbered: Sequence[bool] = ()
    ) -> tuple[Role, ...]:
        """Return the role of each passage, as ``passage_shares`` determines it."""
        return tuple(role for role, _ in self.passage_shares(texts, headings, numbered))

    def passage_shares(
        self, texts: Sequence[str], headings: Sequence[str], numbered: Sequence[bool] = ()
    ) -> tuple[tuple[Role, float], ...]:
        """Return the role of each passage of a judgment, with the share (0 to 1) of its sentences' weight
        that supports it.

        All passages are given in order, with the headings above them. The role is the one best supported by
        the passage's sentences, weighted by ``TELLING``. It is "NONE" if the share is below ``SURE``, since
        no label is better than a wrong one. Numbered paragraphs (``numbered``; empty: unknown) are never part
        of the caption.
        """
        features = self._features.read(texts, headings)
        found = np.zeros((len(texts), len(ROLES)))
        if len(features.sentences):
            shares = self._shares(features) * self._telling
            found = sum_by(features.sentences.passages, shares, len(texts))
        if len(numbered):
            found[np.asarray(numbered, np.bool_), ROLES.index("PREAMBLE")] = 0.0
        found[:, ROLES.index("NONE")] += 1e-9  # for passages without sentences
        best = found.argmax(axis=1)
        certain = found.max(axis=1) / found.sum(axis=1)
        best[certain < SURE] = ROLES.index("NONE")
        return tuple(
            (ROLES[place], share) for place, share in zip(best.tolist(), certain.tolist(), strict=True)
        )

    def sentence_roles(
        self, texts: Sequence[str], headings: Sequence[str]
    ) -> tuple[tuple[SentenceRole, ...], ...]:
        """Return the sentences of each passage of a judgment with their roles. The arguments are those of
        ``passage_roles``.
        """
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


_HEADING = 1.5
_PREAMBLE, _FACTS, _ANALYSIS, _ORDER, _NONE = (
    ROLES.index(role) for role in ("PREAMBLE", "FAC", "ANALYSIS", "RPC", "NONE")
)
_STAY = 1.0
_SMOOTHING = 1.0


def score_by_rules(features: SentenceFeatures) -> Scores:
    """Return the rules' scores for each sentence, regardless of its neighbours, as logits: a row for each
    sentence, a column for each role.
    """
    count = len(features.sentences)
    scores = features.indicators.copy()
    if not count:
        return scores
    rows = np.arange(count)
    named = features.headings >= 0
    scores[rows[named], features.headings[named]] += _HEADING
    place = rows / count
    # A judgment begins with its head, states the facts in its first third and then discusses them.
    scores[:, _FACTS] += 1.0 * (place < 0.35)
    scores[:, _ANALYSIS] += 0.4 + 0.6 * (place >= 0.35)
    scores[:2, _PREAMBLE] += 3.0
    scores[2:, _PREAMBLE] -= 2.0 + 4.0 * (place[2:] > 0.1)
    scores[-2:, _ORDER] += 1.0
    scores[:, _ORDER] -= 1.0 * (place < 0.3)
    scores[:, _NONE] += 0.2
    return scores


def classify_by_rules(features: SentenceFeatures) -> Scores:
    """Return the probability of each role by the rules, smoothed over adjacent sentences."""
    return smooth(score_by_rules(features), _STAY * np.eye(len(ROLES)), _SMOOTHING)


ROUNDS = 3


def softmax(scores: Scores) -> Scores:
    """Return each row of scores as probabilities."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Scores = raised / raised.sum(axis=1, keepdims=True)
    return shares


def smooth(scores: Scores, transitions: Scores, weight: float, rounds: int = ROUNDS) -> Scores:
    """Return the probabilities of roles given those of the sentences before and after.

    ``scores`` are logits, with a row for each sentence. ``transitions[a, b]`` is how much ``b`` after ``a``
    is favoured, as a logit. The method is mean field: each round adds the support of the neighbours' current
    probabilities for all rows at once. For long judgments it is far cheaper than a Viterbi pass in Python.
    """
    shares = softmax(scores)
    for _ in range(rounds):
        moved = scores.copy()
        moved[1:] += weight * (shares[:-1] @ transitions)
        moved[:-1] += weight * (shares[1:] @ transitions.T)
        shares = softmax(moved)
    return shares


FILE = "weights.npz"


@dataclass(frozen=True, slots=True)
class RoleWeights:
    """The trained weights; their columns are ``ROLES``.

    ``words`` are the known words, which come first in the vocabulary. ``by_word`` has a row for each number
    of the vocabulary, and ``by_feature`` one for each of ``features.NAMES``. ``pairs`` are the sorted keys
    (``make_pair_keys``) of the rows of ``by_pair``. ``rules`` is the weight of the rules' scores, and
    ``smoothing`` that of the neighbours through ``transitions`` (see ``smooth``).
    """

    words: tuple[str, ...]
    by_word: NDArray[np.float32]
    pairs: Numbers
    by_pair: NDArray[np.float32]
    by_feature: Scores
    transitions: Scores
    rules: float
    smoothing: float
    pair_table: KeyTable = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pair_table", KeyTable(self.pairs))

    def save(self, stream: IO[bytes]) -> None:
        """Write to an NPZ file, with the weights of words and pairs in one byte each."""
        word_scale, words = _small(self.by_word)
        pair_scale, pairs = _small(self.by_pair)
        np.savez_compressed(
            stream,
            words=np.frombuffer("\n".join(self.words).encode(), np.uint8),
            by_word=words,
            word_scale=word_scale,
            pairs=self.pairs,
            by_pair=pairs,
            pair_scale=pair_scale,
            by_feature=self.by_feature.astype(np.float32),
            transitions=self.transitions.astype(np.float32),
            mixed=np.array([self.rules, self.smoothing]),
        )


def load_weights() -> RoleWeights:
    """Return the weights included with lexls."""
    with resources.files(__package__).joinpath(FILE).open("rb") as stream:
        return read_weights(stream)


def read_weights(stream: IO[bytes]) -> RoleWeights:
    """Return the weights written by ``RoleWeights.save``."""
    with np.load(stream, allow_pickle=False) as file:
        return RoleWeights(
            words=tuple(file["words"].tobytes().decode().split("\n")),
            by_word=file["by_word"].astype(np.float32) * file["word_scale"],
            pairs=file["pairs"],
            by_pair=file["by_pair"].astype(np.float32) * file["pair_scale"],
            by_feature=file["by_feature"].astype(np.float64),
            transitions=file["transitions"].astype(np.float64),
            rules=float(file["mixed"][0]),
            smoothing=float(file["mixed"][1]),
        )


def _small(weights: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    scale = np.maximum(np.abs(weights).max(axis=0), 1e-9) / 127
    return scale.astype(np.float32), np.round(weights / scale).astype(np.int8)


def make_pair_keys(sentences: Sentences, vocabulary_size: int) -> tuple[Numbers, Numbers]:
    """Return a key for each pair of consecutive words in a sentence, and the index of that sentence."""
    numbers, starts = sentences.numbers, sentences.starts
    if not len(sentences):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    sentence = np.repeat(np.arange(len(sentences)), np.diff(starts))
    same = sentence[:-1] == sentence[1:]
    return (numbers[:-1] * vocabulary_size + numbers[1:])[same], sentence[:-1][same]


def score_words(weights: RoleWeights, sentences: Sentences) -> Scores:
    """Return the scores from words and pairs, divided by the square root of the sentence's length."""
    count = len(sentences)
    scores = np.zeros((count, len(ROLES)))
    if not count:
        return scores
    starts = sentences.starts
    scores += np.add.reduceat(weights.by_word.take(sentences.numbers, axis=0), starts[:-1], axis=0)
    keys, owners = make_pair_keys(sentences, len(weights.by_word))
    known, pairs = weights.pair_table.find(keys)
    scores += sum_by(owners[known], weights.by_pair.take(pairs, axis=0), count)
    return scores / np.sqrt(np.diff(starts))[:, None]


def score_sentences(weights: RoleWeights, features: SentenceFeatures) -> Scores:
    """Return the classifier's logits, without rules and neighbours: a row for each sentence, a column for
    each role.
    """
    scores: Scores = score_words(weights, features.sentences) + features.dense @ weights.by_feature
    return scores


def classify(weights: RoleWeights, features: SentenceFeatures) -> Scores:
    """Return the probabilities of roles by classifier and rules together, smoothed over adjacent
    sentences.
    """
    scores = score_sentences(weights, features)
    if weights.rules:
        scores = scores + weights.rules * score_by_rules(features)
    return smooth(scores, weights.transitions, weights.smoothing)
