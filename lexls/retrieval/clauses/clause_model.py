"""How much a passage reads like a kind of clause: weights of terms, learned and declared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from lexls.retrieval.clauses.clause_types import ClauseType, ClauseTypes
from lexls.retrieval.clauses.windows import norm, windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lexls.index.tokens import Tokenizer

WEIGHTS = "clause_weights.json"
Source = Literal["spans", "headings"]
"""Clauses that a person marked, or sections that have a heading of the kind."""
DECLARED = 4.0
"""What a declared phrase counts for each unit of its weight where nothing was learned,"""
BESIDE: Mapping[Source, float] = MappingProxyType({"spans": 2.0, "headings": 6.0})
"""and beside learned weights, by what these were learned from."""
DECLARED_BIAS = -5.0


@dataclass(frozen=True, slots=True)
class LearnedClause:
    """What was learned of a kind of clause: a logistic regression over the features of a window.

    ``terms`` are weights of features (see ``windows.features``); their sum over a window, divided by its
    ``norm``, plus ``bias`` is the log-odds that the window is such a clause.
    """

    source: Source
    bias: float
    terms: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class CountedWindows:
    """The windows of the passages of a document, as numbers of features.

    ``features[offsets[w]:offsets[w + 1]]`` are those of window ``w`` that any kind of clause gives a weight,
    ``norms[w]`` its norm, ``passage[w]`` the number of its passage; there are ``passages`` of them.
    """

    features: NDArray[np.int32]
    offsets: NDArray[np.int64]
    norms: NDArray[np.float64]
    passage: NDArray[np.int64]
    passages: int


class ClauseModel:
    """Scores passages by kinds of clauses. Immutable but for the tokenizer's memory; thread-safe."""

    def __init__(
        self, types: Sequence[ClauseType], learned: Mapping[str, LearnedClause], tokenizer: Tokenizer
    ) -> None:
        self._tokenizer = tokenizer
        self._row = {each.name: row for row, each in enumerate(types)}
        self._biases = np.zeros(len(types))
        self._vocabulary: dict[str, int] = {}
        rows: list[dict[str, float]] = []
        for row, each in enumerate(types):
            known = learned.get(each.name)
            weights = dict(known.terms) if known is not None else {}
            counts = BESIDE[known.source] if known is not None else DECLARED
            for term, weight in _declared(each).items():
                weights[term] = weights.get(term, 0.0) + weight * counts
            self._biases[row] = known.bias if known is not None else DECLARED_BIAS
            rows.append(weights)
            for term in weights:
                self._vocabulary.setdefault(term, len(self._vocabulary))
        self._weights = np.zeros((len(types), len(self._vocabulary)), dtype=np.float32)
        for row, weights in enumerate(rows):
            for term, weight in weights.items():
                self._weights[row, self._vocabulary[term]] = weight

    @classmethod
    def load(cls, types: ClauseTypes, tokenizer: Tokenizer) -> ClauseModel:
        """The model with the weights that lexls brings along."""
        content = files(__package__).joinpath(WEIGHTS).read_text(encoding="utf-8")
        return cls(types.types, read_learned(json.loads(content)), tokenizer)

    def count(self, passages: Sequence[str]) -> tuple[CountedWindows, list[list[str]]]:
        """The windows of passages, given as texts, and the terms of each passage in order."""
        numbers: list[int] = []
        offsets = [0]
        norms: list[float] = []
        owner: list[int] = []
        terms: list[list[str]] = []
        vocabulary = self._vocabulary
        for position, text in enumerate(passages):
            all_terms: list[str] = []
            for start, end in windows(text):
                tokens = self._tokenizer.tokenize(text[start:end])
                all_terms += tokens
                # These are ``features(tokens)``; what has digits no kind gives a weight.
                found = {*tokens, *map(" ".join, pairwise(tokens))}
                numbers += [vocabulary[feature] for feature in found if feature in vocabulary]
                offsets.append(len(numbers))
                norms.append(norm(tokens))
                owner.append(position)
            terms.append(all_terms)
        counted = CountedWindows(
            np.asarray(numbers, dtype=np.int32),
            np.asarray(offsets, dtype=np.int64),
            np.asarray(norms, dtype=np.float64),
            np.asarray(owner, dtype=np.int64),
            len(passages),
        )
        return counted, terms

    def scores(self, kind: ClauseType, counted: CountedWindows) -> NDArray[np.float64]:
        """For each passage the log-odds that the window of it that fits best is a clause of ``kind``."""
        row = self._row[kind.name]
        weights = self._weights[row, counted.features].astype(np.float64)
        sums = np.diff(np.concatenate(([0.0], np.cumsum(weights)))[counted.offsets])
        logits = sums / counted.norms + self._biases[row]
        best = np.full(counted.passages, self._biases[row])
        np.maximum.at(best, counted.passage, logits)
        return best


def read_learned(content: Mapping[str, Any]) -> dict[str, LearnedClause]:
    """Learned weights as they are kept: for each kind their source, the bias and the weights of features."""
    return {
        name: LearnedClause(entry["source"], entry["bias"], entry["terms"]) for name, entry in content.items()
    }


def _declared(kind: ClauseType) -> dict[str, float]:
    """Declared phrases as features: one of many words counts by its pairs of words."""
    found: dict[str, float] = {}
    for phrase, weight in kind.says.items():
        terms = phrase.split()
        parts = [f"{a} {b}" for a, b in pairwise(terms)] or terms
        for part in parts:
            found[part] = max(found.get(part, 0.0), weight / len(parts))
    return found
