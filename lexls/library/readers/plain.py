"""Read plain text and Markdown with YAML front matter, and text with printed pages.

Slip opinions and text extracted from PDFs have form feeds between pages. Page numbers, running headers and
footnotes then interrupt sentences. Headers and footers that pages repeat are removed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from lexls.library.document import Extract
from lexls.library.lines import split_pieces
from lexls.library.pages import find_pages, make_head_key
from lexls.library.readers.decoding import decode_stating
from lexls.text.yaml_data import UnreadableYaml, load_yaml

_OPENING = re.compile(r"---[ \t]*(?:\r\n|\n|\r)")
_CLOSING = re.compile(r"(?:^|(?<=[\n\r]))(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)")
_KEY_AND_VALUE = re.compile(r"([A-Za-z][A-Za-z_ -]{0,40}?)[ \t]*:[ \t]+(\S.*)")
_LONGEST = 65_536


def read_front_matter(text: str) -> tuple[Mapping[str, object], int, tuple[str, ...]]:
    """Return the front matter of ``text``, the offset after it, and warnings.

    Front matter that is not valid YAML gives a warning and is read as lines of "key: value", since people
    write "citation: [2014] ASC 12" without quotation marks. Text that merely begins with a rule of dashes has
    no front matter, and its body begins at 0.
    """
    opening = _OPENING.match(text)
    if opening is None:
        return {}, 0, ()
    closing = _CLOSING.search(text, opening.end(), opening.end() + _LONGEST)
    if closing is None:
        return {}, 0, ()
    source = text[opening.end() : closing.start()]
    try:
        values = load_yaml(source)
    except UnreadableYaml as error:
        # The parser's own message quotes the file; only the line may be reported.
        where = f" (line {error.line + 2})" if error.line is not None else ""
        warning = f"front matter is not valid YAML{where}; it was read line by line"
        return _line_by_line(source), closing.end(), (warning,)
    if values is None:
        return {}, closing.end(), ()
    if not isinstance(values, Mapping):
        return {}, 0, ()
    return {str(key): value for key, value in values.items()}, closing.end(), ()


def _line_by_line(source: str) -> dict[str, object]:
    values: dict[str, object] = {}
    for line in source.splitlines():
        if match := _KEY_AND_VALUE.match(line):
            value = match[2].strip()
            if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
                value = value[1:-1]
            values.setdefault(match[1], value)
    return values


def extract(data: bytes, *, markdown: bool = False) -> Extract:
    """Read plain text, with or without YAML front matter, and without the headers of printed pages."""
    text, stated = decode_stating(data)
    declared, body, warnings = read_front_matter(text)
    page_starts, page_numbers = find_pages(text, body)
    source_map: tuple[tuple[int, int, int], ...] = ()
    if not markdown and (unprinted := read_pages(text, body)) is not None:
        text, page_starts, source_map = unprinted.text, unprinted.page_starts, unprinted.source_map
    return Extract(
        text=text,
        pieces=split_pieces(text, body, markdown=markdown),
        page_starts=page_starts,
        page_numbers=page_numbers,
        source_map=source_map,
        declared=declared,
        declared_in="front matter",
        warnings=(*stated, *warnings),
    )


extract_markdown = partial(extract, markdown=True)
"""Read Markdown. The text keeps its markup, so that offsets are those of the file."""


_FEWEST_PAGES = 3
_EDGE = 5
"""Number of lines at the top of a page that may be headers; the last ``_FEET`` lines may be footers."""
_FEET = 2
_LONGEST_HEAD = 100
_LONGEST_UNDER_HEAD = 60
_PAGE_NUMBER = re.compile(
    r"\W{0,3}(?:page\s+)?(?:\d{1,4}|[ivxl]{1,6})(?:\s+of\s+\d{1,4})?\W{0,3}$", re.IGNORECASE
)
_RULE = re.compile(r"^[ \t]*[—–_―‐-]{4,}[ \t]*\r?$", re.MULTILINE)
_NOTE = re.compile(r"(?:\d{1,3}|[*†‡]{1,3})(?=\D)")
_ENDED = tuple('.?!:;”"’)]')
_SHORT = 0.8
"""Length below which a line that ends a sentence also ends its paragraph, as a share of the usual length."""


@dataclass(frozen=True, slots=True)
class UnprintedText:
    """A text without headers and footers. The notes of each page follow the paragraph that continues on the
    next page.

    ``source_map`` has the runs of the text in the source, as in ``SourceDocument``; ``page_starts`` are
    offsets in the text.
    """

    text: str
    page_starts: tuple[int, ...]
    source_map: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class _PageText:
    """The start and end of a page's text in the source, and the lines of its notes."""

    start: int
    end: int
    notes: Sequence[tuple[int, int]]


def read_pages(source: str, start: int = 0) -> UnprintedText | None:
    """Return the text of ``source[start:]`` without headers and footers; None if fewer than half of its
    pages, or fewer than three, have any.
    """
    if source.count("\f", start) < _FEWEST_PAGES - 1:
        return None
    printed = list(_cut(source, start))
    heads = Counter(key for page in printed for key in _list_edges(source, *page))
    kept = [_leave_out(source, *page, heads) for page in printed]
    headed = sum(after != before for before, after in zip(printed, kept, strict=True))
    if headed < _FEWEST_PAGES or headed * 2 < len(printed):
        return None
    return _PageJoiner(source, start).write([_set_notes_apart(source, *page) for page in kept])


