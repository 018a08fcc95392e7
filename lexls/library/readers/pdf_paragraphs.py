"""Join the lines of a PDF's pages into paragraphs."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import NamedTuple

from lexls.library.document import ExtractedPiece, LineBoxes
from lexls.library.lines import starts_anew
from lexls.library.readers.pdf_columns import Stretch
from lexls.library.readers.pdf_notes import FootNote, Notes
from lexls.library.readers.pdf_page import DIVIDED, Line, measure_steps

_WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
_DIVIDED_WORD = re.compile(rf"([^\W\d_]*)(?:{DIVIDED}|\u00ad)([^\W\d_]*)")
_HYPHEN_AT_END = re.compile(r"([^\W\d_]{2,})[-‐]$")
_LONGEST_WORD = 40
_LOWER_START = re.compile(r"[^\W\d_]+")
_TERMINAL = '.;:?!”"’)]'
_WIDE_GAP = 1.35
_GAP = 1.18
"""Minimum distance between paragraphs, as a multiple of the line distance, if lines are evenly spaced;
otherwise it is ``_WIDE_GAP``.
"""
_EVEN = 0.05
_MOSTLY = 0.8
_SELDOM = 0.2
_CLOSEST = 1.15
_SHORT = 0.85
_INDENT = 6.0
_CENTRED = 4.0
_LARGER = 1.15


_FULL = 0.85
_HALF = 0.6
_FEWEST_LINES = 12


@dataclass(frozen=True, slots=True)
class _Layout:
    """The usual measures of the document: the distance between lines, the edges and the font height.

    ``gap`` is the minimum distance between paragraphs, in multiples of the distance between lines.
    """

    pitch: float
    gap: float
    edges: tuple[float, float]
    height: float


@dataclass(slots=True)
class Joined:
    """The text of a document, its pieces, the offsets of its pages, and the positions of its lines.

    ``notes`` maps a note's number to the index of its piece.
    """

    text: str = ""
    pieces: list[ExtractedPiece] = field(default_factory=list)
    page_starts: list[int] = field(default_factory=list)
    notes: dict[int, int] = field(default_factory=dict)
    boxes: LineBoxes = field(default_factory=LineBoxes)


def join(pages: Sequence[Sequence[Stretch]], notes: Notes) -> Joined:
    """Join the lines of the pages into the text.

    Lines are joined unless one of these separates them: a gap, an indent, a short line that ends a sentence,
    a change of size, or the start of a numbered item. A paragraph may continue on the next page. Notes follow
    the paragraph that refers to them.
    """
    return _Joiner(pages, notes).join(pages)


class _LineInPlace(NamedTuple):
    """A line with the edges of its column and the distances to its neighbours.

    ``step`` is the distance to the line before it, and ``next_step`` the distance to the line after it; each
    is 0 if that line is in another column or on another page. ``pitches`` are the usual distances, in whole
    points, between the lines of running text in its column.
    """

    line: Line
    edges: tuple[float, float]
    step: float
    next_step: float
    pitches: frozenset[int]


class _Joiner:
    def __init__(self, pages: Sequence[Sequence[Stretch]], notes: Notes) -> None:
        lines = [line for runs in pages for run in runs for line in run.lines]
        self._layout = _measure(pages, lines)
        self._lines = lines
        self._notes = notes
        self._waiting: list[FootNote] = []
        self._noted: set[int] = set()
        self._done = Joined()
        self._parts: list[str] = []
        self._length = 0
        self._open = -1
        self._height = 0.0
        self._is_caption = False

    def join(self, pages: Sequence[Sequence[Stretch]]) -> Joined:
        done = self._done
        before: _LineInPlace | None = None
        for position, runs in enumerate(pages):
            turned = True
            for run in runs:
                for placed in self._place(run):
                    if before is None or self._open < 0 or self._are_apart(before, placed):
                        self._close()
                        if self._length:
                            self._add("\n\n")
                        self._open, self._height = self._length, placed.line.height
                        self._is_caption = _is_caption(placed.line)
                    else:
                        self._is_caption = False
                    self._put(placed.line, position, turned)
                    turned = False
                    before = placed
            if turned:
                done.page_starts.append(self._length)
            self._waiting += self._notes.unmarked.get(position, ())
        self._close(at_end=True)
        done.page_starts = [min(start, self._length) for start in done.page_starts]
        done.text = "".join(self._parts)
        return done

    @cached_property
    def _words(self) -> set[str]:
        """The words that occur undivided in the document; hyphenated words are kept whole."""
        noted = (line for note in self._notes.list_all() for _, line in note.lines)
        texts = (line.text for line in itertools.chain(self._lines, noted))
        return set(_WORD.findall("\n".join(texts).lower()))

    def _place(self, run: Stretch) -> Iterator[_LineInPlace]:
        if not run.lines:
            return
        edges = run.edges or self._find_edges(run.lines)
        steps = [above.bottom - below.bottom for above, below in itertools.pairwise(run.lines)]
        running = Counter(round(step) for step in _list_running_steps(run.lines, edges))
        pitches = frozenset(
            near
            for step, count in running.items()
            if count > _SELDOM * running.total()
            for near in (step - 1, step, step + 1)
        )
        for line, step, following in zip(run.lines, (0.0, *steps), (*steps, 0.0), strict=True):
            yield _LineInPlace(line, edges, step, following, pitches)

    def _find_edges(self, lines: Sequence[Line]) -> tuple[float, float]:
        """Return the edges of a page's text. If the page has few lines, or few that fill its width, return
        the document's edges instead.
        """
        usual = self._layout.edges
        if len(lines) < _FEWEST_LINES:
            return usual
        edges = _measure_edges(lines)
        if edges[1] - edges[0] < _HALF * (usual[1] - usual[0]):
            return usual
        return edges if sum(_is_full(line, edges) for line in lines) > _HALF * len(lines) else usual

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _close(self, at_end: bool = False) -> None:
        """End the paragraph and add the notes that it refers to.

        The notes of a heading or caption, which are single lines, are added after the next paragraph.
        """
        pieces = self._done.pieces
        if self._open >= 0:
            level, usual = 0, self._layout.height
            if self._length - self._open <= 200 and self._height >= usual * _LARGER:
                level = 1 if self._height >= usual * 1.5 else 2
            pieces.append(ExtractedPiece(self._open, self._length, level))
            self._open = -1
        if self._is_caption and not at_end:
            return
        waiting, self._waiting = self._waiting, []
        for note in waiting:
            if self._length:
                self._add("\n\n")
            start = self._length
            self._add(f"Note {note.label}:")
            for number, (position, line) in enumerate(note.lines):
                self._put(line, position, False, start if number == 0 else -1)
            if note.label.isdigit():
                self._done.notes.setdefault(int(note.label), len(pieces))
            pieces.append(ExtractedPiece(start, self._length, quoted=True))

    def _put(self, line: Line, position: int, turned: bool, start: int = -1) -> None:
        """Add a line to the open paragraph or note; ``turned`` means that it is the first line of a new page.

        ``start`` is the line's offset in the text, if that is not where its words begin.
        """
        text = self._read_text(line, position)
        if self._length != self._open:
            glued = self._glue(text)
            self._length += glued
            if not glued and self._parts[-1][-1:] not in ("-", "‐", "–", "—"):
                self._add(" ")
        if turned:
            self._done.page_starts.append(self._length)
        box = (line.left, line.bottom, line.right, line.top)
        self._done.boxes.add(self._length if start < 0 else start, position + 1, box)
        self._add(text)

    def _read_text(self, line: Line, position: int) -> str:
        """Return the words of a line with its note marks, and queue the notes to which they refer."""
        text = line.text
        if not line.marks:
            return self._mend(text)
        parts = []
        at = 0
        for mark in line.marks:
            note = self._notes.marked[position, mark.label]
            if id(note) not in self._noted:
                self._noted.add(id(note))
                self._waiting.append(note)
            parts.append(f"{text[at : mark.start].rstrip()} [note {mark.label}]")
            at = mark.end
            if text[at : at + 1].isalnum():
                parts.append(" ")
        return self._mend("".join((*parts, text[at:])))

    def _mend(self, text: str) -> str:
        """Return a line's text with hyphenated words rejoined; a hyphen at the end of the line is kept."""
        if DIVIDED not in text and "\u00ad" not in text:
            return text
        return _DIVIDED_WORD.sub(lambda match: self._join_halves(match[1], match[2]), text)

    def _join_halves(self, first: str, second: str) -> str:
        """Join a divided word. The hyphen is kept if the document uses it elsewhere or if the word is a
        double name.
        """
        whole, hyphenated = first + second, f"{first}-{second}"
        if not first or not second:
            return hyphenated
        if whole.lower() in self._words:
            return whole
        named = second[0].isupper() and first[-1].islower()
        return hyphenated if named or hyphenated.lower() in self._words else whole

    def _glue(self, text: str) -> int:
        """Rejoin a word divided by a plain hyphen at the end of the previous line. Return the change in the
        text's length.

        The change is negative if a hyphen was removed; then no space is needed before the line.
        """
        last = self._parts[-1]
        if last[-1:] not in ("-", "‐"):
            return 0
        match = _HYPHEN_AT_END.search(last, max(0, len(last) - _LONGEST_WORD))
        following = _LOWER_START.match(text)
        if match is None or following is None or not following[0][0].islower():
            return 0
        if self._join_halves(match[1], following[0]) == match[1] + following[0]:
            self._parts[-1] = last[:-1]
            return -1
        return 0

    def _are_apart(self, before: _LineInPlace, placed: _LineInPlace) -> bool:
        """Return whether a paragraph ends between two consecutive lines."""
        above, line = before.line, placed.line
        last = _read_last_sign(above)
        if last == DIVIDED:
            return False
        ended = last in _TERMINAL
        left, right = before.edges
        short = above.right - left < _SHORT * (right - left)
        indent = (line.left - placed.edges[0]) - (above.left - left)
        if ended and (short or indent > _INDENT):
            return True
        if abs(above.height - line.height) > 0.15 * self._layout.height:
            return True
        if starts_anew(line.text) and (ended or short or last in ",—–-"):
            # "18," and "2011." on the next line, "283-" and "288", "Ann." and "§ 50" are not lists.
            sign = line.text[0]
            return short or not (sign == "§" or (sign.isdigit() and not ended))
        if _differ(above, line, before.edges):
            return True
        lower = line.text[0].islower()
        half = above.right - left < _HALF * (right - left)
        if (indent > _INDENT or half) and last != "," and not lower:
            # If its first word would have fitted on the line above, the line begins a new paragraph.
            word = line.text.partition(" ")[0]
            width = (line.right - line.left) * len(word) / len(line.text)
            return right - above.right > 1.5 * width or self._is_gap(before, placed)
        return self._is_gap(before, placed)

    def _is_gap(self, before: _LineInPlace, placed: _LineInPlace) -> bool:
        """Return whether the gap between two lines is larger than the gaps between lines of one paragraph
        nearby.
        """
        step, height = placed.step, placed.line.height
        # The distance between lines of two pages or columns means nothing.
        if step <= _CLOSEST * height:
            return False
        if (
            placed.line.text[0].islower()
            and _is_full(before.line, before.edges)
            and round(step) in placed.pitches
        ):
            return False
        around = [near for near in (before.step, placed.next_step) if near > 0.5 * height]
        if any(step > self._layout.gap * near for near in around):
            return True
        # Lines in larger type are further apart. Letters of a damaged font have no height.
        usual = self._layout.height or height or 1.0
        pitch = self._layout.pitch * max(1.0, height / usual)
        return step > self._layout.gap * pitch and round(step) not in placed.pitches


