"""Keep where the lines of a text stand on the pages of its file."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in points (1/72 inch), from the lower left corner of the page as shown."""

_COLUMN = 0.3
"""The part of the narrower of two lines that lies above the other where they are of one column."""


@dataclass(frozen=True, slots=True)
class LineBoxes:
    """The lines of a text in the order in which it has them.

    ``starts`` are the offsets in the text, in code points, at which the lines begin; each goes up to the
    next. ``pages`` are the numbers of their pages, the first of the file 1. ``edges`` has four numbers for
    each line: left, bottom, right and top of its box, in points from the lower left corner of the page as it
    is shown; the box holds the whole height of the font.
    """

    starts: array[int] = field(default_factory=lambda: array("L"))
    pages: array[int] = field(default_factory=lambda: array("L"))
    edges: array[float] = field(default_factory=lambda: array("f"))

    def add(self, start: int, page: int, box: Box) -> None:
        """Add the next line."""
        self.starts.append(start)
        self.pages.append(page)
        self.edges.extend(box)

    def box(self, place: int) -> Box:
        """The box of the line at ``place``."""
        left, bottom, right, top = self.edges[4 * place : 4 * place + 4]
        return left, bottom, right, top

    def __bool__(self) -> bool:
        return bool(self.starts)


@dataclass(frozen=True, slots=True)
class PagePassage:
    """What a page (from 1) shows of a passage: the page's width and height as it is shown, in points, and a
    box for each line in the order of the text, from the page's lower left corner.
    """

    page: int
    width: float
    height: float
    boxes: tuple[Box, ...]


def find_boxes(lines: LineBoxes, start: int, end: int) -> list[tuple[int, Box]]:
    """Where ``[start, end)`` of the text stands: pages, from 1, and the boxes on them, in the text's order.

    The lines of a column of a page, whole, make one box. Empty if the file has no pages.
    """
    found: list[tuple[int, Box]] = []
    first = max(bisect_right(lines.starts, start) - 1, 0)
    for place in range(first, len(lines.starts)):
        if lines.starts[place] >= end:
            break
        page = lines.pages[place]
        box = lines.box(place)
        if found and found[-1][0] == page and _is_below(found[-1][1], box):
            box = surround([found.pop()[1], box])
        found.append((page, box))
    return found


def surround(boxes: Sequence[Box]) -> Box:
    """The smallest box that holds all of ``boxes``, at least one."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _is_below(box: Box, line: Box) -> bool:
    """Whether a line stands below or in a box, not beside it."""
    shared = min(box[2], line[2]) - max(box[0], line[0])
    return shared > _COLUMN * min(box[2] - box[0], line[2] - line[0]) and line[3] <= box[3] + 2
