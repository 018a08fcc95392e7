"""Indicator phrases: reading their file, and finding all of them in many sentences at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import accumulate, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexls.library.roles.role import ROLES
from lexls.library.roles.words import NUMBER, SIGNS, UNKNOWN, YEAR, Numbers, Sentences, Vocabulary, sum_by

STRENGTHS: Mapping[str, float] = {"strong": 3.0, "likely": 1.5, "weak": 0.5}
"""What an indicator of each list adds to the score of its role."""
_MOST = 9.0
"""No role gets more than this from the indicators of one sentence."""
_CHOICE = re.compile(r"\(([^()]*)\)")
_LIST = re.compile(r"\{(\w+)\}")
_PIECE = re.compile(r"<(?:year|number)>|§|[^\W_]+")
_SLOTS = 2**18
_PRIME = np.uint64(0x9E3779B97F4A7C15)

Scores = NDArray[np.float64]


class IndicatorError(ValueError):
    """An indicator file that cannot be read; the message names the role and the indicator."""


@dataclass(frozen=True, slots=True)
class Indicator:
    """Phrases that stand in a sentence in this order; each part is its wordings (words in lower case).

    ``anchored``: the first part begins the sentence.
    """

    role: int
    strength: str
    parts: tuple[tuple[tuple[str, ...], ...], ...]
    anchored: bool


@dataclass(frozen=True, slots=True)
class IndicatorFile:
    """What an indicator file says. ``headings`` are words of a heading, with the role's
    place in ``ROLES``."""

    indicators: tuple[Indicator, ...]
    headings: tuple[tuple[str, int], ...]

    def words(self) -> list[str]:
        """Every word in an indicator, sorted."""
        found = {
            w
            for indicator in self.indicators
            for part in indicator.parts
            for wording in part
            for w in wording
        }
        return sorted(word for word in found if word[0].isalpha())


def load_indicators() -> IndicatorFile:
    """The indicators that come with lexls."""
    with resources.files(__package__).joinpath("indicators.toml").open("rb") as stream:
        return parse_indicators(tomllib.load(stream))


def parse_indicators(data: Mapping[str, Any]) -> IndicatorFile:
    """The indicators of a parsed file (see ``indicators.toml`` for its form). Raises ``IndicatorError``."""
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
    """Finds indicators in sentences whose words are numbers of one vocabulary."""

    def __init__(self, indicators: Sequence[Indicator], vocabulary: Vocabulary) -> None:
        anywhere, anchored = _Table(), _Table()
        self._indicators = tuple(indicators)
        self._weights = np.zeros((len(indicators), len(ROLES)))
        for number, indicator in enumerate(indicators):
            self._weights[number, indicator.role] = STRENGTHS[indicator.strength]
        self._strong = np.array([indicator.strength == "strong" for indicator in indicators], np.bool_)
        for number, indicator in enumerate(indicators):
            for place, part in enumerate(indicator.parts):
                table = anchored if indicator.anchored and place == 0 else anywhere
                for wording in part:
                    numbers = tuple(_number(vocabulary, word) for word in wording)
                    if UNKNOWN in numbers:
                        continue
                    phrase = table.phrase(numbers)
                    if len(indicator.parts) == 1:
                        table.whole(phrase, number)
                    else:
                        table.joint(phrase, number, place)
        size = len(vocabulary.words)
        self._anywhere, self._anchored = anywhere.finished(size), anchored.finished(size)

    def scores(self, sentences: Sentences) -> tuple[Scores, NDArray[np.bool_]]:
        """What the indicators say: scores and whether a strong one stands there, a row a sentence and a
        column a role.
        """
        count = len(sentences)
        scores = np.zeros((count, len(ROLES)))
        strong = np.zeros((count, len(ROLES)), np.bool_)
        numbers, starts = sentences.numbers, sentences.starts
        if not count:
            return scores, strong
        sentence_of = np.repeat(np.arange(count), np.diff(starts))
        joint: list[tuple[int, int, int, int]] = []
        pairs: list[Numbers] = []
        for finished, positions in (
            (self._anywhere, None),
            (self._anchored, _first_words(sentences)),
        ):
            places, phrases = finished.find(numbers, sentence_of, positions)
            pairs.append(finished.indicators_of(sentence_of[places], phrases, len(self._indicators)))
            for at in np.flatnonzero(finished.has_joint[phrases]).tolist():
                for indicator, part in finished.joints[int(phrases[at])]:
                    joint.append((int(sentence_of[places[at]]), int(places[at]), indicator, part))
        # An indicator counts once in a sentence, in however many of its wordings it stands there.
        owners, indicators = np.divmod(np.unique(np.concatenate(pairs)), len(self._indicators))
        scores += sum_by(owners, self._weights[indicators], count)
        settled = np.flatnonzero(self._strong[indicators])
        strong |= sum_by(owners[settled], self._weights[indicators[settled]], count) > 0
        self._join(joint, scores, strong)
        return np.minimum(scores, _MOST), strong

    def _join(
        self, found: list[tuple[int, int, int, int]], scores: Scores, strong: NDArray[np.bool_]
    ) -> None:
        reached: dict[tuple[int, int], int] = {}
        for sentence, _, number, part in sorted(found):
            if reached.get((sentence, number), 0) != part:
                continue
            reached[sentence, number] = part + 1
            indicator = self._indicators[number]
            if part + 1 == len(indicator.parts):
                scores[sentence, indicator.role] += STRENGTHS[indicator.strength]
                strong[sentence, indicator.role] |= indicator.strength == "strong"


def _number(vocabulary: Vocabulary, word: str) -> int:
    if word.isdigit():
        return YEAR if len(word) == 4 else NUMBER
    return vocabulary.number(word)


def _first_words(sentences: Sentences) -> Numbers:
    """The place of each sentence's first word, after numbers and signs; of its first token if it has none."""
    word = (sentences.numbers == UNKNOWN) | (sentences.numbers >= len(SIGNS))
    places = np.where(word, np.arange(len(word)), len(word))
    first = np.minimum.reduceat(places, sentences.starts[:-1])
    return np.where(first < sentences.starts[1:], first, sentences.starts[:-1])