def _differ(above: Line, line: Line, edges: tuple[float, float]) -> bool:
    """Return whether a line differs in kind from the line above it: that line is a table row or a centred
    line, or only one of the two is in capitals.
    """
    left, right = edges
    # A row of a table has short words with wide gaps between them.
    narrow = all(part.right - part.left < _HALF * (right - left) for part in above.parts)
    if len(above.parts) > 1 and narrow and not line.text[0].islower():
        return True
    if above.text.isupper() != line.text.isupper() and len(line.text) > 3:
        return True
    short = above.right - left < _SHORT * (right - left)
    return short and above.left > left + _INDENT and abs(above.left - line.left) > _CENTRED


def _measure(pages: Sequence[Sequence[Stretch]], lines: Sequence[Line]) -> _Layout:
    heights: Counter[float] = Counter()
    for line in lines:
        heights[round(line.height, 1)] += len(line.text)
    pitches = [step for runs in pages for run in runs for step in measure_steps(run.lines)]
    edges = _measure_edges(lines)
    running = [
        step for runs in pages for run in runs for step in _list_running_steps(run.lines, run.edges or edges)
    ]
    pitch = median(running or pitches or [12.0])
    even = sum(1 for each in running if abs(each - pitch) < _EVEN * pitch)
    return _Layout(
        pitch=pitch,
        gap=_GAP if even > _MOSTLY * len(running) else _WIDE_GAP,
        edges=edges,
        height=heights.most_common(1)[0][0] if heights else 10.0,
    )


