"""Make the pages of one tab: a cover sheet that names the authority, and the authority with the cited
passages marked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lexls.export.book.authority_text import choose_extract, set_authority
from lexls.export.book.binding import BookPage, place_on_sheet
from lexls.export.book.fonts import Fonts
from lexls.export.book.pdf_pages import PreparedPdf, UnusablePdf, WantedWords, prepare_pdf
from lexls.export.book.plan import BookTab
from lexls.export.book.typesetting import (
    Boxes,
    PageSize,
    Rectangle,
    SetParagraph,
    Setter,
    SetWord,
    find_on_sheets,
)
from lexls.index.contents import Content
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span


@dataclass(slots=True)
class TabPages:
    """The pages of a tab, its cover sheet first. ``found`` maps spans of the authority's text to their boxes,
    whose pages are counted from 0 in the tab.
    """

    tab: BookTab
    pages: list[BookPage]
    found: dict[Span, Boxes] = field(default_factory=dict)
    placed: bool = False

    def locate(self, spans: Iterable[Span]) -> tuple[int, float]:
        """Return the page (from 0) and the height at which a link to ``spans`` should open, given by the
        first of them that was found.
        """
        for span in spans:
            for page, box in self.found.get(span, ())[:1]:
                return page, max(0.0, box[1] - 24)
        return 0, 0.0


@dataclass(frozen=True, slots=True)
class TabMaker:
    """A maker of tab pages in one font and paper size, for the authorities of a library."""

    fonts: Fonts
    paper: PageSize
    library: Library
    token: CancelToken

    def make(self, tab: BookTab) -> TabPages:
        """Return the pages of a tab. Raises ``Cancelled``."""
        self.token.raise_if_cancelled()
        authority = tab.authority
        content = self.library.contents.get(authority.id) if authority is not None else None
        if authority is None or content is None:
            return TabPages(tab, self._make_sheet(tab, [_say_missing(tab, self.library)]))
        reason = ""
        if authority.is_pdf:
            try:
                return self._copy(tab, authority, content)
            except UnusablePdf as error:
                reason = f"Its PDF cannot be shown ({error}); this is the text that lexls has read of it."
        return self._typeset(tab, authority, content, reason)

    def _make_sheet(self, tab: BookTab, said: Sequence[str]) -> list[BookPage]:
        setter = Setter(self.fonts, self.paper)
        setter.put(_list_on_sheet(tab, said))
        return self._list_pages(tab, setter)

    def _list_pages(self, tab: BookTab, setter: Setter) -> list[BookPage]:
        pages = [BookPage(self.paper, _write_head(tab)) for _ in range(setter.page + 1)]
        for each in setter.placed:
            pages[each.page].placed.append(each)
        return pages

    def _typeset(self, tab: BookTab, authority: Authority, content: Content, reason: str) -> TabPages:
        """Return the authority typeset from its text in the index."""
        extract = choose_extract(authority, content, [*tab.quoted, *tab.marked, *_list_targets(tab)])
        said = [reason or f"Set from the text of {authority.relative}."]
        if extract:
            said.append(f"Extract: the sections cited. The whole is {authority.relative} in the library.")
        sheet = self._make_sheet(tab, said)
        setter = Setter(self.fonts, self.paper)
        setter.put(set_authority(authority, content, extract))
        pages = self._list_pages(tab, setter)
        found = {span: _shift(find_on_sheets(setter.placed, span), len(sheet)) for span in _list_spans(tab)}
        return _mark(TabPages(tab, [*sheet, *pages], found))

    def _copy(self, tab: BookTab, authority: Authority, content: Content) -> TabPages:
        """Return the unchanged pages of the authority's PDF, below a header."""
        spans = _list_spans(tab)
        wanted = [WantedWords(span.of(content.text), content.position_at(span.start)) for span in spans]
        prepared = prepare_pdf(authority.path, wanted, self.token)
        sheet = self._make_sheet(tab, [f"A copy of {authority.relative}, {_count_pages(prepared.pages)}."])
        pages = [
            BookPage(PageSize(*size), _write_head(tab), pdf=(prepared, number))
            for number, size in enumerate(prepared.sizes)
        ]
        found: dict[Span, Boxes] = {}
        for span, boxes in zip(spans, prepared.found, strict=True):
            on = boxes or self._find_lines(authority, span, prepared)
            on = on or [(max(0, content.position_at(span.start) - 1), (0.0, 0.0, 0.0, 0.0))]
            placed = [(page, place_on_sheet(pages[page].size, box)) for page, box in on]
            found[span] = _shift(placed, len(sheet))
        return _mark(TabPages(tab, [*sheet, *pages], found))

    def _find_lines(self, authority: Authority, span: Span, prepared: PreparedPdf) -> Boxes:
        """Return the boxes of the lines of ``span``, as recorded when the file was indexed. This also works
        for scans.
        """
        return [
            (each.page - 1, (left, each.height - top, right, each.height - bottom))
            for each in self.library.find_on_pages(authority.id, span.start, span.end, self.token)
            for left, bottom, right, top in each.boxes
            if each.page <= prepared.pages
        ]


