"""Separate the text of a PDF from elements that its pages repeat: headers, footers, page numbers, watermarks,
stamps.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median_high

from lexls.library.pages import make_head_key
from lexls.library.readers.pdf_margins import join_parts
from lexls.library.readers.pdf_page import LARGE, Line, PrintedPage, measure_steps

_ZONE = 0.13
"""Height of the header and footer zones, as a share of the page's height."""
_INNER_ZONE = 0.1
"""Height of the header and footer zones, as a share of the printed area's height."""
_EDGE_LINES = 3
_FEWEST_PAGES = 3
_SHARE = 0.25
"""Minimum share of pages that repeat a header or footer. It is low because headers may alternate between left
and right pages, or change with the chapter.
"""
_AGREEING = 0.5
_APART = 1.1
_LONGEST_HEAD = 100
_NUMBER_FIRST = re.compile(r"(?:page|p\.)?\s{0,3}[-–—|]?\s{0,3}(\d{1,5})(?=\s|$)", re.IGNORECASE)
_NUMBER_LAST = re.compile(r"(?<![\d.,:/-])(\d{1,5})\s{0,3}[-–—|\])]?$")
_OF_TOTAL = re.compile(r"(?:page|p\.)?\s{0,3}(\d{1,5})\s{0,3}(?:of|/)\s{0,3}\d{1,5}$", re.IGNORECASE)
_PARAGRAPH = re.compile(r"[\[(]?\d{1,4}[.)\]]\s")
_ROMAN_ALONE = re.compile(r"[-–—]?\s{0,3}([ivxl]{1,7})\s{0,3}[-–—]?$")
_OVERSIZED = 2.5
"""Minimum height of a watermark's letters, in multiples of the usual line height."""


def leave_out_watermarks(pages: Sequence[PrintedPage]) -> list[PrintedPage]:
    """Return the pages without watermarks.

    Light, large or turned text is a watermark if most pages repeat it. Diagonal text that is also light or
    large is one even on a single page. A heading in large type or a sideways table is text unless most pages
    repeat it.
    """
    odd = [
        [line for line in page.lines if line.turned or line.light or line.height > LARGE] for page in pages
    ]
    if not any(odd):
        return list(pages)
    usual = _usual_height(pages)
    seen: Counter[str] = Counter()
    for lines in odd:
        seen.update({_key(line) for line in lines if _traits(line, usual)})
    needed = max(_FEWEST_PAGES, len(pages) / 2)
    kept = []
    for page, lines in zip(pages, odd, strict=True):
        dropped = {
            id(line)
            for line in lines
            if (line.oblique and _traits(line, usual) > 1)
            or (_traits(line, usual) and seen[_key(line)] >= needed)
        }
        left = [line for line in page.lines if id(line) not in dropped] if dropped else page.lines
        kept.append(replace(page, lines=left))
    return kept


def _usual_height(pages: Sequence[PrintedPage]) -> float:
    heights: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            heights[round(line.height, 1)] += len(line.text)
    return heights.most_common(1)[0][0] if heights else 10.0


def _traits(line: Line, usual: float) -> int:
    return line.turned + line.light + (line.height > _OVERSIZED * usual)


def find_furniture(pages: Sequence[PrintedPage]) -> tuple[list[PrintedPage], tuple[str, ...]]:
    """Remove page numbers, and lines that repeat (apart from numbers in them) at the top or bottom of many
    pages.

    Returns the pages without headers and footers, and the printed page numbers if they are not 1, 2, …. Roman
    numbers before page 1 are as printed; unnumbered pages before it are "0". A number counts as a page number
    only if its difference from the page's position is the same on most pages.
    """
    depths = _zones(pages)
    edges = [_edges(page, depths) for page in pages]
    repeated = _find_repeated(edges)
    kept: list[PrintedPage] = []
    romans: list[str] = []
    for position, page in enumerate(pages):
        dropped: set[int] = set()
        romans.append("")
        for zone in edges[position]:
            numbers, outer = _split_zone(zone, position, repeated)
            for line in numbers:
                roman = _ROMAN_ALONE.match(line.text)
                romans[-1] = roman[1] if roman else romans[-1]
            steps = list(measure_steps(page.lines)) if outer else []
            pitch = median_high(steps) if steps else 0.0
            while outer and not _stands_apart(outer[-1], page.lines, outer, pitch):
                outer.pop()
            dropped.update(id(line) for line in (*numbers, *outer))
        left = [line for line in page.lines if id(line) not in dropped] if dropped else page.lines
        kept.append(replace(page, lines=left))
    kept, starred = _leave_out_stars(kept)
    offset = repeated.offset if repeated.numbered else starred
    if offset == 1 or not (repeated.numbered or starred):
        return kept, ()
    return kept, tuple(
        str(number) if number > 0 else roman or "0" for number, roman in enumerate(romans, start=offset)
    )


