"""Split passages into words and sentences, once for both the indicators and the classifier.

A judgment has tens of thousands of words and a library thousands of judgments, so everything except the
search for sentence ends works on arrays of numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexls.text.spans import Span

Codes = NDArray[np.uint16]
Numbers = NDArray[np.int64]

UNKNOWN, BREAK, STOP, YEAR, NUMBER, QUOTE, COLON, SECTION = range(8)
"""The numbers of tokens that are not known words: other words; blank lines and the like; full stops that may
end a sentence; numbers; signs.
"""
SIGNS = ("<unknown>", "<break>", "<stop>", "<year>", "<number>", '"', ":", "§")

# Full stops that may end a sentence, with the signs after them, and line breaks that do end one.
_MARK = re.compile(
    r"[.?!\n](?:(?<!\n)[\"”’')\]]*(?=\s+[\"“‘'(\[]*[A-Z\d#]|\s*(?:\n|$))"
    r"|(?<=\n)(?=\s*(?:\n|#|\[?\d{1,3}[.\])]\s)))"
)
_FOREIGN = re.compile(r"[^\x00-\u024f]")
_KIND = re.compile(r"([A-Za-z\u00c0-\u024f])|(\d)|([§\":])")
_LETTER, _DIGIT, _SIGN = 1, 2, 3
# Words whose full stop never ends a sentence.
_SHORT = """
    v vs no nos s ss sec secs art arts cl cls para paras r rr reg regs ch pt sch p pp vol mr mrs ms dr shri
    smt st co corp ltd pvt inc bros cf e g i ie eg viz id ibid supp cir app ct div dist ed edn cr crl civ misc
    ann stat stats rev fed rep pub etc hon jr sr prof gen gov u f b c d n l a h w j m k t o
    jan feb mar apr aug sept sep oct nov dec scc scr air rs
"""
_ABBREVIATIONS = frozenset(_SHORT.split())
_SIGN_OF = {"\n": BREAK, ".": STOP, "?": STOP, "!": STOP, '"': QUOTE, ":": COLON, "§": SECTION}
# For each code point: its kind, the number of a token that begins with it (unless that is a known word or a
# year), and its term in the hash of a word.
_CHARACTERS = tuple(map(chr, range(0x250)))
_KINDS = np.array([getattr(_KIND.match(each), "lastindex", 0) for each in _CHARACTERS], np.uint8)
_NUMBERS = np.array([_SIGN_OF.get(each, UNKNOWN if each.isalpha() else NUMBER) for each in _CHARACTERS])
_SHARES = np.array([sum(map(ord, each.lower())) for each in _CHARACTERS], np.uint64) * (_KINDS == _LETTER)
_FACTOR = 0x9E3779B97F4A7C15


class Vocabulary:
    """Words and their numbers: ``words[i]`` has the number ``i``, and all other words have ``UNKNOWN``.

    After ``SIGNS`` come words of Latin letters in lower case, which ``known`` finds by their hashes.
    """

    def __init__(self, words: Sequence[str]) -> None:
        known = tuple(dict.fromkeys([*words, *sorted(_ABBREVIATIONS)]))
        self.words = SIGNS + known
        self._numbers = {word: number for number, word in enumerate(self.words)}
        self.abbreviates: NDArray[np.bool_] = np.array([word in _ABBREVIATIONS for word in self.words])
        places = np.array([0, *accumulate(len(word) + 1 for word in known)][:-1])
        self.known = KeyTable(_hash(_encode(" ".join(known)), places))

    def number(self, word: str) -> int:
        """Return the number of a word or sign in ``words``, or ``UNKNOWN``."""
        return self._numbers.get(word, UNKNOWN)


def _encode(text: str) -> Codes:
    """Return a number for each code point (below 0x250, the code point itself), followed by four spaces so
    that every code point has successors.
    """
    if not text.isascii():
        text = text.replace("“", '"').replace("”", '"')
        text = _FOREIGN.sub(lambda each: "9" if each[0].isdecimal() else " ", text)
    return np.frombuffer((text + " " * 4).encode("utf-16-le"), np.uint16)


def _hash(codes: Codes, places: Numbers) -> Numbers:
    """Return a non-negative hash of each token, from its letters in lower case."""
    powers = np.cumprod(np.full(len(codes), _FACTOR, np.uint64))
    shares = _SHARES[codes] * powers
    totals = np.cumsum(shares)
    # Normalise each sum as if its token were at the beginning.
    sums = np.diff(totals[places] - shares[places], append=totals[-1:]) * powers[-1 - places]
    hashes: Numbers = (sums * np.uint64(pow(_FACTOR, -len(codes), 2**64)) >> np.uint64(1)).view(np.int64)
    return hashes


def sum_by(owners: Numbers, rows: NDArray[np.floating[Any]], count: int) -> NDArray[np.float64]:
    """Return the sum of the ``rows`` of each owner, as one row for each of ``count`` owners. ``owners`` has
    the owner of each row and must be ascending.
    """
    sums = np.zeros((count, rows.shape[1]))
    if len(owners):
        first = np.flatnonzero(np.diff(owners, prepend=-1))
        sums[owners[first]] = np.add.reduceat(rows, first, axis=0)
    return sums


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of some passages, in order.

    Sentence ``i`` has the numbers ``numbers[starts[i] : starts[i + 1]]`` of a ``Vocabulary`` and is in
    passage ``passages[i]``, counted from 0. ``starts`` has one more element than there are sentences.
    ``places`` are the offsets of the tokens in the passages' texts, joined with one character between them.
    """

    numbers: Numbers
    places: Numbers
    starts: Numbers
    passages: Numbers

    def __len__(self) -> int:
        return len(self.passages)


