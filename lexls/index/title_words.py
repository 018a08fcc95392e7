"""Find authorities whose title shares a telling word with a name, or that have a docket number."""

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
"""Titles that may have a word ("Board") that finds them where the name also has a rarer one."""
_BEGINNING = 5
"""Letters that a long word shares with one that is misspelt behind them."""
_LONG = 8
"""Letters of a word from which on it is looked for by its beginning."""
_APART = 2
"""Letters by which a misspelt word may be longer or shorter."""


class TitleWords:
    """The words and initials of titles, and the dockets, of these authorities, by which they are found."""

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
        """Forget an authority, which has the title and dockets that it had when it was added."""
        for word in _list_words(authority):
            self._words[word].discard(authority.id)
        for serial in list_serials(authority.docket):
            self._dockets[serial].discard(authority.id)

    def find(self, name: str) -> set[int]:
        """Return the authorities with a rare word of a name, or with initials that it writes.

        A long word that no title has finds those that begin as it does.
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
    """The words of a title and of a short title, and the initials of the parties that have several."""
    words: set[str] = set()
    for title in (authority.title, authority.short_title):
        words |= _list_name_words(title)
        for party in BETWEEN_PARTIES.split(title)[::2]:
            letters = _INITIAL.findall(party)
            words |= {"".join(letters).casefold(), "".join(filter(str.isupper, letters)).casefold()}
    return words - {""}


def _list_name_words(name: str) -> set[str]:
    """The words of a name of three letters or more, in lower case; initials with full stops are one word.

    A word with a hyphen, which a line may have divided, counts as one too.
    """
    plain = _STOP.sub("", name)
    whole = {"".join(each) for each in _DIVIDED.findall(plain)}
    return {each.casefold() for each in (*_WORD.findall(plain), *whole)}
