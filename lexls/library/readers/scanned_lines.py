"""Put what was read in the picture of a page into lines, in the order in which people read them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from lexls.library.readers.pdf_page import Line


@dataclass(frozen=True, slots=True)
class ReadBox:
    """Words that stand together in a picture: their box in points from the page's lower left corner, and how
    sure they are (0 to 1).
    """

    text: str
    left: float
    right: float
    top: float
    bottom: float
    confidence: float

    @property
    def height(self) -> float:
        """From the bottom to the top."""
        return self.top - self.bottom

    @property
    def middle(self) -> float:
        """Half way up."""
        return (self.top + self.bottom) / 2


_FEWEST_ROWS = 6
"""Rows that a gap must divide at one place before it parts columns."""
_WIDEST_CROSSING = 3
"""How many rows a gap must divide for each that runs across it."""
_NARROWEST = 0.2
"""The part of the text's width that the lines of a column have at least: numbers in a margin have less."""
_GAP = 0.8
"""The least width of a gap between columns, in heights of a line."""
_SAME_SIZE = (0.75, 1.3)
"""Boxes of a page's usual size are higher or lower by the letters in them."""


def order_lines(boxes: Sequence[ReadBox]) -> list[Line]:
    """The lines of a page: columns one after the other, what stands in one row joined."""
    if not boxes:
        return []
    usual = median(height for box in boxes for height in [box.height] * len(box.text))
    lines: list[Line] = []
    for column in _part(sorted(boxes, key=lambda box: -box.middle), usual):
        lines.extend(_join_row(row, usual) for row in _rows(column))
    return lines


def _part(boxes: list[ReadBox], usual: float) -> list[list[ReadBox]]:
    """The boxes, from the top down, as columns of one width, in their order."""
    gaps = list(_find_gaps(boxes, usual))
    if len(gaps) < _FEWEST_ROWS:
        return [boxes]
    at = max((gap[1] for gap in gaps), key=lambda x: sum(left < x <= right for left, right, _ in gaps))
    dividing = [box for left, right, box in gaps if left < at <= right]
    top, bottom = dividing[0].top, dividing[-1].bottom
    inside = [box for box in boxes if bottom <= box.middle <= top]
    across = [box for box in inside if box.left < at < box.right]
    sides = [[box for box in inside if box.right <= at], [box for box in inside if box.left >= at]]
    width = max(box.right for box in boxes) - min(box.left for box in boxes)
    if len(dividing) < max(_FEWEST_ROWS, _WIDEST_CROSSING * len(across)) or any(
        median(box.right - box.left for box in side) < _NARROWEST * width for side in sides
    ):
        return [boxes]
    parts: list[list[ReadBox]] = [[box for box in boxes if box.middle > top]]
    edges = [math.inf, *(box.middle for box in across), -math.inf]
    for above, below, crossing in zip(edges, edges[1:], [*across, None], strict=False):
        for side in sides:
            parts.extend(_part([box for box in side if below < box.middle < above], usual))
        if crossing is not None:
            parts.append([crossing])
    parts.append([box for box in boxes if box.middle < bottom])
    return [part for part in parts if part]


def _find_gaps(boxes: list[ReadBox], usual: float) -> list[tuple[float, float, ReadBox]]:
    """The gaps between boxes of one row, from the top down: where they begin and end, and what is left."""
    found = []
    for row in _rows(boxes):
        for box, following in pairwise(row):
            if following.left - box.right >= _GAP * usual:
                found.append((box.right, following.left, box))
    return found


def _rows(boxes: Sequence[ReadBox]) -> list[list[ReadBox]]:
    """Boxes, from the top down, that stand beside each other, from left to right."""
    rows: list[list[ReadBox]] = []
    for box in boxes:
        if rows and rows[-1][0].middle - box.middle < 0.5 * min(rows[-1][0].height, box.height):
            rows[-1].append(box)
        else:
            rows.append([box])
    return [sorted(row, key=lambda box: box.left) for row in rows]


def _join_row(row: Sequence[ReadBox], usual: float) -> Line:
    longest = max(row, key=lambda box: len(box.text))
    height = longest.height
    if _SAME_SIZE[0] * usual < height < _SAME_SIZE[1] * usual:
        height = usual
    top = longest.middle + height / 2
    text = " ".join(box.text for box in row)
    return Line(text, row[0].left, max(box.right for box in row), top, top - height, height)
