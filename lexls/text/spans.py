"""Define half-open ranges of a text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range ``[start, end)`` of code points of one text.

    The owner of the span knows which text. lexls uses code points everywhere and converts to the editor's
    encoding only in ``lexls/server``.
    """

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def __contains__(self, offset: int) -> bool:
        return self.start <= offset < self.end

    def touches(self, offset: int) -> bool:
        """Return whether a cursor at ``offset`` is in the span or at either edge of it."""
        return self.start <= offset <= self.end

    def overlaps(self, other: Span) -> bool:
        """Return whether the two spans share at least one code point."""
        return self.start < other.end and other.start < self.end

    def shift(self, by: int) -> Span:
        """Return the span moved by ``by`` code points."""
        return Span(self.start + by, self.end + by)

    def of(self, text: str) -> str:
        """Return the text that the span covers."""
        return text[self.start : self.end]

    def without(self, holes: Iterable[Span]) -> Iterator[Span]:
        """Yield the parts of the span outside ``holes``, which are sorted."""
        start = self.start
        for hole in holes:
            if start < hole.end and hole.start < self.end:
                if hole.start > start:
                    yield Span(start, hole.start)
                start = hole.end
        if start < self.end:
            yield Span(start, self.end)


def leave_out(text: str, spans: Iterable[Span], within: Span | None = None) -> str:
    """Return ``text``, or only its range ``within``, on one line and without ``spans``, which may overlap."""
    position, end = (within.start, within.end) if within is not None else (0, len(text))
    pieces = []
    for span in sorted(spans):
        pieces.append(text[position : max(position, span.start)])
        position = max(position, min(span.end, end))
    return " ".join(" ".join([*pieces, text[position:end]]).split())


class Coverage:
    """The union of several spans. A lookup is a binary search."""

    def __init__(self, spans: Iterable[Span]) -> None:
        placed = sorted((span.start, span.end) for span in spans)
        self._starts = [start for start, _ in placed]
        self._reaches = list(accumulate((end for _, end in placed), max))

    def overlaps(self, span: Span) -> bool:
        """Return whether ``span`` shares a code point with any of the spans."""
        before = bisect_left(self._starts, span.end) - 1
        return before >= 0 and self._reaches[before] > span.start
