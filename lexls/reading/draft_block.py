"""Divide a draft into blocks (a paragraph or a heading, with the blank lines after it), and number footnotes.
Footnotes have the numbers that readers see: in the order of their first marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import NamedTuple

from lexls.reading.quotation_marks import MarksAround, find_marks_around
from lexls.text.blanking import ITEM
from lexls.text.format import Footnote, Format, Heading, InnerNote, KeyUse, Mark
from lexls.text.spans import Span, leave_out

# Blank lines; each list item begins a new block.
_BREAK = re.compile(rf"\n[^\S\n{ITEM}]*\n(?:[^\S\n{ITEM}]*\n)*|{ITEM}")
LONGEST_PARAGRAPH = 100_000
"""Maximum length, in code points, of a paragraph that is read as one block. Patterns are never applied to a
longer text.
"""
_LOOK_BACK = 2_000
"""Code points before this limit that are searched for a sentence end or a space at which to divide a longer
paragraph.
"""
_MOST_OPEN = 100
"""Maximum number of unterminated footnotes of a draft that are examined."""


@dataclass(frozen=True, slots=True, eq=False)
class DraftBlock:
    """A block of a draft: its source, its masked text, and everything that follows from these alone. All
    spans are relative to the beginning of the block.

    ``words`` is the span of the text without surrounding white space; it is empty if there is no text.
    ``heading`` is set for headings. ``marks`` refer to footnotes written elsewhere. ``note`` is set if the
    block is itself such a footnote, and ``inner_notes`` are inline footnotes. ``quoted`` is true if the
    draft's format marks the block as a quotation, as Word's styles do; ``marks_around`` describes its
    quotation marks. ``keys`` are the bibliography keys that it cites, read only if the draft has a
    bibliography. ``goes_on`` is true if its paragraph is longer than ``LONGEST_PARAGRAPH`` and continues in
    the next block.
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
    goes_on: bool = False
    marks_around: MarksAround = field(init=False)

    def __post_init__(self) -> None:
        """Set ``marks_around`` from the quotation marks around the words."""
        object.__setattr__(self, "marks_around", find_marks_around(self.words.of(self.masked)))


def cut_blocks(source: str, masked: str, format: Format, *, keys: bool = False) -> list[DraftBlock]:
    """Return the blocks of a draft in order, or of a part that begins and ends at block boundaries.
    ``masked`` is ``source`` with markup blanked. Together the blocks make up the whole source. ``keys`` is
    true if the draft has a bibliography.
    """
    found = format.find_headings(source, masked)
    starts = {heading.line.start: heading for heading in found}
    ends = (heading.line.end for heading in found)
    notes = (source.rfind("\n", 0, note.content.start) + 1 for note in format.find_defined_notes(source))
    # The blank lines between two paragraphs belong to the one before them.
    breaks = (each.start() if each.group() == ITEM else each.end() for each in _BREAK.finditer(masked))
    cuts = sorted({0, *starts, *ends, *notes, *breaks} - {len(source)})
    blocks = []
    for start, end in pairwise([*cuts, len(source)]):
        while end - start > LONGEST_PARAGRAPH and start not in starts:
            stop = _divide(masked, start, start + LONGEST_PARAGRAPH)
            blocks.append(_block(source[start:stop], masked[start:stop], format, None, keys, goes_on=True))
            start = stop
        blocks.append(_block(source[start:end], masked[start:end], format, starts.get(start), keys))
    return blocks


def _divide(masked: str, start: int, limit: int) -> int:
    """Return the offset at which to divide a long paragraph that begins at ``start``: after the last sentence
    end before ``limit`` or, if there is none nearby, after the last space.
    """
    for sign in (". ", " ", "\n"):
        if (found := masked.rfind(sign, max(start, limit - _LOOK_BACK), limit)) >= 0:
            return found + len(sign)
    return limit


def _block(
    source: str, masked: str, format: Format, heading: Heading | None, keys: bool, *, goes_on: bool = False
) -> DraftBlock:
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
        goes_on=goes_on,
    )


