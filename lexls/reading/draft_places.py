"""Give positions in a draft in the way users count them: by lines, or by the paragraphs of a Word
document.
"""

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
    """A range of a draft. Lines and characters count from 1; ``end_character`` is the one after the range.
    For a file without lines, ``words`` describes the position ("paragraph 12, character 31"), and a line
    is a paragraph; text in a footnote has the position of its mark. In other files, ``words`` is "" or
    names the page.
    """

    line: int
    character: int
    end_line: int
    end_character: int
    words: str = ""


Places = Callable[[Span], DraftPlace]
"""A function that returns the place of a span of one draft's source."""


def describe_places(draft: Draft, path: Path, pages: Sequence[int] = ()) -> Places:
    """Return a function that returns the place of a span in a file. ``pages`` are the offsets of the file's
    pages, if any.
    """
    if is_word(path):
        return _WordPlaces(draft).find
    lines = LineIndex(draft.source)
    if pages:
        return lambda span: replace(
            find_place(lines, span.start, span.end), words=f"page {max(1, bisect_right(pages, span.start))}"
        )
    return lambda span: find_place(lines, span.start, span.end)


def name_places(places: Places) -> Callable[[Span], str]:
    """Return a function that returns the place of a span in words: "line 12", "paragraph 3"."""

    def name(span: Span) -> str:
        place = places(span)
        return place.words.split(", character")[0] if place.words else f"line {place.line}"

    return name


def find_place(lines: LineIndex, start: int, end: int) -> DraftPlace:
    """Return the place of a range of a text. ``lines`` are the text's lines."""
    line, character = lines.position(start)
    end_line, end_character = lines.position(end)
    return DraftPlace(line + 1, character + 1, end_line + 1, end_character + 1)


class _WordPlaces:
    """Positions in a Word document. Paragraphs are counted in order; empty ones and notes do not count.
    Characters are counted as in Word, where a note's mark is a single character.
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
        """Return the index of the block that contains an offset, and the number of the character in the
        block's words.
        """
        place = max(0, bisect_right(self._starts, offset) - 1)
        return place, self._character(place, offset - self._starts[place]) if self._blocks else 1

    def _character(self, place: int, offset: int) -> int:
        block = self._blocks[place]
        hidden = 0
        for mark in block.marks:
            # " [note 3]" represents the mark, which is one character in Word.
            before = max(0, min(offset, mark.span.end) - (mark.span.start - 1))
            hidden += max(0, before - 1)
        return max(0, offset - hidden - block.words.start) + 1

    def _anchored(self, place: int, character: int) -> tuple[int, int]:
        note = self._blocks[place].note if self._blocks else None
        if note is None:
            return self._numbers[place] if self._blocks else 1, character
        return self._marks.get(note.label, (self._numbers[place], 1))
