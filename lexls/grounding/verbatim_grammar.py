"""Rules for quotations that can be nothing but words of one passage, in a row.

The rules grow with the passage, not with its square: each word is one rule, "end here, or go on with this
word". A rule cannot count, so the text is cut into stretches of at most ``STRETCH_WORDS``, and each has its
rules twice: for a quotation that began in it and may go on into the next one, and for one that came from the
stretch before and ends in this one. So no quotation is longer than two stretches. It begins where a sentence
or a clause does, which keeps the number of beginnings that must be followed at once small.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from lexls.grounding.gbnf import literal
from lexls.text.words import words

LEAST_WORDS = 5
"""A quotation of fewer bears nothing out. Only a passage that has no more is quoted with less."""
STRETCH_WORDS = 40
"""Twice this is the longest quotation in words."""
LONGEST_WORD = 80
"""Characters; what is longer is no word, and is not quoted."""
_FARTHEST_BEGINNING = 16
"""Words without a beginning of a clause, after which a quotation may begin anyway."""

_SENTENCE_END = re.compile(r"[.?!][\"'”’)\]]{0,3}\Z")
_CLAUSE_END = re.compile(r"[,;:.?!)\]—–][\"'”’)\]]{0,3}\Z|\A[—–-]\Z")
_OPENING = re.compile(r"\A[\"“‘(\[]")
_MARK = re.compile(r"[*#§¶>|-]{1,6}|[*¶§]{0,2}[\[(]?(?:\d{1,4}|[A-Za-z]|[ivxlcIVXLC]{1,6})[\])]?[.)]?")
_CLAUSE_WORDS = words("that which who whose where when whether if unless because but although provided since")


def verbatim_rules(text: str, name: str) -> list[str]:
    """Rules, the first called ``name``, for a quotation from ``text`` inside a JSON string.

    Words are divided by one space each, however they are divided in ``text``. None if there is no word.
    """
    runs = list(_runs(text))
    beginnings: list[str] = []
    chains: list[str] = []
    for number, run in enumerate(runs):
        _Run(run, f"{name}-{number}").write(beginnings, chains)
    if not beginnings:
        beginnings = [literal(" ".join(map(_escaped, run[: 2 * STRETCH_WORDS]))) for run in runs]
    if not beginnings:
        return []
    return [f"{name} ::= {' | '.join(dict.fromkeys(beginnings))}", *chains]


class _Run:
    """Words in a row, all of which may be quoted."""

    def __init__(self, run: Sequence[str], name: str) -> None:
        self._words = [*map(_escaped, run)]
        self._plain = run
        self._name = name
        self._ends = _stretches(run)

    def write(self, beginnings: list[str], chains: list[str]) -> None:
        """Add what a quotation may begin with, and the rules that these refer to."""
        first = 0
        for stretch, end in enumerate(self._ends):
            last = self._ends[stretch + 1] if stretch + 1 < len(self._ends) else end
            for start in _beginnings(self._plain, first, end):
                after = min(start + LEAST_WORDS, last)
                if after - start == LEAST_WORDS:
                    opening = literal(" ".join(self._words[start:after]))
                    beginnings.append(f"{opening} {self._rest(after, end, last)}".rstrip())
            chains += self._chain(first, end, last)
            if stretch and last != end:
                chains += self._chain(first, end, end)
            first = end

    def _chain(self, first: int, end: int, last: int) -> Iterator[str]:
        """A rule for each word of a stretch: end before it, or go on with it, up to ``last``."""
        for index in range(max(first, LEAST_WORDS), end):
            word = literal(" " + self._words[index])
            rule = self._rest(index, end, last)
            yield f"{rule} ::= | {word} {self._rest(index + 1, end, last)}".rstrip()

    def _rest(self, index: int, end: int, last: int) -> str:
        """The rule of what may follow before the word ``index``; "" if nothing may.

        ``end`` is where the stretch of the quotation's beginning ends, ``last`` where the quotation must.
        """
        if index >= last:
            return ""
        # A word beyond the first stretch is one of a quotation that came from the stretch before.
        return f"{self._name}-{'b' if index >= end or last == end else 'a'}{index}"


def _runs(text: str) -> Iterator[list[str]]:
    """The words of ``text`` in rows that a quotation may run along: a paragraph, between what is no word of
    it (a number alone on its line, of a page or a paragraph; a word without an end)."""
    run: list[str] = []
    for line in text.split("\n"):
        found = line.split()
        if len(found) == 1 and _MARK.fullmatch(found[0]):
            found = []
        for word in found or ("",):
            if word and len(word) <= LONGEST_WORD:
                run.append(word)
            elif run:
                yield run
                run = []
    if run:
        yield run


def _stretches(run: Sequence[str]) -> list[int]:
    """Where each stretch ends: at an end of a sentence if there is one, or else of a clause."""
    ends: list[int] = []
    first = 0
    while len(run) - first > STRETCH_WORDS:
        window = range(first + STRETCH_WORDS, first + STRETCH_WORDS // 2, -1)
        end = next((each for each in window if _SENTENCE_END.search(run[each - 1])), 0)
        end = end or next((each for each in window if _CLAUSE_END.search(run[each - 1])), 0)
        first = end or first + STRETCH_WORDS
        ends.append(first)
    return [*ends, len(run)]


def _beginnings(run: Sequence[str], first: int, end: int) -> Iterator[int]:
    """The words of ``[first, end)`` that a quotation may begin with."""
    latest = first - _FARTHEST_BEGINNING
    for index in range(first, end):
        if _MARK.fullmatch(run[index]) and run[index] not in ("A", "a", "I"):
            continue
        if (
            index == 0
            or _MARK.fullmatch(run[index - 1])
            or _CLAUSE_END.search(run[index - 1])
            or _OPENING.search(run[index])
            or run[index].lower() in _CLAUSE_WORDS
            or index - latest >= _FARTHEST_BEGINNING
        ):
            latest = index
            yield index


def _escaped(word: str) -> str:
    """A word as it stands inside a JSON string."""
    return json.dumps(word, ensure_ascii=False)[1:-1]
