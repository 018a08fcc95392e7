"""Determine how similar a word of a quotation is to a word of a passage, and find similar words in a
passage.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import chain, product
from typing import Literal

from rapidfuzz.distance import OSA, Postfix, Prefix

from lexls.quotations.vocabulary import ABBREVIATED, LOOKALIKES, SCANNED, TURNING_PREFIXES
from lexls.text.lexicon import split_words

WordMatch = Literal["same", "spelling", "lookalike", "scan", "inflexion", ""]
"""The kind of similarity between two words. ``lookalike``: OCR confuses their letters. ``scan``: they differ
by a letter or two.
"""

_FIGURES = str.maketrans({"0": "o", "1": "l", "|": "l", "!": "l"})
_LOOKALIKE = str.maketrans(LOOKALIKES["letters"])
_ENDINGS = split_words("ations ation ances ance ences ence ingly edly ings ing ies ied ers es ed ly s d")
_OPPOSITES = (*TURNING_PREFIXES, "a", "mis", "anti", "counter")
_PARTIES = (("or", "ee"), ("er", "ee"), ("ant", "ee"), ("ed", "er"), ("ed", "ee"), ("or", "ed"), ("er", "ed"))
_LONG = 5
"""Minimum number of letters of a word with one different letter for it to count as the same word."""
_LENGTHS_APART = 6
"""Maximum difference in length between similar words, in letters."""


def are_opposites(one: str, other: str) -> bool:
    """Return whether one word is the other with a negating prefix: "lawful", "unlawful"."""
    short, long = sorted((one, other), key=len)
    return len(short) > 2 and any(long == prefix + short for prefix in _OPPOSITES)


@lru_cache(maxsize=32_768)
def compare_words(quoted: str, original: str) -> WordMatch:
    """Return how two words are similar, or "" if they are different words. Both must be in normal form.
    Different numbers and words with opposite meanings are never similar.
    """
    if quoted == original:
        return "same"
    if original not in _TWINS.get(quoted, ()) and (
        not _comparable(quoted, original) or (quoted[:3] != original[:3] and _differ(quoted, original))
    ):
        return ""
    return next((match for match, applies in _LIKENESSES if applies(quoted, original)), "")


def is_misread(one: str, other: str) -> bool:
    """Return whether one of two small words is a known OCR misreading of the other."""
    return (one, other) in SCANNED or (other, one) in SCANNED


def _list_twins() -> Mapping[str, frozenset[str]]:
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for word in {*ABBREVIATED, *ABBREVIATED.values()}:
        groups[ABBREVIATED.get(word, word)].add(word)
    twins: defaultdict[str, set[str]] = defaultdict(set)
    for one, other in chain(chain.from_iterable(product(each, each) for each in groups.values()), SCANNED):
        twins[one].add(other)
        twins[other].add(one)
    return {word: frozenset(others) for word, others in twins.items()}


_TWINS = _list_twins()
"""Words that have quite different forms (abbreviations, known misreadings), each with all its other forms."""


_UNLIKE_JOINED = frozenset(
    {*ABBREVIATED, *ABBREVIATED.values(), *filter(lambda each: len(each) > 5, chain.from_iterable(SCANNED))}
)
"""Words that joined words may resemble although their first and last letters differ: abbreviations, the words
that they abbreviate, and longer misreadings.
"""


def _comparable(quoted: str, original: str) -> bool:
    """Return whether two words may be similar at all. This fast test rules out most pairs."""
    if abs(len(quoted) - len(original)) > _LENGTHS_APART or (quoted.isdigit() and original.isdigit()):
        return False
    if quoted[0] == original[0] or quoted[-1] == original[-1]:
        return True
    return not (quoted.isalpha() and original.isalpha())


def _differ(one: str, other: str) -> bool:
    """Return whether two words with different first letters cannot be spellings or misreadings of one
    word.
    """
    # A word with a trailing footnote mark begins with the same letter.
    return (
        (one[0] != other[0] or (one.isalpha() and other.isalpha()))
        and (min(len(one), len(other)) < _LONG or OSA.distance(one, other, score_cutoff=2) > 2)
        and _spelling(one) != _spelling(other)
        and _looks(one) != _looks(other)
    )


def _other_figure(quoted: str, original: str) -> bool:
    """Return whether two words have different digits at the same position. "6th" is not a misread "8th"."""
    return any(
        one.isdigit() and two.isdigit() and one != two for one, two in zip(quoted, original, strict=False)
    )


def _numbers(quoted: str, original: str) -> bool:
    return any(char.isdigit() for char in quoted) and any(char.isdigit() for char in original)


def _other_party(one: str, other: str) -> bool:
    """Return whether two words name opposite parties: "lessor" and "lessee", "employer" and "employee"."""
    return any(
        left.endswith(first) and left.removesuffix(first) + second == right
        for first, second in _PARTIES
        for left, right in ((one, other), (other, one))
    )


@lru_cache(maxsize=16_384)
def _spelling(word: str) -> str:
    """Return a key shared by the British and American spellings of a word."""
    if len(word) < 5:
        return word
    word = word.replace("practis", "practic").replace("licenc", "licens")
    word = word.replace("ae", "e").replace("oe", "e").replace("our", "or").replace("enquir", "inquir")
    word = re.sub(r"(?<=[a-z]{2})is(?=e|ing|ation)", "iz", word)
    word = re.sub(r"ys(?=e[ds]?$|ing$)", "yz", word)
    word = re.sub(r"ence(?=s?$)|ense(?=s?$)", "ens", word)
    word = re.sub(r"(?<=[tb])re(?=s?$)", "er", word)
    word = word.replace("dgement", "dgment").replace("ogue", "og")
    return re.sub(r"([lpst])\1(?=ed$|ing$|er$|or$|ful|ment)", r"\1", word)


def _look(word: str) -> str:
    """Return a key that is the same for a word and its OCR misreadings."""
    word = word.translate(_FIGURES)
    for letters, one in LOOKALIKES["pairs"].items():
        word = word.replace(letters, one)
    return word.translate(_LOOKALIKE)


_looks = lru_cache(maxsize=16_384)(_look)
"""Return the same as `_look`, cached, for single words that are looked up repeatedly."""


def _inflected(one: str, other: str) -> bool:
    """Return whether two words are inflected forms of one word: "claim", "claims"; "provide", "provided"."""
    if min(len(one), len(other)) < 3 or one[:3] != other[:3]:
        return False
    return bool(_stems(one) & _stems(other))


def _stems(word: str) -> set[str]:
    found = {word, word.removesuffix("e"), word.removesuffix("y")}
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            found |= {stem, stem.removesuffix("e"), stem.removesuffix("y")}
            if stem[-1] == stem[-2]:
                found.add(stem[:-1])
    return found


def _is_scanned(one: str, other: str) -> bool:
    """Return whether one of two long words may be a misreading of the other by OCR."""
    shorter = min(len(one), len(other))
    return shorter >= _LONG and _edits(one, other, 1 if shorter < 9 else 2) and not _numbers(one, other)


def _edits(one: str, other: str, most: int) -> bool:
    """Return whether two words differ by at most ``most`` letters (inserted, deleted, changed or swapped)
    that are close together.
    """
    if OSA.distance(one, other, score_cutoff=most) > most:
        return False
    first = Prefix.similarity(one, other)
    return max(len(one), len(other)) - first - Postfix.similarity(one[first:], other[first:]) <= most + 6


_LIKENESSES: tuple[tuple[WordMatch, Callable[[str, str], bool]], ...] = (
    ("same", lambda one, other: ABBREVIATED.get(one, one) == ABBREVIATED.get(other, other)),
    # The mark of a footnote was run into the word: "route3".
    ("same", lambda one, other: other.isalpha() and one.startswith(other) and one[len(other) :].isdigit()),
    ("lookalike", is_misread),
    ("", lambda one, other: not _comparable(one, other)),
    ("", are_opposites),
    ("", _other_party),
    ("spelling", lambda one, other: _spelling(one) == _spelling(other)),
    ("lookalike", lambda one, other: _looks(one) == _looks(other) and not _other_figure(one, other)),
    ("inflexion", _inflected),
    ("scan", _is_scanned),
)
"""Rules for how two different words are similar; the first that applies decides. "" means that they are not
similar.
"""


def is_plain(word: str) -> bool:
    """Return whether a word, or several joined, can only resemble words with the same first or last
    letter.
    """
    return word.isalpha() and word not in _UNLIKE_JOINED


class DifferentWords:
    """The distinct words of a passage, indexed by their first and last letters. Words of letters are similar
    only if they share one of the two, apart from known other forms, so most words need no comparison.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = frozenset(words)
        self._by_edge: defaultdict[str, set[str]] = defaultdict(set)
        self._odd: set[str] = set()
        for word in self.words:
            if word.isalpha():
                self._by_edge[f"{word[0]}-"].add(word)
                self._by_edge[f"-{word[-1]}"].add(word)
            else:
                self._odd.add(word)

    def find_alike(self, word: str) -> Mapping[str, WordMatch]:
        """Return the words that ``compare_words`` finds similar, each with the kind of similarity."""
        near: Iterable[str] = self.words
        if word.isalpha():
            edges = (self._by_edge.get(f"{word[0]}-", ()), self._by_edge.get(f"-{word[-1]}", ()))
            near = self._odd.union(*edges, self.words & _TWINS.get(word, frozenset()))
        return {each: match for each in near if (match := compare_words(word, each))}


def is_joined_alike(whole: str, together: str) -> bool:
    """Return whether a word may be the same as several words joined, apart from misread letters."""
    if abs(len(whole) - len(together)) > _LENGTHS_APART:
        return False
    if together not in _TWINS.get(whole, ()):
        plain = whole[0] != together[0] and whole[-1] != together[-1] and whole.isalpha()
        if plain and together.isalpha():
            return False
        if OSA.distance(whole, together, score_cutoff=2) > 2 and _looks(whole) != _look(together):
            return False
    return compare_words(together, whole) in ("lookalike", "scan")
