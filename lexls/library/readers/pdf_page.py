"""Read a page of a PDF through PDFium: its lines, their positions and their properties."""

from __future__ import annotations

import contextlib
import itertools
import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from ctypes import byref, c_double, c_uint
from dataclasses import dataclass
from statistics import median_high
from typing import TYPE_CHECKING, Any, NamedTuple

from lexls.library.document import Box
from lexls.library.readers.opening import PDF_PAGE_CHARACTERS

if TYPE_CHECKING:
    import pypdfium2

DIVIDED = "\ufffe"
"""The character by which PDFium represents a hyphen that divides a word at the end of a line. PDFium omits
the line break there.
"""


@dataclass(frozen=True, slots=True)
class NoteMark:
    """A raised number or sign at ``[start, end)`` of a line that matches the label of a note on the line's
    page.
    """

    start: int
    end: int
    label: str


PAGES_OF_HEAD = 3
"""Maximum number of pages searched for a document's opening lines."""


class Line(NamedTuple):
    """A line of text and its box in points, from the page's lower left corner.

    ``height`` is the height of the font box of its characters, ``lead`` the height of the first character's
    font box (a footnote begins with a small number). ``parts`` are its pieces between wide gaps, if nearby
    lines have the same gaps. ``cells`` are its pieces between any wide gaps, set only on opening pages.
    ``turned`` is true if the text does not run from left to right, ``oblique`` if it is diagonal, ``light``
    if it is nearly white or transparent.
    """

    text: str
    left: float
    right: float
    top: float
    bottom: float
    height: float
    lead: float = math.inf
    parts: tuple[Line, ...] = ()
    marks: tuple[NoteMark, ...] = ()
    turned: bool = False
    oblique: bool = False
    light: bool = False
    cells: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class PrintedPage:
    """The displayed width and height of a page in points, and its lines in the order of the text layer."""

    width: float
    height: float
    lines: Sequence[Line]


class Character(NamedTuple):
    """A visible character of a page's text layer and its box, as high as the font, on the page as
    displayed.
    """

    sign: str
    box: Box


def read_page(document: pypdfium2.PdfDocument, number: int) -> PrintedPage:
    """Read the page at ``number``, counted from 0.

    Raises ``PdfiumError`` if it is damaged, and ``UnreadableFile`` if it exceeds ``PDF_PAGE_CHARACTERS``.
    """
    page = document[number]
    with contextlib.closing(page), contextlib.closing(page.get_textpage()) as text_page:
        PDF_PAGE_CHARACTERS.check(text_page.count_chars(), page=number + 1)
        turns = page.get_rotation() // 90
        reader = _PageReader(text_page, _find_placing(page), turns, head=number < PAGES_OF_HEAD)
        return PrintedPage(*_measure(page), reader.read())


def measure_page(document: pypdfium2.PdfDocument, number: int) -> tuple[float, float]:
    """Return the displayed width and height, in points, of the page at ``number`` (from 0)."""
    with contextlib.closing(document[number]) as page:
        return _measure(page)


def read_characters(document: pypdfium2.PdfDocument, number: int) -> list[Character]:
    """Return the visible characters of the page at ``number`` (from 0), in the order of its text layer."""
    from pypdfium2 import raw

    page = document[number]
    found = []
    with contextlib.closing(page), contextlib.closing(page.get_textpage()) as text_page:
        place = _find_placing(page)
        for index in range(text_page.count_chars()):
            sign = chr(raw.FPDFText_GetUnicode(text_page.raw, index))
            if not sign.isspace() and sign.isprintable():
                box: Box = text_page.get_charbox(index, loose=True)
                found.append(Character(sign, place(box) if place else box))
    return found


def _measure(page: pypdfium2.PdfPage) -> tuple[float, float]:
    left, bottom, right, top = page.get_bbox()
    width, height = right - left, top - bottom
    return (height, width) if page.get_rotation() // 90 % 2 else (width, height)


def _find_placing(page: pypdfium2.PdfPage) -> Callable[[Box], Box] | None:
    """Return a function that converts boxes to the page as displayed; None if the page is not rotated or
    moved.
    """
    shown: Box = page.get_bbox()
    turns = page.get_rotation() // 90
    if not (turns or shown[0] or shown[1]):
        return None
    return lambda box: _place(box, shown, turns)


def _place(box: Box, shown: Box, turns: int) -> Box:
    left, bottom, right, top = box[0] - shown[0], box[1] - shown[1], box[2] - shown[0], box[3] - shown[1]
    for turn in range(turns):
        width = shown[2] - shown[0] if turn % 2 == 0 else shown[3] - shown[1]
        left, bottom, right, top = bottom, width - right, top, width - left
    return left, bottom, right, top