def _list_targets(tab: BookTab) -> list[Span]:
    return [Span(each.target, each.target + 1) for each in tab.citations if each.quoted or each.places]


def _list_spans(tab: BookTab) -> list[Span]:
    """Return all spans of the authority that are marked or linked to."""
    return list(dict.fromkeys(span for each in tab.citations for span in (*each.quoted, *each.places)))


def _shift(boxes: Boxes, by: int) -> Boxes:
    return [(page + by, box) for page, box in boxes]


def _mark(made: TabPages) -> TabPages:
    """Mark the quoted and cited passages on the pages."""
    for span in made.tab.quoted:
        for page, box in made.found[span]:
            made.pages[page].quoted.append(box)
    for span in made.tab.marked:
        by_page: defaultdict[int, list[Rectangle]] = defaultdict(list)
        for page, box in made.found[span]:
            by_page[page].append(box)
        for page, boxes in by_page.items():
            lefts, tops, rights, bottoms = zip(*boxes, strict=True)
            made.pages[page].marked.append((min(lefts), min(tops), max(rights), max(bottoms)))
    return made


def _count_pages(number: int) -> str:
    return f"{number:,} page{'' if number == 1 else 's'}"


def _write_head(tab: BookTab) -> str:
    return f"Tab {tab.number} – {' '.join(tab.name.split())}"


def _say_missing(tab: BookTab, library: Library) -> str:
    so_far = "" if library.complete else " so far, as that is still being read"
    cited = _list_places(tab)
    return f"Not in the library{so_far}{f'; cited at {cited}' if cited else ''}."


def _list_places(tab: BookTab) -> str:
    return "; ".join(dict.fromkeys(filter(None, tab.cited_at)))


def _list_on_sheet(tab: BookTab, said: Sequence[str]) -> Iterator[SetParagraph]:
    yield SetParagraph(tuple(_words(f"Tab {tab.number}", "B")), 28, centred=True)
    title = " ".join(tab.name.split())
    yield SetParagraph(tuple(_words(title, "B")), 15, above=60, centred=True)
    for name in tab.names:
        if name != title:
            yield SetParagraph(tuple(_words(name)), 11.5, above=8, centred=True)
    cited = _list_places(tab) if tab.authority is not None else ""
    lines = [*said, f"Cited in the brief at {cited}." if cited else ""]
    lines += [f"Places cited: {', '.join(tab.pinpoints)}." if tab.pinpoints else "", tab.remark]
    for number, line in enumerate(filter(None, lines)):
        yield SetParagraph(tuple(_words(line)), 10.5, above=40 if number == 0 else 6, centred=True)


def _words(text: str, style: str = "") -> Iterator[SetWord]:
    for word in text.split():
        yield SetWord(word, style=style)
