"""Separate the footnotes of a PDF's pages from the text above them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median

from lexls.library.readers.pdf_columns import Stretch
from lexls.library.readers.pdf_page import NOTE, SMALL, Line


@dataclass(slots=True)
class FootNote:
    """A footnote: its label, and its lines without the label, each with the position of its page."""

    label: str
    lines: list[tuple[int, Line]] = field(default_factory=list)


@dataclass(slots=True)
class Notes:
    """The notes of a document.

    ``marked`` are those whose marks are found in the text, by page position and label. ``unmarked`` are the
    others on each page.
    """

    marked: dict[tuple[int, str], FootNote] = field(default_factory=dict)
    unmarked: dict[int, list[FootNote]] = field(default_factory=dict)

    def list_all(self) -> list[FootNote]:
        """Return all notes."""
        return [*self.marked.values(), *(note for notes in self.unmarked.values() for note in notes)]


_RULE = re.compile(r"[-–—_*\s]{3,}$")
_LARGEST = 1.06
_RAISED = 0.85
_GAP = 1.4
_DENSER = 0.75
_GOES_ON = re.compile(
    r"(?:^|\s{0,3})\((?:footnote )?(?:continued|cont['’]d)(?: on (?:the )?(?:next|following) page)?"
    r"(?:\.{2,3}|…)?\)$",
    re.IGNORECASE,
)
"""The words at the end of a note that say that it continues on the next page."""
_REST = re.compile(
    r"\((?:\.{2,3}|…)?\s?continued(?: from (?:the )?(?:previous|preceding) page)?\)\s{0,3}", re.IGNORECASE
)
"""The words before the rest of a note on the next page: "(continued from previous page)"."""
_ENDS = '.!?”"’)]'


def set_notes_apart(pages: Sequence[Sequence[Stretch]]) -> tuple[list[list[Stretch]], Notes]:
    """Return the pages without footnotes, and the footnotes.

    A note begins with a number that is raised in the text of its page. It is in smaller type, begins with a
    raised number, or follows a rule. It ends with its column, or continues at the foot of the next page.
    """
    if not any(
        line.marks or line.lead < _RAISED * line.height
        for runs in pages
        for run in runs
        for line in run.lines
    ):
        return [list(runs) for runs in pages], Notes()
    return _Separation().run(pages)


class _Separation:
    def __init__(self) -> None:
        self._notes = Notes()
        self._last: FootNote | None = None
        self._open = True
        self._usual = 0.0

    def run(self, pages: Sequence[Sequence[Stretch]]) -> tuple[list[list[Stretch]], Notes]:
        kept: list[list[Stretch]] = []
        for position, runs in enumerate(pages):
            marks: dict[str, Line] = {}
            heights: Counter[float] = Counter()
            for run in runs:
                for line in run.lines:
                    heights[round(line.height, 1)] += len(line.text)
                    for mark in line.marks:
                        marks.setdefault(mark.label, line)
            self._usual = heights.most_common(1)[0][0] if heights else 0.0
            before, self._open = self._last, True
            if before is None or not before.lines or before.lines[-1][0] != position - 1:
                before = None
            page: list[Stretch] = []
            for run in runs:
                page.append(replace(run, lines=self._read_run(run.lines, position, marks, before)))
            found = {label for at, label in self._notes.marked if at == position}
            kept.append(
                [replace(run, lines=[_keep_marks(line, found) for line in run.lines]) for run in page]
            )
        return kept, self._notes

    def _read_run(
        self, lines: Sequence[Line], position: int, marks: dict[str, Line], before: FootNote | None
    ) -> Sequence[Line]:
        start = next(
            (
                at
                for at, line in enumerate(lines)
                if self._begins(lines, at, marks, position) and _is_foot(lines, at, marks)
            ),
            len(lines),
        )
        end = start
        if before is not None and self._open:
            body = next(iter(marks.values())).height if marks else self._usual
            going_on = _find_continuation(lines[:start], before, body)
            if any(sign.isalpha() for line in lines[going_on:start] for sign in line.text):
                before.lines += [(position, line._replace(marks=())) for line in lines[going_on:start]]
                self._open = False
                end = going_on
        for line in lines[start:]:
            self._take(line, position, marks)
        if end < len(lines) and end and _RULE.match(lines[end - 1].text):
            end -= 1
        return lines[:end]

    def _take(self, line: Line, position: int, marks: dict[str, Line]) -> None:
        """Add a line at the foot of a page to the note that it continues, or begin a new note with it."""
        match = NOTE.match(line.text)
        if match and (note := self._continued(line, position)) is not None:
            words = _REST.sub("", line.text[match.end() :], count=1)
        elif match and self._follows(match[1]) and (match[1] in marks or self._is_next(line, match[1])):
            note = self._last = FootNote(match[1])
            if match[1] in marks:
                self._notes.marked.setdefault((position, match[1]), note)
            else:
                self._notes.unmarked.setdefault(position, []).append(note)
            words = line.text[match.end() :].lstrip()
        else:
            note, words = self._last, line.text
        self._last = note
        words = _GOES_ON.sub("", words)
        if note is not None and words:
            note.lines.append((position, line._replace(text=words, marks=())))

    def _continued(self, line: Line, position: int) -> FootNote | None:
        """Return the note on this or the previous page that a line says it continues; None if it does not say
        so.
        """
        match = NOTE.match(line.text)
        if match is None or not _REST.match(line.text, match.end()):
            return None
        found = (each for each in reversed(self._notes.list_all()) if each.label == match[1])
        note = next(found, None)
        return note if note is not None and note.lines and note.lines[-1][0] >= position - 1 else None

    def _begins(self, lines: Sequence[Line], at: int, marks: dict[str, Line], position: int) -> bool:
        line = lines[at]
        label = _label(line)
        if not label:
            return False
        if self._continued(line, position) is not None:
            return True
        if label not in marks:
            return self._is_next(line, label)
        mark = marks[label]
        if mark is line or (mark.bottom < line.bottom and any(mark is each for each in lines)):
            return False
        if line.height < SMALL * mark.height or line.lead < _RAISED * line.height:
            return True
        return at > 0 and _RULE.match(lines[at - 1].text) is not None

    def _is_next(self, line: Line, label: str) -> bool:
        """Return whether a line begins with a small raised number that is one higher than the last note's."""
        if line.lead >= _RAISED * line.height or not label.isdigit():
            return False
        last = self._last.label if self._last is not None else "0"
        return last.isdigit() and int(label) == int(last) + 1

    def _follows(self, label: str) -> bool:
        last = self._last.label if self._last is not None else ""
        return not (label.isdigit() and last.isdigit()) or int(label) > int(last) or int(label) == 1