def _cut(source: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each page's lines, without blank lines at either end."""
    length = len(source.rstrip())
    while start < length:
        end = source.find("\f", start)
        end = len(source) if end < 0 else end
        yield _trim(source, start, end)
        start = end + 1


def _trim(source: str, start: int, end: int) -> tuple[int, int]:
    first = next(_list_lines(source, start, end), (end, end))
    last = next(_list_lines_up(source, first[0], end), first)
    return first[0], last[1]


def _list_lines(source: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each non-blank line."""
    while start < end:
        stop = source.find("\n", start, end)
        stop = end if stop < 0 else stop
        if not source[start:stop].isspace() and stop > start:
            yield start, stop
        start = stop + 1


def _list_lines_up(source: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each non-blank line, from the last to the first."""
    while end > start:
        begin = max(start, source.rfind("\n", start, end) + 1)
        if not source[begin:end].isspace() and end > begin:
            yield begin, end
        end = begin - 1


def _list_edges(source: str, start: int, end: int) -> set[str]:
    edges = (
        *islice(_list_lines(source, start, end), _EDGE),
        *islice(_list_lines_up(source, start, end), _FEET),
    )
    return {make_head_key(source[begin:stop]) for begin, stop in edges}


def _leave_out(source: str, start: int, end: int, heads: Counter[str]) -> tuple[int, int]:
    """Return the start and end of a page without its headers and footers: page numbers, lines that other
    pages repeat, and short isolated lines below a header.
    """

    def repeats(line: str) -> bool:
        if _PAGE_NUMBER.match(line):
            return True
        letters = sum(map(str.isalpha, line))
        return letters > 3 and len(line) <= _LONGEST_HEAD and heads[make_head_key(line)] >= _FEWEST_PAGES

    first, last, seen = start, end, 0
    for begin, stop in _list_lines(source, start, end):
        line = source[begin:stop].strip()
        following = source[stop + 1 : stop + 1 + _LONGEST_HEAD].partition("\n")[0]
        under = seen and begin == first and not following.strip() and len(line) <= _LONGEST_UNDER_HEAD
        if seen == _EDGE or not (repeats(line) or under):
            break
        first, seen = stop + 1, seen + (not _PAGE_NUMBER.match(line))
    for begin, stop in _list_lines_up(source, min(first, end), end):
        if not repeats(source[begin:stop].strip()):
            break
        last = begin
    return _trim(source, first, last) if (first, last) != (start, end) else (start, end)


def _set_notes_apart(source: str, start: int, end: int) -> _PageText:
    """Separate a page's text from its notes below a rule."""
    for rule in reversed(list(_RULE.finditer(source, start, end))):
        notes = list(_list_lines(source, rule.end(), end))
        if notes and _NOTE.match(source[notes[0][0] : notes[0][1]].strip()):
            return _PageText(*_trim(source, start, rule.start()), notes)
        break
    return _PageText(start, end, ())


class _PageJoiner:
    """Joins pages, recording where their parts are in the source."""

    def __init__(self, source: str, start: int) -> None:
        self._source = source
        self._parts: list[str] = [source[:start]]
        self._length = start
        self._map: list[tuple[int, int, int]] = [(0, 0, start)] if start else []
        self._usual = 0.0

    def write(self, pages: Sequence[_PageText]) -> UnprintedText:
        source = self._source
        lines = sum(source.count("\n", page.start, page.end) + 1 for page in pages)
        self._usual = sum(page.end - page.start for page in pages) / lines
        starts = []
        waiting: Sequence[tuple[int, int]] = ()
        runs_on = False
        for page in pages:
            if self._length and self._parts[-1] != "\n\n":
                self._add("\n" if runs_on else "\n\n")
            starts.append(self._length)
            start = page.start
            if waiting and start < page.end:
                start = self._find_end(page)
                self._add_run(page.start, start)
                self._add_notes(waiting)
                waiting = ()
            start += len(source[start : page.end]) - len(source[start : page.end].lstrip("\r\n"))
            self._add_run(start, page.end)
            # A page without text does not change this.
            runs_on = not source.endswith(_ENDED, 0, page.end) if page.start < page.end else runs_on
            if page.notes and runs_on:
                waiting = [*waiting, *page.notes]
            elif page.notes:
                self._add_notes(page.notes)
        if waiting:
            self._add_notes(waiting)
        return UnprintedText("".join(self._parts), tuple(starts), tuple(self._map))

    def _find_end(self, page: _PageText) -> int:
        """Return the end of the paragraph at the top of a page that continues from the previous page."""
        source = self._source
        for begin, stop in _list_lines(source, page.start, page.end):
            line = source[begin:stop].rstrip()
            following = source[stop + 1 : stop + 1 + _LONGEST_HEAD].partition("\n")[0]
            if line.endswith(_ENDED) and (len(line) < _SHORT * self._usual or not following.strip()):
                return stop
        return page.end

    def _add_notes(self, notes: Sequence[tuple[int, int]]) -> None:
        self._add("\n\n")
        last = ""
        for place, (begin, stop) in enumerate(notes):
            mark = _NOTE.match(self._source[begin:stop].strip())
            # A line may begin with a number that is not a note's.
            begins = mark is not None and (not mark[0].isdigit() or last in ("", str(int(mark[0]) - 1)))
            if place:
                self._add("\n\n" if begins else "\n")
            if begins and mark is not None:
                last = mark[0]
            self._add_run(begin, stop)
        self._add("\n\n")

    def _add_run(self, start: int, end: int) -> None:
        if start < end:
            self._map.append((self._length, start, end - start))
            self._add(self._source[start:end])

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
