"""Scan a text once, cheaply, for everything that can begin a citation, and limit the time spent on reading
it.

``re`` finds a literal many times faster than a character set, so every pattern here begins with a literal.
Finders apply their other patterns only where one of these matches.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cached_property
from operator import attrgetter
from typing import TypeVar

from lexls.text.blanking import INSERTED
from lexls.text.spans import Span

PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n")
_SHAPES = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", b"A" * 26 + b"0" * 10)
# Patterns on the shape of a text: capitalised letters that begin a word, and a number.
_CAPITALS = re.compile(rb"A(?<![Aa-z0.]A)[Aa-z]*")
# After a comma only if the previous page runs into it: "455 U.S. 489,102 S. Ct. 1186".
_DIGITS = re.compile(rb"0(?<![0*./-]0)(?<![^0],0)")
# Digits with a letter soon after them.
_NUMERALS = re.compile(
    r"[0-9](?<![\w*./§-].)(?:[0-9]{0,3}(?![\d%])|[0-9]{4}(?=[A-Z]))(?=[^A-Za-z\n]{0,24}\n?\s{0,20}[^\W\d_])"
)
# The "no." of an application number in lower case: "no. 36022/97".
_NUMBERED = re.compile(r"no(?<!\w..)s?\b\.?(?=\s{0,3}\d{1,5}/\d\d)")
# Blanks for a volume and page not yet assigned: ", ___ U.S. ___".
_BLANKS = (
    re.compile(r"__(?<=,\s__)_{0,4}\s(?=[A-Z])"),
    re.compile(r"--(?<=,\s--)-{0,4}\s(?=[A-Z])"),
    re.compile(r"—(?<=,\s—)\s(?=[A-Z])"),
)
# Words in italics, whose marks are one blank each: bold has two.
_ITALICS = re.compile(
    r"[^\S\n](?<![^\s(\[“‘\"'—–-]\s)(?P<words>[^\W\d_a-zß-ÿ]\S{0,40}(?:\s\S{1,40}){0,11}?)"
    r"[^\S\n](?=[.,;:?!)\]”’\"'—–-]|\n|\s{0,9}\Z|\s(?![\s.,;:?!)\]”’\"'—]))"
)
_CLOSED = re.compile(r"\d{4}(?:[-–/]\d{1,4})?\s{0,3}[\])]")
# In capitals only between names in capitals ("BUSH V. GORE"); otherwise an initial ("V. Raju").
_SMALL_VERSUS = r"v(?<=[\s).,].)(?:s|ersus)?(?:(?:\.{1,2}|,)(?=\s|[A-Z])|(?=\s))"
_LARGE_VERSUS = r"V(?:(?<=[\s).,].)[Ss]\.?(?=\s)|(?<=[A-Z.,)]\s.)\.?(?=\s{1,9}[A-Z][A-Z'’-]{2}))"
_LONGEST_HEADING = 100
_LARGE = re.compile("[A-Z]{3}")
_SMALL = re.compile("[a-z]{3}")
VERSUS = re.compile(f"{_SMALL_VERSUS}|{_LARGE_VERSUS}")
_VERSUS = (re.compile(_SMALL_VERSUS), re.compile(_LARGE_VERSUS))
# Without the first letter, since the other letters are a rarer literal to search for.
_IDS = (
    re.compile(r"d\.(?<=[Ii]d\.)(?<![\w.-].d\.)(?!\w)"),
    re.compile(r"D\.(?<=[Ii]D\.)(?<![\w.-].D\.)(?!\w)"),
    re.compile(r"bid\b(?<=[Ii]bid)(?<![\w.-].bid)\.?(?!\w)"),
    re.compile(r"BID\b(?<=[Ii]BID)(?<![\w.-].BID)\.?(?!\w)"),
)


class Scan:
    """The positions in one text where citations can begin. Results are cached."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def shape(self) -> bytes:
        """A byte for each code point: "A" for a capital, "0" for a digit, "?" for a character outside
        Latin-1.
        """
        return self.text.encode("latin-1", "replace").translate(_SHAPES)

    @cached_property
    def _capitals(self) -> Mapping[str, Sequence[int]]:
        """The start offsets of each capitalised word, by the word's letters."""
        text = self.text
        found: dict[str, list[int]] = {}
        for start, end in [match.span() for match in _CAPITALS.finditer(self.shape)]:
            found.setdefault(text[start:end], []).append(start)
        return found

    @property
    def words(self) -> Set[str]:
        """The capitalised words of the text, each as its letters only."""
        return self._capitals.keys()

    def capitals(self, words: Set[str]) -> list[tuple[int, str]]:
        """Return the start and letters of every capitalised word that is in ``words``, in order."""
        found = self._capitals
        return sorted((start, word) for word in words & found.keys() for start in found[word])

    def starts(self, words: Set[str]) -> list[int]:
        """Return the start offsets of the capitalised words in ``words`` and, if "no" is one of them, of "no"
        in application numbers.
        """
        found = [start for start, _ in self.capitals(words)]
        if "no" in words:
            found.extend(match.start() for match in _NUMBERED.finditer(self.text))
        return found

    def numerals(self) -> list[tuple[int, str]]:
        """Return the start of every number that may begin a citation, and whether it opens with a "bracket"
        or a "digit".
        """
        found = []
        text = self.text
        for start in [match.start() for match in _DIGITS.finditer(self.shape)]:
            if _NUMERALS.match(text, start) is None:
                continue
            low = max(0, start - 4)
            before = text[low:start].rstrip()
            if text[start - 1] in "[( \t\n" and before.endswith(("[", "(")) and _CLOSED.match(text, start):
                found.append((low + len(before) - 1, "bracket"))
            else:
                found.append((start, "digit"))
        found.extend((match.start(), "digit") for blank in _BLANKS for match in blank.finditer(text))
        return found

    @cached_property
    def ids(self) -> list[tuple[Span, bool]]:
        """The span of each *id.* or *ibid.*, and whether it replaces the name of a reporter, as it does after
        a volume ("83 id. 154").
        """
        text = self.text
        found = []
        for pattern in _IDS:
            for match in pattern.finditer(text):
                start = match.start() - 1
                before = text[max(0, start - 6) : start].rstrip()[-1:]
                volume = before.isdigit() and text[match.end() : match.end() + 3].strip()[:1].isdigit()
                found.append((Span(start, match.end()), volume))
        return sorted(found)

    @cached_property
    def italics(self) -> list[Span]:
        """The spans of capitalised words that may be in italics. The marks of italics have left blanks around
        them.
        """
        return [Span(*match.span("words")) for match in _ITALICS.finditer(self.text)]

    def find_italics_before(self, end: int) -> Span | None:
        """Return the words in italics that end at ``end``, or before a comma that ends there; None if there
        are none.
        """
        place = bisect_right(self.italics, end, key=attrgetter("end")) - 1
        found = self.italics[place] if place >= 0 else None
        return found if found is not None and not self.text[found.end : end].strip(" ,\n") else None

    @cached_property
    def inserted(self) -> list[int]:
        """The offsets at which the text of another file is inserted."""
        return [at for at, sign in enumerate(self.text) if sign == INSERTED] if INSERTED in self.text else []

    @cached_property
    def unread(self) -> list[int]:
        """The offsets where a case may be cited in an unrecognised form: a "v" before a name, or "83 id.
        154".
        """
        text = self.text
        names = [
            at
            for at in self.versus
            if text[at + 1 : at + 6].lstrip(". ")[:1].isupper() and at not in self.headings
        ]
        return sorted([*names, *(span.start for span, volume in self.ids if volume)])

    @cached_property
    def headings(self) -> Set[int]:
        """The offset of each "v" in a line of capitals. Such a line is a heading, for example of a page, and
        not a citation.
        """
        text = self.text
        found: set[int] = set()
        for versus in self.versus:
            before, behind = (
                text[max(0, versus - _LONGEST_HEADING) : versus],
                text[versus + 1 : versus + _LONGEST_HEADING],
            )
            line = before.rpartition("\n")[2] + behind.partition("\n")[0]
            if len(line) >= _LONGEST_HEADING:
                continue
            if line.isupper() or (_LARGE.search(line) and not _SMALL.search(line)):
                found.add(versus)
        return found

    @cached_property
    def versus(self) -> list[int]:
        """The offsets of each "v", "v." or "vs" that may separate two names."""
        return sorted(match.start() for pattern in _VERSUS for match in pattern.finditer(self.text))


