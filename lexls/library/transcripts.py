"""Read a transcript as text. Its numbered lines become paragraphs, identified by page and line ("45:12")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lexls.library.document import Block, SourceDocument

_LINE = re.compile(r"[ \t\f]*(?P<number>\d{1,2})(?:[ \t]+(?P<words>\S[^\n]*?))?[ \t\r]*$")
_PAGE = re.compile(
    r"[\s\f]*(?:\S.*?\s{3,}|.*?\b)?(?:[Pp](?:age|AGE|g\.?|\.)?\s*)?-?\s?(?P<page>\d{1,4})\s?-?(?:\s+of\s+\d+)?\s*$"
)
# The line that a court prints above each filed page, with its own page number.
_STAMP = re.compile(r"\s*Case[\s:].{5,60}\b(?:Document|Doc|Dkt|ECF)\b")
_FEWEST_LINES = 8
_FEWEST_PAGES = 2
_LONGEST_ALONE = 15
"""Minimum number of numbered lines if only one page has them."""
_MOST_BETWEEN = 2
"""Maximum number of unnumbered lines between two numbered ones, since long lines may be wrapped."""
_SHARE = 0.6
"""Minimum share of numbered lines."""
_AGREEING = 0.8
"""Minimum share of the printed page numbers that must rise by one from page to page."""


@dataclass(frozen=True, slots=True)
class _TranscriptLine:
    """A line: its number (0 if it has none), and the start and end of its words in the source."""

    number: int
    start: int
    end: int


def read_transcript(source: SourceDocument, text: str) -> SourceDocument | None:
    """Return a document, read from the plain ``text`` of a transcript, without line numbers, headers and
    footers; None if it is not one.

    Each numbered line becomes a paragraph with the label "page:line". The page is the number printed above or
    below its lines, or the page's position from 1 if none is printed.
    """
    lines = _cut(text)
    pages = _find_pages(lines)
    numbered = sum(len(page) for page in pages)
    worded = sum(1 for each in lines if each.end > each.start)
    alone = max(map(len, pages), default=0) >= _LONGEST_ALONE
    if not (alone or sum(len(page) >= _FEWEST_LINES for page in pages) >= _FEWEST_PAGES):
        return None
    if numbered < _SHARE * worded:
        return None
    numbers = _number_pages(text, lines, pages)
    parts: list[str] = []
    runs: list[tuple[int, int, int]] = []
    blocks: list[Block] = []
    starts: list[int] = []
    length = 0

    def add(words: str, start: int = -1) -> None:
        nonlocal length
        if start >= 0 and words:
            runs.append((length, start, len(words)))
        parts.append(words)
        length += len(words)

    head = [each for each in lines[: pages[0][0]] if each.end > each.start]
    for each in head:
        begin = length
        add(text[each.start : each.end], each.start)
        blocks.append(Block(begin, length, "text"))
        add("\n")
    for page, number in zip(pages, numbers, strict=True):
        add("\n" if length else "")
        starts.append(length)
        for place in range(page[0], page[-1] + 1):
            line = lines[place]
            if line.end == line.start and place not in page:
                continue
            begin = length
            add(text[line.start : line.end], line.start)
            if place in page:
                blocks.append(Block(begin, length, "paragraph", f"{number}:{line.number}"))
            elif blocks:
                blocks[-1] = replace(blocks[-1], end=length)
            add("\n")
    return replace(
        source,
        text="".join(parts),
        blocks=tuple(each for each in blocks if each.end > each.start),
        page_starts=tuple(starts),
        page_numbers=tuple(map(str, numbers)),
        source_map=tuple(runs),
    )


def _cut(text: str) -> list[_TranscriptLine]:
    lines = []
    start = 0
    for line in text.split("\n"):
        match = _LINE.match(line)
        number = int(match["number"]) if match is not None else 0
        begin, end = len(line) - len(line.lstrip()), len(line.rstrip())
        if match is not None:
            begin, end = match.span("words") if match["words"] else (len(line), len(line))
        lines.append(_TranscriptLine(number, start + begin, start + max(begin, end)))
        start += len(line) + 1
    return lines


def _find_pages(lines: Sequence[_TranscriptLine]) -> list[list[int]]:
    """Return the indices of the numbered lines of each page, which count from 1 without a gap."""
    pages: list[list[int]] = []
    page: list[int] = []
    for place, line in enumerate(lines):
        if line.number and page and line.number == lines[page[-1]].number + 1:
            skipped = sum(1 for each in lines[page[-1] + 1 : place] if each.end > each.start)
            if skipped <= _MOST_BETWEEN:
                page.append(place)
                continue
        if line.number == 1 and line.end > line.start:
            if len(page) > 1:
                pages.append(page)
            page = [place]
    if len(page) > 1:
        pages.append(page)
    return pages


def _number_pages(text: str, lines: Sequence[_TranscriptLine], pages: Sequence[Sequence[int]]) -> list[int]:
    ends = [-1, *(page[-1] for page in pages)]
    above = [
        _printed(text, lines, before + 1, page[0], last=True)
        for before, page in zip(ends, pages, strict=False)
    ]
    begins = [*(page[0] for page in pages[1:]), len(lines)]
    below = [_printed(text, lines, page[-1] + 1, behind) for page, behind in zip(pages, begins, strict=True)]
    return settle_page_numbers(above, below)


def settle_page_numbers(above: Sequence[int], below: Sequence[int]) -> list[int]:
    """Return the number of each page. It is the one printed ``above`` or ``below`` its lines (0: none), if
    such numbers rise by one from page to page; otherwise, pages are counted from 1.
    """
    for found in sorted((above, below), key=lambda found: found.count(0)):
        known = [(place, number) for place, number in enumerate(found) if number]
        if len(known) < max(1, len(found) // 2):
            continue
        offsets = [number - place for place, number in known]
        usual = max(set(offsets), key=offsets.count)
        if offsets.count(usual) >= _AGREEING * len(known) and usual > 0:
            return [place + usual for place in range(len(found))]
    return list(range(1, len(above) + 1))


def read_page_number(line: str) -> int:
    """Return the page number in a line above or below a page's own lines, or 0 if there is none."""
    match = _PAGE.match(line) if line.strip() and not _STAMP.match(line) else None
    return int(match["page"]) if match is not None else 0


def _printed(text: str, lines: Sequence[_TranscriptLine], start: int, end: int, *, last: bool = False) -> int:
    """Return the page number on one of the lines between two pages, or 0. With ``last``, the lines are
    searched from the last one, which is nearest to the page below.
    """
    places = range(end - 1, start - 1, -1) if last else range(start, end)
    for place in places:
        line_start = text.rfind("\n", 0, lines[place].start) + 1
        line_end = text.find("\n", lines[place].start)
        line = text[line_start : line_end if line_end >= 0 else len(text)]
        if number := read_page_number(line):
            return number
    return 0
