"""Cue phrases: reading their file, and finding all of them in many sentences at once."""

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
from lexls.library.roles.words import NUMBER, SIGNS, UNKNOWN, YEAR, Numbers, Sentences, Vocabulary, sum_by

STRENGTHS: Mapping[str, float] = {"strong": 3.0, "cues": 1.5, "weak": 0.5}
"""What a cue of each list adds to the score of its role."""
_MOST = 9.0
"""No role gets more than this from the cues of one sentence."""
_CHOICE = re.compile(r"\(([^()]*)\)")
_LIST = re.compile(r"\{(\w+)\}")
_PIECE = re.compile(r"<(?:year|number)>|§|[^\W_]+")
_SLOTS = 2**16
_PRIME = np.uint64(0x9E3779B97F4A7C15)

Scores = NDArray[np.float64]


class CueError(ValueError):
    """A cue file that cannot be read; the message names the role and the cue."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Phrases that stand in a sentence in this order; each part is its wordings (words in lower case).

    ``anchored``: the first part begins the sentence.
    """

    role: int
    strength: str
    parts: tuple[tuple[tuple[str, ...], ...], ...]
    anchored: bool


@dataclass(frozen=True, slots=True)
class CueFile:
    """What a cue file says. ``headings`` are words of a heading, with the role's
    place in ``ROLES``."""

    cues: tuple[Cue, ...]
    headings: tuple[tuple[str, int], ...]

    def words(self) -> list[str]:
        """Every word in a cue, sorted."""
        found = {w for cue in self.cues for part in cue.parts for wording in part for w in wording}
        return sorted(word for word in found if word[0].isalpha())


def load_cues() -> CueFile:
    """The cues that come with lexls."""
    with resources.files(__package__).joinpath("cues.toml").open("rb") as stream:
        return parse_cues(tomllib.load(stream))


def parse_cues(data: Mapping[str, Any]) -> CueFile:
    """The cues of a parsed file (see ``cues.toml`` for its form). Raises ``CueError``."""
    lists = {name: "|".join(values) for name, values in data.get("lists", {}).items()}
    cues: list[Cue] = []
    headings: list[tuple[str, int]] = []
    for role, entry in data["roles"].items():
        if role not in ROLES:
            raise CueError(f"{role}: there is no such role")
        place = ROLES.index(role)
        headings += [(words, place) for words in entry.get("headings", ())]
        for strength in STRENGTHS:
            cues += [_cue(place, strength, text, lists) for text in entry.get(strength, ())]
    return CueFile(tuple(cues), tuple(headings))


def _cue(role: int, strength: str, text: str, lists: Mapping[str, str]) -> Cue:
    try:
        filled = _LIST.sub(lambda match: f"({lists[match[1]]})", text)
    except KeyError as error:
        raise CueError(f"{ROLES[role]}: there is no list {error} for the cue “{text}”") from None
    parts = tuple(tuple(dict.fromkeys(_wordings(part))) for part in filled.split("…"))
    if not all(wording for part in parts for wording in part):
        raise CueError(f"{ROLES[role]}: the cue “{text}” has a part that may be empty")
    return Cue(role, strength, parts, "^" in text)