def _keep_printed_marks(marks: Sequence[Mark], source: str, words: str, format: Format) -> tuple[Mark, ...]:
    """Return the marks of a block that are not in code or in a comment; ``words`` are its masked words."""
    if not words:  # It is all code or a comment, unless it has only marks.
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
    # Text with only bibliography keys is blank too.
    printed = _find_printed(blank, source, format) if blank and masked.strip() else set()
    return tuple(note for note, span in contents.items() if span not in blank or span in printed)


def _find_printed(spans: Sequence[Span], source: str, format: Format) -> set[Span]:
    """Return the spans of the block whose text would be printed. ``spans`` must be in order."""
    ends = [0, *(span.end for span in spans)]
    parts = [f"{source[end : span.start]}{'x' * len(span)}" for end, span in zip(ends, spans, strict=False)]
    masked = format.mask("".join((*parts, source[ends[-1] :])))
    return {span for span in spans if span.of(masked).strip()}


def list_starts(pieces: Iterable[DraftBlock]) -> tuple[int, ...]:
    """Return the offset at which each block begins."""
    return tuple(accumulate((len(piece.source) for piece in pieces), initial=0))[:-1]


def find_inner_footnotes(
    source: str, format: Format, pieces: Iterable[DraftBlock], starts: Iterable[int]
) -> dict[int, Footnote]:
    """Return the inline footnotes of a draft by the offsets where their text begins. A footnote of several
    paragraphs may end in a later block. Only a limited number of unterminated footnotes are examined.
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


_INDENTED = ("    ", "\t")


class Note(NamedTuple):
    """A footnote and the number that readers see. ``content`` is the span of its text in the source. ``mark``
    is the offset of its first mark or, for an inline footnote, of its text. ``label`` is "" for an inline
    footnote.
    """

    content: Span
    number: int
    mark: int
    label: str = ""


def number_footnotes(
    source: str, format: Format, blocks: Sequence[DraftBlock], starts: Sequence[int]
) -> tuple[Note, ...]:
    """Return the footnotes of a draft in printed order. Footnotes without a mark and marks without a footnote
    are not printed. If several footnotes share a label, only the first one is printed.
    """
    inner = find_inner_footnotes(source, format, blocks, starts)
    found = [(start, "", note.content) for start, note in inner.items()]
    defined = _find_defined(blocks, starts, indented=format.note_definition is not None)
    for block, start in zip(blocks, starts, strict=True) if defined else ():
        for mark in block.marks:
            if (content := defined.pop(mark.label, None)) is not None:
                found.append((start + mark.span.start, mark.label, content))
    found.sort(key=lambda each: each[0])
    return tuple(Note(span, number, at, label) for number, (at, label, span) in enumerate(found, start=1))


def place_footnotes(notes: Sequence[Note]) -> tuple[Mapping[str, Span], Mapping[str, int]]:
    """Return two mappings from the numbers of footnotes: to the spans of their text, and to the offsets of
    their marks. The second one has only the footnotes whose text is written elsewhere.
    """
    words = {str(note.number): note.content for note in notes}
    return words, {str(note.number): note.mark for note in notes if note.label}


def _find_defined(blocks: Sequence[DraftBlock], starts: Sequence[int], *, indented: bool) -> dict[str, Span]:
    """Return the text of the footnotes that are separate paragraphs, by label. ``indented`` is true if
    indented paragraphs after the first one belong to the footnote.
    """
    defined: dict[str, Span] = {}
    label = ""
    for block, start in zip(blocks, starts, strict=True):
        note = block.note
        if note is not None and (len(block.words) or not note.content.of(block.source).strip()):
            label = note.label if note.label not in defined else ""
            defined.setdefault(note.label, note.content.shift(start))
        elif not indented or not block.source.startswith(_INDENTED):
            label = ""
        elif label and len(block.words):
            defined[label] = Span(defined[label].start, start + block.words.end)
    return defined
