"""Keep the terms that are defined up to some place of a text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Set
from itertools import islice

from lexls.citations.definitions import Term

_MOST_RELEVANT = 200
"""Terms that begin with the same word and are looked for in one paragraph: those defined last."""
_KEPT_AFTER = 16


class _Definitions:
    """Terms in the order in which they are defined; a later one replaces what reads the same."""

    def __init__(self) -> None:
        self.count = 0
        self.by_word: dict[str, list[tuple[int, Term]]] = {}
        self.by_text: dict[str, list[tuple[int, Term]]] = {}

    def add(self, term: Term) -> None:
        entry = self.count, term
        self.by_word.setdefault(term.first_word, []).append(entry)
        self.by_text.setdefault(term.text, []).append(entry)
        self.count += 1

    def before(self, count: int) -> _Definitions:
        """A copy with the first ``count``."""
        copy = _Definitions()
        entries = (entry for found in self.by_text.values() for entry in found if entry[0] < count)
        for _, term in sorted(entries, key=_number):
            copy.add(term)
        return copy


class Terms:
    """The terms that are defined up to some place of a text; the same object for the same definitions."""

    def __init__(self, definitions: _Definitions | None = None) -> None:
        self._definitions = definitions or _Definitions()
        self._count = self._definitions.count
        self._then: dict[tuple[Term, ...], Terms] = {}

    def then(self, defined: tuple[Term, ...]) -> Terms:
        """The terms once those of a paragraph are defined too."""
        if all(self._meant(term.text) == term for term in defined):
            return self
        after = self._then.get(defined)
        if after is None:
            known = self._definitions
            # Once others were defined behind these, it is another text that goes on here.
            definitions = known if known.count == self._count else known.before(self._count)
            for term in defined:
                definitions.add(term)
            if len(self._then) > _KEPT_AFTER:
                self._then.clear()
            after = self._then[defined] = Terms(definitions)
        return after

    def among(self, words: Set[str]) -> tuple[Term, ...]:
        """The terms that a paragraph with these capitalised words can use."""
        by_word = self._definitions.by_word
        if by_word.keys().isdisjoint(words):
            return ()
        found: dict[str, Term] = {}
        for word in sorted(by_word.keys() & words):
            entries = by_word[word]
            last = bisect_left(entries, self._count, key=_number)
            for place in islice(range(last - 1, -1, -1), _MOST_RELEVANT):
                term = entries[place][1]
                found.setdefault(term.text, term)
        return tuple(found.values())

    def _meant(self, text: str) -> Term | None:
        entries = self._definitions.by_text.get(text, ())
        place = bisect_left(entries, self._count, key=_number)
        return entries[place - 1][1] if place else None


def _number(entry: tuple[int, Term]) -> int:
    return entry[0]
