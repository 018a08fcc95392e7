"""Tell where in the parts of a Word document each character of its extracted text was read."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from lexls.library.readers.office_xml import read_local_name
from lexls.library.readers.pieces import SOFT_HYPHEN
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lxml.etree import _Element

    from lexls.library.document import Extract


@dataclass(frozen=True, slots=True)
class Origin:
    """A run of the extracted text and the element that it was read from.

    ``part`` names the part of the package, ``element`` the element by its place in document order, from 0
    for the part's root. Where that is text (``is_text``), ``index`` is the character of it that ``span``
    begins with; of what stands for a tab, a symbol or the mark of a note it is 0.
    """

    span: Span
    part: str
    element: int
    index: int
    is_text: bool


@dataclass(frozen=True)
class Origins:
    """The origins of a text in its order. What a reader adds (automatic numbers, "Note 3:") has none."""

    found: tuple[Origin, ...] = ()

    @cached_property
    def _starts(self) -> list[int]:
        return [each.span.start for each in self.found]

    def of(self, span: Span) -> list[Origin]:
        """The origins that share a code point with ``span``, cut to it, in order."""
        first = max(0, bisect_right(self._starts, span.start) - 1)
        last = bisect_left(self._starts, span.end)
        return [_cut(each, span) for each in self.found[first:last] if each.span.overlaps(span)]

    def near(self, offset: int) -> Origin | None:
        """The character that was read nearest before ``offset``, else behind it; None if there is none."""
        if not self.found:
            return None
        place = max(0, bisect_left(self._starts, offset) - 1)
        span = self.found[place].span
        at = max(span.start, min(offset, span.end) - 1)
        return _cut(self.found[place], Span(at, at + 1))


def _cut(origin: Origin, span: Span) -> Origin:
    start, end = max(origin.span.start, span.start), min(origin.span.end, span.end)
    index = origin.index + start - origin.span.start if origin.is_text else 0
    return Origin(Span(start, end), origin.part, origin.element, index, origin.is_text)


@dataclass(frozen=True, slots=True)
class ReadLine:
    """What one paragraph gave: its automatic number, the parts of its text, and the element of each."""

    mark: str
    parts: tuple[str, ...]
    sources: tuple[_Element, ...]


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """The paragraphs that one of the pieces of a text was read from; ``lead`` stands before their words."""

    piece: int
    lead: str
    lines: tuple[ReadLine, ...]


def find_origins(text: Extract, read: Sequence[ReadPiece], roots: Mapping[str, _Element]) -> Origins:
    """The origins of a text whose pieces were ``read`` in these parts."""
    wanted = {source for piece in read for line in piece.lines for source in line.sources}
    places = {
        element: (name, number)
        for name, root in roots.items()
        for number, element in enumerate(root.iter("*"))
        if element in wanted
    }
    found = []
    for each in read:
        piece = text.pieces[each.piece]
        for span, source, index in _align(text.text[piece.start : piece.end], each):
            name, number = places[source]
            is_text = read_local_name(source) == "t"
            found.append(Origin(span.shift(piece.start), name, number, index, is_text))
    return Origins(tuple(found))


def _align(text: str, piece: ReadPiece) -> Iterator[tuple[Span, _Element, int]]:
    """The spans of a piece's text, the element of each, and the character of its part that it begins with.

    The parts are the text but for white space, soft hyphens, and what the reader has put before them.
    """
    at = len(piece.lead)
    for line in piece.lines:
        if line.mark:
            at = text.find(line.mark, at) + len(line.mark)
        for part, source in zip(line.parts, line.sources, strict=True):
            if text.startswith(part, at):
                if part:
                    yield Span(at, at + len(part)), source, 0
                at += len(part)
                continue
            begun = None
            for index, char in enumerate(part):
                while at < len(text) and text[at].isspace() and not char.isspace() and char != SOFT_HYPHEN:
                    if begun is not None:
                        yield Span(begun[0], at), source, begun[1]
                        begun = None
                    at += 1
                same = at < len(text) and (text[at] == char or (text[at].isspace() and char.isspace()))
                if same:
                    begun = begun or (at, index)
                    at += 1
                elif begun is not None:
                    yield Span(begun[0], at), source, begun[1]
                    begun = None
            if begun is not None:
                yield Span(begun[0], at), source, begun[1]
