"""Read PDFs with a text layer through PDFium, without headers, footers and page numbers.

Passages of the text can be located on the pages, line by line.
"""

from __future__ import annotations

import contextlib
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice
from typing import TYPE_CHECKING

from lexls.library.columns import arrange
from lexls.library.document import Box, Extract, LineBoxes, PagePassage, UnreadableFile, surround
from lexls.library.readers.ocr import ReadPictures, explain_unread
from lexls.library.readers.opening import PDF_PAGES, check_pdf_characters, check_pdf_streams
from lexls.library.readers.pdf_columns import lay_out, order_pages
from lexls.library.readers.pdf_drawings import check_drawings
from lexls.library.readers.pdf_furniture import find_furniture, leave_out_watermarks
from lexls.library.readers.pdf_margins import leave_out_line_numbers
from lexls.library.readers.pdf_notes import set_notes_apart
from lexls.library.readers.pdf_page import (
    DIVIDED,
    PAGES_OF_HEAD,
    Character,
    Line,
    PrintedPage,
    measure_page,
    read_characters,
    read_page,
)
from lexls.library.readers.pdf_paragraphs import join

if TYPE_CHECKING:
    import pypdfium2


_PASSWORD_ERROR = 4
_TAIL = 65_536
_FEWEST_CHARACTERS = 16
"""Minimum number of visible characters on a page with a usable text layer."""
_MOST_STAMPS = 4
"""Maximum number of lines on a page that may consist only of stamps."""


def extract(data: bytes, read_pictures: ReadPictures | None = None) -> Extract:
    """Read a PDF: the lines of its text layer in reading order, joined into paragraphs.

    ``read_pictures`` reads the pages that have no text layer. Headers, footers, page numbers, watermarks and
    line numbers are removed. Words divided at line ends are rejoined. Notes follow the paragraph that refers
    to them. ``page_starts`` are the offsets of the pages. ``page_numbers`` are the printed numbers if they
    differ from 1, 2, …, else the file's page labels. ``boxes`` are the positions of the lines. Raises
    ``UnreadableFile`` if the file is encrypted, damaged, cut off, has no text layer or too many pages.
    """
    at = data[:1024].find(b"%PDF-")
    if at < 0:
        raise UnreadableFile("not a PDF file")
    tail = data[-_TAIL:]
    if b"%%EOF" not in tail and b"startxref" not in tail:
        raise UnreadableFile("damaged PDF (cut off before its end)")
    pages, labels = _read_pages(data)
    if not pages:
        raise UnreadableFile("damaged PDF (it has no pages)")
    scanned, unread = _read_empty(data, pages, read_pictures)
    warnings = [*_warn_of_gibberish(pages), *unread]
    kept, numbers = find_furniture(leave_out_line_numbers(leave_out_watermarks(pages)))
    runs, notes = set_notes_apart(order_pages(kept))
    joined = join(runs, notes)
    return Extract(
        text=joined.text,
        pieces=tuple(joined.pieces),
        page_starts=tuple(joined.page_starts),
        page_numbers=numbers or labels,
        warnings=tuple(warnings),
        notes=joined.notes,
        boxes=joined.boxes,
        scanned=scanned,
        edges=_list_edges(pages[0], kept[0]),
        first_page="\n\n".join(map(lay_out, runs[:PAGES_OF_HEAD])),
    )


def _list_edges(page: PrintedPage, kept: PrintedPage) -> tuple[str, ...]:
    """Return the lines of a page that are missing from ``kept``, the page without headers and footers."""
    texts = {line.text for line in kept.lines}
    return tuple(line.text for line in page.lines if line.text not in texts)


def _read_empty(
    data: bytes, pages: list[PrintedPage], read_pictures: ReadPictures | None
) -> tuple[dict[int, float], list[str]]:
    """Replace pages without text in place with the results of ``read_pictures``.

    Returns the confidence for each page that was read, and a warning if pages without text remain. Raises
    ``UnreadableFile`` if no page has text.
    """
    empty = [number for number, page in enumerate(pages, start=1) if _is_empty(page)]
    pictures = _list_pictures(data, empty) if read_pictures is not None and empty else []
    seen = read_pictures(data, pictures) if read_pictures is not None and pictures else {}
    for number, picture in seen.items():
        pages[number - 1] = PrintedPage(picture.width, picture.height, picture.lines)
    scanned = {number: page.confidence for number, page in seen.items() if page.boxes}
    reason = explain_unread(bool(seen)) if pictures or read_pictures is None else ""
    unread = [number for number in empty if number not in scanned]
    if len(unread) == len(pages):
        raise UnreadableFile(f"no text layer{reason}")
    if not unread:
        return scanned, []
    listed = ", ".join(map(str, unread[:8])) + (", …" if len(unread) > 8 else "")
    say = "pages {} have no text{}" if len(unread) > 1 else "page {} has no text{}"
    return scanned, [say.format(listed, reason)]


