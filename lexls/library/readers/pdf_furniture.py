"""Telling running heads, running feet and page numbers from the text of a PDF's pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lexls.library.readers.pdf_lines import Line

_ZONE = 0.13
"""The part of a page's height, at either end, in which heads and feet stand."""
_EDGE_LINES = 3
_FEWEST_PAGES = 3
_SHARE = 0.25
"""Heads may alternate between left and right pages, or change with the chapter: a quarter suffices."""
_AGREEING = 0.5
_APART = 1.1
_LONGEST_HEAD = 100
_DIGITS = re.compile(r"\d+")
_NUMBER_FIRST = re.compile(r"(?:page|p\.)?\s{0,3}[-–—|]?\s{0,3}(\d{1,5})(?=\s|$)", re.IGNORECASE)
_NUMBER_LAST = re.compile(r"(?<![\d.,:/-])(\d{1,5})\s{0,3}[-–—|\])]?$")
_OF_TOTAL = re.compile(r"(?:page|p\.)?\s{0,3}(\d{1,5})\s{0,3}(?:of|/)\s{0,3}\d{1,5}$", re.IGNORECASE)
_PARAGRAPH = re.compile(r"[\[(]?\d{1,4}[.)\]]\s")
_ROMAN_ALONE = re.compile(r"[-–—]?\s{0,3}[ivxl]{1,7}\s{0,3}[-–—]?$")


@dataclass(frozen=True, slots=True)
class Furniture:
    """The pages without their heads and feet, and the printed page numbers if they are not 1, 2, …."""

    pages: list[list[Line]]
    numbers: tuple[str, ...]


def find_furniture(pages: Sequence[tuple[float, list[Line]]]) -> Furniture:
    """Take away what repeats, digits aside, at the top or bottom of many pages, and page numbers there.

    A number counts as a page's only if it keeps its distance from the page's position on most pages.
    """
    edges = [_edges(height, lines) for height, lines in pages]
    seen = Counter(key for zones in edges for key in {_key(line) for zone in zones for line in zone})
    needed = max(_FEWEST_PAGES, _SHARE * len(pages))
    offsets = Counter(
        offset
        for position, zones in enumerate(edges)
        for offset in {offset for zone in zones for line in zone for offset in _offsets(line, position)}
    )
    offset, agreeing = offsets.most_common(1)[0] if offsets else (0, 0)
    numbered = agreeing >= max(2, _AGREEING * len(pages))
    kept: list[list[Line]] = []
    for position, (_, lines) in enumerate(pages):
        pitch = _pitch(lines)
        dropped: set[int] = set()
        for zone in edges[position]:
            outer: list[Line] = []
            for line in zone:
                if numbered and (offset in _offsets(line, position) or _ROMAN_ALONE.match(line.text)):
                    dropped.add(id(line))
                elif not (seen[_key(line)] >= needed and _is_head(line.text)):
                    break
                outer.append(line)
            while outer and not _stands_apart(outer[-1], lines, outer, pitch):
                outer.pop()
            dropped.update(id(line) for line in outer)
        kept.append([line for line in lines if id(line) not in dropped])
    if not numbered or offset == 1:
        return Furniture(kept, ())
    return Furniture(
        kept,
        tuple(str(offset + position) if offset + position > 0 else "" for position in range(len(pages))),
    )


def _edges(height: float, lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """The lines that may be a page's head and those that may be its foot, the outermost first."""
    by_height = sorted(lines, key=lambda line: -line.top)
    top = [line for line in by_height[:_EDGE_LINES] if line.top > height * (1 - _ZONE)]
    foot = [line for line in by_height[: -_EDGE_LINES - 1 : -1] if line.bottom < height * _ZONE]
    return top, [line for line in foot if line not in top]


def _pitch(lines: list[Line]) -> float:
    """The usual distance between the lines of a page."""
    steps = sorted(
        step
        for above, below in pairwise(lines)
        if 0 < (step := above.bottom - below.bottom) < 5 * below.height
    )
    return steps[len(steps) // 2] if steps else 0.0


def _stands_apart(line: Line, lines: list[Line], outer: list[Line], pitch: float) -> bool:
    """Whether the nearest line that is not itself a head or foot is further away than lines usually are."""
    others = [abs(line.bottom - other.bottom) for other in lines if other not in outer]
    return not others or min(others) > _APART * pitch


def _key(line: Line) -> str:
    return _DIGITS.sub("#", " ".join(line.text.casefold().split()))


def _is_head(text: str) -> bool:
    """Whether a line that repeats may be a head or foot: it has letters and opens no numbered paragraph."""
    return _PARAGRAPH.match(text) is None and any(character.isalpha() for character in text)


def _offsets(line: Line, position: int) -> set[int]:
    """How far the numbers at the ends of a short line are from the page's position.

    Not of a line that ends like a sentence, nor of "12." or "[12]", which open a paragraph.
    """
    if len(line.text) > _LONGEST_HEAD or line.text[-1] in ".;:,":
        return set()
    found = (pattern.search(line.text) for pattern in (_NUMBER_LAST, _OF_TOTAL))
    numbers = {int(match[1]) for match in found if match is not None}
    if first := _NUMBER_FIRST.match(line.text):
        numbers.add(int(first[1]))
    return {number - position for number in numbers}
