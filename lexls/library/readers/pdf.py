"""Read PDFs with a text layer through PDFium, without running heads, feet and page numbers."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from statistics import median_high
from typing import TYPE_CHECKING, Any

from lexls.library.document import Extract, UnreadableFile
from lexls.library.readers.ocr import ReadPictures, tell_why_unread
from lexls.library.readers.pdf_paragraphs import Line, join, measure_steps

if TYPE_CHECKING:
    import pypdfium2


_PASSWORD_ERROR = 4
_TAIL = 65_536
_FEWEST_CHARACTERS = 16
"""A page with fewer visible characters has no text layer worth the name."""


def extract(data: bytes, read_pictures: ReadPictures | None = None) -> Extract:
    """Read a PDF: the lines of its text layer, joined into paragraphs; ``read_pictures`` reads pages without.

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
    pictures = _list_pictures(data, empty) if read_pictures is not None and empty else []
    seen = read_pictures(data, pictures) if read_pictures is not None and pictures else {}
    reason = tell_why_unread(bool(seen)) if pictures or read_pictures is None else ""
    for number, picture in seen.items():
        pages[number - 1] = (picture.height, picture.lines)
    unread = [number for number in empty if number not in seen or not seen[number].boxes]
    if len(unread) == len(pages):
        raise UnreadableFile(f"no text layer{reason}")
    warnings = [*_warn_of_gibberish(pages)]
    if unread:
        warnings.append(f"page{_list_numbers(unread)} without text{reason}")
    kept, numbers = find_furniture(pages)
    text, pieces, starts = join(kept)
    return Extract(
        text=text,
        pieces=pieces,
        page_starts=starts,
        page_numbers=numbers,
        warnings=tuple(warnings),
        scanned={number: page.confidence for number, page in seen.items() if page.boxes},
    )


def _list_pictures(data: bytes, numbers: Sequence[int]) -> list[int]:
    """Those of the pages (from 1) that something stands on."""
    import pypdfium2
    from pypdfium2 import raw

    with contextlib.closing(pypdfium2.PdfDocument(data)) as document:
        return [number for number in numbers if raw.FPDFPage_CountObjects(document[number - 1])]


def _list_numbers(pages: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in pages[:8]) + (", …" if len(pages) > 8 else "")
    return f"{'s' if len(pages) > 1 else ''} {shown}"


_FEWEST_WORDS = 100
_MOST_WORDS = 2000
_GIBBERISH = 0.5
"""The part of a text layer's words that look like none from which on it is useless."""
_LIKE_A_WORD = re.compile(
    r"[(\[“‘\"'§$£€#]*(?:(?:[^\W\d_]\.)+|\d[\d.,:/–-]*(?:st|nd|rd|th)?|[^\W\d_][^\W\d_]*(?:[-’'/.][^\W\d_]+)*)"
    r"[)\]”’\"'.,;:!?%]*"
)
_MIXED = re.compile(r"[^\W\d_]*[^\W\d_A-Z][A-Z][a-z]*[A-Z]|[^\W\d_aeiouyAEIOUY]{5}[^\W\d_aeiouyAEIOUY]*$")


def _warn_of_gibberish(pages: Sequence[tuple[float, list[Line]]]) -> Iterator[str]:
    """Say that a text layer is of no use: another program's poor OCR, or a font that tells no letters."""
    every = (word for _, lines in pages for line in lines for word in line.text.split())
    words = list(islice(every, _MOST_WORDS))
    strange = sum(1 for word in words if not _LIKE_A_WORD.fullmatch(word) or _MIXED.match(word))
    if len(words) >= _FEWEST_WORDS and strange > _GIBBERISH * len(words):
        yield "most of its text layer is no words (poor OCR by another program?)"


