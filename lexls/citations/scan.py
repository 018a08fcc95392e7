"""Look once at a text, cheaply, for everything a citation can begin with.

Every pattern here begins with a set of characters or a literal, which ``re`` skips to quickly; what a finder
needs besides is looked at only where one of these was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from functools import cached_property

from lexls.text.spans import Span

PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n")
# A capitalised run of letters that begins a word.
_CAPITALS = re.compile(r"[A-Z](?<![A-Za-z0-9.].)[A-Za-z]*")
# Digits with a letter near behind them.
_NUMERALS = re.compile(
    r"[0-9](?<![\w*.,/§-].)(?:[0-9]{0,3}(?![\d%])|[0-9]{4}(?=[A-Z]))(?=[^A-Za-z\n]{0,24}\n?\s{0,20}[^\W\d_])"
)
# What numbers an application in lower case: "no. 36022/97".
_NUMBERED = re.compile(r"n(?<!\w.)os?\b\.?(?=\s{0,3}\d{1,5}/\d\d)")
_BRACKET = re.compile(r"[\[(]\s{0,3}\Z")
_BEHIND_BRACKET = frozenset("[( \t\n")
_CLOSED = re.compile(r"\d{4}(?:[-–/]\d{1,4})?\s{0,3}[\])]")
# In capitals only between names in capitals ("BUSH V. GORE"): else it is an initial ("V. Raju").
VERSUS = re.compile(
    r"v(?<=[\s).,].)(?:s|ersus)?(?:[.,](?=\s|[A-Z])|(?=\s))|V(?<=[\s).,].)[Ss]\.?(?=\s)"
    r"|V(?<=[A-Z.,)]\s.)\.?(?=\s{1,9}[A-Z][A-Z'’-]{2})"
)
# Without their first letter, so that what is searched for is rare.
_IDS = (
    re.compile(r"d\.(?<=[Ii]d\.)(?<![\w.-].d\.)(?!\w)"),
    re.compile(r"D\.(?<=[Ii]D\.)(?<![\w.-].D\.)(?!\w)"),
    re.compile(r"bid\b(?<=[Ii]bid)(?<![\w.-].bid)\.?(?!\w)"),
    re.compile(r"BID\b(?<=[Ii]BID)(?<![\w.-].BID)\.?(?!\w)"),
)


class Scan:
    """The places of one text where citations can begin; what is asked for repeatedly is made once."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _capitals(self) -> tuple[list[int], list[str]]:
        # Two lists, since a text has tens of thousands of them and a pair each would stay for long.
        starts, found = [], []
        for match in _CAPITALS.finditer(self.text):
            starts.append(match.start())
            found.append(match[0])
        return starts, found

    @property
    def capitals(self) -> Iterable[tuple[int, str]]:
        """Start and letters of every capitalised word."""
        return zip(*self._capitals, strict=True)

    @cached_property
    def words(self) -> frozenset[str]:
        """The letters of the capitalised words."""
        return frozenset(self._capitals[1])

    def starts(self, words: Set[str]) -> list[int]:
        """Where the capitalised words that are among ``words`` begin."""
        found = [start for start, word in self.capitals if word in words]
        if "no" in words:
            found.extend(match.start() for match in _NUMBERED.finditer(self.text))
        return found

    def numerals(self) -> list[tuple[int, str]]:
        """Start and opening ("bracket" or "digit") of every number that a citation can begin with."""
        found = []
        text = self.text
        for match in _NUMERALS.finditer(text):
            start = match.start()
            if text[start - 1] in _BEHIND_BRACKET and start:
                bracket = _BRACKET.search(text, max(0, start - 4), start)
                if bracket is not None and _CLOSED.match(text, start):
                    found.append((bracket.start(), "bracket"))
                    continue
            found.append((start, "digit"))
        return found

    @cached_property
    def ids(self) -> list[tuple[Span, bool]]:
        """Where *id.* and *ibid.* stand; whether a volume before one makes it a reporter ("83 id. 154")."""
        text = self.text
        found = []
        for pattern in _IDS:
            for match in pattern.finditer(text):
                start = match.start() - 1
                before = text[max(0, start - 6) : start].rstrip()[-1:]
                found.append((Span(start, match.end()), before.isdigit()))
        return sorted(found)

    @cached_property
    def unread(self) -> list[int]:
        """Where a case may be cited in a way that no form has: at a "v" before a name, at "83 id. 154"."""
        text = self.text
        names = [at for at in self.versus if text[at + 1 : at + 6].lstrip(". ")[:1].isupper()]
        return sorted([*names, *(span.start for span, volume in self.ids if volume)])

    @cached_property
    def versus(self) -> list[int]:
        """Where a "v", "v." or "vs" between two names can stand."""
        return [match.start() for match in VERSUS.finditer(self.text)]