def cut(texts: Sequence[str], vocabulary: Vocabulary) -> Sentences:
    """Split the passages ``texts`` into sentences. None spans two passages; a passage without words
    has none.
    """
    numbers, places, lengths = _read(texts, vocabulary)
    first = np.zeros(len(numbers) + 1, np.bool_)
    first[0] = True
    first[np.cumsum(lengths)] = True
    first[1:][_ends(numbers, first, vocabulary)] = True
    starts = np.flatnonzero(first)
    owner = np.repeat(np.arange(len(texts)), lengths)[starts[:-1]] if len(numbers) else starts[:0]
    if len(owner):
        # A list number, a rule of dashes or a footnote mark alone belongs to the sentence before it.
        wordless = np.add.reduceat((numbers == UNKNOWN) | (numbers >= len(SIGNS)), starts[:-1]) == 0
        wordless[0] = False
        wordless[1:] &= owner[1:] == owner[:-1]
        owner = owner[~wordless]
        starts = starts[np.append(~wordless, True)]
    return Sentences(numbers, places, starts, owner)


def _read(texts: Sequence[str], vocabulary: Vocabulary) -> tuple[Numbers, Numbers, Numbers]:
    """Return the numbers of the tokens of ``texts``, their offsets, and the number of tokens in each text."""
    text = "\n".join(texts)
    bounds = [0, *accumulate(len(each) + 1 for each in texts)]
    codes = _encode(text)
    kinds = _KINDS[codes]
    marks: list[int] = []
    for low, high in pairwise(bounds):
        for mark in _MARK.finditer(text, low, high - 1):
            start, end = mark.span()
            marks.append(start)
            kinds[start + 1 : end] = 0
    kinds[np.array(marks, np.int64)] = _SIGN
    places = np.flatnonzero(((np.diff(kinds, prepend=0) != 0) | (kinds == _SIGN)) & (kinds > 0))
    opening = codes[places]
    numbers = _NUMBERS[opening]
    digits = kinds == _DIGIT
    four = digits[:-4] & digits[1:-3] & digits[2:-2] & digits[3:-1] & ~digits[4:]
    numbers[(numbers == NUMBER) & (opening - ord("1") < 2) & four[places]] = YEAR
    at, known = vocabulary.known.find(_hash(codes, places))
    numbers[at] = len(SIGNS) + known
    return numbers, places, np.diff(np.searchsorted(places, bounds))


def find_sentence_spans(text: str, vocabulary: Vocabulary) -> list[Span]:
    """Return the spans of the sentences into which ``cut`` splits the single passage ``text``."""
    sentences = cut([text], vocabulary)
    places = sentences.places.tolist()
    found = []
    for start, end in pairwise(sentences.starts.tolist()):
        if end > start:
            low = places[start]
            while text[low].isspace():
                low += 1
            following = places[end] if end < len(places) else len(text)
            found.append(Span(low, low + len(text[low:following].rstrip())))
    return found


def _ends(numbers: Numbers, first: NDArray[np.bool_], vocabulary: Vocabulary) -> NDArray[np.bool_]:
    """Return which tokens end a sentence: breaks, and full stops that are not part of an abbreviation or
    numbering.
    """
    before = np.concatenate([[UNKNOWN], numbers[:-1]])
    stops = numbers == STOP
    shortened = vocabulary.abbreviates[before]
    number = (before == NUMBER) | (before == YEAR)
    begun = np.concatenate([[False], first[:-1][: len(numbers) - 1]]) if len(numbers) else first[:0]
    after_break = np.concatenate([[False, False], numbers[:-2] == BREAK])[: len(numbers)]
    numbering = number & (begun | after_break)
    result: NDArray[np.bool_] = (stops & ~shortened & ~numbering) | (numbers == BREAK)
    return result


_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class KeyTable:
    """A hash table of non-negative keys, with a separate table for colliding keys.

    It is far faster than a binary search for thousands of keys.
    """

    def __init__(self, keys: NDArray[np.int64]) -> None:
        self._none = len(keys)
        self._keys = np.append(keys, -1)
        bits = (8 * len(keys) + 1).bit_length()  # so that few keys share a slot
        self._shift = np.uint64(64 - bits)
        self._table = np.full(2**bits, self._none, np.int32)
        slots = self._slots(keys)
        self._table[slots] = np.arange(len(keys))
        apart = np.flatnonzero(keys[self._table[slots]] != keys)
        self._apart = dict(zip(keys[apart].tolist(), apart.tolist(), strict=True))

    def find(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the indices in ``keys`` of those that are in the table, and for each its index among the
        table's keys.
        """
        which = self._table[self._slots(keys)]
        others = np.flatnonzero(self._keys[which] != keys)
        others = others[which[others] < self._none]
        which[others] = [self._apart.get(key, self._none) for key in keys[others].tolist()]
        found = np.flatnonzero(which < self._none)
        return found, which[found]

    def _slots(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        return (keys.view(np.uint64) * _MULTIPLIER >> self._shift).view(np.int64)
