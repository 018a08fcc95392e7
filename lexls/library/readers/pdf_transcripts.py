"""Read a transcript in a PDF. Its numbered lines become paragraphs, identified by page and line ("45:12").

In a condensed transcript, one sheet contains several transcript pages, each with its own line numbers.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import NamedTuple

from lexls.library.document import Block, Box, LineBoxes, SourceDocument
from lexls.library.readers.pdf_page import Character, read_characters
from lexls.library.transcripts import read_page_number, settle_page_numbers

_NUMBER = re.compile(r"\d{1,2}")
_SPEAKS = re.compile(
    r"[QA](?:[.:]|\s|$)|(?:THE\s[A-Z]{3,}|M[RS]S?\.?\s[A-Z][A-Z\s.'’-]{1,30}|BY\s[A-Z.\s]{2,30}):"
)
"""Matches a transcript line on which somebody starts to speak."""
_FEWEST_LINES = 8
_LONGEST_ALONE = 15
"""Minimum number of numbered lines if only one page has them."""
_SPOKEN = 0.1
"""Minimum share of lines on which somebody starts to speak. Without it, a pleading with line numbers would
count as a transcript.
"""
_SPACE = 0.15
"""Minimum gap between two words, as a share of their height."""
_ALIGNED = 1.2
"""Maximum horizontal distance between the numbers of one column, as a multiple of their height."""


class _Word(NamedTuple):
    text: str
    left: float
    bottom: float
    right: float
    top: float

    @property
    def middle(self) -> float:
        return (self.bottom + self.top) / 2


@dataclass(frozen=True, slots=True)
class _SpokenPage:
    """A transcript page on the PDF page at index ``sheet`` (from 0). ``lines`` has the number, words and box
    of each line; ``above`` and ``below`` are the page numbers printed above and below the lines (0: none).
    """

    sheet: int
    lines: Sequence[tuple[int, str, Box]]
    above: int
    below: int


def read_transcript_pages(source: SourceDocument, data: bytes) -> SourceDocument | None:
    """Return ``source``, read from the PDF ``data``, as a transcript without line numbers; None if it is not
    one.

    Each numbered line becomes a paragraph with the label "page:line". Sheets without such lines are
    unchanged.
    """
    import pypdfium2

    count = len(source.page_starts)
    with contextlib.closing(pypdfium2.PdfDocument(data)) as document:
        if len(document) != count:
            return None

        def read(sheet: int) -> list[_SpokenPage]:
            return _find_pages(sheet, read_characters(document, sheet))

        if not any(map(read, {count // 4, count // 2, 3 * count // 4})):
            return None
        pages = [page for sheet in range(count) for page in read(sheet)]
    if len(pages) < 2 and not any(len(page.lines) >= _LONGEST_ALONE for page in pages):
        return None
    lines = [words for page in pages for _, words, _ in page.lines]
    if sum(_SPEAKS.match(words) is not None for words in lines) < _SPOKEN * len(lines):
        return None
    return _compose(source, pages)


def _find_pages(sheet: int, characters: Sequence[Character]) -> list[_SpokenPage]:
    """Return the transcript pages on a sheet, ordered by page number if all have one, else column by
    column.
    """
    words = list(_join_words(characters))
    runs = [run for column in _find_columns(words) for run in _cut_runs(column)]
    edges = sorted({min(number.left for number in run) for run in runs})
    pages = [_read_page(sheet, run, words, runs, edges) for run in runs]
    if all(page.above for page in pages):
        pages.sort(key=lambda page: page.above)
    return pages


def _join_words(characters: Sequence[Character]) -> Iterator[_Word]:
    """Yield the words of a page, formed from characters that are close together."""
    word: _Word | None = None
    for sign, (left, bottom, right, top) in characters:
        height = top - bottom
        if (
            word is not None
            and -height < left - word.right < _SPACE * height
            and abs(word.bottom - bottom) < height / 2
        ):
            box = (min(word.bottom, bottom), max(word.right, right), max(word.top, top))
            word = _Word(word.text + sign, word.left, *box)
            continue
        if word is not None:
            yield word
        word = _Word(sign, left, bottom, right, top)
    if word is not None:
        yield word


def _find_columns(words: Sequence[_Word]) -> Iterator[list[_Word]]:
    """Yield the columns of aligned numbers, each from the top down."""
    numbers = sorted((word for word in words if _NUMBER.fullmatch(word.text)), key=lambda word: word.right)
    column: list[_Word] = []
    for number in numbers:
        if column and number.right - column[0].right > _ALIGNED * (number.top - number.bottom):
            yield sorted(column, key=lambda each: -each.middle)
            column = []
        column.append(number)
    yield sorted(column, key=lambda each: -each.middle)


def _cut_runs(column: Sequence[_Word]) -> Iterator[list[_Word]]:
    """Yield the line numbers 1, 2, 3, … of each page in a column, skipping other numbers between them."""
    run: list[_Word] = []
    for number in column:
        if run and int(number.text) == int(run[-1].text) + 1:
            run.append(number)
        elif int(number.text) == 1:
            if len(run) >= _FEWEST_LINES:
                yield run
            run = [number]
    if len(run) >= _FEWEST_LINES:
        yield run


def _read_page(
    sheet: int,
    run: Sequence[_Word],
    words: Sequence[_Word],
    runs: Sequence[Sequence[_Word]],
    edges: Sequence[float],
) -> _SpokenPage:
    """Return the page whose lines are numbered by ``run``."""
    left, right = min(number.left for number in run), max(number.right for number in run)
    until = next((edge for edge in edges if edge > right), float("inf"))
    beside = [other for other in runs if left <= other[0].right and other[0].left <= right]
    floor, ceiling = _find_room(run, beside)
    step = (run[0].middle - run[-1].middle) / (len(run) - 1)
    own = [word for word in words if left - step < word.left < until and floor < word.middle < ceiling]
    top, bottom = run[0].middle + step / 2, run[-1].middle - step / 2
    beside_numbers = [word for word in own if bottom < word.middle < top and word.left > right]
    spoken = _share_out(beside_numbers, run, step)
    lines = [
        (int(number.text), " ".join(word.text for word in said), _enclose(number, said))
        for number, said in zip(run, spoken, strict=True)
    ]
    above = _find_number([word for word in own if word.middle >= top], lowest=True)
    below = _find_number([word for word in own if word.middle <= bottom], lowest=False)
    return _SpokenPage(sheet, lines, above, below)


def _share_out(words: Sequence[_Word], run: Sequence[_Word], step: float) -> list[list[_Word]]:
    """Return, for each number in ``run``, the words on its line from left to right."""
    spoken: list[list[_Word]] = [[] for _ in run]
    for word in sorted(words, key=lambda word: (-round(word.middle / step), word.left)):
        place = round((run[0].middle - word.middle) / step)
        spoken[min(max(place, 0), len(run) - 1)].append(word)
    return spoken


def _enclose(number: _Word, said: Sequence[_Word]) -> Box:
    """Return the box around a line and its number; the left edge is that of the line's words."""
    box = [number, *said]
    return (min(each.left for each in said or box), min(each.bottom for each in box),
            max(each.right for each in box), max(each.top for each in box))  # fmt: skip