class _Row(NamedTuple):
    """A line, and the offset ``start`` of its first character in the page's text."""

    start: int
    line: Line


_WIDE = 0.9
"""Minimum width of a gap that may be between columns, in line heights."""
_GAP = 4.0
_STEP = 3.0
_LABEL = 4.0
_SAMPLE = 6
"""Number of lines of a page that are examined for gaps first."""
_FEW_PIECES = 1.3
"""If a page's lines consist of fewer pieces than this on average, all lines are examined, since that is fast
then.
"""
_NEAR = 0.9
_NO_SPACE = 0.12
_NUMBERED = re.compile(r"(\d{1,2})\s+(?=\S)")
_FEWEST_NUMBERED = 5
_WORD = re.compile(r"\S+")
NOTE = re.compile(r"(\d{1,3}|[*†‡]{1,3})(?:[.)\]]?\s|(?=[A-Z“\"‘(\[]))")
"""The beginning of a footnote: its label and the separator before the text."""
_MARK = re.compile(r"(?<![\d$£€§*†‡#])(?:\d{1,3}|[*†‡]{1,3})(?![\d*†‡]|[.,]\d)")
SMALL = 0.95
"""Height, as a multiple of the usual height, below which type is small enough for notes."""
_RAISED_LABEL = re.compile(r"(\d{1,3}|[*†‡]{1,3})")
_LABEL_SIGNS = frozenset("0123456789*†‡")
_MOST_LABELS = 40
_SKEWED = 0.15
_TALLER = 1.6
_HIGHER = 1.4
_MOVED = 0.3
LARGE = 20.0
"""Height in points up to which type is never large, whatever the usual height."""
_OUTER = 3
_LIGHT = 190.0
_OPAQUE = 128
_RAISED = 0.1
_SMALLER = 0.85


