"""Convert offsets to lines and columns and back, in the encodings that editors use."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from typing import Literal

from lexls.text.spans import Span

Encoding = Literal["utf-8", "utf-16", "utf-32"]
"""The unit of columns: bytes, UTF-16 units or code points."""

_LONG_LINE = 1000
"""Maximum length, in code points, of a line whose columns are computed from its characters. On a longer line,
they are computed from the positions of the wide characters in the whole text.
"""
_WIDE: Mapping[Encoding, re.Pattern[str]] = {
    "utf-8": re.compile(r"[^\x00-\x7f]"),
    "utf-16": re.compile("[\U00010000-\U0010ffff]"),
}
_LINE_END = re.compile(r"\r\n|\r|\n")
_LINE_FEED = re.compile("\n")


def _find_line_ends(text: str, start: int = 0, stop: int | None = None) -> tuple[list[int], list[int]]:
    """Return the starts of the line ends in part of a text, and the starts of the lines after them.

    Searching for line feeds is ten times as fast as matching an alternation, which matters for a text of 50
    MB.
    """
    stop = len(text) if stop is None else stop
    returns = text.count("\r", start, stop)
    if returns != text.count("\r\n", start, stop):
        spans = [match.span() for match in _LINE_END.finditer(text, start, stop)]
        return [end for end, _ in spans], [begin for _, begin in spans]
    found = [match.start() for match in _LINE_FEED.finditer(text, start, stop)]
    starts = [each + 1 for each in found]
    if returns:
        found = [each - 1 if each > start and text[each - 1] == "\r" else each for each in found]
    return found, starts


def match_lines(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches, as ``finditer`` does, of a pattern that begins at the start of a line.

    ``finditer`` would try every character. For a text of 50 MB this takes seconds and blocks all other
    threads.
    """
    at = 0
    while at <= len(text):
        match = pattern.match(text, at)
        if match is not None:
            yield match
            if match.end() > at and text[match.end() - 1] == "\n":
                at = match.end()
                continue
        at = text.find("\n", at if match is None else match.end()) + 1
        if not at:
            return


def _width(text: str, encoding: Encoding) -> int:
    """Return the length of ``text`` in the units of ``encoding``."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(1 for character in text if character > "\uffff")


WRAPPED = 100
"""Maximum line length of readable copies, in code points."""
_LONG = re.compile(rf"[^\n]{{{WRAPPED + 20}}}")
_PIECE = re.compile(rf"[^\n]{{0,{WRAPPED}}}(?:\n|\Z)|[^\n]{{1,{WRAPPED}}} |[^\n ]+(?: |\n|\Z)")


def has_long_lines(text: str) -> bool:
    """Return whether any line is clearly longer than those that ``wrap_lines`` produces."""
    return _LONG.search(text) is not None


def wrap_lines(text: str) -> str:
    """Replace some spaces of a text with line ends, so that offsets do not change.

    Lines have at most ``WRAPPED`` code points unless a word is longer.
    """
    return _PIECE.sub(lambda piece: piece[0][:-1] + "\n" if piece[0].endswith(" ") else piece[0], text)


class LineIndex:
    r"""The lines of one text; only `` ``, ``\r `` and ``\r`` end a line.

    Form feeds and U+2028 do not, since text from PDFs is full of them and editors do not treat them as line
    ends.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        ends, starts = _find_line_ends(text)
        self._starts = [0, *starts]
        self._ends = [*ends, len(text)]
        self._wide: dict[Encoding, array[int]] = {}

    def edit(self, start: int, end: int, text: str) -> LineIndex:
        """Return the line index of the text in which ``text`` replaces the code points from ``start`` to
        ``end``.

        Only the lines around the change are processed.
        """
        after = self._text[:start] + text + self._text[end:]
        # From a line that begins before the change to one that begins after it: a line end of two code
        # points may be created or broken at either edge.
        first = max(0, bisect_right(self._starts, max(0, start - 1)) - 1)
        last = bisect_right(self._starts, end + 1)
        by = len(text) - (end - start)
        lines = LineIndex.__new__(LineIndex)
        lines._text = after
        begin = self._starts[first]
        stop = self._starts[last] + by if last < len(self._starts) else len(after)
        new_ends, new_starts = _find_line_ends(after, begin, stop)
        starts, ends = [*self._starts[:first], begin, *new_starts], [*self._ends[:first], *new_ends]
        if last < len(self._starts):
            starts.pop()  # the start of the line ``last``, which is added with the rest
            starts.extend([each + by for each in self._starts[last:]])
            ends.extend([each + by for each in self._ends[last:]])
        else:
            ends.append(len(after))
        lines._starts, lines._ends, lines._wide = starts, ends, {}
        return lines

    def _width(self, start: int, end: int, encoding: Encoding) -> int:
        """Return the length between two offsets in units of the encoding, without reading every character of
        a long line.
        """
        if encoding == "utf-32" or self._text.isascii():
            return end - start
        if end - start <= _LONG_LINE:
            return _width(self._text[start:end], encoding)
        if encoding not in self._wide:
            wide = (
                (at, _width(self._text[at], encoding) - 1)
                for at in (match.start() for match in _WIDE[encoding].finditer(self._text))
            )
            self._wide[encoding] = array("Q", (at for at, more in wide for _ in range(more)))
        marks = self._wide[encoding]
        return end - start + bisect_left(marks, end) - bisect_left(marks, start)

    @property
    def text(self) -> str:
        """The text whose lines these are."""
        return self._text

    @property
    def line_count(self) -> int:
        """The number of lines; an empty text has one."""
        return len(self._starts)

    def line_span(self, line: int) -> Span:
        """Return the line without its line end; for a line past the last, the empty span at the end of the
        text.

        Raises ``ValueError`` if ``line`` is negative.
        """
        if line < 0:
            raise ValueError(f"line {line} is negative")
        if line >= len(self._starts):
            return Span(len(self._text), len(self._text))
        return Span(self._starts[line], self._ends[line])

    def position(self, offset: int, encoding: Encoding = "utf-32") -> tuple[int, int]:
        """Return the line and column (both from 0) of an offset in code points.

        The offset is clamped to the text; an offset inside a line end counts as the end of its line.
        """
        offset = max(0, min(offset, len(self._text)))
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        offset = min(offset, self._ends[line])
        return line, self._width(start, offset, encoding)

    def offset(self, line: int, character: int, encoding: Encoding = "utf-32") -> int:
        """Return the offset in code points of a line and column (both from 0).

        A column past the line's end gives the line's end. A line past the last gives the end of the text. A
        column inside a character gives the start of that character.
        """
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self._text)
        start, end = self._starts[line], self._ends[line]
        if character <= 0:
            return start
        if encoding == "utf-32" or self._text.isascii():
            return min(start + character, end)
        if end - start > _LONG_LINE:
            # The last offset at most this many units from the line's start.
            places = range(start, end + 1)
            return (
                start + bisect_right(places, character, key=lambda at: self._width(start, at, encoding)) - 1
            )
        content = self._text[start:end]
        units = 0
        for position, code_point in enumerate(content):
            units += _width(code_point, encoding)
            if units > character:
                return start + position
            if units == character:
                return start + position + 1
        return end
