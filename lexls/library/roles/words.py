"""Cut a passage into words and sentences once for the indicators and for the classifier.

A judgment has tens of thousands of words and a library thousands of judgments, so that a passage is cut with
one regular expression and everything after that works on arrays of numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexls.text.spans import Span

Numbers = NDArray[np.int64]

UNKNOWN, BREAK, STOP, YEAR, NUMBER, QUOTE, COLON, SECTION = range(8)
"""What is no known word: another word; a blank line or the like; a full stop that may end a sentence;
numbers; signs."""
SIGNS = ("<unknown>", "<break>", "<stop>", "<year>", "<number>", '"', ":", "§")

_TOKEN = re.compile(
    r"[A-Za-z\u00c0-\u024f]+|\d+"
    r"|[.?!][\"”’')\]]*(?=\s+[\"“‘'(\[]*[A-Z\d#]|\s*(?:\n|$))"
    r"|\n(?=\s*(?:\n|#|\[?\d{1,3}[.\])]\s))|[§\"“”:]"
)
# Words whose full stop ends no sentence, whatever follows.
_SHORT = """
    v vs no nos s ss sec secs art arts cl cls para paras r rr reg regs ch pt sch p pp vol mr mrs ms dr shri
    smt st co corp ltd pvt inc bros cf e g i ie eg viz id ibid supp cir app ct div dist ed edn cr crl civ misc
    ann stat stats rev fed rep pub etc hon jr sr prof gen gov u f b c d n l a h w j m k t o
    jan feb mar apr aug sept sep oct nov dec scc scr air rs
"""
_ABBREVIATIONS = frozenset(_SHORT.split())
_LARGEST = 400_000
"""Tokens that are remembered."""


class Vocabulary(dict[str, int]):
    """A token as it is written → its number: that of ``SIGNS``, or that of the known word.

    The number of ``words[i]`` (lower case) is ``len(SIGNS) + i``; all other words are ``UNKNOWN``.
    """

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__()
        known = dict.fromkeys(words)
        self.words: tuple[str, ...] = (*SIGNS, *known, *sorted(_ABBREVIATIONS - known.keys()))
        self._known = {word: number for number, word in enumerate(self.words) if number >= len(SIGNS)}
        self.abbreviates: NDArray[np.bool_] = np.array([word in _ABBREVIATIONS for word in self.words])

    def number(self, word: str) -> int:
        """The number of a word or sign as ``words`` has it, ``UNKNOWN`` if it is not there."""
        return SIGNS.index(word) if word in SIGNS else self._known.get(word, UNKNOWN)

    def __missing__(self, token: str) -> int:
        first = token[0]
        if first.isalpha():
            number = self._known.get(token.lower(), UNKNOWN)
        elif first.isdigit():
            number = YEAR if len(token) == 4 and first in "12" else NUMBER
        elif first in _SIGN_OF:
            number = _SIGN_OF[first]
        else:
            number = STOP if first in ".?!" else NUMBER  # other scripts' digits
        if len(self) < _LARGEST:
            self[token] = number
        return number


_SIGN_OF = {"\n": BREAK, '"': QUOTE, "“": QUOTE, "”": QUOTE, ":": COLON, "§": SECTION}


def sum_by(owners: Numbers, rows: NDArray[np.floating[Any]], count: int) -> NDArray[np.float64]:
    """The sums of ``rows`` with the same owner, a row for each of ``count`` owners; ``owners`` must rise."""
    sums = np.zeros((count, rows.shape[1]))
    if len(owners):
        first = np.flatnonzero(np.diff(owners, prepend=-1))
        sums[owners[first]] = np.add.reduceat(rows, first, axis=0)
    return sums


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of some passages, in order.

    Sentence ``i`` has the numbers ``numbers[starts[i] : starts[i + 1]]`` of a ``Vocabulary`` (``starts`` has
    one element more than there are sentences) and stands in passage ``passages[i]``, counted from 0.
    """

    numbers: Numbers
    starts: Numbers
    passages: Numbers

    def __len__(self) -> int:
        return len(self.passages)


def cut(texts: Sequence[str], vocabulary: Vocabulary) -> Sentences:
    """The sentences of the passages ``texts``. None spans two passages; a passage without words has none."""
    found = [_TOKEN.findall(text) for text in texts]
    lengths = np.fromiter(map(len, found), np.int64, len(found))
    tokens = chain.from_iterable(found)
    numbers = np.fromiter(map(vocabulary.__getitem__, tokens), np.int64, int(lengths.sum()))
    first = np.zeros(len(numbers) + 1, np.bool_)
    first[0] = True
    first[np.cumsum(lengths)] = True
    first[1:][_ends(numbers, first, vocabulary)] = True
    starts = np.flatnonzero(first)
    owner = np.repeat(np.arange(len(texts)), lengths)[starts[:-1]] if len(numbers) else starts[:0]
    if len(owner):
        # A list's number, a rule of dashes or the mark of a footnote alone belongs to what stands before it.
        wordless = np.add.reduceat((numbers == UNKNOWN) | (numbers >= len(SIGNS)), starts[:-1]) == 0
        wordless[0] = False
        wordless[1:] &= owner[1:] == owner[:-1]
        owner = owner[~wordless]
        starts = starts[np.append(~wordless, True)]
    return Sentences(numbers, starts, owner)


def find_sentence_spans(text: str, vocabulary: Vocabulary) -> list[Span]:
    """Where the sentences stand that ``cut`` makes of the one passage ``text``."""
    places = [match.span() for match in _TOKEN.finditer(text)]
    starts = cut([text], vocabulary).starts.tolist()
    found = []
    for start, end in pairwise(starts):
        if end > start:
            low = places[start][0]
            while text[low].isspace():
                low += 1
            following = places[end][0] if end < len(places) else len(text)
            found.append(Span(low, low + len(text[low:following].rstrip())))
    return found


def _ends(numbers: Numbers, first: NDArray[np.bool_], vocabulary: Vocabulary) -> NDArray[np.bool_]:
    """Which tokens end a sentence: breaks, and full stops that belong to no abbreviation or numbering."""
    before = np.concatenate([[UNKNOWN], numbers[:-1]])
    stops = numbers == STOP
    shortened = vocabulary.abbreviates[before]
    number = (before == NUMBER) | (before == YEAR)
    begun = np.concatenate([[False], first[:-1][: len(numbers) - 1]]) if len(numbers) else first[:0]
    after_break = np.concatenate([[False, False], numbers[:-2] == BREAK])[: len(numbers)]
    numbering = number & (begun | after_break)
    result: NDArray[np.bool_] = (stops & ~shortened & ~numbering) | (numbers == BREAK)
    return result
