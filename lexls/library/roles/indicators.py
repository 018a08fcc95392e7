"""Find indicator phrases in many sentences at once, and compute the classifier's other features."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexls.library.roles.role import ROLES
from lexls.library.roles.words import (
    NUMBER,
    QUOTE,
    SECTION,
    SIGNS,
    UNKNOWN,
    YEAR,
    KeyTable,
    Numbers,
    Sentences,
    Vocabulary,
    cut,
)

STRENGTHS: Mapping[str, float] = {"strong": 3.0, "likely": 1.5, "weak": 0.5}
"""The score that an indicator of each strength adds to the role it indicates."""
_MOST = 9.0
"""Maximum score of a role from the indicators in one sentence."""
_CHOICE = re.compile(r"\(([^()]*)\)")
_LIST = re.compile(r"\{(\w+)\}")
_PIECE = re.compile(r"<(?:year|number)>|§|[^\W_]+")

Scores = NDArray[np.float64]


class IndicatorError(ValueError):
    """Raised if an indicator file cannot be read; the message names the role and the indicator."""


@dataclass(frozen=True, slots=True)
class Indicator:
    """Phrases that occur in a sentence in this order; each part lists its alternative wordings (lower-case
    words).

    If ``anchored``, the first part must begin the sentence.
    """

    role: int
    strength: str
    parts: tuple[tuple[tuple[str, ...], ...], ...]
    anchored: bool


@dataclass(frozen=True, slots=True)
class IndicatorFile:
    """The content of an indicator file. ``headings`` are words in headings, each with its role's index in
    ``ROLES``.
    """

    indicators: tuple[Indicator, ...]
    headings: tuple[tuple[str, int], ...]

    def words(self) -> list[str]:
        """Return every word in an indicator, sorted."""
        found = {
            w
            for indicator in self.indicators
            for part in indicator.parts
            for wording in part
            for w in wording
        }
        return sorted(word for word in found if word[0].isalpha())


def load_indicators() -> IndicatorFile:
    """Return the indicators included with lexls."""
    with resources.files(__package__).joinpath("indicators.toml").open("rb") as stream:
        return parse_indicators(tomllib.load(stream))


def parse_indicators(data: Mapping[str, Any]) -> IndicatorFile:
    """Return the indicators of a parsed file (see ``indicators.toml`` for its format). Raises
    ``IndicatorError``.
    """
    lists = {name: "|".join(values) for name, values in data.get("lists", {}).items()}
    indicators: list[Indicator] = []
    headings: list[tuple[str, int]] = []
    for role, entry in data["roles"].items():
        if role not in ROLES:
            raise IndicatorError(f"{role}: there is no such role")
        place = ROLES.index(role)
        headings += [(words, place) for words in entry.get("headings", ())]
        for strength in STRENGTHS:
            indicators += [_indicator(place, strength, text, lists) for text in entry.get(strength, ())]
    return IndicatorFile(tuple(indicators), tuple(headings))


def _indicator(role: int, strength: str, text: str, lists: Mapping[str, str]) -> Indicator:
    try:
        filled = _LIST.sub(lambda match: f"({lists[match[1]]})", text)
    except KeyError as error:
        raise IndicatorError(f"{ROLES[role]}: there is no list {error} for the indicator “{text}”") from None
    parts = tuple(tuple(dict.fromkeys(_wordings(part))) for part in filled.split("…"))
    if not all(wording for part in parts for wording in part):
        raise IndicatorError(f"{ROLES[role]}: the indicator “{text}” has a part that may be empty")
    return Indicator(role, strength, parts, "^" in text)


def _wordings(part: str) -> Iterator[tuple[str, ...]]:
    pieces = _CHOICE.split(part)
    choices = [piece.split("|") if place % 2 else [piece] for place, piece in enumerate(pieces)]
    for chosen in product(*choices):
        yield tuple(
            "<number>" if piece.isdigit() and len(piece) != 4 else piece
            for piece in _PIECE.findall(re.sub(r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)", " ", " ".join(chosen)))
        )


class IndicatorFinder:
    """Finds indicators in sentences whose words are numbers of one vocabulary.

    The wordings of all parts form a tree. Node 0 is its root; an edge is a node with the number of the next
    word. The wordings that end at node ``n`` are ``starts[n] : starts[n + 1]``; each belongs to a part of an
    indicator.
    """

    def __init__(self, indicators: Sequence[Indicator], vocabulary: Vocabulary) -> None:
        self._size = len(vocabulary.words)
        edges: dict[int, int] = {}
        ends: set[tuple[int, int, int, bool]] = set()
        for number, indicator in enumerate(indicators):
            for place, part in enumerate(indicator.parts):
                for wording in part:
                    numbers = [_number(vocabulary, word) for word in wording]
                    if UNKNOWN in numbers:
                        continue
                    node = 0
                    for each in numbers:
                        node = edges.setdefault(node * self._size + each, len(edges) + 1)
                    ends.add((node, number, place, indicator.anchored and place == 0))
        keys = np.fromiter(edges, np.int64, len(edges))
        self._edges = KeyTable(keys)
        self._first = np.zeros(self._size, np.int64)
        first = np.flatnonzero(keys < self._size)
        self._first[keys[first]] = first + 1
        nodes, self._ended, self._parts, anchored = np.array(sorted(ends), np.int64).reshape(-1, 4).T
        self._anchored = anchored > 0
        self._starts = np.searchsorted(nodes, np.arange(len(edges) + 2))
        self._last = np.array([len(each.parts) - 1 for each in indicators], np.int64)
        self._roles = np.array([each.role for each in indicators], np.int64)
        self._weights = np.array([STRENGTHS[each.strength] for each in indicators])

    def scores(self, sentences: Sentences) -> tuple[Scores, NDArray[np.bool_]]:
        """Return the indicators' scores, and whether a strong indicator occurs. Both arrays have a row for
        each sentence and a column for each role.
        """
        shape = len(sentences), len(ROLES)
        strong = np.zeros(shape, np.bool_)
        if not len(sentences):
            return np.zeros(shape), strong
        # An indicator counts once per sentence, however many of its wordings occur.
        owners, indicators = np.divmod(np.flatnonzero(self._find(sentences)), len(self._roles))
        roles, weights = self._roles[indicators], self._weights[indicators]
        scores = np.bincount(owners * len(ROLES) + roles, weights, strong.size).reshape(shape)
        settled = weights == STRENGTHS["strong"]
        strong[owners[settled], roles[settled]] = True
        return np.minimum(scores, _MOST), strong

    def _find(self, sentences: Sentences) -> NDArray[np.bool_]:
        """Return whether each indicator occurs in each sentence, as one flat array ordered by sentence."""
        count, size = len(sentences), len(self._roles)
        lengths = np.diff(sentences.starts)
        # A gap after each sentence, so that no phrase spans two.
        sentence_of = np.repeat(np.arange(count), lengths + 1)
        numbers = np.full(len(sentence_of), UNKNOWN)
        numbers[np.arange(len(sentences.numbers)) + np.repeat(np.arange(count), lengths)] = sentences.numbers
        first = np.zeros(len(numbers), np.bool_)
        first[_first_words(sentences) + np.arange(count)] = True
        places, ended = self._walk(numbers)
        right = np.flatnonzero(~self._anchored[ended] | first[places])
        places, indicators, parts = places[right], self._ended[ended[right]], self._parts[ended[right]]
        cells = sentence_of[places] * size + indicators
        begun, found = np.zeros((2, count * size), np.bool_)
        begun[cells[parts == 0]] = True
        found[cells[parts == self._last[indicators]]] = True
        found &= begun
        several = np.flatnonzero((self._last[indicators] > 0) & found[cells])
        found[cells[several]] = False
        rows = zip(places[several].tolist(), cells[several].tolist(), parts[several].tolist(), strict=True)
        reached: dict[int, int] = {}
        for _, cell, part in sorted(rows):
            if reached.get(cell, 0) == part:
                reached[cell] = part + 1
                found[cell] = part == self._last[cell % size]
        return found

    def _walk(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """Return the positions at which wordings begin and, for each, the wording's index in ``_ended``."""
        places = np.flatnonzero(self._first[numbers])
        nodes = self._first[numbers[places]]
        found = [(places, nodes)]
        while len(places):
            at, edges = self._edges.find(nodes * self._size + numbers[places + len(found)])
            places, nodes = places[at], edges.astype(np.int64) + 1
            found.append((places, nodes))
        places, nodes = (np.concatenate(each) for each in zip(*found, strict=True))
        counts = self._starts[nodes + 1] - self._starts[nodes]
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.repeat(places, counts), np.repeat(self._starts[nodes], counts) + within


