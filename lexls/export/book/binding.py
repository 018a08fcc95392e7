"""Draw the pages of a book, and merge them with pages of existing PDFs into one PDF."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from lexls.export.book.fonts import Fonts
from lexls.export.book.pdf_pages import PreparedPdf
from lexls.export.book.typesetting import LEADING, PageSize, PlacedWord, Rectangle, list_runs

if TYPE_CHECKING:
    from pypdf import PageObject, PdfWriter

_DATE = datetime(2000, 1, 1, tzinfo=UTC)
"""The creation date of every book; it is fixed so that the same brief produces identical bytes."""
_HEAD_SIZE = 8.5
_STRIP = 36.0
"""Height, in points, of the strip above a PDF page that is placed on a sheet."""
_FOOT = 10.0
_BLUE, _YELLOW, _GREY = (16, 60, 140), (255, 236, 110), (150, 150, 150)


@dataclass(frozen=True, slots=True)
class BookLink:
    """A rectangle on a page that links to another page (from 0), at ``top`` points below that page's upper
    edge.
    """

    box: Rectangle
    page: int
    top: float = 0


@dataclass(slots=True)
class BookPage:
    """A page of the book. ``head`` is the header printed at its top left, ``number`` the page number at its
    top right.

    ``quoted`` are rectangles to highlight; ``marked`` are rectangles with a line next to them in the margin.
    ``pdf`` is a PDF and the number (from 0) of its page to place here. That page is unchanged if ``whole``;
    otherwise it is scaled down below the header.
    """

    size: PageSize
    head: str = ""
    number: str = ""
    placed: list[PlacedWord] = field(default_factory=list)
    links: list[BookLink] = field(default_factory=list)
    quoted: list[Rectangle] = field(default_factory=list)
    marked: list[Rectangle] = field(default_factory=list)
    pdf: tuple[PreparedPdf, int] | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A PDF bookmark: its title, its level from 0 and its page from 0."""

    title: str
    level: int
    page: int


def fit_on_sheet(size: PageSize) -> tuple[float, float, float]:
    """Return the position of a PDF page below the header, on a sheet of the page's own size: its scale, and
    the distances of its upper left corner from the sheet's left and top edges.
    """
    scale = max(0.1, (size.height - _STRIP - _FOOT) / size.height)
    return scale, size.width * (1 - scale) / 2, _STRIP


def place_on_sheet(size: PageSize, box: Rectangle) -> Rectangle:
    """Return the position on the sheet of a box given on the PDF page."""
    scale, left, top = fit_on_sheet(size)
    return left + scale * box[0], top + scale * box[1], left + scale * box[2], top + scale * box[3]


def bind(
    fonts: Fonts, title: str, pages: Sequence[BookPage], outline: Iterable[OutlineEntry], index: int
) -> bytes:
    """Return the book as a PDF, drawn with the document that ``fonts`` belong to. Page headers link to page
    ``index`` (from 0).
    """
    document = fonts.document
    document.set_creation_date(_DATE)
    document.set_title(title)
    document.set_producer("lexls")
    document.set_auto_page_break(False)
    by_page: dict[int, list[OutlineEntry]] = {}
    for entry in outline:
        by_page.setdefault(entry.page, []).append(entry)
    for number, page in enumerate(pages):
        document.add_page(format=(page.size.width, page.size.height))
        for entry in by_page.get(number, ()):
            document.start_section(entry.title, entry.level, strict=False)
        _draw(fonts, page, index)
    return _put_in(bytes(document.output()), pages)