class _Table:
    """Phrases while they are collected."""

    def __init__(self) -> None:
        self._phrases: dict[tuple[int, ...], int] = {}
        self._wholes: list[tuple[int, int]] = []
        self._joints: dict[int, list[tuple[int, int]]] = {}

    def phrase(self, numbers: tuple[int, ...]) -> int:
        return self._phrases.setdefault(numbers, len(self._phrases))

    def whole(self, phrase: int, indicator: int) -> None:
        self._wholes.append((phrase, indicator))

    def joint(self, phrase: int, indicator: int, part: int) -> None:
        self._joints.setdefault(phrase, []).append((indicator, part))

    def finished(self, vocabulary_size: int) -> _Finished:
        count = len(self._phrases)
        single = np.full(vocabulary_size, -1, np.int64)
        first = np.zeros(vocabulary_size, np.bool_)
        slots = np.zeros(_SLOTS, np.bool_)
        beginnings: set[int] = set()
        by_length: dict[int, list[tuple[int, int]]] = {}
        for numbers, phrase in self._phrases.items():
            if len(numbers) == 1:
                single[numbers[0]] = phrase
                continue
            first[numbers[0]] = True
            keys_of = list(accumulate(numbers, _longer, initial=0))[2:]
            beginnings.update(keys_of)
            by_length.setdefault(len(numbers), []).append((keys_of[-1], phrase))
        slots[_slot(np.fromiter(beginnings, np.uint64, len(beginnings)))] = True
        keys = {
            length: (
                np.array([key for key, _ in sorted(entries)], np.uint64),
                np.array([phrase for _, phrase in sorted(entries)], np.int64),
            )
            for length, entries in by_length.items()
        }
        has_joint = np.array([phrase in self._joints for phrase in range(count)], np.bool_)
        wholes = np.array(sorted(set(self._wholes)), np.int64).reshape(-1, 2)
        starts = np.searchsorted(wholes[:, 0], np.arange(count + 1))
        return _Finished(single, first, slots, keys, starts, wholes[:, 1], has_joint, self._joints)


@dataclass(frozen=True, slots=True)
class _Finished:
    """Phrases to be found.

    ``single`` is the phrase that a word is by itself (-1: none), ``first`` says which words begin longer ones
    and ``slots`` which slots the keys of their beginnings (two words or more) have; ``keys`` are by length
    the sorted keys of phrases and the phrases they are of. Phrase ``i`` is by itself each of the indicators
    ``wholes[starts[i] : starts[i + 1]]``; ``has_joint`` says whether it is a part of others, ``joints`` of
    which (the indicator and the place of the part).
    """

    single: Numbers
    first: NDArray[np.bool_]
    slots: NDArray[np.bool_]
    keys: Mapping[int, tuple[NDArray[np.uint64], Numbers]]
    starts: Numbers
    wholes: Numbers
    has_joint: NDArray[np.bool_]
    joints: Mapping[int, list[tuple[int, int]]]

    def indicators_of(self, owners: Numbers, phrases: Numbers, indicators: int) -> Numbers:
        """``owner * indicators + indicator`` for each indicator that one of ``phrases`` is by itself."""
        counts = self.starts[phrases + 1] - self.starts[phrases]
        ends = np.cumsum(counts)
        within = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
        at = np.repeat(self.starts[phrases], counts) + within
        found: Numbers = np.repeat(owners, counts) * indicators + self.wholes[at]
        return found

    def find(
        self, numbers: Numbers, sentence_of: Numbers, positions: Numbers | None
    ) -> tuple[Numbers, Numbers]:
        """Where phrases begin (at ``positions``, None: anywhere) within one sentence, and which they are.

        In the order of the text.
        """
        if positions is None:
            positions = np.arange(len(numbers))
        words = numbers[positions]
        alone = self.single[words]
        hit = alone >= 0
        places, phrases = [positions[hit]], [alone[hit]]
        positions = positions[self.first[words]]
        key = numbers[positions].astype(np.uint64) + np.uint64(1)
        for length in range(2, max(self.keys, default=0) + 1):
            last = positions + length - 1
            inside = np.flatnonzero(last < len(numbers))
            inside = inside[sentence_of[last[inside]] == sentence_of[positions[inside]]]
            positions = positions[inside]
            key = key[inside] * _PRIME + numbers[last[inside]].astype(np.uint64) + np.uint64(1)
            some = np.flatnonzero(self.slots[_slot(key)])
            positions, key = positions[some], key[some]
            if length in self.keys and len(positions):
                keys, owners = self.keys[length]
                at = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
                hit = keys[at] == key
                places.append(positions[hit])
                phrases.append(owners[at[hit]])
        found = np.concatenate(places)
        order = np.argsort(found, kind="stable")
        return found[order], np.concatenate(phrases)[order]


def _slot(keys: NDArray[np.uint64]) -> Numbers:
    return (keys >> np.uint64(20) & np.uint64(_SLOTS - 1)).astype(np.int64)


def _longer(key: int, number: int) -> int:
    """The key of a phrase of two words or more, from that of the words before its last (0 for none)."""
    return (key * int(_PRIME) + number + 1) % 2**64
