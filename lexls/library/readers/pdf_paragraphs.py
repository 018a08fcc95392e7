"""Join the lines of a PDF's pages into paragraphs."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from lexls.library.document import ExtractedPiece
from lexls.library.lines import starts_anew

DIVIDED = "\ufffe"
"""What PDFium writes where a hyphen at a line's end divides a word; it drops the line's end itself."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text and its box in points, from the page's lower left corner.

    ``height`` is that of its first character's font box; ``bottom`` lies lower than ``top - height`` where
    the text layer has joined lines whose words were divided.
    """

    text: str
    left: float
    right: float
    top: float
    bottom: float
    height: float


_WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
_DIVIDED_WORD = re.compile(rf"([^\W\d_]*)(?:{DIVIDED}|\u00ad)([^\W\d_]*)")
_HYPHEN_AT_END = re.compile(r"([^\W\d_]{2,})[-‐]$")
_LOWER_START = re.compile(r"[^\W\d_]+")
_TERMINAL = '.;:?!”"’)]'
_WIDE_GAP = 1.35
_SHORT = 0.85
_INDENT = 6.0
_CENTRED = 4.0
_LARGER = 1.15


@dataclass(frozen=True, slots=True)
class _Layout:
    """What is usual in the document: the distance between lines, the edges, the font height."""

    pitch: float
    left: float
    right: float
    height: float


def join(pages: Sequence[Sequence[Line]]) -> tuple[str, tuple[ExtractedPiece, ...], tuple[int, ...]]:
    """The text, its pieces, and where each page begins in it.

    Lines are joined unless a gap, an indent, a short line after which a sentence ends, a change of size, or
    the start of a numbered item sets them apart; a paragraph may run over a page's end.
    """
    layout = _layout(pages)
    words = _vocabulary(pages)
    parts: list[str] = []
    length = 0
    pieces: list[ExtractedPiece] = []
    starts: list[int] = []
    open_start = -1
    open_height = 0.0
    before: Line | None = None

    def close() -> None:
        nonlocal open_start
        if open_start >= 0:
            pieces.append(
                ExtractedPiece(open_start, length, _heading(open_height, layout, length - open_start))
            )
            open_start = -1

    def add(text: str) -> None:
        nonlocal length
        parts.append(text)
        length += len(text)

    for lines in pages:
        turned = True
        for line in lines:
            text = _mended(line.text, words)
            if before is None or open_start < 0 or _apart(before, line, layout, turned):
                close()
                if length:
                    add("\n\n")
                open_start, open_height = length, line.height
            else:
                glued = _glue(parts, text, words)
                length += glued
                if not glued and parts[-1][-1:] not in ("-", "‐", "–", "—"):
                    add(" ")
            if turned:
                starts.append(length)
                turned = False
            add(text)
            before = line
        if turned:
            starts.append(length)
    close()
    return "".join(parts), tuple(pieces), tuple(min(start, length) for start in starts)


def _layout(pages: Sequence[Sequence[Line]]) -> _Layout:
    lefts: Counter[int] = Counter()
    heights: Counter[float] = Counter()
    for line in itertools.chain.from_iterable(pages):
        lefts[round(line.left)] += len(line.text)
        heights[round(line.height, 1)] += len(line.text)
    rights = sorted(line.right for lines in pages for line in lines)
    pitches = [step for lines in pages for step in measure_steps(lines)]
    return _Layout(
        pitch=median(pitches) if pitches else 12.0,
        left=float(lefts.most_common(1)[0][0]) if lefts else 0.0,
        right=rights[int(len(rights) * 0.9)] if rights else 0.0,
        height=heights.most_common(1)[0][0] if heights else 10.0,
    )


def measure_steps(lines: Sequence[Line]) -> Iterator[float]:
    """The distances, in points, between the lines of a page that follow each other."""
    for above, below in itertools.pairwise(lines):
        if 0 < (step := above.bottom - below.bottom) < 5 * below.height:
            yield step


def _vocabulary(pages: Sequence[Sequence[Line]]) -> set[str]:
    """The words that the document writes undivided, hyphenated ones whole."""
    return {match[0].lower() for lines in pages for line in lines for match in _WORD.finditer(line.text)}


def _mended(text: str, words: set[str]) -> str:
    if DIVIDED not in text and "\u00ad" not in text:
        return text
    return _DIVIDED_WORD.sub(lambda match: _whole(match[1], match[2], words), text)


def _whole(first: str, second: str, words: set[str]) -> str:
    """A divided word: without the hyphen, unless the document writes it with one or it is a double name."""
    joined, hyphenated = (first + second).lower(), f"{first}-{second}".lower()
    double = joined not in words and (hyphenated in words or (second[:1].isupper() and first[-1:].islower()))
    return f"{first}-{second}" if double or not first or not second else first + second


def _glue(parts: list[str], text: str, words: set[str]) -> int:
    """Mend a word divided by a plain hyphen at the end of the line before; how much the text grew, 0 if none.

    The growth may be negative (a hyphen taken away), so that a mended line never needs a space.
    """
    match = _HYPHEN_AT_END.search(parts[-1])
    following = _LOWER_START.match(text)
    if match is None or following is None or not following[0][0].islower():
        return 0
    if _whole(match[1], following[0], words) == match[1] + following[0]:
        parts[-1] = parts[-1][:-1]
        return -1
    return 0


def _apart(before: Line, line: Line, layout: _Layout, turned: bool) -> bool:
    """Whether a paragraph ends between two lines that follow each other."""
    ended = before.text[-1] in _TERMINAL
    short = before.right - layout.left < _SHORT * (layout.right - layout.left)
    if ended and (short or line.left - before.left > _INDENT):
        return True
    if abs(before.height - line.height) > 0.15 * layout.height:
        return True
    if starts_anew(line.text) and (ended or short or before.text[-1] in ",—–-"):
        return True
    if before.text.isupper() != line.text.isupper() and len(line.text) > 3:
        return True
    if short and before.left > layout.left + _INDENT and abs(before.left - line.left) > _CENTRED:
        return True
    # A gap tells nothing at a new page or column.
    step = before.bottom - line.bottom
    return not turned and step > _WIDE_GAP * layout.pitch and step > _WIDE_GAP * line.height * 0.9


def _heading(height: float, layout: _Layout, length: int) -> int:
    """The level of a heading by its size, 0 for text."""
    if length > 200 or height < layout.height * _LARGER:
        return 0
    return 1 if height >= layout.height * 1.5 else 2