@dataclass(frozen=True, slots=True)
class _Repeated:
    """The lines, header heights and page numbers that repeat at the edges of pages.

    ``offset`` is the difference between a page's number and its position. If ``numbered``, most pages have
    that difference; if ``counted``, a quarter of them do.
    """

    pages: int
    seen: Counter[str]
    heights: Counter[int]
    offset: int
    numbered: bool
    counted: bool

    def is_number(self, line: Line, position: int) -> bool:
        """Return whether the line is the number of the page at this position."""
        if not self.counted or not (self.numbered or not _has_words(line)):
            return False
        return self.offset in _offsets(line, position) or _ROMAN_ALONE.match(line.text) is not None

    def is_head(self, line: Line) -> bool:
        """Return whether the line is a header or footer. It must repeat often enough, or at least twice at a
        height where most pages have one.
        """
        times = self.seen[_key(line)]
        placed = times > 1 and self.heights[round(line.bottom)] >= _AGREEING * self.pages
        # A header or footer has letters and does not begin a numbered paragraph.
        if _PARAGRAPH.match(line.text) is not None or not any(map(str.isalpha, line.text)):
            return False
        return times >= _needed(self.pages) or placed


def _needed(pages: int) -> float:
    return max(_FEWEST_PAGES, _SHARE * pages)


def _find_repeated(edges: Sequence[tuple[list[Line], list[Line]]]) -> _Repeated:
    seen, needed = _count_keys(edges), _needed(len(edges))
    heights = Counter(
        height
        for zones in edges
        for height in {round(line.bottom) for zone in zones for line in zone if seen[_key(line)] >= needed}
    )
    offsets = Counter(
        offset
        for position, zones in enumerate(edges)
        for offset in {offset for zone in zones for line in zone for offset in _offsets(line, position)}
    )
    offset, agreeing = _choose(offsets, edges, len(edges))
    numbered = agreeing >= max(2, _AGREEING * len(edges))
    return _Repeated(len(edges), seen, heights, offset, numbered, numbered or agreeing >= needed)


def _split_zone(zone: Sequence[Line], position: int, repeated: _Repeated) -> tuple[list[Line], list[Line]]:
    """Return the page numbers in a zone, and its outermost lines up to the first that is not a number, a
    header or a footer.
    """
    numbers: list[Line] = []
    outer: list[Line] = []
    for line in zone:
        if repeated.is_number(line, position):
            numbers.append(line)
        elif not repeated.is_head(line):
            break
        outer.append(line)
    return numbers, outer


_STAR = re.compile(r"\[\*(\d{1,5})\]\s{0,3}(?=\S)")


def _count_keys(edges: Sequence[tuple[list[Line], list[Line]]]) -> Counter[str]:
    """Return the number of pages on which each possible header or footer occurs. In a document of few pages,
    two occurrences at the same height count as enough.
    """
    seen: Counter[str] = Counter()
    places: Counter[tuple[str, int]] = Counter()
    for zones in edges:
        found = {(_key(line), round(line.bottom)) for zone in zones for line in zone}
        places.update(found)
        seen.update({key for key, _ in found})
    if len(edges) <= _FEWEST_PAGES:
        seen.update({key: _FEWEST_PAGES for (key, _), count in places.items() if count > 1})
    return seen