def _number(vocabulary: Vocabulary, word: str) -> int:
    if word.isdigit():
        return YEAR if len(word) == 4 else NUMBER
    return vocabulary.number(word)


def _first_words(sentences: Sentences) -> Numbers:
    """Return the position of each sentence's first word, skipping numbers and signs. If it has no word,
    return that of its first token.
    """
    word = (sentences.numbers == UNKNOWN) | (sentences.numbers >= len(SIGNS))
    places = np.where(word, np.arange(len(word)), len(word))
    first = np.minimum.reduceat(places, sentences.starts[:-1])
    return np.where(first < sentences.starts[1:], first, sentences.starts[:-1])


POSITIONS = 10
"""Number of equal parts into which a judgment's sentences are divided to describe their position."""
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
    """A judgment's sentences with their features, in one row for each sentence.

    ``indicators`` are the scores of ``IndicatorFinder``; ``strong`` shows which roles have a strong
    indicator. ``headings`` is the index in ``ROLES`` of the role that the heading above names (negative if
    none). ``dense`` has the columns ``NAMES``.
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
        """Return the features of the sentences of a judgment's passages, given in order with the headings
        above each.
        """
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
        """Return the index of the role that the innermost heading with such a name indicates; a negative
        number if there is none, or in a dissent.
        """
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
