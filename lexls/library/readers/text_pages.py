"""Read text that keeps its printed pages, form feeds between them, without what they repeat.

Slip opinions and what programs draw from PDFs look so: a number and running heads stand above each page, and
its notes below it, in the middle of sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

_FEWEST_PAGES = 3
_EDGE = 5
"""Lines at the top of a page among which its heads are; of feet there are two."""
_LONGEST_HEAD = 100
_LONGEST_UNDER_HEAD = 60
_PAGE_NUMBER = re.compile(
    r"\W{0,3}(?:page\s+)?(?:\d{1,4}|[ivxl]{1,6})(?:\s+of\s+\d{1,4})?\W{0,3}$", re.IGNORECASE
)
_DIGITS = re.compile(r"\d+")
_RULE = re.compile(r"[—–_―‐-]{4,}$")
_NOTE = re.compile(r"(?:\d{1,3}|[*†‡]{1,3})(?=\D)")
_ENDED = tuple('.?!:;”"’)]')
_SHORT = 0.8
"""A line that ends a sentence and is shorter than this part of the usual length ends a paragraph."""


@dataclass(frozen=True, slots=True)
class UnprintedText:
    """A text without the heads and feet of its pages, each page's notes behind the paragraph that runs on.

    ``source_map`` has the runs of the text in the source, as in ``SourceDocument``; ``page_starts`` are
    offsets in the text.
    """

    text: str
    page_starts: tuple[int, ...]
    source_map: tuple[tuple[int, int, int], ...]


_Line = tuple[int, str]
"""Where a line begins in the source, and the line without white space at its end."""


@dataclass(frozen=True, slots=True)
class _BodyAndNotes:
    body: Sequence[_Line]
    notes: Sequence[_Line]


def read_pages(source: str, start: int = 0) -> UnprintedText | None:
    """The text of ``source[start:]``; None where its pages repeat nothing, and it may stay as it is."""
    if source.count("\f", start) < _FEWEST_PAGES - 1:
        return None
    printed = _cut(source, start)
    if source[start:].rstrip().count("\f") + 1 < len(printed):
        printed.pop()
    heads = Counter(key for lines in printed for key in {_key(line) for line in _list_edges(lines)})
    kept = [_leave_out(lines, heads) for lines in printed]
    headed = sum(_count(after) < _count(before) for before, after in zip(printed, kept, strict=True))
    if headed < _FEWEST_PAGES or headed * 2 < len(printed):
        return None
    pages = [_set_notes_apart(lines) for lines in kept]
    usual = median([len(line) for page in pages for _, line in page.body] or [0])
    return _PageJoiner(source, start, usual).write(pages)


def _cut(source: str, start: int) -> list[list[_Line]]:
    """The lines of each page, blank ones too."""
    pages = []
    for page in source[start:].split("\f"):
        lines = []
        at = start
        for line in page.splitlines(keepends=True):
            lines.append((at, line.rstrip()))
            at += len(line)
        pages.append(lines)
        start += len(page) + 1
    return pages


def _count(lines: Sequence[_Line]) -> int:
    return sum(1 for _, line in lines if line)


def _list_edges(lines: Sequence[_Line]) -> list[str]:
    shown = [line.strip() for _, line in lines if line]
    return [*shown[:_EDGE], *shown[_EDGE:][-2:]]


def _key(line: str) -> str:
    return _DIGITS.sub("#", " ".join(line.casefold().split()))


def _leave_out(lines: Sequence[_Line], heads: Counter[str]) -> list[_Line]:
    """A page's lines without its number, the lines that other pages have there too, and what stands right
    below these and apart from the text.
    """

    def repeats(line: str) -> bool:
        if _PAGE_NUMBER.match(line):
            return True
        letters = sum(map(str.isalpha, line))
        return letters > 3 and len(line) <= _LONGEST_HEAD and heads[_key(line)] >= _FEWEST_PAGES

    first, seen = 0, 0
    for place, (_, line) in enumerate(lines):
        shown = line.strip()
        if not shown:
            continue
        under = place and first == place and seen and not (place + 1 < len(lines) and lines[place + 1][1])
        if seen == _EDGE or not (repeats(shown) or (under and len(shown) <= _LONGEST_UNDER_HEAD)):
            break
        first, seen = place + 1, seen + (not _PAGE_NUMBER.match(shown))
    last = len(lines)
    while last > first and (not lines[last - 1][1] or repeats(lines[last - 1][1].strip())):
        last -= 1
    return list(lines[first:last])


def _set_notes_apart(lines: Sequence[_Line]) -> _BodyAndNotes:
    """A page's text, and its notes below a rule."""
    for place in range(len(lines) - 1, 0, -1):
        if _RULE.match(lines[place][1].strip()):
            rest = [each for each in lines[place + 1 :] if each[1]]
            if rest and _NOTE.match(rest[0][1].strip()):
                return _BodyAndNotes(_trim(lines[:place]), rest)
            break
    return _BodyAndNotes(_trim(lines), ())


def _trim(lines: Sequence[_Line]) -> Sequence[_Line]:
    shown = [place for place, (_, line) in enumerate(lines) if line]
    return lines[shown[0] : shown[-1] + 1] if shown else ()


class _PageJoiner:
    """Writes pages one after the other, and remembers where in the source each line stands."""

    def __init__(self, source: str, start: int, usual: float) -> None:
        self._usual = usual
        self._parts: list[str] = [source[:start]]
        self._length = start
        self._map: list[tuple[int, int, int]] = [(0, 0, start)] if start else []

    def write(self, pages: Sequence[_BodyAndNotes]) -> UnprintedText:
        starts = []
        waiting: Sequence[_Line] = ()
        runs_on = False
        for page in pages:
            if self._length and self._parts[-1] != "\n\n":
                self._add("\n" if runs_on and page.body else "\n\n")
            starts.append(self._length)
            for place, line in enumerate(page.body):
                self._add_line(line)
                last = place + 1 == len(page.body)
                if waiting and (last or self._ends_paragraph(line[1], page.body[place + 1][1])):
                    self._add_notes(waiting)
                    waiting = ()
                elif not last:
                    self._add("\n")
            runs_on = bool(page.body) and not self._ends_paragraph(page.body[-1][1], "")
            if page.notes and runs_on:
                waiting = [*waiting, *page.notes]
            elif page.notes:
                self._add_notes(page.notes)
        if waiting:
            self._add_notes(waiting)
        return UnprintedText("".join(self._parts), tuple(starts), tuple(self._map))

    def _ends_paragraph(self, line: str, following: str) -> bool:
        line = line.rstrip()
        return not line or (line.endswith(_ENDED) and (len(line) < _SHORT * self._usual or not following))

    def _add_notes(self, notes: Sequence[_Line]) -> None:
        self._add("\n\n")
        last = ""
        for place, (at, line) in enumerate(notes):
            mark = _NOTE.match(line.strip())
            # A line may begin with a number that is no note's.
            begins = mark is not None and (not mark[0].isdigit() or last in ("", str(int(mark[0]) - 1)))
            if place:
                self._add("\n\n" if begins else "\n")
            if begins and mark is not None:
                last = mark[0]
            self._add_line((at, line))
        self._add("\n\n")

    def _add_line(self, line: _Line) -> None:
        at, text = line
        if text:
            self._map.append((self._length, at, len(text)))
            self._add(text)

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