def _draw(fonts: Fonts, page: BookPage, index: int) -> None:
    document = fonts.document
    with document.local_context(fill_color=_YELLOW, blend_mode="multiply"):
        for left, top, right, bottom in page.quoted:
            document.rect(left, top, right - left, bottom - top, style="F")
    document.set_draw_color(*_GREY)
    document.set_line_width(1.2)
    for left, top, _, bottom in page.marked:
        document.line(left - 5, top, left - 5, bottom)
    for word, text in list_runs(page.placed):
        fonts.use(word.word.style, word.size)
        document.set_text_color(*(_BLUE if word.word.linked else (0, 0, 0)))
        document.text(word.left, word.top + word.size * (LEADING + 0.75) / 2, fonts.show(text))
    document.set_draw_color(*_BLUE)
    document.set_line_width(0.5)
    for link in page.links if page.whole else ():
        document.line(link.box[0], link.box[3], link.box[2], link.box[3])
    document.set_text_color(90, 90, 90)
    side = min(page.size.side, page.size.width / 8)
    if page.head:
        head = shorten_to(fonts, page.head, page.size.width - 2 * side - 70)
        wide = fonts.measure(head, "", _HEAD_SIZE)
        fonts.use("", _HEAD_SIZE)
        document.text(side, 24, fonts.show(head))
        document.link(side, 14, wide, 14, document.add_link(page=index + 1))
    if page.number:
        wide = fonts.measure(page.number, "", _HEAD_SIZE)
        fonts.use("", _HEAD_SIZE)
        document.text(page.size.width - side - wide, 24, page.number)
    for link in page.links:
        left, top, right, bottom = link.box
        to = document.add_link(page=link.page + 1, y=link.top)
        document.link(left, top, right - left, bottom - top, to)


def shorten_to(fonts: Fonts, text: str, width: float) -> str:
    """Return a header's text, shortened at a word and followed by "…" if it is wider than ``width``."""
    if fonts.measure(text, "", _HEAD_SIZE) <= width:
        return text
    words = text.split()
    while len(words) > 1 and fonts.measure(" ".join(words) + "…", "", _HEAD_SIZE) > width:
        words.pop()
    return " ".join(words) + "…"


def _put_in(drawn: bytes, pages: Sequence[BookPage]) -> bytes:
    """Return the PDF ``drawn`` with the pages of other PDFs placed on its sheets."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=io.BytesIO(drawn))
    readers: dict[int, PdfReader] = {}
    for number, page in enumerate(pages):
        if page.pdf is None:
            continue
        prepared, place = page.pdf
        if id(prepared) not in readers:
            readers[id(prepared)] = PdfReader(io.BytesIO(prepared.data))
        _put_on(writer, number, readers[id(prepared)].pages[place], page)
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def _put_on(writer: PdfWriter, number: int, page: PageObject, on: BookPage) -> None:
    """Place a PDF page on the sheet with this number, below what has been drawn there.

    The page's content becomes a form XObject clipped at the page's edges; the page's actions are not copied.
    """
    from pypdf import Transformation
    from pypdf.generic import (
        ArrayObject,
        DecodedStreamObject,
        DictionaryObject,
        FloatObject,
        NameObject,
        RectangleObject,
    )

    box = page.cropbox
    turned = page.rotation % 360
    left, bottom, right, top = (float(each) for each in (box.left, box.bottom, box.right, box.top))
    origin = {0: (-left, -bottom), 90: (-bottom, right), 180: (right, top), 270: (top, -left)}[turned]
    ctm = Transformation().rotate(-turned).translate(*origin)
    if not on.whole:
        scale, x, y = fit_on_sheet(on.size)
        ctm = ctm.scale(scale).translate(x, on.size.height - y - scale * on.size.height)
    contents, resources = page.get_contents(), page.get("/Resources", DictionaryObject()).get_object()
    unpacked = DecodedStreamObject()
    unpacked.set_data(contents.get_data() if contents is not None else b"")
    picture = unpacked.flate_encode()
    picture.update(
        {
            NameObject("/Type"): NameObject("/XObject"),
            NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/BBox"): RectangleObject((left, bottom, right, top)),
            NameObject("/Matrix"): ArrayObject(FloatObject(round(each, 6)) for each in ctm.ctm),
            NameObject("/Resources"): resources.clone(writer),
        }
    )
    if "/Group" in page:
        picture[NameObject("/Group")] = page["/Group"].clone(writer)
    sheet, name = writer.pages[number], f"/Sheet{number}"
    shared = cast(DictionaryObject, sheet["/Resources"].get_object())
    pictures = shared.setdefault(NameObject("/XObject"), DictionaryObject())
    pictures.get_object()[NameObject(name)] = writer._add_object(picture)
    drawn = sheet.get_contents()
    both = DecodedStreamObject()
    both.set_data(f"q {name} Do Q\n".encode() + (drawn.get_data() if drawn is not None else b""))
    sheet[NameObject("/Contents")] = writer._add_object(both.flate_encode())
