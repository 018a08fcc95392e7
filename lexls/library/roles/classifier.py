"""Classify sentences by a multinomial logistic regression and rules, and let neighbours agree.

Its weights are numbers that ``benchmarks/train_roles.py`` learnt; the recipe stands there and in
``benchmarks/RESULTS.md``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import resources
from typing import IO

import numpy as np
from numpy.typing import NDArray

from lexls.library.roles.features import SentenceFeatures
from lexls.library.roles.indicators import Scores
from lexls.library.roles.key_table import KeyTable
from lexls.library.roles.role import ROLES
from lexls.library.roles.words import Numbers, Sentences, sum_by

_HEADING = 1.5
_PREAMBLE, _FACTS, _ANALYSIS, _ORDER, _NONE = (
    ROLES.index(role) for role in ("PREAMBLE", "FAC", "ANALYSIS", "RPC", "NONE")
)
_STAY = 1.0
_SMOOTHING = 1.0


def score_by_rules(features: SentenceFeatures) -> Scores:
    """What the rules say of each sentence alone: a row a sentence, a column a role, as logits."""
    count = len(features.sentences)
    scores = features.indicators.copy()
    if not count:
        return scores
    rows = np.arange(count)
    named = features.headings >= 0
    scores[rows[named], features.headings[named]] += _HEADING
    place = rows / count
    # A judgment begins with its head, tells the facts in its first third and then discusses them.
    scores[:, _FACTS] += 1.0 * (place < 0.35)
    scores[:, _ANALYSIS] += 0.4 + 0.6 * (place >= 0.35)
    scores[:2, _PREAMBLE] += 3.0
    scores[2:, _PREAMBLE] -= 2.0 + 4.0 * (place[2:] > 0.1)
    scores[-2:, _ORDER] += 1.0
    scores[:, _ORDER] -= 1.0 * (place < 0.3)
    scores[:, _NONE] += 0.2
    return scores


def classify_by_rules(features: SentenceFeatures) -> Scores:
    """The probabilities of each role by the rules, after the neighbours were heard."""
    return smooth(score_by_rules(features), _STAY * np.eye(len(ROLES)), _SMOOTHING)


ROUNDS = 3


def softmax(scores: Scores) -> Scores:
    """Each row as probabilities."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Scores = raised / raised.sum(axis=1, keepdims=True)
    return shares


def smooth(scores: Scores, transitions: Scores, weight: float, rounds: int = ROUNDS) -> Scores:
    """The probabilities of roles given those of the sentences before and after.

    ``scores`` are logits, a row a sentence; ``transitions[a, b]`` is how much ``b`` after ``a`` is favoured,
    as a logit. Mean field: each round adds what the neighbours' present probabilities speak for, all rows at
    once, which for long judgments is far cheaper than a Viterbi pass in Python.
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
    """What was learnt.

    ``words`` are the known words, the first of the vocabulary; ``by_word`` has a row for each number of the
    vocabulary and ``pairs`` the sorted keys (``make_pair_keys``) of the rows of ``by_pair``; ``by_feature``
    has a row for each of ``features.NAMES``. Columns are ``ROLES``. ``rules`` is the weight of the rules'
    scores, ``smoothing`` that of the neighbours through ``transitions`` (see ``smooth``).
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
        """Write to an NPZ file, the weights of words and pairs in one byte each."""
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
    """The weights that come with lexls."""
    with resources.files(__package__).joinpath(FILE).open("rb") as stream:
        return read_weights(stream)


def read_weights(stream: IO[bytes]) -> RoleWeights:
    """The weights that ``RoleWeights.save`` wrote."""
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
    """A key for each two words that follow each other in a sentence, and the sentence they stand in."""
    numbers, starts = sentences.numbers, sentences.starts
    if not len(sentences):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    sentence = np.repeat(np.arange(len(sentences)), np.diff(starts))
    same = sentence[:-1] == sentence[1:]
    return (numbers[:-1] * vocabulary_size + numbers[1:])[same], sentence[:-1][same]


def score_words(weights: RoleWeights, sentences: Sentences) -> Scores:
    """What words and pairs speak for, by the square root of the sentence's length."""
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
    """The classifier's logits, a row a sentence and a column a role, without the rules and the neighbours."""
    scores: Scores = score_words(weights, features.sentences) + features.dense @ weights.by_feature
    return scores


def classify(weights: RoleWeights, features: SentenceFeatures) -> Scores:
    """The probabilities of roles by classifier and rules together, the neighbours heard."""
    scores = score_sentences(weights, features)
    if weights.rules:
        scores = scores + weights.rules * score_by_rules(features)
    return smooth(scores, weights.transitions, weights.smoothing)
