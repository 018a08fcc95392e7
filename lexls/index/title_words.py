"""Find authorities by the distinctive words of their titles, or by docket number."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from lexls.citations.same_docket import Serial, list_serials
from lexls.index.records import Authority
from lexls.text.lexicon import BETWEEN_PARTIES

_WORD = re.compile(r"[^\W\d_]{3,}")
_DIVIDED = re.compile(r"([^\W\d_]{2,})-([^\W\d_]{2,})")
_INITIAL = re.compile(r"\b[^\W\d_]")
_STOP = re.compile(r"(?<=\b[A-Za-z])\.\s?(?=[A-Za-z]\b)")
_FREQUENT = 200
"""A word in more titles than this ("Board") is ignored if the name also has a rarer word."""
_BEGINNING = 5
"""Number of first letters that a misspelt long word must share with the correct word."""
_LONG = 8
"""Minimum length of a word that is also looked up by its first letters."""
_APART = 2
"""Maximum difference in length, in letters, between a misspelt word and the correct word."""


class TitleWords:
    """An index of authorities by the words and initials of their titles, and by their docket numbers."""

    def __init__(self, authorities: Iterable[Authority]) -> None:
        self._words: defaultdict[str, set[int]] = defaultdict(set)
        self._beginnings: defaultdict[str, set[str]] = defaultdict(set)
        self._dockets: defaultdict[Serial, set[int]] = defaultdict(set)
        for authority in authorities:
            self.put(authority)

    def put(self, authority: Authority) -> None:
        """Add an authority."""
        for word in _list_words(authority):
            self._words[word].add(authority.id)
            if len(word) >= _LONG:
                self._beginnings[word[:_BEGINNING]].add(word)
        for serial in list_serials(authority.docket):
            self._dockets[serial].add(authority.id)

    def remove(self, authority: Authority) -> None:
        """Remove an authority; its title and dockets must be the same as when it was added."""
        for word in _list_words(authority):
            self._words[word].discard(authority.id)
        for serial in list_serials(authority.docket):
            self._dockets[serial].discard(authority.id)

    def find(self, name: str) -> set[int]:
        """Return the authorities that share a rare word with a name, or whose initials it contains.

        A long word that is in no title is replaced by the words of titles that have the same beginning.
        """
        found = sorted((each for word in _list_name_words(name) if (each := self._find_word(word))), key=len)
        rare = [each for each in found if len(each) <= _FREQUENT] or found[:1]
        return set().union(*rare)

    def find_docket(self, serials: Iterable[Serial]) -> set[int]:
        """Return the authorities with one of these docket numbers."""
        return set().union(*(self._dockets[each] for each in serials if each in self._dockets))

    def _find_word(self, word: str) -> set[int]:
        if self._words.get(word) or len(word) < _LONG:
            return self._words.get(word, set())
        near = (
            each
            for each in self._beginnings.get(word[:_BEGINNING], ())
            if abs(len(each) - len(word)) <= _APART
        )
        return set().union(*(self._words[each] for each in near))


def _list_words(authority: Authority) -> set[str]:
    """Return the words of a title and short title, and the initials of each party."""
    words: set[str] = set()
    for title in (authority.title, authority.short_title):
        words |= _list_name_words(title)
        for party in BETWEEN_PARTIES.split(title)[::2]:
            letters = _INITIAL.findall(party)
            words |= {"".join(letters).casefold(), "".join(filter(str.isupper, letters)).casefold()}
    return words - {""}


def _list_name_words(name: str) -> set[str]:
    """Return the words of a name with three letters or more, in lower case; "U.S.A." counts as one word.

    A hyphenated word, which may have been divided at a line end, is also returned without its hyphen.
    """
    plain = _STOP.sub("", name)
    whole = {"".join(each) for each in _DIVIDED.findall(plain)}
    return {each.casefold() for each in (*_WORD.findall(plain), *whole)}
