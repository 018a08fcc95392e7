"""Typeset paragraphs on pages, and record the position of each source word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING

from lexls.text.spans import Span

if TYPE_CHECKING:
    from lexls.export.book.fonts import Fonts

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom, in points from the upper left corner of a page."""

Boxes = Sequence[tuple[int, Rectangle]]
"""Rectangles with their pages, which are counted from 0."""
NOWHERE = Span(0, 0)
LEADING = 1.35
"""Line height as a multiple of the font size."""


@dataclass(frozen=True, slots=True)
class PageSize:
    """The width and height of a page, and its side, top and bottom margins, in points."""

    width: float
    height: float
    side: float = 72
    top: float = 72
    bottom: float = 64


A4 = PageSize(595.28, 841.89)
LETTER = PageSize(612, 792)


@dataclass(frozen=True, slots=True)
class SetWord:
    """A word to typeset, or a part of a word in a different style. Every part after the first is ``glued``.

    ``span`` is the word's position in the source, empty if it has none. ``style`` is "", "B", "I" or "BI". A
    ``linked`` word is coloured like a link.
    """

    text: str
    span: Span = NOWHERE
    style: str = ""
    glued: bool = False
    linked: bool = False


@dataclass(frozen=True, slots=True)
class SetParagraph:
    """Words to typeset as a paragraph, with its font size, its indent and the space above it, in points.

    ``label`` is printed in the margin of its first line. ``tail`` is printed at the right end of that line;
    the paragraph's lines end ``right`` points earlier to leave room. ``keeps`` is true if the paragraph must
    be on the same page as the next line, as a heading must.
    """

    words: tuple[SetWord, ...]
    size: float = 11
    indent: float = 0
    above: float = 6
    centred: bool = False
    keeps: bool = False
    label: str = ""
    tail: str = ""
    right: float = 0


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word on a page (from 0): its left and top edges, its width and its font size, in points."""

    page: int
    left: float
    top: float
    width: float
    size: float
    word: SetWord

    @property
    def box(self) -> Rectangle:
        """Return the rectangle that the word occupies in its line."""
        return self.left, self.top, self.left + self.width, self.top + self.size * LEADING


@dataclass(slots=True)
class Setter:
    """A typesetter that places paragraphs one below the other; a paragraph may continue on the next page."""

    fonts: Fonts
    paper: PageSize
    page: int = 0
    placed: list[PlacedWord] = field(default_factory=list)
    _top: float = field(init=False)

    def __post_init__(self) -> None:
        """Start at the top of the first page."""
        self._top = self.paper.top

    def put(self, paragraphs: Iterable[SetParagraph]) -> None:
        """Typeset paragraphs. If one has ``keeps``, it moves to the next page together with the line after
        it.
        """
        for paragraph in paragraphs:
            self._put(paragraph)

    def turn(self) -> None:
        """Start the next page."""
        self.page += 1
        self._top = self.paper.top

    def _put(self, paragraph: SetParagraph) -> None:
        height = paragraph.size * LEADING
        room = self.paper.height - self.paper.bottom
        if self._top > self.paper.top:
            self._top += paragraph.above
        lines = list(self._break(paragraph))
        needed = height * (len(lines) + 2 if paragraph.keeps else 1)
        if self._top + needed > room and self._top > self.paper.top:
            self.turn()
        for number, line in enumerate(lines):
            if self._top + height > room:
                self.turn()
            left = self.paper.side + paragraph.indent
            if paragraph.centred and line:
                width = line[-1][0] + line[-1][1]
                left += max(0.0, (self._measure(paragraph) - width) / 2)
            if number == 0:
                self._put_beside(paragraph, left)
            for at, wide, word in line:
                self.placed.append(PlacedWord(self.page, left + at, self._top, wide, paragraph.size, word))
            self._top += height

    def _put_beside(self, paragraph: SetParagraph, left: float) -> None:
        """Typeset the label and the tail of a paragraph's first line."""
        for text, at_left in ((paragraph.label, True), (paragraph.tail, False)):
            wide = self.fonts.measure(text, "", paragraph.size) if text else 0.0
            at = max(12.0, left - wide - 8) if at_left else self.paper.width - self.paper.side - wide
            if text:
                placed = PlacedWord(self.page, at, self._top, wide, paragraph.size, SetWord(text))
                self.placed.append(placed)

    def _measure(self, paragraph: SetParagraph) -> float:
        return self.paper.width - 2 * self.paper.side - paragraph.indent - paragraph.right

    def _break(self, paragraph: SetParagraph) -> Iterator[list[tuple[float, float, SetWord]]]:
        """Yield the paragraph's lines. For each word, a line gives the distance from its left edge, the width
        and the word.
        """
        room, line, end = self._measure(paragraph), list[tuple[float, float, SetWord]](), 0.0
        for cluster in _join_glued(self._divide(paragraph, room)):
            widths = [self.fonts.measure(each.text, each.style, paragraph.size) for each in cluster]
            space = self.fonts.measure(" ", cluster[0].style, paragraph.size) if line else 0.0
            if line and end + space + sum(widths) > room:
                yield line
                line, end, space = [], 0.0, 0.0
            end += space
            for each, width in zip(cluster, widths, strict=True):
                line.append((end, width, each))
                end += width
        if line:
            yield line

    def _divide(self, paragraph: SetParagraph, room: float) -> Iterator[SetWord]:
        """Yield the words. A word longer than a line is cut into pieces that fit."""
        for word in paragraph.words:
            rest = word
            while len(rest.text) > 1 and self.fonts.measure(rest.text, rest.style, paragraph.size) > room:
                most = len(rest.text) - 1
                while most > 1 and self.fonts.measure(rest.text[:most], rest.style, paragraph.size) > room:
                    most = max(1, most * 9 // 10)
                yield replace(rest, text=rest.text[:most])
                rest = replace(rest, text=rest.text[most:], glued=False)
            yield rest


def _join_glued(words: Iterable[SetWord]) -> Iterator[list[SetWord]]:
    cluster: list[SetWord] = []
    for word in words:
        if cluster and not word.glued:
            yield cluster
            cluster = []
        cluster.append(word)
    if cluster:
        yield cluster


def find_on_sheets(placed: Sequence[PlacedWord], span: Span) -> Boxes:
    """Return the positions of the words of ``span``, in order: for each line, its page and a rectangle."""
    return join_lines((each.page, each.box) for each in placed if each.word.span.overlaps(span))


def join_lines(boxes: Iterable[tuple[int, Rectangle]]) -> list[tuple[int, Rectangle]]:
    """Return the boxes of words or letters, given in order, merged into one box per line."""
    lines: list[tuple[int, Rectangle]] = []
    for page, box in boxes:
        if lines and lines[-1][0] == page and _on_line(lines[-1][1], box):
            last = lines[-1][1]
            box = min(last[0], box[0]), min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3])
            lines[-1] = page, box
        else:
            lines.append((page, box))
    return lines


def _on_line(line: Rectangle, box: Rectangle) -> bool:
    """Return whether a box continues a line: the two overlap by more than half of the smaller height, and the
    box does not start again at the left.
    """
    shared = min(line[3], box[3]) - max(line[1], box[1])
    return shared > 0.5 * min(line[3] - line[1], box[3] - box[1]) and box[2] >= line[2] - 1


def list_runs(placed: Sequence[PlacedWord]) -> Iterator[tuple[PlacedWord, str]]:
    """Yield the words of a page as runs of one line and style. Text copied from the PDF then keeps its
    spaces.
    """
    for _, line in groupby(placed, key=lambda each: (each.top, each.size)):
        words = list(line)
        while words:
            first, text, end = words[0], words[0].word.text, words[0].left + words[0].width
            count = 1
            for each in words[1:]:
                gap = each.left - end
                near = -1 < gap < (0.1 if each.word.glued else 0.5 * first.size)
                alike = each.word.style == first.word.style and each.word.linked == first.word.linked
                if not alike or not near:
                    break
                text += ("" if each.word.glued else " ") + each.word.text
                end = each.left + each.width
                count += 1
            yield first, text
            words = words[count:]
