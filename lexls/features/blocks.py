"""A draft in blocks: each a paragraph or a heading, with the blank lines behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from lexls.text.blanking import ITEM
from lexls.text.format import Footnote, Format, Heading, InnerNote, KeyUse, Mark
from lexls.text.spans import Span

# Blank lines; an item of a list begins a block of its own.
_BREAK = re.compile(rf"\n[^\S\n{ITEM}]*\n(?:[^\S\n{ITEM}]*\n)*|{ITEM}")
_MOST_OPEN = 100


@dataclass(frozen=True, slots=True, eq=False)
class DraftBlock:
    """A piece of a draft: its source, its masked text, and what can be told from these alone.

    All spans count from the beginning of the block. ``words`` is the text without the white space around it,
    empty if there is none. ``heading`` is set if the block is one. ``marks`` refer to footnotes written
    elsewhere; ``note`` is such a footnote if the block is one; ``inner_notes`` are the
    footnotes that are written where their marks stand. ``quoted`` says that the draft's format itself
    marks the block as a quotation (Word's styles do). ``keys`` are those of a bibliography that it cites,
    looked for only where the draft has one.
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


def blocks(source: str, masked: str, format: Format, *, keys: bool = False) -> list[DraftBlock]:
    """The blocks of a draft in order, or of a part of one that begins and ends where blocks do.

    ``masked`` is ``source`` masked. Joined, the blocks are the whole. ``keys`` says whether the draft has a
    bibliography.
    """
    found = format.find_headings(source, masked)
    starts = {heading.line.start: heading for heading in found}
    ends = (heading.line.end for heading in found)
    notes = (source.rfind("\n", 0, note.content.start) + 1 for note in format.find_defined_notes(source))
    cuts = sorted({0, *starts, *ends, *notes, *_cuts(masked)} - {len(source)})
    return [
        _block(source[start:end], masked[start:end], format, starts.get(start), keys)
        for start, end in pairwise([*cuts, len(source)])
    ]


def _cuts(masked: str) -> Iterator[int]:
    """Where paragraphs begin, the blank lines between two belonging to the one before them."""
    for match in _BREAK.finditer(masked):
        yield match.start() if match.group() == ITEM else match.end()


def _block(source: str, masked: str, format: Format, heading: Heading | None, keys: bool) -> DraftBlock:
    stripped = masked.strip()
    start = masked.find(stripped) if stripped else 0
    if heading is not None:
        heading = heading.moved(-heading.line.start)
    return DraftBlock(
        source,
        masked,
        Span(start, start + len(stripped)),
        heading,
        tuple(format.find_note_marks(source)),
        next(iter(format.find_defined_notes(source)), None),
        tuple(format.find_inner_notes(source)),
        keys=format.find_keys(source, masked) if keys else (),
    )


def starts_of(pieces: Iterable[DraftBlock]) -> tuple[int, ...]:
    """The offset at which each block begins."""
    return tuple(accumulate((len(piece.source) for piece in pieces), initial=0))[:-1]


def inner_footnotes(
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