def _wordings(part: str) -> Iterator[tuple[str, ...]]:
    pieces = _CHOICE.split(part)
    choices = [piece.split("|") if place % 2 else [piece] for place, piece in enumerate(pieces)]
    for chosen in product(*choices):
        yield tuple(
            "<number>" if piece.isdigit() and len(piece) != 4 else piece
            for piece in _PIECE.findall(re.sub(r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)", " ", " ".join(chosen)))
        )


class CueFinder:
    """Finds cues in sentences whose words are numbers of one vocabulary."""

    def __init__(self, cues: Sequence[Cue], vocabulary: Vocabulary) -> None:
        anywhere, anchored = _Table(), _Table()
        self._cues = tuple(cues)
        self._weights = np.zeros((len(cues), len(ROLES)))
        for number, cue in enumerate(cues):
            self._weights[number, cue.role] = STRENGTHS[cue.strength]
        self._strong = np.array([cue.strength == "strong" for cue in cues], np.bool_)
        for number, cue in enumerate(cues):
            for place, part in enumerate(cue.parts):
                table = anchored if cue.anchored and place == 0 else anywhere
                for wording in part:
                    numbers = tuple(_number(vocabulary, word) for word in wording)
                    if UNKNOWN in numbers:
                        continue
                    phrase = table.phrase(numbers)
                    if len(cue.parts) == 1:
                        table.whole(phrase, number)
                    else:
                        table.joint(phrase, number, place)
        size = len(vocabulary.words)
        self._anywhere, self._anchored = anywhere.finished(size), anchored.finished(size)

    def scores(self, sentences: Sentences) -> tuple[Scores, NDArray[np.bool_]]:
        """What the cues say: scores and whether a strong cue stands there, a row a sentence and a column a
        role.
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
            pairs.append(finished.cues_of(sentence_of[places], phrases, len(self._cues)))
            for at in np.flatnonzero(finished.has_joint[phrases]).tolist():
                for cue, part in finished.joints[int(phrases[at])]:
                    joint.append((int(sentence_of[places[at]]), int(places[at]), cue, part))
        # A cue counts once in a sentence, in however many of its wordings it stands there.
        owners, cues = np.divmod(np.unique(np.concatenate(pairs)), len(self._cues))
        scores += sum_by(owners, self._weights[cues], count)
        settled = np.flatnonzero(self._strong[cues])
        strong |= sum_by(owners[settled], self._weights[cues[settled]], count) > 0
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
            cue = self._cues[number]
            if part + 1 == len(cue.parts):
                scores[sentence, cue.role] += STRENGTHS[cue.strength]
                strong[sentence, cue.role] |= cue.strength == "strong"


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

    def whole(self, phrase: int, cue: int) -> None:
        self._wholes.append((phrase, cue))

    def joint(self, phrase: int, cue: int, part: int) -> None:
        self._joints.setdefault(phrase, []).append((cue, part))

    def finished(self, vocabulary_size: int) -> _Finished:
        count = len(self._phrases)
        single = np.full(vocabulary_size, -1, np.int64)
        first = np.zeros(vocabulary_size, np.bool_)
        slots = np.zeros(_SLOTS, np.bool_)
        by_length: dict[int, list[tuple[int, int]]] = {}
        for numbers, phrase in self._phrases.items():
            if len(numbers) == 1:
                single[numbers[0]] = phrase
                continue
            first[numbers[0]] = True
            slots[_slot(np.array([_key(numbers[:2])], np.uint64))] = True
            by_length.setdefault(len(numbers), []).append((_key(numbers), phrase))
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
    and ``slots`` which slots the keys of their first two words have; ``keys`` are by length the sorted keys
    of phrases and the phrases they are of. Phrase ``i`` is by itself each of the cues
    ``wholes[starts[i] : starts[i + 1]]``; ``has_joint`` says whether it is a part of others, ``joints`` of
    which (the cue and the place of the part).
    """

    single: Numbers
    first: NDArray[np.bool_]
    slots: NDArray[np.bool_]
    keys: Mapping[int, tuple[NDArray[np.uint64], Numbers]]
    starts: Numbers
    wholes: Numbers
    has_joint: NDArray[np.bool_]
    joints: Mapping[int, list[tuple[int, int]]]

    def cues_of(self, owners: Numbers, phrases: Numbers, cues: int) -> Numbers:
        """``owner * cues + cue`` for each cue that one of ``phrases`` is by itself."""
        counts = self.starts[phrases + 1] - self.starts[phrases]
        ends = np.cumsum(counts)
        within = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
        at = np.repeat(self.starts[phrases], counts) + within
        found: Numbers = np.repeat(owners, counts) * cues + self.wholes[at]
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
            if length == 2:
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


def _key(numbers: Sequence[int]) -> int:
    key = 0
    for number in numbers:
        key = (key * int(_PRIME) + number + 1) % 2**64
    return key
