"""Cut a draft into blocks: each a paragraph or a heading, with the blank lines behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from lexls.reading.quotation_marks import MarksAround, tell_marks_around
from lexls.text.blanking import ITEM
from lexls.text.format import Footnote, Format, Heading, InnerNote, KeyUse, Mark
from lexls.text.spans import Span, leave_out

# Blank lines; an item of a list begins a block of its own.
_BREAK = re.compile(rf"\n[^\S\n{ITEM}]*\n(?:[^\S\n{ITEM}]*\n)*|{ITEM}")
_MOST_OPEN = 100
"""Maximum number of footnotes without an end that are looked for in a draft."""


@dataclass(frozen=True, slots=True, eq=False)
class DraftBlock:
    """A piece of a draft: its source, its masked text, and what can be told from these alone.

    All spans count from the beginning of the block. ``words`` is the text without the white space around it,
    empty if there is none. ``heading`` is set if the block is one. ``marks`` refer to footnotes written
    elsewhere; ``note`` is such a footnote if the block is one; ``inner_notes`` are the
    footnotes that are written where their marks stand. ``quoted`` says that the draft's format itself
    marks the block as a quotation (Word's styles do), ``marks_around`` what quotation marks do. ``keys`` are
    those of a bibliography that it cites, looked for only where the draft has one.
    """

    source: str
    masked: str
    words: Span
    heading: Heading | None
    marks: tuple[Mark, ...]
    note: Footnote | None
    inner_notes: tuple[InnerNote, ...]
    quoted: bool = False
    keys: tuple[KeyUse, ...] = ()
    marks_around: MarksAround = field(init=False)

    def __post_init__(self) -> None:
        """Look for the quotation marks around the words."""
        object.__setattr__(self, "marks_around", tell_marks_around(self.words.of(self.masked)))


def cut_blocks(source: str, masked: str, format: Format, *, keys: bool = False) -> list[DraftBlock]:
    """The blocks of a draft in order, or of a part of one that begins and ends where blocks do.

    ``masked`` is ``source`` masked. Joined, the blocks are the whole. ``keys`` says whether the draft has a
    bibliography.
    """
    found = format.find_headings(source, masked)
    starts = {heading.line.start: heading for heading in found}
    ends = (heading.line.end for heading in found)
    notes = (source.rfind("\n", 0, note.content.start) + 1 for note in format.find_defined_notes(source))
    # The blank lines between two paragraphs belong to the one before them.
    breaks = (each.start() if each.group() == ITEM else each.end() for each in _BREAK.finditer(masked))
    cuts = sorted({0, *starts, *ends, *notes, *breaks} - {len(source)})
    return [
        _block(source[start:end], masked[start:end], format, starts.get(start), keys)
        for start, end in pairwise([*cuts, len(source)])
    ]


def _block(source: str, masked: str, format: Format, heading: Heading | None, keys: bool) -> DraftBlock:
    stripped = masked.strip()
    start = masked.find(stripped) if stripped else 0
    if heading is not None:
        heading = heading.shift(-heading.line.start)
    return DraftBlock(
        source,
        masked,
        Span(start, start + len(stripped)),
        heading,
        _keep_printed_marks(format.find_note_marks(source), source, stripped, format),
        next(iter(format.find_defined_notes(source)), None),
        _keep_printed_notes(format.find_inner_notes(source), source, masked, format),
        keys=format.find_keys(source, masked) if keys else (),
    )


def _keep_printed_marks(marks: Sequence[Mark], source: str, words: str, format: Format) -> tuple[Mark, ...]:
    """Return the marks of a block that are not in code or in a comment; ``words`` are its masked words."""
    if not words:  # It is all code or a comment, unless there is nothing but marks.
        return tuple(marks) if not leave_out(source, [mark.span for mark in marks]).strip() else ()
    if not marks or format.far is None or not format.far.search(source):
        return tuple(marks)
    printed = _find_printed([mark.span for mark in marks], source, format)
    return tuple(mark for mark in marks if mark.span in printed)


def _keep_printed_notes(
    notes: Sequence[InnerNote], source: str, masked: str, format: Format
) -> tuple[InnerNote, ...]:
    """Return the footnotes of a block that are not in code or in a comment."""
    contents = {note: Span(note.start, len(source) if note.end is None else note.end) for note in notes}
    blank = [span for span in contents.values() if not span.of(masked).strip() and span.of(source).strip()]
    # Words that only refer to a bibliography are blank, too.
    printed = _find_printed(blank, source, format) if blank and masked.strip() else set()
    return tuple(note for note, span in contents.items() if span not in blank or span in printed)


def _find_printed(spans: Sequence[Span], source: str, format: Format) -> set[Span]:
    """Return those of some spans of a block, in order, in whose place other words would be printed."""
    ends = [0, *(span.end for span in spans)]
    parts = [f"{source[end : span.start]}{'x' * len(span)}" for end, span in zip(ends, spans, strict=False)]
    masked = format.mask("".join((*parts, source[ends[-1] :])))
    return {span for span in spans if span.of(masked).strip()}


def list_starts(pieces: Iterable[DraftBlock]) -> tuple[int, ...]:
    """The offset at which each block begins."""
    return tuple(accumulate((len(piece.source) for piece in pieces), initial=0))[:-1]


def find_inner_footnotes(
    source: str, format: Format, pieces: Iterable[DraftBlock], starts: Iterable[int]
) -> dict[int, Footnote]:
    """The footnotes of a draft that are written where their marks stand, by where their words begin.

    A footnote of several paragraphs ends in another block than it begins in; of those that do not end at all,
    only so many are looked for.
    """
    found: dict[int, Footnote] = {}
    open_ones = 0
    for piece, start in zip(pieces, starts, strict=True):
        for inner in piece.inner_notes:
            if inner.end is not None:
                found[start + inner.start] = Footnote(Span(start + inner.start, start + inner.end), "")
            elif open_ones < _MOST_OPEN:
                note = format.read_note(source, start + inner.start)
                if note is not None:
                    found[start + inner.start] = note
                else:
                    open_ones += 1
    return found
