"""Make a book of authorities: the brief, an index, and a tab for each authority cited in the brief."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lexls.citations.jurisdiction import find_jurisdiction
from lexls.export.book.binding import BookLink, BookPage, OutlineEntry, bind
from lexls.export.book.brief_pages import BriefPages, place_brief, typeset_brief
from lexls.export.book.fonts import FAMILIES, Fonts
from lexls.export.book.plan import BookPlan, BookTab, plan_book
from lexls.export.book.tab_pages import TabMaker, TabPages
from lexls.export.book.typesetting import (
    A4,
    LETTER,
    NOWHERE,
    PageSize,
    SetParagraph,
    Setter,
    SetWord,
    find_on_sheets,
)
from lexls.export.system_fonts import find_font
from lexls.reading.resolve import find_country
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

_SIZE = 11.0


@dataclass(frozen=True, slots=True)
class BoundTab:
    """A tab of a finished book: its first page (from 1) and its number of pages. ``links`` are the pages
    (from 1) that the brief's citations of it link to.
    """

    tab: BookTab
    page: int
    pages: int
    links: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """A finished book: its PDF, its tabs and its number of pages.

    ``unlinked`` are citations that could not be resolved. ``unplaced`` are resolved citations without a
    certain position on the pages of the brief's own PDF.
    """

    data: bytes
    tabs: tuple[BoundTab, ...]
    pages: int
    unlinked: tuple[Span, ...] = ()
    unplaced: tuple[Span, ...] = ()


def make_book(
    snapshot: Snapshot,
    title: str,
    token: CancelToken,
    brief_pdf: Path | None = None,
    show: Callable[[int, int], None] | None = None,
) -> Book:
    """Make the book of authorities for a brief called ``title``, using the pages of the brief's own PDF if
    one is given.

    ``show`` is called with the number of finished tabs and their total. Raises ``UnusablePdf`` if the brief's
    PDF cannot be used, and ``Cancelled``.
    """
    from fpdf import FPDF

    plan = plan_book(snapshot, token)
    country = find_country(snapshot.library, snapshot.draft.jurisdiction)
    paper = LETTER if find_jurisdiction(country).letter_paper else A4
    fonts = Fonts.load(FPDF(unit="pt"), find_font(FAMILIES))
    mentions = [each.span for tab in plan.tabs for each in tab.citations]
    if brief_pdf is not None:
        brief = place_brief(brief_pdf, snapshot.draft, mentions, token)
    else:
        brief = typeset_brief(fonts, paper, snapshot.draft, mentions)
    maker = TabMaker(fonts, paper, snapshot.library, token)
    made: list[TabPages] = []
    for tab in plan.tabs:
        made.append(maker.make(tab))
        if show is not None:
            show(len(made), len(plan.tabs))
    return _bind(fonts, paper, title, brief, plan, made)


def _bind(
    fonts: Fonts, paper: PageSize, title: str, brief: BriefPages, plan: BookPlan, made: Sequence[TabPages]
) -> Book:
    """Return the finished book: its parts in order and linked."""
    index = len(brief.pages)
    first = index + len(_set_index(fonts, paper, title, made, [0] * len(made)))
    starts = []
    for each in made:
        starts.append(first)
        first += len(each.pages)
    pages = [*brief.pages, *_set_index(fonts, paper, title, made, starts)]
    opened: list[dict[Span, int]] = []
    for each, start in zip(made, starts, strict=True):
        pages += each.pages
        opened.append(dict(_link(brief, pages, each, start)))
    for number, page in enumerate(pages, start=1):
        page.number = "" if page.whole else f"{number}"
    outline = [OutlineEntry("Brief", 0, 0), *(OutlineEntry(title, 1, page) for title, page in brief.headings)]
    outline.append(OutlineEntry("Index of authorities", 0, index))
    outline += [OutlineEntry(each.pages[0].head, 0, start) for each, start in zip(made, starts, strict=True)]
    data = bind(fonts, title, pages, outline, index)
    tabs = (
        BoundTab(each.tab, start + 1, len(each.pages), tuple(links.values()))
        for each, start, links in zip(made, starts, opened, strict=True)
    )
    linked = {span for each in opened for span in each}
    unplaced = tuple(sorted(brief.found.keys() - linked))
    return Book(data, tuple(tabs), len(pages), plan.unlinked, unplaced)


def _link(
    brief: BriefPages, pages: Sequence[BookPage], made: TabPages, start: int
) -> Iterator[tuple[Span, int]]:
    """Link the citations of a tab that were found on the brief's pages. Yield the span of each and the page
    (from 1) that it links to.
    """
    for citation in made.tab.citations:
        page, top = made.locate((*citation.quoted, *citation.places))
        for on, box in brief.found[citation.span]:
            pages[on].links.append(BookLink(box, start + page, top))
        if brief.found[citation.span]:
            yield citation.span, start + page + 1


def _set_index(
    fonts: Fonts, paper: PageSize, title: str, made: Sequence[TabPages], starts: Sequence[int]
) -> list[BookPage]:
    """Return the pages of the index. It lists each tab with its authority, the pinpoints cited and
    its page.
    """
    setter = Setter(fonts, paper)
    setter.put(_list_index(title, made, starts))
    pages = [BookPage(paper) for _ in range(setter.page + 1)]
    for each in setter.placed:
        pages[each.page].placed.append(each)
    for tab, start in zip(made, starts, strict=True):
        for page, box in find_on_sheets(setter.placed, _stand_for(tab)):
            pages[page].links.append(BookLink(box, start))
    return pages


def _stand_for(made: TabPages) -> Span:
    """Return an artificial source span that identifies a tab's words in the index."""
    return Span(made.tab.number, made.tab.number + 1)


def _list_index(title: str, made: Sequence[TabPages], starts: Sequence[int]) -> Iterator[SetParagraph]:
    yield SetParagraph(_words("Index of authorities", style="B"), 16, keeps=True)
    yield SetParagraph(_words(title), _SIZE, above=2)
    yield SetParagraph(_words("Authority"), 9, above=14, label="Tab", tail="Page", keeps=True)
    for each, start in zip(made, starts, strict=True):
        tab = each.tab
        named = "; ".join(tab.names)
        words = _words(named, _stand_for(each), linked=True)
        yield SetParagraph(words, _SIZE, above=8, label=f"{tab.number}", tail=f"{start + 1}", right=48)
        said = ["not in the library"] if tab.authority is None else []
        said += [", ".join(tab.pinpoints)] if tab.pinpoints else []
        said += [f"cited at {'; '.join(dict.fromkeys(filter(None, tab.cited_at)))}"]
        yield SetParagraph(_words("; ".join(said)), 9, indent=12, above=1, right=48)


def _words(text: str, span: Span = NOWHERE, style: str = "", linked: bool = False) -> tuple[SetWord, ...]:
    return tuple(SetWord(word, span, style, linked=linked) for word in text.split())
