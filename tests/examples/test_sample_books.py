"""The books of the sample's drafts: each citation is a link, and opens the page that has its words."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from linked_books import SeenBook, letters, see_book
from pypdf import PdfReader, PdfWriter
from pypdf.generic import Destination

from lexls.citations.grammar import Grammar
from lexls.export.book.making import Book, make_book
from lexls.export.report import CitedAuthority, make_report
from lexls.index.library import Library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken
from lexls.text.formats import format_of
from tests.examples.sample_settings import SAMPLE, settings_of

DRAFTS = ("drafts/skeleton-argument.md", "drafts/memorandum.tex", "drafts/advice.typ", "slips/opinion.md")
_MARKED = re.compile(r"…|\.\.\.|\[[^\]]*\]\w*")


def snapshot_of(library: Library, draft: str) -> Snapshot:
    settings = settings_of(draft)
    path = SAMPLE / draft
    grammar = Grammar.load(settings.citations_forms)
    parser = DraftParser(grammar, settings.jurisdiction)
    parsed = parser.parse(path.as_uri(), path.read_text(encoding="utf-8"), format_of("", path.name))
    return Snapshot(parsed, library, Searcher(library, grammar=grammar), settings)


Made = Callable[[str], tuple[Snapshot, Book]]


@pytest.fixture(scope="module")
def made(library: Library) -> Made:
    """A draft of the sample with its book, made once."""

    @cache
    def make(draft: str) -> tuple[Snapshot, Book]:
        snapshot = snapshot_of(library, draft)
        return snapshot, make_book(snapshot, "brief", CancelToken())

    return make


def see(book: Book) -> SeenBook:
    """The book with the links of the brief alone."""
    seen = see_book(book.data, min(each.page for each in book.tabs) - 1)
    index = find_index(seen)
    seen.links = [each for each in seen.links if each.page < index]
    return seen


def find_index(seen: SeenBook) -> int:
    """The page of the index (from 0), which is the first behind the brief."""
    return next(number for number, text in enumerate(seen.pages) if "indexofauthorities" in text)


def expected(cited: CitedAuthority) -> str:
    """The letters that the page must have that a mention opens: of its quotation, else of its place, else
    of its authority's name."""
    for quotation in cited.quotations:
        if quotation.verdict == "verified":
            return letters(max(_MARKED.split(quotation.text), key=len))
    if cited.places:
        return letters(cited.places[0].text)[:40]
    return letters(cited.authority.name) if cited.authority is not None else letters("Not in the library")


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_citation_is_a_link_that_opens_the_page_with_its_words(made: Made, draft: str) -> None:
    check_links(*made(draft))


@pytest.mark.parametrize("draft", DRAFTS)
def test_so_it_does_on_the_pages_of_a_pdf_of_its_own(made: Made, draft: str, tmp_path: Path) -> None:
    snapshot, plain = made(draft)
    own = tmp_path / "brief.pdf"
    own.write_bytes(cut_brief(plain))
    book = make_book(snapshot, "brief", CancelToken(), own)
    assert book.unplaced == ()
    check_links(snapshot, book)


@pytest.mark.parametrize("draft", DRAFTS)
def test_index_and_bookmarks_open_the_tabs(made: Made, draft: str) -> None:
    _, book = made(draft)
    reader = PdfReader(io.BytesIO(book.data))
    marked = {str(each.title): reader.get_destination_page_number(each) for each in list_outline(reader)}
    for each in book.tabs:
        assert marked[f"Tab {each.tab.number} – {each.tab.name}"] == each.page - 1
        assert see_book(book.data, 0).pages[each.page - 1].startswith(f"tab{each.tab.number}")
    first = find_index(see_book(book.data, 0))
    seen = see_book(book.data, min(each.page for each in book.tabs) - 1)
    seen.links = [each for each in seen.links if each.page >= first and each.letters != "tab"]
    for each in book.tabs:
        assert seen.take("; ".join(each.tab.names)) == each.page - 1
    assert seen.links == []
    assert marked["Brief"] == 0
    assert marked["Index of authorities"] == first


def list_outline(reader: PdfReader) -> Iterator[Destination]:
    """All bookmarks, those below others too."""
    waiting = list(reader.outline)
    while waiting:
        each = waiting.pop(0)
        if isinstance(each, list):
            waiting[:0] = each
        else:
            yield each


def cut_brief(book: Book) -> bytes:
    """The pages of the brief alone, as a PDF."""
    writer = PdfWriter()
    for page in PdfReader(io.BytesIO(book.data)).pages[: find_index(see_book(book.data, 0))]:
        writer.add_page(page)
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def check_links(snapshot: Snapshot, book: Book) -> None:
    """Follow the link of each citation."""
    seen = see(book)
    report = make_report(snapshot, (), CancelToken())
    assert len(report.cited) == sum(len(each.links) for each in book.tabs) + len(book.unlinked)
    for cited in report.cited:
        if cited.span in book.unlinked:
            continue
        opened = seen.take(cited.text)
        assert opened is not None, f"{cited.text}: no link"
        assert expected(cited) in seen.pages[opened], f"{cited.text} opens page {opened + 1}"
    assert seen.links == []
