"""Make the pages of the brief, typeset from its text or copied from its own PDF, and locate its citations on
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lexls.export.book.binding import BookPage
from lexls.export.book.brief_text import read_words, set_brief
from lexls.export.book.fonts import Fonts
from lexls.export.book.pdf_pages import WantedWords, prepare_pdf
from lexls.export.book.source_words import SourceWords
from lexls.export.book.typesetting import Boxes, PageSize, PlacedWord, Setter, find_on_sheets
from lexls.reading.citation_order import note_at
from lexls.reading.draft import Draft
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

_AROUND = 240
"""Number of code points before and after a citation that distinguish it from identical text elsewhere."""


@dataclass(frozen=True, slots=True)
class BriefPages:
    """The pages of a brief, the boxes of its citations on them, and the page (from 0) on which each heading
    is.
    """

    pages: list[BookPage]
    found: Mapping[Span, Boxes]
    headings: Sequence[tuple[str, int]]


def typeset_brief(fonts: Fonts, paper: PageSize, draft: Draft, mentions: Sequence[Span]) -> BriefPages:
    """Typeset a brief on plain pages."""
    setter = Setter(fonts, paper)
    setter.put(set_brief(draft))
    placed = [_colour(each, mentions) for each in setter.placed]
    pages = [BookPage(paper) for _ in range(setter.page + 1)]
    for each in placed:
        pages[each.page].placed.append(each)
    found = {span: find_on_sheets(placed, span) for span in mentions}
    titles = [(each.title, find_on_sheets(placed, each.words)) for each in draft.headings]
    return BriefPages(pages, found, [(title, boxes[0][0]) for title, boxes in titles if boxes])


def _colour(placed: PlacedWord, mentions: Sequence[Span]) -> PlacedWord:
    if not any(placed.word.span.overlaps(each) for each in mentions):
        return placed
    return replace(placed, word=replace(placed.word, linked=True))


def place_brief(pdf: Path, draft: Draft, mentions: Sequence[Span], token: CancelToken) -> BriefPages:
    """Use the pages of a brief's own PDF. A citation without a certain position there gets no box.

    Raises ``UnusablePdf`` and ``Cancelled``.
    """
    words = read_words(draft)
    headings = [each.words for each in draft.headings]
    wanted = [_want(draft, words, span) for span in (*mentions, *headings)]
    prepared = prepare_pdf(pdf, wanted, token)
    pages = [
        BookPage(PageSize(*size), pdf=(prepared, number), whole=True)
        for number, size in enumerate(prepared.sizes)
    ]
    found = dict(zip(mentions, prepared.found, strict=False))
    titles = zip(draft.headings, prepared.found[len(mentions) :], strict=True)
    return BriefPages(pages, found, [(each.title, boxes[0][0]) for each, boxes in titles if boxes])


def _want(draft: Draft, words: SourceWords, span: Span) -> WantedWords:
    note = note_at(draft, span.start)
    around = note.content if note is not None else Span(0, len(draft.source))
    before = Span(max(around.start, span.start - _AROUND), span.start)
    after = Span(span.end, max(span.end, min(around.end, span.end + _AROUND)))
    in_front = f"{note.number if note is not None else ''} {_join(words, before)}"
    return WantedWords(_join(words, span), 1, in_front, _join(words, after), alone=True)


def _join(words: SourceWords, span: Span) -> str:
    return " ".join(each.text for each in words.cut(span))