def _read_pages(data: bytes) -> list[tuple[float, list[Line]]]:
    """Height and lines of each page, in points, in the order of the text layer."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD_ERROR or "assword" in str(error):
            raise UnreadableFile("encrypted: needs a password") from None
        raise UnreadableFile("damaged PDF (PDFium cannot open it)") from None
    with contextlib.closing(document):
        pages = [_read_page(document, number) for number in range(len(document))]
    return _mend_punctuation(pages)


_MISREAD = str.maketrans("ñóíìîëïß", "–—’“”‘•§")
"""Signs of Windows that a font without a table of its characters names as those of the old Macintosh."""
_MISREAD_SIGN = re.compile(r"(?<!\w)ì(?=\w)|\dñ\d|\wís\b|[.,]î(?!\w)")
_FEWEST_MISREAD = 6


def _mend_punctuation(pages: list[tuple[float, list[Line]]]) -> list[tuple[float, list[Line]]]:
    """The pages with dashes and quotation marks for the letters that a font has put in their places."""
    found = Counter(
        match[0][-1] if match[0][0] != "ì" else "ì"
        for _, lines in pages
        for line in lines
        if not line.text.isascii()
        for match in _MISREAD_SIGN.finditer(line.text)
    )
    if len(found) < 2 or found.total() < _FEWEST_MISREAD or not found["ì"]:
        return pages
    return [
        (height, [replace(line, text=line.text.translate(_MISREAD)) for line in lines])
        for height, lines in pages
    ]


def _read_page(document: pypdfium2.PdfDocument, number: int) -> tuple[float, list[Line]]:
    import pypdfium2

    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        raise UnreadableFile(f"damaged PDF (page {number + 1} cannot be read)") from None
    with contextlib.closing(page), contextlib.closing(page.get_textpage()) as text_page:
        return page.get_height(), _lines(text_page)


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


_ZONE = 0.13
"""The part of a page's height, at either end, in which heads and feet stand."""
_EDGE_LINES = 3
_FEWEST_PAGES = 3
_SHARE = 0.25
"""Heads may alternate between left and right pages, or change with the chapter: a quarter suffices."""
_AGREEING = 0.5
_APART = 1.1
_LONGEST_HEAD = 100
_DIGITS = re.compile(r"\d+")
_NUMBER_FIRST = re.compile(r"(?:page|p\.)?\s{0,3}[-–—|]?\s{0,3}(\d{1,5})(?=\s|$)", re.IGNORECASE)
_NUMBER_LAST = re.compile(r"(?<![\d.,:/-])(\d{1,5})\s{0,3}[-–—|\])]?$")
_OF_TOTAL = re.compile(r"(?:page|p\.)?\s{0,3}(\d{1,5})\s{0,3}(?:of|/)\s{0,3}\d{1,5}$", re.IGNORECASE)
_PARAGRAPH = re.compile(r"[\[(]?\d{1,4}[.)\]]\s")
_ROMAN_ALONE = re.compile(r"[-–—]?\s{0,3}[ivxl]{1,7}\s{0,3}[-–—]?$")


def find_furniture(pages: Sequence[tuple[float, list[Line]]]) -> tuple[list[list[Line]], tuple[str, ...]]:
    """Take away what repeats, digits aside, at the top or bottom of many pages, and page numbers there.

    Returns the pages without their heads and feet, and the printed page numbers if they are not 1, 2, ….
    A number counts as a page's only if it keeps its distance from the page's position on most pages.
    """
    edges = [_edges(height, lines) for height, lines in pages]
    seen = Counter(key for zones in edges for key in {_key(line) for zone in zones for line in zone})
    needed = max(_FEWEST_PAGES, _SHARE * len(pages))
    offsets = Counter(
        offset
        for position, zones in enumerate(edges)
        for offset in {offset for zone in zones for line in zone for offset in _offsets(line, position)}
    )
    offset, agreeing = offsets.most_common(1)[0] if offsets else (0, 0)
    numbered = agreeing >= max(2, _AGREEING * len(pages))
    kept: list[list[Line]] = []
    for position, (_, lines) in enumerate(pages):
        pitch = _pitch(lines)
        dropped: set[int] = set()
        for zone in edges[position]:
            outer: list[Line] = []
            for line in zone:
                if numbered and (offset in _offsets(line, position) or _ROMAN_ALONE.match(line.text)):
                    dropped.add(id(line))
                elif not (seen[_key(line)] >= needed and _is_head(line.text)):
                    break
                outer.append(line)
            while outer and not _stands_apart(outer[-1], lines, outer, pitch):
                outer.pop()
            dropped.update(id(line) for line in outer)
        kept.append([line for line in lines if id(line) not in dropped])
    if not numbered or offset == 1:
        return kept, ()
    numbers = range(offset, offset + len(pages))
    return kept, tuple(str(number) if number > 0 else "" for number in numbers)


def _edges(height: float, lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """The lines that may be a page's head and those that may be its foot, the outermost first."""
    by_height = sorted(lines, key=lambda line: -line.top)
    top = [line for line in by_height[:_EDGE_LINES] if line.top > height * (1 - _ZONE)]
    foot = [line for line in by_height[: -_EDGE_LINES - 1 : -1] if line.bottom < height * _ZONE]
    return top, [line for line in foot if line not in top]


def _pitch(lines: list[Line]) -> float:
    """The usual distance between the lines of a page."""
    return median_high(found) if (found := list(measure_steps(lines))) else 0.0


def _stands_apart(line: Line, lines: list[Line], outer: list[Line], pitch: float) -> bool:
    """Whether the nearest line that is not itself a head or foot is further away than lines usually are."""
    others = [abs(line.bottom - other.bottom) for other in lines if other not in outer]
    return not others or min(others) > _APART * pitch


def _key(line: Line) -> str:
    return _DIGITS.sub("#", " ".join(line.text.casefold().split()))


def _is_head(text: str) -> bool:
    """Whether a line that repeats may be a head or foot: it has letters and opens no numbered paragraph."""
    return _PARAGRAPH.match(text) is None and any(character.isalpha() for character in text)


def _offsets(line: Line, position: int) -> set[int]:
    """How far the numbers at the ends of a short line are from the page's position.

    Not of a line that ends like a sentence, nor of "12." or "[12]", which open a paragraph.
    """
    if len(line.text) > _LONGEST_HEAD or line.text[-1] in ".;:,":
        return set()
    found = (pattern.search(line.text) for pattern in (_NUMBER_LAST, _OF_TOTAL))
    numbers = {int(match[1]) for match in found if match is not None}
    if first := _NUMBER_FIRST.match(line.text):
        numbers.add(int(first[1]))
    return {number - position for number in numbers}
