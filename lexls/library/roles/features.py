"""Read what the rules and the classifier see of each sentence beside its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexls.library.roles.indicators import IndicatorFile, IndicatorFinder, Scores
from lexls.library.roles.role import ROLES
from lexls.library.roles.words import (
    NUMBER,
    QUOTE,
    SECTION,
    SIGNS,
    UNKNOWN,
    YEAR,
    Sentences,
    Vocabulary,
    cut,
)

POSITIONS = 10
"""A judgment's length is cut into so many parts of equal numbers of sentences."""
_EDGE = 3
_LENGTHS = (4, 8, 16, 32)
NAMES = (
    *(f"indicator {role}" for role in ROLES),
    *(f"heading {role}" for role in ROLES),
    "in a dissent",
    *(f"part {part}" for part in range(POSITIONS)),
    *(f"first {place}" for place in range(_EDGE)),
    *(f"last {place}" for place in range(_EDGE)),
    *(f"under {length} words" for length in _LENGTHS),
    "year",
    "number",
    "quotation mark",
    "section sign",
    "within a quotation",
    "one",
)
"""The columns of ``SentenceFeatures.dense``."""
_NO_HEADING = -1
_DISSENT = -2


@dataclass(frozen=True, slots=True)
class SentenceFeatures:
    """A judgment's sentences with what is known of each: a row a sentence.

    ``indicators`` are the scores of ``IndicatorFinder``, ``strong`` says which roles have a strong one.
    ``headings`` is the place in ``ROLES`` of the role that the heading above names (negative if none).
    ``dense`` has the columns ``NAMES``.
    """

    sentences: Sentences
    indicators: Scores
    strong: NDArray[np.bool_]
    headings: NDArray[np.int64]
    dense: Scores


class FeatureReader:
    """Reads the features of judgments; safe to use from several threads."""

    def __init__(self, indicators: IndicatorFile, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._finder = IndicatorFinder(indicators.indicators, vocabulary)
        self._headings = indicators.headings

    def read(self, texts: Sequence[str], headings: Sequence[str]) -> SentenceFeatures:
        """The features of the sentences of a judgment's passages in order, with the headings above each."""
        sentences = cut(texts, self.vocabulary)
        indicators, strong = self._finder.scores(sentences)
        known: dict[str, int] = {}
        for heading in headings:
            if heading not in known:
                known[heading] = self._heading(heading)
        of_passage = np.fromiter((known[heading] for heading in headings), np.int64, len(headings))
        above = of_passage[sentences.passages]
        return SentenceFeatures(sentences, indicators, strong, above, _dense(sentences, indicators, above))

    def _heading(self, breadcrumb: str) -> int:
        """The role that the innermost heading with an indicator names."""
        folded = breadcrumb.casefold()
        if "dissent" in folded:
            return _DISSENT
        for crumb in reversed(folded.split(" › ")):
            for words, role in self._headings:
                if words in crumb:
                    return role
        return _NO_HEADING


def _dense(sentences: Sentences, indicators: Scores, above: NDArray[np.int64]) -> Scores:
    count = len(sentences)
    roles = len(ROLES)
    dense = np.zeros((count, len(NAMES)))
    if not count:
        return dense
    dense[:, :roles] = indicators / 3.0
    rows = np.arange(count)
    named = above >= 0
    dense[rows[named], roles + above[named]] = 1
    column = 2 * roles
    dense[:, column] = above == _DISSENT
    column += 1
    dense[rows, column + rows * POSITIONS // count] = 1
    column += POSITIONS
    for place in range(min(_EDGE, count)):
        dense[place, column + place] = 1
        dense[count - 1 - place, column + _EDGE + place] = 1
    column += 2 * _EDGE
    numbers, starts = sentences.numbers, sentences.starts[:-1]
    words = np.add.reduceat((numbers == UNKNOWN) | (numbers >= len(SIGNS)), starts, dtype=np.int64)
    for length in _LENGTHS:
        dense[:, column] = words < length
        column += 1
    for sign in (YEAR, NUMBER, QUOTE, SECTION):
        dense[:, column] = np.logical_or.reduceat(numbers == sign, starts)
        column += 1
    quotes = np.add.reduceat(numbers == QUOTE, starts, dtype=np.int64)
    before = np.cumsum(quotes) - quotes
    first = np.searchsorted(sentences.passages, sentences.passages)  # the first sentence of its passage
    dense[:, column] = (before - before[first]) % 2
    dense[:, column + 1] = 1
    return dense