def _find_room(run: Sequence[_Word], beside: Sequence[Sequence[_Word]]) -> tuple[float, float]:
    """Return the vertical range of a page: from the top number of the page below it to the last number of the
    page above it.
    """
    above = (other[-1].bottom for other in beside if other[-1].middle > run[0].middle)
    below = (other[0].top for other in beside if other[0].middle < run[-1].middle)
    return max(below, default=float("-inf")), min(above, default=float("inf"))


def _find_number(words: Sequence[_Word], *, lowest: bool) -> int:
    """Return the page number in the lines above a page's own (``lowest``: the lowest line is searched first)
    or below them; 0 if there is none.
    """
    ordered = sorted(words, key=lambda word: (round(word.middle), word.left))
    rows = [list(row) for _, row in groupby(ordered, key=lambda word: round(word.middle))]
    for row in rows if lowest else reversed(rows):
        parts = [row[0].text]
        for before, word in pairwise(row):
            parts += [" " * (4 if word.left - before.right > 2 * (word.top - word.bottom) else 1), word.text]
        if number := read_page_number("".join(parts)):
            return number
    return 0


def _compose(source: SourceDocument, pages: Sequence[_SpokenPage]) -> SourceDocument:
    """Return the document made of these pages; the other sheets are copied from ``source``."""
    numbers = settle_page_numbers([page.above for page in pages], [page.below for page in pages])
    by_sheet: dict[int, list[tuple[int, _SpokenPage]]] = {}
    for number, page in zip(numbers, pages, strict=True):
        by_sheet.setdefault(page.sheet, []).append((number, page))
    parts: list[str] = []
    blocks: list[Block] = []
    starts: list[int] = []
    printed: list[str] = []
    boxes = LineBoxes()
    length = 0

    def add(words: str) -> None:
        nonlocal length
        parts.append(words)
        length += len(words)

    ends = (*source.page_starts[1:], len(source.text))
    for sheet, (start, end) in enumerate(zip(source.page_starts, ends, strict=True)):
        starts.append(length)
        own = by_sheet.get(sheet, [])
        printed.append(
            f"{own[0][0]}–{own[-1][0]}" if len(own) > 1 else str(own[0][0]) if own else f"[{sheet + 1}]"
        )
        if not own:
            blocks += _shift_blocks(source.blocks, start, end, length - start)
            _copy_boxes(source.boxes, boxes, start, end, length - start)
            add(source.text[start:end])
        for number, page in own:
            for line, words, box in page.lines:
                if words:
                    blocks.append(Block(length, length + len(words), "paragraph", f"{number}:{line}"))
                    boxes.add(length, sheet + 1, box)
                    add(f"{words}\n")
            add("\n")
    return replace(
        source,
        text="".join(parts),
        blocks=tuple(blocks),
        page_starts=tuple(starts),
        page_numbers=tuple(printed),
        boxes=boxes,
    )


def _shift_blocks(blocks: Sequence[Block], start: int, end: int, by: int) -> Iterator[Block]:
    """Yield the parts of blocks within ``[start, end)``, moved ``by`` code points."""
    for each in blocks:
        if each.start < end and each.end > start:
            yield replace(each, start=max(each.start, start) + by, end=min(each.end, end) + by)


def _copy_boxes(lines: LineBoxes, boxes: LineBoxes, start: int, end: int, by: int) -> None:
    for place, at in enumerate(lines.starts):
        if start <= at < end:
            boxes.add(at + by, lines.pages[place], lines.box(place))
