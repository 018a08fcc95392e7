"""Number the footnotes of a draft as its readers see them: in the order of their first marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lexls.reading.draft_block import DraftBlock, find_inner_footnotes
from lexls.text.format import Format
from lexls.text.spans import Span

_INDENTED = ("    ", "\t")


class Note(NamedTuple):
    """A footnote with the number that readers see.

    ``content`` is the span of its words in the source. ``mark`` is the offset of its first mark; where the
    words are written at the mark, it is that of the words. ``label`` is "" for these.
    """

    content: Span
    number: int
    mark: int
    label: str = ""


def number_footnotes(
    source: str, format: Format, blocks: Sequence[DraftBlock], starts: Sequence[int]
) -> tuple[Note, ...]:
    """Return the footnotes of a draft in the order in which they are printed.

    A footnote without a mark is not printed, and neither is a mark without a footnote. Of several footnotes
    with one label the first is.
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
    """Return the words of the footnotes by their numbers, and the marks of those with words elsewhere."""
    words = {str(note.number): note.content for note in notes}
    return words, {str(note.number): note.mark for note in notes if note.label}


def _find_defined(blocks: Sequence[DraftBlock], starts: Sequence[int], *, indented: bool) -> dict[str, Span]:
    """Return the words of the footnotes that are paragraphs of their own, by their labels.

    ``indented`` says that indented paragraphs after the first one belong to the footnote.
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
