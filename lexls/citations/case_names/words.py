"""Classify words in case names: abbreviations, capitalised words, made-up names."""

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
    """Return whether a word's full stop may mark an abbreviation or initial."""
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
    """Return whether a case-folded word may begin an abbreviation: a listed one ("cmt" for "cmty"), or one
    without vowels ("bd").
    """
    place = bisect_left(_WRITTEN, word)
    known = len(word) > 2 and any(each.startswith(word) for each in _WRITTEN[place : place + 1])
    return known or _CONSONANTS.fullmatch(word) is not None


def abbreviates(short: str, word: str) -> bool:
    """Return whether an abbreviation's letters occur in a word in order, beginning with the same letter."""
    rest = iter(word)
    return short[:1] == word[:1] and all(letter in rest for letter in short)


def is_capitalised(token: str) -> bool:
    """Return whether a word begins as names do: with a capital or as a made-up name.

    Opening marks and an elided article ("d'", "l'") before it are allowed.
    """
    bare = token.lstrip("\"'“‘[(")
    if not bare:
        return False
    return bare[0].isupper() or (bare[0] in "d’l" and bare[1:2] in "'’") or is_coined(bare)


def is_coined(token: str) -> bool:
    """Return whether a word is a made-up name with a small initial letter: "i4i", "eBay"."""
    return _COINED.match(token) is not None


def walk_back(window: str) -> Iterator[tuple[int, str, int]]:
    """Yield the words of a text from the last to the first: index, word, start offset."""
    tokens = window.split()
    start = len(window)
    for index in range(len(tokens) - 1, -1, -1):
        start = window.rindex(tokens[index], 0, start)
        yield index, tokens[index], start
