"""Remove line numbers and letters in the margins of a PDF's pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lexls.library.readers.pdf_page import Line, PrintedPage

_COUNT = re.compile(r"\d{1,3}|[A-Z]")
_FEWEST = 8
_FEWEST_ALONE = 15
"""Minimum number of numbered lines on a page if no other page has line numbers."""
_FEWEST_STEPS = 3
_STEPS = (1, 5, 10)
_ALIGNED = 9.0
_TALL = 0.5
"""Minimum share of the text's height that line numbers span; those of a list or table span less."""
_EVEN = 1.6


@dataclass(frozen=True, slots=True)
class _Count:
    """A number or letter at one end of a line, or on a line of its own. ``value`` is the number, or the
    letter's position in the alphabet. ``at`` is 0 at the beginning of the line and 1 at its end.
    """

    value: int
    line: Line
    at: int


def leave_out_line_numbers(pages: Sequence[PrintedPage]) -> list[PrintedPage]:
    """Return the pages without columns of line numbers (1 to 28, or 5, 10, 15, …) or letters.

    Line numbers restart on each page, are evenly spaced in the margin along most of the text, and are on most
    pages. The numbers of paragraphs, lists and tables are kept.
    """
    counts = [_list_counts(page.lines) for page in pages]
    if not any(len(each) >= _FEWEST_STEPS for each in counts):
        return list(pages)
    found = [_find_columns(page, each) for page, each in zip(pages, counts, strict=True)]
    if not _are_enough([columns for columns in found if columns], pages):
        return list(pages)
    edges = [column[0].line.left for columns in found for column in columns]
    kept = []
    for page, columns, each in zip(pages, found, counts, strict=True):
        numbers = [count for column in columns for count in column] or _find_few(each, edges)
        kept.append(_without(page, {id(count.line) for count in numbers}) if numbers else page)
    return kept


def _are_enough(sure: Sequence[Sequence[Sequence[_Count]]], pages: Sequence[PrintedPage]) -> bool:
    """Return whether most pages have columns of line numbers. If only one page has them, its column must be
    long.
    """
    filled = sum(1 for page in pages if len(page.lines) > _FEWEST)
    if not sure or len(sure) < filled / 2:
        return False
    alone = len(pages) == 1 or (len(sure) == 1 and filled > 1)
    return not alone or max(map(len, sure[0])) >= _FEWEST_ALONE


def _find_few(counts: Sequence[_Count], edges: Sequence[float]) -> Sequence[_Count]:
    """Return the line numbers of a last page with few lines. They must be aligned with the columns of other
    pages.
    """
    near = [count for count in counts if any(abs(count.line.left - x) < _ALIGNED for x in edges)]
    values = [count.value for count in near]
    return near if values and values[0] in _STEPS and values == sorted(set(values)) else ()


def _without(page: PrintedPage, dropped: set[int]) -> PrintedPage:
    lines = []
    for line in page.lines:
        if id(line) in dropped:
            continue
        left = [part for part in line.parts if id(part) not in dropped]
        if len(left) == len(line.parts):
            lines.append(line)
        elif left:
            lines.append(join_parts(left))
    return replace(page, lines=lines)


def join_parts(parts: Sequence[Line]) -> Line:
    """Join the parts of one line, from left to right."""
    if len(parts) == 1:
        return parts[0]
    texts: list[str] = []
    marks = []
    length = 0
    for part in parts:
        marks += [replace(mark, start=mark.start + length, end=mark.end + length) for mark in part.marks]
        texts.append(part.text)
        length += len(part.text) + 1
    return parts[0]._replace(
        text=" ".join(texts),
        left=min(part.left for part in parts),
        right=max(part.right for part in parts),
        top=max(part.top for part in parts),
        bottom=min(part.bottom for part in parts),
        height=max(part.height for part in parts),
        parts=tuple(parts),
        marks=tuple(marks),
    )


def _list_counts(lines: Sequence[Line]) -> list[_Count]:
    """Return the numbers and letters of a page that may be line numbers, from the top down."""
    found: list[_Count] = []
    for line in lines:
        ends = (line.parts[0], line.parts[-1]) if line.parts else (line,)
        for at, end in enumerate(ends):
            if len(end.text) < 4 and not end.turned and _COUNT.fullmatch(end.text):
                value = int(end.text) if end.text.isdigit() else ord(end.text) - 64
                found.append(_Count(value, end, at))
    return sorted(found, key=lambda count: -count.line.bottom)


def _find_columns(page: PrintedPage, counts: Sequence[_Count]) -> list[list[_Count]]:
    """Return the columns of line numbers in the margins of a page, each from the top down."""
    columns: list[list[_Count]] = []
    left = sorted(counts, key=lambda count: count.line.left)
    while left:
        # Numbers of one and of two digits may be aligned on either side.
        column = [count for count in left if count.line.left - left[0].line.left < _ALIGNED]
        left = left[len(column) :]
        column.sort(key=lambda count: -count.line.bottom)
        if _counts_up(column) and _is_even(column) and _is_beside(page, column):
            columns.append(column)
    return columns


def _counts_up(column: Sequence[_Count]) -> bool:
    """Return whether a column counts 1, 2, 3 or 5, 10, 15, with hardly a number missing."""
    values = [count.value for count in column]
    if len(values) < _FEWEST_STEPS:
        return False
    steps = [later - earlier for earlier, later in pairwise(values)]
    step = max(set(steps), key=steps.count)
    fewest = _FEWEST if step == 1 else _FEWEST_STEPS
    whole = len(values) >= fewest and steps.count(step) >= 0.9 * len(steps)
    return step in _STEPS and whole and values[0] <= 2 * step


def _is_even(column: Sequence[_Count]) -> bool:
    """Return whether the numbers of a column are about evenly spaced."""
    gaps = sorted(earlier.line.bottom - later.line.bottom for earlier, later in pairwise(column))
    middle = gaps[len(gaps) // 2]
    return sum(1 for gap in gaps if gap > _EVEN * middle or gap * _EVEN < middle) <= 0.15 * len(gaps)


def _is_beside(page: PrintedPage, column: Sequence[_Count]) -> bool:
    """Return whether a column of numbers runs along most of the text. Hardly any text may be at the column's
    horizontal position.
    """
    own = {id(count.line) for count in column}
    texts = [
        part
        for line in page.lines
        for part in (line.parts or (line,))
        if id(part) not in own and not part.turned
    ]
    if not texts:
        return False
    height = max(part.top for part in texts) - min(part.bottom for part in texts)
    covered = column[0].line.top - column[-1].line.bottom
    start, end = min(count.line.left for count in column), max(count.line.right for count in column)
    sides = Counter((part.right <= start) - (part.left >= end) for part in texts)
    return (
        covered > _TALL * height
        and sides[0] <= max(2, 0.1 * len(texts))
        and min(sides[1], sides[-1]) <= len(texts) / 4
    )
