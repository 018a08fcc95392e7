"""Build a draft from the text that the DOCX reader extracts from a Word document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from lexls.citations.grammar import Grammar
from lexls.library.document import Extract
from lexls.reading.draft import Draft
from lexls.reading.draft_block import DraftBlock, list_starts, number_footnotes, place_footnotes
from lexls.text.blanking import blank
from lexls.text.format import Footnote, Heading, Mark
from lexls.text.formats import PLAIN
from lexls.text.spans import Span

_MARK = re.compile(r" \[note (\d{1,6})\]")
_NOTE = re.compile(r"Note \d{1,6}: ?")


def read_word_draft(uri: str, extract: Extract, grammar: Grammar, jurisdiction: str = "") -> Draft:
    """Return the draft whose source is the extracted text, with a block for each paragraph and each note.
    Notes come after the paragraph that refers to them. Their marks, and the words "Note 3:" that the
    reader adds, are blanked in the masked text.
    """
    blocks = tuple(_blocks(extract))
    starts = list_starts(blocks)
    notes = number_footnotes(extract.text, PLAIN, blocks, starts)
    placed, marks = place_footnotes(notes)
    citations = grammar.reader(jurisdiction).read([block.masked for block in blocks], placed, marks=marks)
    masked = "".join(block.masked for block in blocks)
    return Draft(uri, extract.text, PLAIN, masked, jurisdiction, blocks, starts, citations, notes)


def _blocks(extract: Extract) -> Iterator[DraftBlock]:
    numbers = {piece: number for number, piece in extract.notes.items()}
    ends = [piece.start for piece in extract.pieces[1:]] + [len(extract.text)]
    for place, (piece, end) in enumerate(zip(extract.pieces, ends, strict=True)):
        start = 0 if place == 0 else piece.start
        source = extract.text[start:end]
        words = Span(piece.start - start, piece.end - start)
        number = numbers.get(place)
        if number is not None:
            yield _note(source, words, number)
        else:
            yield _paragraph(source, words, piece.heading, extract.notes, quoted=piece.quoted)


def _note(source: str, words: Span, number: int) -> DraftBlock:
    lead = _NOTE.match(source, words.start)
    start = min(lead.end() if lead is not None else words.start, words.end)
    masked = blank(source[:start]) + source[start:]
    content = Span(start, words.end)
    return DraftBlock(source, masked, content, None, (), Footnote(content, str(number)), ())


def _paragraph(
    source: str, words: Span, heading: int, notes: Mapping[int, int], *, quoted: bool
) -> DraftBlock:
    found = [match for match in _MARK.finditer(source) if int(match[1]) in notes]
    marks = tuple(Mark(Span(match.start() + 1, match.end()), match[1]) for match in found)
    masked = source
    for mark in marks:
        masked = masked[: mark.span.start] + " " * len(mark.span) + masked[mark.span.end :]
    title = " ".join(words.of(masked).split())
    above = Heading(heading, title, words, words) if heading and title else None
    return DraftBlock(source, masked, words, above, marks, None, (), quoted=quoted and above is None)
