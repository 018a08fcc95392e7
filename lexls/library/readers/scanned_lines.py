"""Combine the words recognised in a page's picture into lines."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from lexls.library.readers.pdf_margins import join_parts
from lexls.library.readers.pdf_page import NOTE, Line, NoteMark


@dataclass(frozen=True, slots=True)
class ReadBox:
    """Adjacent words in a picture: their box in points from the page's lower left corner, and their
    confidence (0 to 1).
    """

    text: str
    left: float
    right: float
    top: float
    bottom: float
    confidence: float

    @property
    def height(self) -> float:
        """The height of the box, in points."""
        return self.top - self.bottom

    @property
    def middle(self) -> float:
        """The vertical middle of the box, in points."""
        return (self.top + self.bottom) / 2


_MARGIN = 0.12
"""How far a box extends beyond its words on either side, in line heights."""
_GAP = 0.7
"""Minimum width of a gap that divides a line, in line heights."""
_LARGER = 1.3
_NARROW = 0.88
"""Letter width, as a share of the usual width, below which a line is in small type. The height of boxes is
not used, since it depends on their letters.
"""
_AS_HIGH = 1.25
_LONG = 25
"""Minimum number of characters in a line whose letter width is measured."""


def order_lines(boxes: Sequence[ReadBox]) -> list[Line]:
    """Return the lines of a page from the top down, divided into parts by wide gaps."""
    if not boxes:
        return []
    usual = _Usual.measure(boxes)
    lines: list[list[Line]] = []
    height = usual.height
    for row in _find_rows(boxes):
        height = usual.find_height(row, height)
        middle = median(box.middle for box in row for _ in box.text)
        lines.append([_join(run, middle, height) for run in _divide(row, usual.height)])
    _set_numbers_apart(lines)
    small = [line[0].text for line in lines if line[0].lead < usual.height]
    labels = {match[1] for text in small if (match := NOTE.match(text))}
    return [join_parts([_mark(part, labels, usual.height) for part in line]) for line in lines]


@dataclass(frozen=True, slots=True)
class _Usual:
    """The height of most lines of a page, and the width of a letter."""

    height: float
    width: float

    @classmethod
    def measure(cls, boxes: Sequence[ReadBox]) -> _Usual:
        long = [box for box in boxes if len(box.text) >= _LONG] or boxes
        return cls(
            median(box.height for box in long for _ in box.text),
            median((box.right - box.left) / len(box.text) for box in long for _ in box.text),
        )

    def find_height(self, row: Sequence[ReadBox], before: float) -> float:
        """Return the height of the type in a row: the usual height, unless the row clearly differs.
        ``before`` is the height of the row above.
        """
        longest = max(row, key=lambda box: len(box.text))
        if longest.height > _LARGER * self.height:
            return longest.height
        if longest.height > _AS_HIGH * self.height:
            return self.height
        if len(longest.text) < _LONG:
            return before if before < self.height else self.height
        narrow = (longest.right - longest.left) / len(longest.text) / self.width
        # Rounded, so that lines of one type size have the same height.
        return round(10 * narrow) / 10 * self.height if narrow < _NARROW else self.height


def _find_rows(boxes: Sequence[ReadBox]) -> list[list[ReadBox]]:
    """Return rows of adjacent boxes from the top down, each from left to right."""
    rows: list[list[ReadBox]] = []
    for box in sorted(boxes, key=lambda box: -box.middle):
        if rows and rows[-1][0].middle - box.middle < 0.5 * min(rows[-1][0].height, box.height):
            rows[-1].append(box)
        else:
            rows.append([box])
    return [sorted(row, key=lambda box: box.left) for row in rows]


def _divide(row: Sequence[ReadBox], height: float) -> list[list[ReadBox]]:
    """Return the boxes of a row in groups separated by wide gaps."""
    runs = [[row[0]]]
    for box, following in pairwise(row):
        if following.left - box.right < _GAP * height:
            runs[-1].append(following)
        else:
            runs.append([following])
    return runs


_FEWEST_NUMBERED = 8
_ALIGNED = 5.0
_NUMBER = re.compile(r"(\d{1,3})\s+(?=\S)")


def _set_numbers_apart(lines: list[list[Line]]) -> None:
    """Separate margin numbers from the rest of their line if OCR read both as one, provided that enough
    others are separate.
    """
    alone = [line[0] for line in lines if len(line) > 1 and line[0].text.isdigit()]
    if len(alone) < _FEWEST_NUMBERED:
        return
    left = median(number.left for number in alone)
    last = 0
    for line in lines:
        first = line[0]
        match = _NUMBER.match(f"{first.text} .")
        if match is None or abs(first.left - left) > _ALIGNED:
            continue
        if match[1] != first.text and int(match[1]) == last + 1:
            edge = first.left + (first.right - first.left) * match.end() / len(first.text)
            number = first._replace(text=match[1], right=edge)
            line[:1] = [number, first._replace(text=first.text[match.end() :], left=edge)]
        last = int(match[1])


_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LABEL = r"(?:\d{1,3}|[⁰¹²³⁴-⁹]{1,3}|[*†‡])"
_MARK = re.compile(rf"(?<=[^\W\d_]){_LABEL}(?=[\s,.;:)]|$)|(?<=[.,;:!?”\"’')\]]){_LABEL}(?=\s|$)")
_BEGINS_NOTE = re.compile(r"[⁰¹²³⁴-⁹]{1,3}|\d{1,2}(?=[A-Z][a-z])")
"""A raised number at the start of a line, as OCR writes it."""
_LEAD = 0.6
"""Height of a raised number, as a share of the line's height."""


def _mark(line: Line, labels: Collection[str], usual: float) -> Line:
    """Return a line with its note marks: numbers directly after a word or punctuation that are among the
    page's note ``labels``.
    """
    if not labels or line.height < usual:
        return line
    found = [(match, match[0].translate(_RAISED)) for match in _MARK.finditer(line.text)]
    marks = tuple(NoteMark(match.start(), match.end(), label) for match, label in found if label in labels)
    return line._replace(marks=marks) if marks else line


def _join(boxes: Sequence[ReadBox], middle: float, height: float) -> Line:
    top = middle + height / 2
    text = " ".join(box.text for box in boxes)
    lead = _LEAD * height if (begins := _BEGINS_NOTE.match(text)) else height
    if begins:
        text = begins[0].translate(_RAISED) + text[begins.end() :]
    left, right = boxes[0].left + _MARGIN * height, max(box.right for box in boxes) - _MARGIN * height
    return Line(text, left, right, top, top - height, height, lead)
