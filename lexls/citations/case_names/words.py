"""Tell what a word in the name of a case can be."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from lexls.text.phrases import load_words

WORDS = load_words(__package__, "words.toml")
_SHORTENED = load_words(__package__, "abbreviations.toml")
BEGINNINGS = _SHORTENED["beginnings"]
_NO_BEGINNINGS = _SHORTENED["never"] | BEGINNINGS
ABBREVIATIONS = _SHORTENED["written"] | (
    frozenset(word[:size] for word in BEGINNINGS for size in range(3, len(word))) - _NO_BEGINNINGS
)


_WRITTEN = tuple(sorted(_SHORTENED["written"]))
_CONSONANTS = re.compile(r"[^\W\daeiouy]{2,5}")
_COINED = re.compile(r"[a-z]{1,2}(?:\d{1,2}[a-z]|[A-Z][a-z])")


def is_abbreviated(token: str) -> bool:
    """Return whether a word's point can be that of an abbreviation or initial."""
    bare = token.strip("()[],\"'“”‘’")
    stem = bare.rstrip(".").casefold().replace("’", "'")
    return (
        len(stem) <= 2
        or "." in stem
        or stem in ABBREVIATIONS
        or stem.removesuffix("s") in ABBREVIATIONS
        or (len(stem) <= 5 and not re.search("[aeiouy]{1}", stem[1:]))
    )


@lru_cache(maxsize=4096)
def begins_abbreviation(word: str) -> bool:
    """Return whether a folded word can be the beginning of a contraction: "cmt" of "cmty", "bd"."""
    place = bisect_left(_WRITTEN, word)
    known = len(word) > 2 and any(each.startswith(word) for each in _WRITTEN[place : place + 1])
    return known or _CONSONANTS.fullmatch(word) is not None


def abbreviates(short: str, word: str) -> bool:
    """Return whether a word begins with the first letter of an abbreviation and has the others in the same
    order."""
    rest = iter(word)
    return short[:1] == word[:1] and all(letter in rest for letter in short)


def is_capitalised(token: str) -> bool:
    """Return whether a word begins as names do: with a capital, behind marks and an elided article, or
    made up."""
    bare = token.lstrip("\"'“‘[(")
    if not bare:
        return False
    return bare[0].isupper() or (bare[0] in "d’l" and bare[1:2] in "'’") or is_coined(bare)


def is_coined(token: str) -> bool:
    """Return whether a word is a made-up name that begins small: "i4i", "eBay"."""
    return _COINED.match(token) is not None


def walk_back(window: str) -> Iterator[tuple[int, str, int]]:
    """The words of a text from its end on: number, word, and where it begins."""
    tokens = window.split()
    start = len(window)
    for index in range(len(tokens) - 1, -1, -1):
        start = window.rindex(tokens[index], 0, start)
        yield index, tokens[index], start
