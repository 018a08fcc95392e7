"""PDF with a text layer, through PDFium."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexls.library.document import UnreadableFile
from lexls.library.extract import Extract
from lexls.library.readers.pdf_furniture import Furniture, find_furniture
from lexls.library.readers.pdf_lines import Line
from lexls.library.readers.pdf_paragraphs import join

if TYPE_CHECKING:
    import pypdfium2

_PASSWORD_ERROR = 4
_TAIL = 65_536
_FEWEST_CHARACTERS = 16
"""A page with fewer visible characters has no text layer worth the name."""


def extract(data: bytes) -> Extract:
    """Read a PDF: the lines of its text layer, joined into paragraphs.

    Running heads, feet and page numbers are left out; words divided at line ends are mended; ``page_starts``
    holds the pages and ``page_numbers`` the printed numbers where they differ. Raises ``UnreadableFile`` if
    the file is encrypted, damaged, cut off, or has no text layer.
    """
    at = data[:1024].find(b"%PDF-")
    if at < 0:
        raise UnreadableFile("not a PDF file")
    tail = data[-_TAIL:]
    if b"%%EOF" not in tail and b"startxref" not in tail:
        raise UnreadableFile("damaged PDF (cut off before its end)")
    pages = _read_pages(data)
    if not pages:
        raise UnreadableFile("damaged PDF (it has no pages)")
    empty = [
        number
        for number, (_, lines) in enumerate(pages, start=1)
        if sum(len(line.text) for line in lines) < _FEWEST_CHARACTERS
    ]
    if len(empty) == len(pages):
        raise UnreadableFile("no text layer (a scan?): needs OCR")
    furniture: Furniture = find_furniture(pages)
    text, pieces, starts = join(furniture.pages)
    return Extract(
        text=text,
        pieces=pieces,
        page_starts=starts,
        page_numbers=furniture.numbers,
        warnings=(_warning(empty),) if empty else (),
    )


def _warning(empty: list[int]) -> str:
    shown = ", ".join(str(number) for number in empty[:8]) + (", …" if len(empty) > 8 else "")
    return f"page{'s' if len(empty) > 1 else ''} {shown} without text (scanned?)"


def _read_pages(data: bytes) -> list[tuple[float, list[Line]]]:
    """Height and lines of each page, in points, in the order of the text layer."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD_ERROR or "assword" in str(error):
            raise UnreadableFile("encrypted: needs a password") from None
        raise UnreadableFile("damaged PDF (PDFium cannot open it)") from None
    try:
        return [_read_page(document, number) for number in range(len(document))]
    finally:
        document.close()


def _read_page(document: pypdfium2.PdfDocument, number: int) -> tuple[float, list[Line]]:
    import pypdfium2

    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        raise UnreadableFile(f"damaged PDF (page {number + 1} cannot be read)") from None
    try:
        text_page = page.get_textpage()
        try:
            return page.get_height(), _lines(text_page)
        finally:
            text_page.close()
    finally:
        page.close()


def _lines(text_page: Any) -> list[Line]:
    from ctypes import byref

    from pypdfium2 import raw

    text: str = text_page.get_text_range().replace("\u00a0", " ")
    lines: list[Line] = []
    box = raw.FS_RECTF()
    handle = text_page.raw
    at = 0
    for row in text.split("\n"):
        start = at
        at += len(row) + 1
        words = row.strip()
        if not words:
            continue
        first = start + len(row) - len(row.lstrip())
        last = start + len(row.rstrip()) - 1
        edges: list[tuple[float, float, float, float]] = []
        for offset in (first, last):
            index = raw.FPDFText_GetCharIndexFromTextIndex(handle, offset)
            if index >= 0 and raw.FPDFText_GetLooseCharBox(handle, index, byref(box)):
                edges.append((box.left, box.bottom, box.right, box.top))
        if len(edges) < 2:
            continue
        (left, bottom, _, top), (_, last_bottom, right, _) = edges
        lines.append(Line(words, left, right, top, min(bottom, last_bottom), top - bottom))
    return lines
