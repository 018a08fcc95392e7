"""A draft in blocks: each a paragraph or a heading, with the blank lines behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from lexls.citations.bibliography.uses import KeyUse, key_uses
from lexls.features.footnotes import (
    Footnote,
    InnerNote,
    Mark,
    defined_notes,
    definition_starts,
    inner_notes,
    note_from,
    references,
)
from lexls.features.outline import Heading, headings
from lexls.text.blanking import ITEM
from lexls.text.markup import Markup
from lexls.text.spans import Span

# Blank lines; an item of a list begins a block of its own.
_BREAK = re.compile(rf"\n[^\S\n{ITEM}]*\n(?:[^\S\n{ITEM}]*\n)*|{ITEM}")
_MOST_OPEN = 100


@dataclass(frozen=True, slots=True, eq=False)
class Block:
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


def blocks(source: str, masked: str, markup: Markup, *, keys: bool = False) -> list[Block]:
    """The blocks of a draft in order, or of a part of one that begins and ends where blocks do.

    ``masked`` is ``source`` masked. Joined, the blocks are the whole. ``keys`` says whether the draft has a
    bibliography.
    """
    found = headings(source, masked, markup)
    starts = {heading.line.start: heading for heading in found}
    ends = (heading.line.end for heading in found)
    cuts = sorted({0, *starts, *ends, *definition_starts(source, markup), *_cuts(masked)} - {len(source)})
    return [
        _block(source[start:end], masked[start:end], markup, starts.get(start), keys)
        for start, end in pairwise([*cuts, len(source)])
    ]


def _cuts(masked: str) -> Iterator[int]:
    """Where paragraphs begin, the blank lines between two belonging to the one before them."""
    for match in _BREAK.finditer(masked):
        yield match.start() if match.group() == ITEM else match.end()


def _block(source: str, masked: str, markup: Markup, heading: Heading | None, keys: bool) -> Block:
    stripped = masked.strip()
    start = masked.find(stripped) if stripped else 0
    if heading is not None:
        heading = heading.moved(-heading.line.start)
    return Block(
        source,
        masked,
        Span(start, start + len(stripped)),
        heading,
        tuple(references(source, markup, Span(0, len(source)))),
        next(iter(defined_notes(source, markup)), None),
        tuple(inner_notes(source, markup)),
        keys=key_uses(source, masked, markup) if keys else (),
    )


def starts_of(pieces: Iterable[Block]) -> tuple[int, ...]:
    """The offset at which each block begins."""
    found = []
    offset = 0
    for piece in pieces:
        found.append(offset)
        offset += len(piece.source)
    return tuple(found)


def inner_footnotes(
    source: str, markup: Markup, pieces: Iterable[Block], starts: Iterable[int]
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
                note = note_from(source, markup, start + inner.start)
                if note is not None:
                    found[start + inner.start] = note
                else:
                    open_ones += 1
    return found
