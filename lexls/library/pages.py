"""Find the pages of a text: form feeds, page markers, star pages of reported opinions.

A text may show the pages of several reports. Their series follow each other in the same lists, starting with
that of the text's own citation. Each further series begins with a page without a number ("").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lexls.library.marks import Numbered, find_rising

Pages = tuple[tuple[int, ...], tuple[str, ...]]
"""The offsets at which pages begin, in code points of a text, and their printed numbers if they differ from
1, 2, ….
"""

_DIGITS = re.compile(r"\d+")
_FORM_FEED = re.compile(r"\f")
# The pattern starts at the end of the previous line: ``re`` skips to it, but would try ``^`` everywhere.
_MARKER = re.compile(
    r"\n[ \t]*(?:\[\s*(?:page|p\.?|pg\.?)\s*(\d{1,5})\s*\]"
    r"|(?:page|-+\s*page)\s+(\d{1,5})(?:\s+of\s+\d{1,5})?(?:\s*-+)?)[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_STAR = re.compile(r"(?<![\w*,])\[?\*{1,2}(\d{1,4})\]?(?=[\s“\"(A-Za-z])(?!\*)")
_FOOT = 400
_CITED_STAR = re.compile(r"\b(?:at|and|to)\s*$|,\s*$")


def make_head_key(line: str) -> str:
    """Return a header or footer line in a form that is the same on every page: in lower case, without extra
    spaces, and with "#" for numbers.
    """
    return _DIGITS.sub("#", " ".join(line.casefold().split()))


def find_pages(text: str, start: int = 0) -> Pages:
    """Return where the pages of ``text[start:]`` begin, and their printed numbers if they differ from 1, 2,
    ….

    Form feeds are preferred to markers ("[Page 12]", or "Page 12 of 40" on a line of its own), and markers to
    star pages ("*355" within the text). Markers and stars count only in a rising sequence without gaps; the
    text before the first one is the page before it. Both results are empty if the text has no pages.
    """
    if text.find("\f", start) >= 0:
        starts = [start, *(match.end() for match in _FORM_FEED.finditer(text, start))]
        if starts[-1] >= len(text.rstrip()):
            starts.pop()
        return tuple(starts), ()
    markers = list(_MARKER.finditer(text[start - 1 :] if start else f"\n{text}"))
    if markers:
        # A first marker with number 1 after much text is at the foot of its page.
        foot = (markers[0][1] or markers[0][2]) == "1" and markers[0].start() > _FOOT
        found = [
            (start + (match.end() - 1 if foot else match.start()), int(match[1] or match[2]) + foot)
            for match in markers
        ]
        if pages := _pages(start, found):
            return pages
    if text.find("*", start) < 0:
        return (), ()
    stars = [
        (match.start(), int(match[1]))
        for match in _STAR.finditer(text, start)
        if not _CITED_STAR.search(text, max(0, match.start() - 6), match.start())
    ]
    return _pages(start, stars) or ((), ())


def _pages(start: int, found: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
    if len(found) < 2:
        return None
    numbered = [Numbered(position, number) for position, (_, number) in enumerate(found)]
    pages = [found[index] for index in find_rising(numbered, any_gap=True)]
    steps = [later[1] - earlier[1] for earlier, later in pairwise(pages)]
    if len(pages) < 2 or sum(step == 1 for step in steps) * 10 < len(steps) * 8:
        return None
    first = pages[0]
    before = first[1] - 1
    starts = [position for position, _ in pages]
    numbers = [str(number) for _, number in pages]
    if before >= 1 or first[1] == 0:
        starts.insert(0, start)
        numbers.insert(0, str(max(before, 0)))
    else:
        starts[0] = start
    plain = numbers == [str(number) for number in range(1, len(numbers) + 1)]
    return tuple(starts), () if plain else tuple(numbers)


_MOST_SERIES = 12
_WIDEST_STEP = 5
"""Maximum step, in pages, between consecutive marks of a series. A larger step is possible only up to the
last page of the text's own citation.
"""


@dataclass(frozen=True, slots=True)
class PageMark:
    """A mark at ``offset`` where a page of a report begins: its number, and the number of stars before it."""

    offset: int
    number: int
    stars: int = 1


def sort_pages(marks: Sequence[PageMark], first: int = 0, last: int = 0) -> Pages:
    """Return the pages shown by the marks of one or more reports.

    ``first`` and ``last`` are the pages of the text's own citation (0: unknown). A mark continues the series
    whose last number is one less. If there is none, it continues the series with the nearest lower number,
    provided that the step is small or the mark is at most ``last``. Isolated marks out of sequence are
    ignored.
    """
    # Text without any marks may continue over an unknown number of pages.
    own = [PageMark(0, first, marks[0].stars if marks else 1)] if first and (marks or first == last) else []
    series: list[list[PageMark]] = [own] if own else []
    for mark in marks:
        following = [each for each in series if each[-1].number == mark.number - 1]
        if not following:
            near = [each for each in series if _goes_on(each, mark, last if each is own else 0)]
            following = sorted(near, key=lambda each: mark.number - each[-1].number)
        alike = [each for each in following if each[-1].stars == mark.stars]
        if following:
            (alike or following)[0].append(mark)
        elif len(series) < _MOST_SERIES:
            series.append([mark])
    starts: list[int] = []
    numbers: list[str] = []
    for each in series:
        if len(each) < 2 and each is not own:
            continue
        if starts:
            starts.append(0)
            numbers.append("")
        elif each is not own and each[0].number > 1:
            starts.append(0)
            numbers.append(str(each[0].number - 1))
        starts += [mark.offset for mark in each]
        numbers += [str(mark.number) for mark in each]
    return tuple(starts), tuple(numbers)


def _goes_on(series: Sequence[PageMark], mark: PageMark, last: int) -> bool:
    step = mark.number - series[-1].number
    return step > 0 and (step <= _WIDEST_STEP or mark.number <= last)


def count_own_pages(page_starts: Sequence[int], page_numbers: Sequence[str]) -> int:
    """Return how many pages are in the first series, that of the text's own citation."""
    return page_numbers.index("") if "" in page_numbers else len(page_starts)