def _leave_out_stars(pages: Sequence[PrintedPage]) -> tuple[list[PrintedPage], int]:
    """Return the pages without the mark ("[*12]") at the beginning of most of them, and the difference
    between its number and the page's position.
    """
    found: dict[int, tuple[Line, int]] = {}
    for position, page in enumerate(pages):
        first = max(page.lines, key=lambda line: line.top, default=None)
        if first is not None and (match := _STAR.match(first.text)):
            found[position] = first, int(match[1]) - position
    offsets = Counter(offset for _, offset in found.values())
    offset, agreeing = offsets.most_common(1)[0] if offsets else (0, 0)
    if agreeing < max(_FEWEST_PAGES, _AGREEING * len(pages)):
        return list(pages), 0
    kept = list(pages)
    for position, (first, own) in found.items():
        if own == offset:
            lines = [_cut(line) if line is first else line for line in pages[position].lines]
            kept[position] = replace(pages[position], lines=lines)
    return kept, offset


def _cut(line: Line) -> Line:
    """Return a line without its page mark."""
    if line.parts and _STAR.sub("", f"{line.parts[0].text} x") == "x":
        return join_parts(line.parts[1:])
    match = _STAR.match(line.text)
    cut = match.end() if match else 0
    marks = tuple(replace(mark, start=mark.start - cut, end=mark.end - cut) for mark in line.marks)
    return line._replace(text=line.text[cut:], marks=marks, parts=())


def _choose(
    offsets: Counter[int], edges: Sequence[tuple[list[Line], list[Line]]], pages: int
) -> tuple[int, int]:
    """Return the difference between page numbers and positions on which most pages agree, and the number of
    those pages.

    If a number on a line of its own agrees on most pages, it is preferred to one in a stamp or header.
    """
    if not offsets:
        return 0, 0
    best = offsets.most_common(1)[0]
    if len(offsets) == 1:
        return best
    alone = Counter(
        offset
        for position, zones in enumerate(edges)
        for offset in {
            offset
            for zone in zones
            for line in zone
            if not _has_words(line)
            for offset in _offsets(line, position)
        }
    )
    own = alone.most_common(1)
    return (own[0][0], offsets[own[0][0]]) if own and own[0][1] >= max(2, _AGREEING * pages) else best


def _zones(pages: Sequence[PrintedPage]) -> tuple[float, float]:
    """Return the height above which a header may be on a page, and the height below which a footer may be.

    The limits are measured from the edges of the printed area of most pages, in case margins are wide.
    """
    tops = sorted(max(line.top for line in page.lines) for page in pages if page.lines)
    bottoms = sorted(min(line.bottom for line in page.lines) for page in pages if page.lines)
    if len(tops) < _FEWEST_PAGES:
        return math.inf, -math.inf
    middle = len(tops) // 2
    deep = (tops[middle] - bottoms[middle]) * _INNER_ZONE
    return tops[middle] - deep, bottoms[middle] + deep


def _edges(page: PrintedPage, zones: tuple[float, float]) -> tuple[list[Line], list[Line]]:
    """Return the lines that may be a page's header and those that may be its footer, the outermost first."""
    high = min(page.height * (1 - _ZONE), zones[0])
    low = max(page.height * _ZONE, zones[1])
    by_height = sorted(page.lines, key=lambda line: -line.top)
    top = [line for line in by_height[:_EDGE_LINES] if line.top > high]
    foot = [line for line in by_height[: -_EDGE_LINES - 1 : -1] if line.bottom < low]
    own = {id(line) for line in top}
    return top, [line for line in foot if id(line) not in own]


def _stands_apart(line: Line, lines: Sequence[Line], outer: Sequence[Line], pitch: float) -> bool:
    """Return whether a line has more space around it than lines usually have, not counting other headers and
    footers.
    """
    own = {id(each) for each in outer}
    others = [abs(line.bottom - other.bottom) for other in lines if id(other) not in own]
    return not others or min(others) > _APART * pitch


def _key(line: Line) -> str:
    return make_head_key(line.text)


def _has_words(line: Line) -> bool:
    return any(sign.isalpha() for sign in line.text)


def _offsets(line: Line, position: int) -> set[int]:
    """Return the differences between the page's position and the numbers at the ends of a short line.

    The result is empty for a line that ends like a sentence, and for "12." or "[12]", which begin a
    paragraph.
    """
    if len(line.text) > _LONGEST_HEAD or line.text[-1] in ".;:,":
        return set()
    found = (pattern.search(line.text) for pattern in (_NUMBER_LAST, _OF_TOTAL))
    numbers = {int(match[1]) for match in found if match is not None}
    if first := _NUMBER_FIRST.match(line.text):
        numbers.add(int(first[1]))
    return {number - position for number in numbers}