class _PageReader:
    def __init__(
        self, text_page: Any, place: Callable[[Box], Box] | None, turns: int, *, head: bool = False
    ) -> None:
        from pypdfium2 import raw

        self._raw = raw
        self._handle = text_page.raw
        self._place = place
        self._turns = turns
        self._head = head
        self._text: str = text_page.get_text_range().replace("\u00a0", " ")
        # If the text omits characters of the layer, indices in the two differ.
        self._same = raw.FPDFText_CountChars(self._handle) == len(self._text)
        self._get_box = raw.FPDFText_GetLooseCharBox
        self._box = raw.FS_RECTF()
        self._box_ref = byref(self._box)
        self._edges = (c_double * 4)()
        self._edge_refs = [byref(c_double.from_buffer(self._edges, 8 * each)) for each in range(4)]
        self._colour = (c_uint * 4)()
        self._colour_refs = [byref(c_uint.from_buffer(self._colour, 4 * each)) for each in range(4)]

    def read(self) -> list[Line]:
        rows = self._rows()
        if not rows:
            return []
        self._part_stamps(rows)
        self._colour_rows(rows)
        self._divide(rows)
        if self._head:
            self._cut_cells(rows)
        self._mark(rows)
        return _join_rows([row.line for row in rows])

    def _index(self, offset: int) -> int:
        return offset if self._same else self._raw.FPDFText_GetCharIndexFromTextIndex(self._handle, offset)

    def _read_box(self, offset: int) -> Box | None:
        index = offset if self._same else self._index(offset)
        if index < 0 or not self._get_box(self._handle, index, self._box_ref):
            return None
        box = self._box
        found = (box.left, box.bottom, box.right, box.top)
        return self._place(found) if self._place else found

    def _rows(self) -> list[_Row]:
        rows: list[_Row] = []
        at = 0
        for row in self._text.split("\n"):
            start = at
            at += len(row) + 1
            if DIVIDED not in row:
                self._add_row(rows, start, row)
                continue
            for piece in row.split(DIVIDED):
                end = start + len(piece) + 1
                self._add_row(rows, start, self._text[start : min(end, at - 1)])
                start = end
        return rows

    def _add_row(self, rows: list[_Row], start: int, text: str) -> None:
        words = text.strip()
        if not words:
            return
        first = start + len(text) - len(text.lstrip())
        line = self._read_line(first, words)
        if line is None:
            return
        alike = line.lead > _SMALLER * line.height
        if line.top - line.bottom > (_HIGHER if alike else _TALLER) * line.height and not line.turned:
            cut = self._find_break(first, words)
            if cut:
                self._add_row(rows, start, text[: first - start + cut])
                self._add_row(rows, first + cut, words[cut:])
                return
        rows.append(_Row(first, line))

    def _find_break(self, first: int, words: str) -> int:
        """Return where the next line begins in a row, or 0; PDFium misses some breaks between close lines."""
        before: Box | None = None
        for match in _WORD.finditer(words):
            box = self._read_box(first + match.start())
            if box is None:
                return 0
            if before is not None:
                height = before[3] - before[1]
                moved = abs(box[1] + box[3] - before[1] - before[3]) / 2
                alike = _SMALLER * height < box[3] - box[1] < height / _SMALLER
                if box[0] < before[0] or (alike and moved > _MOVED * height):
                    return match.start()
            before = box
        return 0

    def _read_line(self, first: int, words: str) -> Line | None:
        begin, end = self._read_box(first), self._read_box(first + len(words) - 1)
        if begin is None or end is None:
            return None
        left, bottom, right, top = begin
        lead = top - bottom
        height = end[3] - end[1] if end[3] - end[1] > lead else lead
        left = end[0] if end[0] < left else left
        bottom = end[1] if end[1] < bottom else bottom
        right = end[2] if end[2] > right else right
        top = end[3] if end[3] > top else top
        turned = oblique = False
        if (top - bottom > 2 * height or right - left < _SKEWED * height * len(words)) and len(words) > 2:
            angle = self._raw.FPDFText_GetCharAngle(self._handle, self._index(first))
            oblique = 0.05 < angle % (math.pi / 2) < math.pi / 2 - 0.05
            turned = oblique or round(angle * 2 / math.pi) % 4 not in (self._turns, -self._turns % 4)
        return Line(words, left, right, top, bottom, height, lead, (), (), turned, oblique)

    def _part_stamps(self, rows: list[_Row]) -> None:
        """Separate a stamp from differently formatted words that touch it. A stamp is drawn before or after
        everything else.
        """
        for position in {0, len(rows) - 1}:
            row = rows[position]
            text = row.line.text
            looks = [self._look(row.start + start) for start in (0, text.rfind(" ") + 1)]
            if looks[0] == looks[1]:
                continue
            # At the page's end the stamp comes last, at its beginning first.
            starts = [match.start() for match in _WORD.finditer(text)]
            alike = [self._look(row.start + start) == looks[1 if position else 0] for start in starts]
            cut = starts[len(alike) - alike[::-1].index(False)] if position else starts[alike.index(False)]
            before, behind = (
                self._read_line(row.start, text[:cut].rstrip()),
                self._read_line(row.start + cut, text[cut:]),
            )
            if before is not None and behind is not None:
                rows[position : position + 1] = [_Row(row.start, before), _Row(row.start + cut, behind)]

    def _look(self, offset: int) -> tuple[int, bool]:
        """Return the angle of a character, in twentieths of a full turn, and whether it is light."""
        angle = self._raw.FPDFText_GetCharAngle(self._handle, self._index(offset))
        return round(angle * 10 / math.pi) % 20, self._is_light(offset)

    def _colour_rows(self, rows: list[_Row]) -> None:
        """Set ``light`` for the light lines among those that may be a watermark.

        These are the lines drawn before or after everything else, and large or turned lines. Reading the
        colour of every line would be slow.
        """
        for position, row in enumerate(rows):
            line = row.line
            outer = position < _OUTER or position >= len(rows) - _OUTER
            if (outer or line.turned or line.height > LARGE) and self._is_light(row.start):
                rows[position] = _Row(row.start, line._replace(light=True))

    def _is_light(self, offset: int) -> bool:
        if not self._raw.FPDFText_GetFillColor(self._handle, self._index(offset), *self._colour_refs):
            return False
        red, green, blue, alpha = self._colour
        return alpha < _OPAQUE or 0.299 * red + 0.587 * green + 0.114 * blue > _LIGHT

    def _divide(self, rows: list[_Row]) -> None:
        """Set the parts of lines that have wide gaps.

        Most pages have none, so a sample of lines is examined first. If words are positioned one by one, a
        gap counts only if other gaps end at the same position, since justified lines have gaps, too.
        """
        numbered = self._find_numbered(rows)
        pieces = self._raw.FPDFText_CountRects(self._handle, 0, -1)
        if pieces <= len(rows) and not numbered:
            return
        single = pieces >= _FEW_PIECES * len(rows)
        step = max(1, len(rows) // _SAMPLE) if single else 1
        found = {at: self._find_gaps(rows[at]) for at in range(step // 2, len(rows), step)}
        if not numbered and not (_align(found.values()) if single else any(found.values())):
            return
        gaps = [found[at] if at in found else self._find_gaps(row) for at, row in enumerate(rows)]
        aligned = _align(gaps)
        for position, (row, xs) in enumerate(zip(rows, gaps, strict=True)):
            cuts: set[int] = set()
            if position in numbered and (match := _NUMBERED.match(row.line.text)):
                cuts.add(match.end())
            for x in xs:
                if not single or round(x / _STEP) in aligned:
                    cuts.add(self._find_word(row, x))
            cuts.discard(0)
            if cuts and (parts := self._cut(row, sorted(cuts))):
                rows[position] = _Row(row.start, row.line._replace(parts=parts))

    def _cut_cells(self, rows: list[_Row]) -> None:
        """Set the cells of lines that have any wide gap. Every line is examined, since a caption has few
        lines and each is different.
        """
        for position, row in enumerate(rows):
            cuts = {self._find_word(row, x) for x in self._find_gaps(row, labels=True)} - {0}
            if cuts and (cells := self._cut(row, sorted(cuts))):
                rows[position] = _Row(row.start, row.line._replace(cells=cells))

    def _find_gaps(self, row: _Row, *, labels: bool = False) -> list[float]:
        """Return the horizontal positions of words that follow wide gaps in a line, in points from the left.
        With ``labels``, gaps after a number at the beginning of the line count, too.
        """
        if row.line.turned:
            return []
        raw, handle = self._raw, self._handle
        count = raw.FPDFText_CountRects(handle, self._index(row.start), len(row.line.text))
        if count < 2:
            return []
        place = self._place
        gaps: list[float] = []
        before = row.line.right
        # Text after a clause number is not a column; a line number has no full stop.
        word = row.line.text.partition(" ")[0]
        narrow = 0.0 if labels or word.isalnum() else row.line.left + _LABEL * row.line.height
        for number in range(count):
            raw.FPDFText_GetRect(handle, number, *self._edge_refs)
            left, top, right, bottom = self._edges
            if place is not None:
                left, bottom, right, top = place((left, bottom, right, top))
            if left - before > _GAP and left - before > _WIDE * row.line.height and before > narrow:
                gaps.append(left)
            before = right
        return gaps

    def _find_numbered(self, rows: Sequence[_Row]) -> set[int]:
        """Return the positions of the longest run of lines that begin with consecutive numbers, with or
        without a gap after the number.
        """
        found: list[int] = []
        best: list[int] = []
        last = 0
        for position, row in enumerate(rows):
            text = row.line.text
            if not text[0].isdigit() or not (match := _NUMBERED.match(text)):
                continue
            number = int(match[1])
            if number != last + 1:
                best = max(best, found, key=len)
                found = []
            found.append(position)
            last = number
        best = max(best, found, key=len)
        return set(best) if len(best) >= _FEWEST_NUMBERED else set()

    def _find_word(self, row: _Row, x: float) -> int:
        """Return the offset of the word that begins at horizontal position ``x`` of a line, or 0 if there is
        none.
        """
        starts = [match.start() for match in _WORD.finditer(row.line.text)]
        low, high = 1, len(starts)
        while low < high:
            middle = (low + high) // 2
            box = self._read_box(row.start + starts[middle])
            if box is None:
                return 0
            if box[0] < x - 2:
                low = middle + 1
            else:
                high = middle
        if low >= len(starts):
            return 0
        box = self._read_box(row.start + starts[low])
        return starts[low] if box is not None and abs(box[0] - x) < _GAP else 0

    def _cut(self, row: _Row, cuts: Sequence[int]) -> tuple[Line, ...]:
        parts: list[Line] = []
        for start, end in zip((0, *cuts), (*cuts, len(row.line.text)), strict=True):
            words = row.line.text[start:end].rstrip()
            part = self._read_line(row.start + start, words) if words else None
            if part is None:
                return ()
            parts.append(part)
        return tuple(parts)

    def _mark(self, rows: list[_Row]) -> None:
        """Set the note marks of the page's lines: raised numbers and signs that refer to its notes."""
        labels = _list_labels([line for row in rows for line in row.line.parts or (row.line,)])
        if not labels:
            return
        starts = [row.start for row in rows]
        marked: dict[int, list[NoteMark]] = {}
        for match in _MARK.finditer(self._text):
            if match[0] not in labels:
                continue
            position = bisect_right(starts, match.start()) - 1
            row = rows[position]
            at = match.start() - row.start
            if 0 < at < len(row.line.text) and self._is_raised(row, at):
                marked.setdefault(position, []).append(NoteMark(at, at + len(match[0]), match[0]))
        for position, marks in marked.items():
            row = rows[position]
            at, parts = 0, []
            for part in row.line.parts:
                start = row.line.text.index(part.text, at)
                at = start + len(part.text)
                own = (NoteMark(mark.start - start, mark.end - start, mark.label) for mark in marks)
                parts.append(
                    part._replace(marks=tuple(mark for mark in own if 0 <= mark.start < len(part.text)))
                )
            rows[position] = _Row(row.start, row.line._replace(marks=tuple(marks), parts=tuple(parts)))

    def _is_raised(self, row: _Row, offset: int) -> bool:
        line = row.line
        sign = line.text[offset]
        if not sign.isdigit():
            before = line.text[offset - 1]
            if before.isalnum() or before in '.,;:!?”"’)]':
                return True
        box = self._read_box(row.start + offset)
        if box is None or line.turned:
            return False
        height = box[3] - box[1]
        others = [
            other
            for near in (offset - 2, offset + 3, offset - 4)
            if 0 <= near < len(line.text) and line.text[near].isalnum() and not line.text[near].isdigit()
            if (other := self._read_box(row.start + near)) is not None
        ]
        base = max(others, key=lambda other: other[3] - other[1], default=None)
        bottom, whole = (base[1], base[3] - base[1]) if base else (line.bottom, line.height)
        return height < _SMALLER * whole and box[1] > bottom + _RAISED * whole


def _list_labels(lines: Sequence[Line]) -> set[str]:
    """Return the labels of possible notes: raised or small numbers, and signs, at the beginning of lines."""
    found = [
        (line, match[1])
        for line in lines
        if line.text[0] in _LABEL_SIGNS
        and (match := NOTE.match(line.text) or _RAISED_LABEL.fullmatch(line.text))
    ]
    if not found:
        return set()
    usual = median_high(line.height for line in lines)
    small = (
        label
        for line, label in found
        if line.lead < _SMALLER * line.height or line.height < SMALL * usual or not label.isdigit()
    )
    return set(itertools.islice(small, _MOST_LABELS))


def _align(gaps: Iterable[Sequence[float]]) -> set[int]:
    """Return the horizontal positions, in steps from the left, near which gaps of at least two lines end."""
    counts = Counter(round(x / _STEP) for row in gaps for x in row)
    return {place for place in counts if counts[place - 1] + counts[place] + counts[place + 1] > 1}


def _join_rows(lines: Sequence[Line]) -> list[Line]:
    """Join adjacent lines without a gap between them, since PDFium breaks lines at raised numbers."""
    joined: list[Line] = []
    for line in lines:
        if joined and _continues(joined[-1], line):
            joined[-1] = _append(joined[-1], line)
        else:
            joined.append(line)
    return joined


def _continues(before: Line, line: Line) -> bool:
    if before.turned or line.turned:
        return False
    gap = line.left - before.right
    height = max(before.height, line.height)
    if not -0.2 * height < gap < _NEAR * height:
        return False
    shared = min(before.top, line.top) - max(before.bottom, line.bottom)
    alike = _SMALLER * before.height < line.height < before.height / _SMALLER
    return shared > (0.75 if alike else 0.5) * min(before.height, line.height) and before.text[-1] != DIVIDED


def _append(before: Line, line: Line) -> Line:
    """Join two adjacent lines; a small raised number after words becomes a note mark."""
    gap = line.left - before.right
    space = "" if gap < _NO_SPACE * max(before.height, line.height) else " "
    shift = len(before.text) + len(space)
    marks = [*before.marks, *(NoteMark(m.start + shift, m.end + shift, m.label) for m in line.marks)]
    if (
        _RAISED_LABEL.fullmatch(line.text)
        and line.height < _SMALLER * before.height
        and line.bottom > before.bottom + _RAISED * before.height
    ):
        marks.append(NoteMark(shift, shift + len(line.text), line.text))
    parts: tuple[Line, ...] = ()
    if before.parts or line.parts:
        own, further = before.parts or (before,), line.parts or (line,)
        parts = (
            *own[:-1],
            _append(own[-1]._replace(parts=()), further[0]._replace(parts=())),
            *further[1:],
        )
    return Line(
        f"{before.text}{space}{line.text}",
        min(before.left, line.left),
        max(before.right, line.right),
        max(before.top, line.top),
        min(before.bottom, line.bottom),
        max(before.height, line.height),
        before.lead,
        parts,
        tuple(marks),
        light=before.light,
        cells=(*(before.cells or (before,)), *(line.cells or (line,))) if before.cells or line.cells else (),
    )


def measure_steps(lines: Sequence[Line]) -> Iterator[float]:
    """Yield the distances, in points, between consecutive lines of a page."""
    for above, below in itertools.pairwise(lines):
        if 0 < (step := above.bottom - below.bottom) < 5 * below.height:
            yield step