def _label(line: Line) -> str:
    match = NOTE.match(line.text)
    return match[1] if match else ""


def _is_foot(lines: Sequence[Line], at: int, marks: dict[str, Line]) -> bool:
    """Return whether all lines from ``at`` on may be notes: none is in larger type than the text, and none is
    higher on the page than the first.
    """
    mark = marks.get(_label(lines[at]))
    largest = _LARGEST * (mark.height if mark is not None else lines[at].height)
    return all(line.height <= largest and line.top <= lines[at].top + 1 for line in lines[at:])


def _find_continuation(lines: Sequence[Line], before: FootNote, body: float) -> int:
    """Return the index of the first line at a page's foot that continues the previous page's note;
    ``len(lines)`` if there is none.
    """
    if not before.lines or not lines:
        return len(lines)
    last = before.lines[-1][1]
    if last.text[-1] in _ENDS:
        return len(lines)
    at = len(lines)
    if last.height < SMALL * body:
        while at and abs(lines[at - 1].height - last.height) < 0.06 * last.height:
            at -= 1
        return at
    # If the type is as large as the text, the note follows a gap and has denser lines.
    steps = [above.bottom - below.bottom for above, below in pairwise(lines)]
    usual = median(steps) if steps else 0.0
    while at > 1 and 0 < steps[at - 2] < _DENSER * usual:
        at -= 1
    # Include the line before the first narrow step.
    at = max(at - 1, 0) if at < len(lines) else at
    if at == len(lines) or at == 0 or steps[at - 1] < _GAP * last.height:
        return len(lines)
    return at


def _keep_marks(line: Line, labels: set[str]) -> Line:
    if not line.marks:
        return line
    kept = tuple(mark for mark in line.marks if mark.label in labels)
    return line if len(kept) == len(line.marks) else line._replace(marks=kept)
