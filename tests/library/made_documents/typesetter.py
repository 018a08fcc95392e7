"""Set PDFs line by line, so that it is known where each paragraph stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import fpdf
import matplotlib

from made_documents.invented import (
    JUDGMENT_MARKS,
    NOTE,
    SOFT_HYPHEN,
    Part,
    Parts,
    write_mark,
)
from made_documents.made_document import Box

_FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
_WIDTH, _HEIGHT = 595.0, 842.0
_MARGIN = 72.0
_NOTE_SIZE = 0.8


@dataclass(frozen=True, slots=True)
class Design:
    """How a PDF is set: sizes in points, ``leading`` from line to line.

    ``fonts`` are the names of those that matplotlib brings, the second bold. ``head`` and ``foot`` give what
    stands above and below the text of a page, by its number from 1; ``stamp`` draws upon each page, ``label``
    is that of the first. ``indented`` paragraphs begin further right and follow each other without a gap.
    """

    columns: int = 1
    fonts: tuple[str, str] = ("DejaVuSerif", "DejaVuSerif-Bold")
    size: float = 10.0
    leading: float = 14.0
    divides: bool = False
    line_numbers: bool = False
    indented: bool = False
    head: Callable[[int], str] = lambda _: ""
    foot: Callable[[int], str] = lambda _: ""
    stamp: Callable[[fpdf.FPDF], None] | None = None
    finish: Callable[[fpdf.FPDF], None] | None = None
    label: dict[str, Any] = field(default_factory=dict)


def make_pdf(
    parts: Parts, marks: Sequence[str] = JUDGMENT_MARKS, design: Design | None = None
) -> tuple[bytes, list[list[Box]]]:
    """A PDF and the boxes of its paragraphs in order; one on two pages or in two columns has several."""
    setter = _Typesetter(design or Design())
    for part in parts:
        setter.add(part, marks)
    return setter.finish(), setter.boxes


class _Typesetter:
    def __init__(self, design: Design) -> None:
        self.boxes: list[list[Box]] = []
        self._design = design
        self._pdf = pdf = fpdf.FPDF(unit="pt", format=(_WIDTH, _HEIGHT))
        pdf.set_auto_page_break(False)
        for style, name in zip(("", "B"), design.fonts, strict=True):
            pdf.add_font("serif", style, fname=_FONTS / f"{name}.ttf")
        gutter = 24.0
        self._width = (_WIDTH - 2 * _MARGIN - gutter * (design.columns - 1)) / design.columns
        self._lefts = [_MARGIN + column * (self._width + gutter) for column in range(design.columns)]
        self._column = design.columns
        self._y = _HEIGHT
        self._waiting: list[tuple[int, str, list[Box]]] = []
        self._notes = 0
        self._line = 0

    def add(self, part: Part, marks: Sequence[str]) -> None:
        """Set a part."""
        mark = write_mark(part, marks)
        indent = 24.0 * max(0, part.level - 1) * (part.kind == "unit") + 36.0 * (part.kind == "quotation")
        if part.kind == "row":
            self._row(part.text.split("\t"))
            return
        if part.heading:
            self._paragraph(f"{mark} {part.heading}", "B", indent)
            mark = ""
        if part.text:
            style = "B" if part.kind == "heading" else ""
            self._paragraph(f"{mark} {part.text}".strip(), style, indent, part.note)

    def finish(self) -> bytes:
        self._end_column()
        if self._design.finish is not None:
            self._design.finish(self._pdf)
        return bytes(self._pdf.output())

    # -- paragraphs ----------------------------------------------------------------------------------------

    def _paragraph(self, text: str, style: str, indent: float, note: str = "") -> None:
        size = self._design.size
        gap = 0.0 if self._design.indented else 0.7 * self._design.leading
        lines = self._break(text, style, size, self._width - indent, 24.0 if self._design.indented else 0.0)
        boxes: list[Box] = []
        self.boxes.append(boxes)
        for place, line in enumerate(lines):
            above = 0.0 if place else gap
            self._make_room(
                above + self._design.leading + (self._measure_note(note) if NOTE in line else 0.0)
            )
            self._y += above
            lead = 24.0 if self._design.indented and not place and len(lines) > 1 else 0.0
            self._set_line(self._lefts[self._column] + indent + lead, line, style, size, boxes)
            if NOTE in line:
                self._notes += 1
                self.boxes.append([])
                self._waiting.append((self._notes, note, self.boxes[-1]))

    def _row(self, cells: Sequence[str]) -> None:
        self._make_room(1.4 * self._design.leading)
        self._y += 0.4 * self._design.leading
        boxes: list[Box] = []
        step = self._width / len(cells)
        for column, cell in enumerate(cells):
            left = self._lefts[self._column] + column * step
            self._draw(left, self._y + self._design.leading, cell, "", self._design.size, boxes)
        self._y += self._design.leading
        self.boxes.append(boxes)

    def _set_line(self, left: float, line: str, style: str, size: float, boxes: list[Box]) -> None:
        self._y += self._design.leading
        before, noted, after = line.partition(NOTE)
        left = self._draw(left, self._y, before, style, size, boxes)
        if noted:
            left = self._draw(left, self._y - 0.35 * size, str(self._notes + 1), "", 0.62 * size, None)
            if after:
                self._draw(left, self._y, after, style, size, boxes)
        if self._design.line_numbers:
            self._line += 1
            self._draw(_MARGIN - 36, self._y, str(self._line), "", size, None)

    def _draw(
        self, left: float, y: float, text: str, style: str, size: float, boxes: list[Box] | None
    ) -> float:
        """Write text with its base line at ``y`` from the page's top; where it ends."""
        self._pdf.set_font("serif", style, size)
        self._pdf.text(left, y, text)
        right = left + self._pdf.get_string_width(text)
        if boxes is not None and text.strip():
            font = self._pdf.current_font.desc
            top, bottom = _HEIGHT - y + font.ascent * size / 1000, _HEIGHT - y + font.descent * size / 1000
            _extend(boxes, Box(self._pdf.page, left, bottom, right, top))
        return right

    def _break(self, text: str, style: str, size: float, width: float, first: float) -> list[str]:
        """The lines of a paragraph."""
        self._pdf.set_font("serif", style, size)
        lines: list[str] = []
        line = ""
        for word in text.split(" "):
            room = width - (first if not lines else 0)
            whole = word.replace(SOFT_HYPHEN, "")
            if self._measure(f"{line} {whole}".lstrip()) <= room:
                line = f"{line} {whole}".lstrip()
                continue
            start, rest = self._divide(word, room - self._measure(f"{line} "))
            lines.append(f"{line} {start}" if start else line)
            line = rest.replace(SOFT_HYPHEN, "")
        return [*lines, line]

    def _divide(self, word: str, room: float) -> tuple[str, str]:
        """What of a word fits in the line, and the rest."""
        places = (
            [at for at, sign in enumerate(word) if sign in f"-{SOFT_HYPHEN}"] if self._design.divides else []
        )
        for at in reversed(places):
            start = word[:at].replace(SOFT_HYPHEN, "") + "-"
            if self._measure(start) <= room and at:
                return start, word[at + 1 :]
        return "", word

    def _measure(self, text: str) -> float:
        return self._pdf.get_string_width(text.replace(NOTE, "1"))

    # -- columns, pages, notes -----------------------------------------------------------------------------

    def _make_room(self, height: float) -> None:
        noted = sum(self._measure_note(each[1]) for each in self._waiting)
        if self._y + height + noted <= _HEIGHT - _MARGIN:
            return
        self._end_column()
        self._column += 1
        if self._column >= self._design.columns:
            self._begin_page()
        self._y = _MARGIN

    def _begin_page(self) -> None:
        self._pdf.add_page(**({} if self._pdf.page else self._design.label))
        self._column = self._line = 0
        if self._design.stamp is not None:
            self._design.stamp(self._pdf)
        for text, y in (
            (self._design.head(self._pdf.page), 0.5 * _MARGIN),
            (self._design.foot(self._pdf.page), _HEIGHT - 0.5 * _MARGIN),
        ):
            self._pdf.set_font("serif", "", 9)
            self._pdf.text((_WIDTH - self._pdf.get_string_width(text)) / 2, y, text)

    def _note_lines(self, note: str) -> list[str]:
        return self._break(note, "", self._design.size * _NOTE_SIZE, self._width - 12, 0.0)

    def _measure_note(self, note: str) -> float:
        return len(self._note_lines(note)) * self._design.leading * _NOTE_SIZE + 8

    def _end_column(self) -> None:
        """Set the notes of the column at its foot."""
        size, leading = self._design.size * _NOTE_SIZE, self._design.leading * _NOTE_SIZE
        y = _HEIGHT - _MARGIN - sum(self._measure_note(each[1]) for each in self._waiting)
        if self._waiting:
            left = self._lefts[self._column]
            self._pdf.line(left, y, left + 100, y)
        for number, note, boxes in self._waiting:
            y += 8
            for place, line in enumerate(self._note_lines(note)):
                y += leading
                left = self._lefts[self._column]
                if not place:
                    self._draw(left, y - 0.35 * size, str(number), "", 0.62 * size, None)
                self._draw(left + 12, y, line, "", size, boxes)
                boxes[-1] = replace(boxes[-1], left=left)
        self._waiting.clear()


def _extend(boxes: list[Box], box: Box) -> None:
    """Add a line's box to that of the lines above it in its column."""
    if boxes and boxes[-1].page == box.page and boxes[-1].left < box.right and box.top <= boxes[-1].top + 1:
        last = boxes[-1]
        left, right = min(last.left, box.left), max(last.right, box.right)
        boxes[-1] = Box(box.page, left, min(last.bottom, box.bottom), right, max(last.top, box.top))
    else:
        boxes.append(box)
