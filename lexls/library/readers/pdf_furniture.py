"""Tell what the pages of a PDF repeat from its text: heads, feet, page numbers, watermarks, stamps."""

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
"""The part of a page's height, at either end, in which heads and feet stand."""
_INNER_ZONE = 0.1
"""That part of the height of what is printed."""
_EDGE_LINES = 3
_FEWEST_PAGES = 3
_SHARE = 0.25
"""Heads may alternate between left and right pages, or change with the chapter: a quarter suffices."""
_AGREEING = 0.5
_APART = 1.1
_LONGEST_HEAD = 100
_NUMBER_FIRST = re.compile(r"(?:page|p\.)?\s{0,3}[-–—|]?\s{0,3}(\d{1,5})(?=\s|$)", re.IGNORECASE)
_NUMBER_LAST = re.compile(r"(?<![\d.,:/-])(\d{1,5})\s{0,3}[-–—|\])]?$")
_OF_TOTAL = re.compile(r"(?:page|p\.)?\s{0,3}(\d{1,5})\s{0,3}(?:of|/)\s{0,3}\d{1,5}$", re.IGNORECASE)
_PARAGRAPH = re.compile(r"[\[(]?\d{1,4}[.)\]]\s")
_ROMAN_ALONE = re.compile(r"[-–—]?\s{0,3}([ivxl]{1,7})\s{0,3}[-–—]?$")
_OVERSIZED = 2.5
"""How many times the usual height of lines the letters of a watermark have at least."""


def leave_out_watermarks(pages: Sequence[PrintedPage]) -> list[PrintedPage]:
    """The pages without words that lie across them, or stand light, large or sideways on most of them.

    What runs aslant and is also light or large is a watermark on one page already; a heading in large type or
    a table that lies on its side, on pages that do not repeat it, is text.
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
    """Take away what repeats, digits aside, at the top or bottom of many pages, and page numbers there.

    Returns the pages without their heads and feet, and the printed page numbers if they are not 1, 2, …:
    roman ones before page 1 as printed, "0" for pages that come before it without one. A number counts as a
    page's only if it keeps its distance from the page's position on most pages.
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
    """What repeats at the edges of pages: lines by their keys, heights of heads, and numbers.

    ``offset`` is how far the number of a page is from its position. On most pages it is so if they are
    ``numbered``, on a quarter of them if they are ``counted``.
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
        """Return whether the line repeats, or stands once or twice more where other pages have theirs."""
        times = self.seen[_key(line)]
        placed = times > 1 and self.heights[round(line.bottom)] >= _AGREEING * self.pages
        # A head or foot has letters and opens no numbered paragraph.
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
    """Return the page numbers of a zone, and its outermost lines that are numbers, heads or feet."""
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
    """On how many pages a line may be a head or foot; where pages are few, two at one height are enough."""
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
    """The pages without a mark as "[*12]" that opens most of them; how its number differs from its place."""
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
    """A line without the mark of its page."""
    if line.parts and _STAR.sub("", f"{line.parts[0].text} x") == "x":
        return join_parts(line.parts[1:])
    match = _STAR.match(line.text)
    cut = match.end() if match else 0
    marks = tuple(replace(mark, start=mark.start - cut, end=mark.end - cut) for mark in line.marks)
    return line._replace(text=line.text[cut:], marks=marks, parts=())


def _choose(
    offsets: Counter[int], edges: Sequence[tuple[list[Line], list[Line]]], pages: int
) -> tuple[int, int]:
    """The distance of the page numbers from the positions that most pages agree on, and how many do.

    Where a number that stands alone agrees with most pages, it wins over one in a stamp or a head.
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
    """Above which height on a page its head may stand, and below which its foot.

    Beside the edges of the page these are the edges of what is printed on most pages, where margins are wide.
    """
    tops = sorted(max(line.top for line in page.lines) for page in pages if page.lines)
    bottoms = sorted(min(line.bottom for line in page.lines) for page in pages if page.lines)
    if len(tops) < _FEWEST_PAGES:
        return math.inf, -math.inf
    middle = len(tops) // 2
    deep = (tops[middle] - bottoms[middle]) * _INNER_ZONE
    return tops[middle] - deep, bottoms[middle] + deep


def _edges(page: PrintedPage, zones: tuple[float, float]) -> tuple[list[Line], list[Line]]:
    """The lines that may be a page's head and those that may be its foot, the outermost first."""
    high = min(page.height * (1 - _ZONE), zones[0])
    low = max(page.height * _ZONE, zones[1])
    by_height = sorted(page.lines, key=lambda line: -line.top)
    top = [line for line in by_height[:_EDGE_LINES] if line.top > high]
    foot = [line for line in by_height[: -_EDGE_LINES - 1 : -1] if line.bottom < low]
    own = {id(line) for line in top}
    return top, [line for line in foot if id(line) not in own]


def _stands_apart(line: Line, lines: Sequence[Line], outer: Sequence[Line], pitch: float) -> bool:
    """Return whether the nearest line that is not itself a head or foot is further away than lines usually
    are."""
    own = {id(each) for each in outer}
    others = [abs(line.bottom - other.bottom) for other in lines if id(other) not in own]
    return not others or min(others) > _APART * pitch


def _key(line: Line) -> str:
    return make_head_key(line.text)


def _has_words(line: Line) -> bool:
    return any(sign.isalpha() for sign in line.text)


def _offsets(line: Line, position: int) -> set[int]:
    """Return how far the numbers at the ends of a short line are from the page's position.

    Not of a line that ends like a sentence, nor of "12." or "[12]", which open a paragraph.
    """
    if len(line.text) > _LONGEST_HEAD or line.text[-1] in ".;:,":
        return set()
    found = (pattern.search(line.text) for pattern in (_NUMBER_LAST, _OF_TOTAL))
    numbers = {int(match[1]) for match in found if match is not None}
    if first := _NUMBER_FIRST.match(line.text):
        numbers.add(int(first[1]))
    return {number - position for number in numbers}
