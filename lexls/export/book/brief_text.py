"""Typeset a brief on plain pages from its parsed headings, paragraphs, quotations and notes."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.export.book.source_words import SourceWords
from lexls.export.book.typesetting import SetParagraph, SetWord
from lexls.quotations.block_facts import find_blocks
from lexls.reading.draft import Draft
from lexls.reading.draft_block import DraftBlock
from lexls.text.blanking import ITEM
from lexls.text.spans import Span

_SIZE = 11.5
_NOTE_SIZE = 9.5
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def read_words(draft: Draft) -> SourceWords:
    """Return the words of a brief; each footnote mark is shown as the footnote's number."""
    numbers = {note.label: note.number for note in draft.notes if note.label}
    marks = [
        (mark.span.shift(start), _raise(numbers[mark.label]))
        for block, start in zip(draft.blocks, draft.starts, strict=True)
        for mark in block.marks
        if mark.label in numbers
    ]
    inner = [(note.content, _raise(note.number)) for note in draft.notes if not note.label]
    return SourceWords(draft.source, draft.masked, draft.format, sorted([*marks, *inner]))


def set_brief(draft: Draft) -> Iterator[SetParagraph]:
    """Yield the paragraphs of a brief in order, followed by its footnotes."""
    words, placed = read_words(draft), zip(draft.blocks, draft.starts, strict=True)
    quoted = {draft.paragraphs[each.place] for each in find_blocks(draft) if not each.marked}
    for block, start in placed:
        if len(block.words) and block.note is None:
            span = block.words.shift(start)
            is_quoted = span in quoted or block.quoted
            whole = Span(span.start, max(span.end, start + len(block.source.rstrip())))  # with the final mark
            yield _set_block(draft, words, block, whole, quoted=is_quoted)
    if draft.notes:
        yield SetParagraph((SetWord("Notes", style="B"),), _SIZE, above=24, keeps=True)
    for note in draft.notes:
        lead = SetWord(_raise(note.number))
        yield SetParagraph((lead, *words.cut(note.content)), _NOTE_SIZE, above=4)


def _raise(number: int) -> str:
    return str(number).translate(_SUPERSCRIPTS)


def _set_block(
    draft: Draft, words: SourceWords, block: DraftBlock, span: Span, *, quoted: bool
) -> SetParagraph:
    if block.heading is not None:
        size = max(_SIZE, 17 - 2 * block.heading.level)
        return SetParagraph(tuple(words.cut(span, "B")), size, above=size, keeps=True)
    prefix = draft.format.quote_prefix
    quoted = quoted or bool(
        prefix and draft.source[: span.start].rpartition("\n")[2].startswith(prefix.strip())
    )
    label = "•" if draft.masked[max(0, span.start - 1)] == ITEM and draft.masked[span.start].isalpha() else ""
    indent = 24 if quoted or label else 0
    return SetParagraph(tuple(words.cut(span)), _SIZE - quoted, indent, above=7, label=label)