def _list_running_steps(lines: Sequence[Line], edges: tuple[float, float]) -> Iterator[float]:
    """Yield the distances between full lines and the lines that certainly continue them."""
    for above, below in itertools.pairwise(lines):
        step = above.bottom - below.bottom
        if step > 0 and below.text[0].islower() and _is_full(above, edges):
            yield step


def _measure_edges(lines: Sequence[Line]) -> tuple[float, float]:
    """Return the left edge at which most of the text begins, and the right edge that most lines stay
    within.
    """
    if not lines:
        return 0.0, 0.0
    lefts: Counter[int] = Counter()
    for line in lines:
        lefts[round(line.left)] += len(line.text)
    rights = sorted(line.right for line in lines)
    return float(lefts.most_common(1)[0][0]), rights[int(len(rights) * 0.9)]


_VERSUS = re.compile(r"\bvs?\.$")


def _is_caption(line: Line) -> bool:
    """Return whether a line on its own is part of a heading or caption, and not a paragraph."""
    return _read_last_sign(line) not in _TERMINAL or _VERSUS.search(line.text) is not None


def _is_full(line: Line, edges: tuple[float, float]) -> bool:
    """Return whether a line reaches the right edge of its column."""
    return line.right - edges[0] > _FULL * (edges[1] - edges[0])


def _read_last_sign(line: Line) -> str:
    """Return the last character of a line, ignoring note marks."""
    end = len(line.text)
    for mark in reversed(line.marks):
        if mark.end != end:
            break
        end = len(line.text[: mark.start].rstrip())
    return line.text[end - 1] if end else ""