T = TypeVar("T")

SECONDS = 1.0
"""Processor time, in seconds, allowed for reading any text, however short."""
SECONDS_A_CHARACTER = 0.000_1
"""Additional processor time, in seconds, allowed for each code point: a hundred times what a long draft
needs.
"""
_LOOKS = 32
"""Number of steps between two readings of the clock."""


class Budget:
    """The processor time that this thread may spend on reading a text. Use it in one thread only."""

    __slots__ = ("_end", "_steps", "is_spent")

    def __init__(self, length: int) -> None:
        self._end = time.thread_time() + SECONDS + length * SECONDS_A_CHARACTER
        self._steps = 0
        self.is_spent = False

    def step(self) -> bool:
        """Return whether another step may be taken. Once the result is false, it stays false."""
        self._steps += 1
        if not self.is_spent and self._steps % _LOOKS == 1:
            self.is_spent = time.thread_time() > self._end
        return not self.is_spent


def read_within(length: int, read: Callable[[Budget], T]) -> tuple[T, bool]:
    """Return the result of ``read``, called with a budget for a text of this length, and whether the budget
    sufficed.

    If the budget is spent, ``read`` is called once more, since accidental delays (compiling a pattern,
    garbage collection) do not repeat.
    """
    found = read(budget := Budget(length))
    if budget.is_spent:
        found = read(budget := Budget(length))
    return found, not budget.is_spent