def _is_empty(page: PrintedPage) -> bool:
    """Return whether a page has no words apart from a stamp. Courts' filing systems print stamps on scans."""
    lines = [line.text for line in page.lines]
    if len(lines) <= _MOST_STAMPS:
        lines, _ = arrange(lines)
    return sum(map(len, lines)) < _FEWEST_CHARACTERS


def _list_pictures(data: bytes, numbers: Sequence[int]) -> list[int]:
    """Return the page numbers (from 1) among ``numbers`` whose pages are not blank."""
    import pypdfium2
    from pypdfium2 import raw

    with contextlib.closing(pypdfium2.PdfDocument(data)) as document:
        return [number for number in numbers if raw.FPDFPage_CountObjects(document[number - 1])]


_FEWEST_WORDS = 100
_MOST_WORDS = 600
_GIBBERISH = 0.5
"""The share of implausible words above which a text layer is reported as useless."""
_LIKE_A_WORD = re.compile(
    r"[(\[“‘\"'§$£€#]*(?:(?:[^\W\d_]\.)+|\d[\d.,:/–-]*(?:st|nd|rd|th)?|[^\W\d_][^\W\d_]*(?:[-’'/.][^\W\d_]+)*)"
    r"[)\]”’\"'.,;:!?%]*"
)
_MIXED = re.compile(r"[^\W\d_]*[^\W\d_A-Z][A-Z][a-z]*[A-Z]|[^\W\d_aeiouyAEIOUY]{5}[^\W\d_aeiouyAEIOUY]*$")


def _warn_of_gibberish(pages: Sequence[PrintedPage]) -> Iterator[str]:
    """Yield a warning if a text layer is useless, because of another program's poor OCR or a font without a
    character table.
    """
    every = (word for page in pages for line in page.lines for word in line.text.split())
    words = list(islice(every, _MOST_WORDS))
    strange = sum(1 for word in words if not _LIKE_A_WORD.fullmatch(word) or _MIXED.match(word))
    if len(words) >= _FEWEST_WORDS and strange > _GIBBERISH * len(words):
        yield "most of its text layer is no words (poor OCR by another program?)"


def _read_pages(data: bytes) -> tuple[list[PrintedPage], tuple[str, ...]]:
    """Return the pages. Also return the file's page labels if they differ from the page positions."""
    import pypdfium2

    check_pdf_streams(data)
    check_drawings(data)
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD_ERROR or "assword" in str(error):
            raise UnreadableFile("encrypted: needs a password") from None
        raise UnreadableFile("damaged PDF (PDFium cannot open it)") from None
    with contextlib.closing(document):
        PDF_PAGES.check(len(document))
        pages = []
        characters = 0
        for number in range(len(document)):
            try:
                page = read_page(document, number)
            except pypdfium2.PdfiumError:
                raise UnreadableFile(f"damaged PDF (page {number + 1} cannot be read)") from None
            pages.append(page)
            characters += sum(len(line.text) for line in page.lines)
            check_pdf_characters(characters, len(data))
        labels = _read_labels(document)
    return _mend_punctuation(pages), labels


def _read_labels(document: pypdfium2.PdfDocument) -> tuple[str, ...]:
    """Return the page labels. The result is empty if the file has none, if they are only 1, 2, …, or if a
    label occurs twice.
    """
    count = len(document)
    if not count or not any(document.get_page_label(number).strip() for number in (0, count - 1)):
        return ()
    labels = tuple(document.get_page_label(number).strip() or "0" for number in range(count))
    plain = labels == tuple(str(number) for number in range(1, count + 1))
    return () if plain or len(set(labels)) < count else labels


_MISREAD = str.maketrans("ñóíìîëïß", "–—’“”‘•§")
"""Windows punctuation, by the letters that result if a font's character codes are read in the old Macintosh
encoding.
"""
_MISREAD_SIGN = re.compile(r"(?<!\w)ì(?=\w)|\dñ\d|\wís\b|[.,]î(?!\w)")
_FEWEST_MISREAD = 6


