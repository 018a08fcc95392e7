"""Tell where a draft's spans stand, as people count: lines, or the paragraphs of a Word document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lexls.reading.draft import Draft
from lexls.reading.draft_files import is_word
from lexls.text.lines import LineIndex
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class DraftPlace:
    """A range of a draft; lines and characters count from 1, ``end_character`` is the one behind the range.

    ``words`` names the place where a file has no lines ("paragraph 12, character 31"), "" otherwise. There a
    line is a paragraph, and what stands in a footnote is where its mark stands.
    """

    line: int
    character: int
    end_line: int
    end_character: int
    words: str = ""


Places = Callable[[Span], DraftPlace]
"""Where the spans of one draft's source stand."""


def describe_places(draft: Draft, path: Path, pages: Sequence[int] = ()) -> Places:
    """Return how the places of a file are told; ``pages`` are the offsets at which its pages begin, if
    any."""
    if is_word(path):
        return _WordPlaces(draft).find
    lines = LineIndex(draft.source)
    if pages:
        return lambda span: replace(
            find_place(lines, span.start, span.end), words=f"page {max(1, bisect_right(pages, span.start))}"
        )
    return lambda span: find_place(lines, span.start, span.end)


def name_places(places: Places) -> Callable[[Span], str]:
    """Return how a page names the place of a span: "line 12", "paragraph 3"."""

    def name(span: Span) -> str:
        place = places(span)
        return place.words.split(", character")[0] if place.words else f"line {place.line}"

    return name


def find_place(lines: LineIndex, start: int, end: int) -> DraftPlace:
    """Return where a range of a text with these lines stands."""
    line, character = lines.position(start)
    end_line, end_character = lines.position(end)
    return DraftPlace(line + 1, character + 1, end_line + 1, end_character + 1)


class _WordPlaces:
    """Paragraphs are counted as they stand in the text, empty ones and notes left out.

    A character is one of the paragraph as Word counts it: the mark of a note is a single one.
    """

    def __init__(self, draft: Draft) -> None:
        self._blocks = draft.blocks
        self._starts = draft.starts
        self._numbers: list[int] = []
        self._marks: dict[str, tuple[int, int]] = {}
        number = 0
        for place, block in enumerate(draft.blocks):
            number += block.note is None
            self._numbers.append(max(1, number))
            for mark in block.marks:
                self._marks.setdefault(mark.label, (number, self._character(place, mark.span.start - 1)))

    def find(self, span: Span) -> DraftPlace:
        first, start = self._position(span.start)
        last, end = self._position(max(span.start, span.end - 1))
        end += len(span) > 0
        begin = self._anchored(first, start)
        note = self._blocks[first].note if self._blocks else None
        if note is not None:
            return DraftPlace(*begin, begin[0], begin[1] + 1, f"footnote {note.label}, character {start}")
        words = f"paragraph {self._numbers[first]}, character {start}"
        return DraftPlace(*begin, *self._anchored(last, end), words)

    def _position(self, offset: int) -> tuple[int, int]:
        """The block that holds an offset, and which character of its words stands there."""
        place = max(0, bisect_right(self._starts, offset) - 1)
        return place, self._character(place, offset - self._starts[place]) if self._blocks else 1

    def _character(self, place: int, offset: int) -> int:
        block = self._blocks[place]
        hidden = 0
        for mark in block.marks:
            # " [note 3]" stands for the one character that the mark is.
            before = max(0, min(offset, mark.span.end) - (mark.span.start - 1))
            hidden += max(0, before - 1)
        return max(0, offset - hidden - block.words.start) + 1

    def _anchored(self, place: int, character: int) -> tuple[int, int]:
        note = self._blocks[place].note if self._blocks else None
        if note is None:
            return self._numbers[place] if self._blocks else 1, character
        return self._marks.get(note.label, (self._numbers[place], 1))
