"""Find the pages of a text: form feeds, page markers, star pages of reported opinions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from lexls.library.sequences import Numbered, find_rising

_FORM_FEED = re.compile(r"\f")
# From the end of the line before on: ``re`` skips to it, where it tries ``^`` everywhere.
_MARKER = re.compile(
    r"\n[ \t]*(?:\[\s*(?:page|p\.?|pg\.?)\s*(\d{1,5})\s*\]"
    r"|(?:page|-+\s*page)\s+(\d{1,5})(?:\s+of\s+\d{1,5})?(?:\s*-+)?)[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_STAR = re.compile(r"(?<![\w*,])\[?\*{1,2}(\d{1,4})\]?(?=[\s“\"(A-Za-z])(?!\*)")
_FOOT = 400
_CITED_STAR = re.compile(r"\b(?:at|and|to)\s*$|,\s*$")


def find_pages(text: str, start: int = 0) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Where the pages of ``text[start:]`` begin and, where they differ from 1, 2, …, their printed numbers.

    Form feeds win over markers ("[Page 12]", "Page 12 of 40" on a line of its own), these over star pages
    ("*355" within the text). Markers and stars count only in a rising sequence without gaps; the text before
    the first belongs to the page before it. Both are empty when the text has no pages.
    """
    if text.find("\f", start) >= 0:
        starts = [start, *(match.end() for match in _FORM_FEED.finditer(text, start))]
        if starts[-1] >= len(text.rstrip()):
            starts.pop()
        return tuple(starts), ()
    markers = list(_MARKER.finditer(text[start - 1 :] if start else f"\n{text}"))
    if markers:
        # A first marker that says 1 after much text stands at the foot of its page.
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