def _mend_punctuation(pages: list[PrintedPage]) -> list[PrintedPage]:
    """Return the pages, with dashes and quotation marks restored if a font has encoded them as letters."""
    if not any("ì" in line.text for page in pages for line in page.lines):
        return pages
    found = Counter(
        match[0][-1] if match[0][0] != "ì" else "ì"
        for page in pages
        for line in page.lines
        if not line.text.isascii()
        for match in _MISREAD_SIGN.finditer(line.text)
    )
    if len(found) < 2 or found.total() < _FEWEST_MISREAD or not found["ì"]:
        return pages
    return [replace(page, lines=[_translate(line) for line in page.lines]) for page in pages]


def _translate(line: Line) -> Line:
    text = line.text.translate(_MISREAD)
    parts, cells = (tuple(map(_translate, each)) for each in (line.parts, line.cells))
    return line._replace(text=text, parts=parts, cells=cells)


_UNSEEN = frozenset({DIVIDED, "\u00ad", "\ufeff", "\0"})


def find_passage(
    data: bytes, passage: str, start: int, read_pictures: ReadPictures | None = None
) -> tuple[PagePassage, ...]:
    """Return the position on the pages of ``passage``, which begins at offset ``start`` of the text that
    ``extract`` reads from ``data``.

    If the passage is no longer at ``start``, it is searched for; the result is empty if the file does not
    contain it. Raises ``UnreadableFile`` as ``extract`` does.
    """
    import pypdfium2

    found = extract(data, read_pictures)
    if found.text[start : start + len(passage)] != passage:
        start = found.text.find(passage)
    if start < 0 or not passage.strip():
        return ()
    pieces = list(_cut(found.boxes, found.text, start, start + len(passage)))
    with contextlib.closing(pypdfium2.PdfDocument(data)) as document:
        passages = []
        for page in dict.fromkeys(each.page for each in pieces):
            # A scanned page has no characters.
            characters = [] if page in found.scanned else read_characters(document, page - 1)
            placed = tuple(_find_box(each, characters) for each in pieces if each.page == page)
            passages.append(PagePassage(page, *measure_page(document, page - 1), placed))
        return tuple(passages)


@dataclass(frozen=True, slots=True)
class _LinePart:
    """The part ``text[start:end]`` of a line of a page (numbered from 1), and the line's box."""

    page: int
    box: Box
    text: str
    start: int
    end: int


def _cut(lines: LineBoxes, text: str, start: int, end: int) -> Iterator[_LinePart]:
    """Yield the part of each line within ``[start, end)`` of the text, skipping parts that are only white
    space.
    """
    starts = lines.starts
    for place in range(max(bisect_right(starts, start) - 1, 0), len(starts)):
        first = starts[place]
        if first >= end:
            return
        last = starts[place + 1] if place + 1 < len(starts) else len(text)
        within = max(start, first) - first, min(end, last) - first
        line = text[first:last]
        if line[slice(*within)].strip():
            yield _LinePart(lines.pages[place], lines.box(place), line, *within)


def _find_box(piece: _LinePart, characters: Sequence[Character]) -> Box:
    """Return the box of part of a line: the box of its characters or, if none are found, its share of the
    line's box.
    """
    own = [each for each in characters if _is_within(each.box, piece.box)]
    places = [at for at, sign in enumerate(piece.text) if not sign.isspace() and sign not in _UNSEEN]
    wanted = range(sum(at < piece.start for at in places), sum(at < piece.end for at in places))
    matching = SequenceMatcher(
        None, "".join(piece.text[at] for at in places), "".join(each.sign for each in own), autojunk=False
    )
    boxes = [
        own[there + step].box
        for here, there, length in matching.get_matching_blocks()
        for step in range(length)
        if here + step in wanted
    ]
    if boxes:
        return surround(boxes)
    left, bottom, right, top = piece.box
    share = (right - left) / max(1, len(places))
    return left + wanted.start * share, bottom, left + wanted.stop * share, top


def _is_within(box: Box, line: Box) -> bool:
    """Return whether the middle of a character's box is inside a line's box."""
    return line[0] <= (box[0] + box[2]) / 2 <= line[2] and line[1] <= (box[1] + box[3]) / 2 <= line[3]
