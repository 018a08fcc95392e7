"""Prepare a PDF for a book, in a separate process: ``python -m lexls.export.book.pdf_pages``.

The process reads one JSON request on standard input and answers on standard output. The answer contains a
copy of the PDF's pages, and the positions of words on them. Annotations become part of the page content, so
nothing in the copy is active. A broken file affects only this process, which writes no files.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import re
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexls.export.book.typesetting import Rectangle, join_lines
from lexls.index.process import ask_process
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    import pypdfium2

_SECONDS = 180.0
_PASSWORD_ERROR = 4
_CONTEXTS = ((60, 0), (30, 0), (15, 0), (0, 40), (0, 15), (10, 10), (0, 0))
"""Context sizes tried in order to find the only occurrence of some words: numbers of letters before and after
them.
"""


@dataclass(frozen=True, slots=True)
class WantedWords:
    """Words to find on the pages: their first occurrence from page ``near`` (from 1) on or, if there is none,
    their first in the PDF.

    With ``alone`` the words are found only if their context, ``before`` and ``after``, makes the position
    unambiguous.
    """

    text: str
    near: int = 1
    before: str = ""
    after: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class PreparedPdf:
    """A PDF prepared for a book: its copy, and the boxes of each requested phrase.

    ``sizes`` are the widths and heights of the displayed pages in points. Pages are counted from 0; boxes are
    measured from the page's upper left corner.
    """

    data: bytes
    sizes: tuple[tuple[float, float], ...]
    found: tuple[tuple[tuple[int, Rectangle], ...], ...]

    @property
    def pages(self) -> int:
        """Return the number of pages."""
        return len(self.sizes)


class UnusablePdf(Exception):
    """Raised if a PDF cannot be included in a book. The message gives the reason, without the path."""


def prepare_pdf(pdf: Path, wanted: Sequence[WantedWords], token: CancelToken) -> PreparedPdf:
    """Return a copy of a PDF's pages, with the boxes of the words to find on them. Raises ``UnusablePdf`` and
    ``Cancelled``.
    """
    request = {
        "pdf": str(pdf),
        "wanted": [astuple(each) for each in wanted],
    }
    answer = ask_process("lexls.export.book.pdf_pages", request, _SECONDS, token)
    if not answer:
        raise UnusablePdf("its pages could not be read")
    read = json.loads(answer)
    if "error" in read:
        raise UnusablePdf(read["error"])
    found = tuple(tuple((page, (b[0], b[1], b[2], b[3])) for page, b in boxes) for boxes in read["found"])
    return PreparedPdf(
        base64.b64decode(read["copy"]), tuple((width, height) for width, height in read["sizes"]), found
    )


# -- in the process ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class LettersOnPages:
    """The letters and digits of a PDF in order and, for each page, the index of the PDF character from which
    each comes.

    ``starts`` are the positions in ``text`` at which pages begin; ``begins`` is true for each letter that
    begins a word.
    """

    text: str = ""
    starts: list[int] = field(default_factory=list)
    characters: list[list[int]] = field(default_factory=list)
    begins: list[bool] = field(default_factory=list)

    def find(self, wanted: WantedWords) -> Iterator[tuple[int, int]]:
        """Yield the page (from 0) and the character index of each letter of the words; nothing if they are
        not found.
        """
        needle = _letters(wanted.text)
        near = self.starts[min(max(wanted.near - 1, 0), len(self.starts) - 1)] if self.starts else 0
        at = self._search(needle, near) if not wanted.alone else self._search_alone(needle, wanted)
        for place in range(at, at + len(needle)) if needle and at >= 0 else ():
            page = bisect_right(self.starts, place) - 1
            yield page, self.characters[page][place - self.starts[page]]

    def _search_alone(self, needle: str, wanted: WantedWords) -> int:
        """Return the position of the words, using as much of their context as is needed to find a single
        occurrence; -1 if there is none.
        """
        before, after = _letters(wanted.before), _letters(wanted.after)
        for left, right in _CONTEXTS if needle else ():
            context = before[-left:] if left else ""
            pattern = f"{context}(?={needle}{after[:right]})"
            found = [match.end() for match in re.finditer(pattern, self.text)]
            found = [at for at in found if self._is_word(at, needle)]
            if len(found) == 1:
                return found[0]
        return -1

    def _is_word(self, at: int, needle: str) -> bool:
        return self._is_boundary(at) and self._is_boundary(at + len(needle))

    def _is_boundary(self, at: int) -> bool:
        """Return whether a word may begin or end at a letter. A footnote number counts as separate from the
        word it touches.
        """
        if at in (0, len(self.text)) or self.begins[at]:
            return True
        return self.text[at - 1].isdigit() != self.text[at].isdigit()

    def _search(self, needle: str, near: int) -> int:
        """Return the position of the whole words: the first one from ``near`` on, or else the first in the
        text; -1 if not found.
        """
        if not needle:
            return -1
        for low, high in ((near, len(self.text)), (0, near + len(needle))):
            at = self.text.find(needle, low, high)
            while at >= 0:
                if self._is_word(at, needle):
                    return at
                at = self.text.find(needle, at + 1, high)
        return -1


def _letters(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", text).casefold() if each.isalnum())


def read_letters(document: pypdfium2.PdfDocument) -> LettersOnPages:
    """Return the letters on all pages of a PDF."""
    from pypdfium2 import raw

    read = LettersOnPages()
    parts: list[str] = []
    length, begins, hyphen = 0, True, False
    for page in document:
        read.starts.append(length)
        read.characters.append([])
        words = page.get_textpage()
        for number in range(words.count_chars()):
            char = chr(raw.FPDFText_GetUnicode(words, number))
            letters = _letters(char)
            if not letters:
                if char in "-\u00ad\u2010\ufffe\x02":
                    hyphen = True
                elif not (hyphen and char in "\r\n"):
                    begins, hyphen = True, False
                continue
            for each in letters:
                parts.append(each)
                read.characters[-1].append(number)
                read.begins.append(begins or hyphen)
                begins = hyphen = False
                length += 1
        begins, hyphen = begins or not hyphen, False
        words.close()
        page.close()
    read.text = "".join(parts)
    return read


def list_boxes(
    document: pypdfium2.PdfDocument, found: Sequence[tuple[int, int]]
) -> list[tuple[int, Rectangle]]:
    """Return the boxes that contain the characters, one for each line of text, with their pages."""
    boxes: list[tuple[int, Rectangle]] = []
    pages: dict[int, Any] = {}
    try:
        for number, character in found:
            if number not in pages:
                page = document[number]
                pages[number] = page.get_textpage(), _show(page)
            words, show = pages[number]
            left, bottom, right, top = words.get_charbox(character, loose=True)
            boxes.append((number, show(left, bottom, right, top)))
    finally:
        for words, _ in pages.values():
            words.close()
    return join_lines(boxes)


def _show(page: pypdfium2.PdfPage) -> Any:
    """Return a function that converts a box from the PDF page's coordinates to those of the displayed page,
    measured from its top.
    """
    left, bottom, right, top = page.get_bbox()
    turned = page.get_rotation()

    def place(x: float, y: float) -> tuple[float, float]:
        points = {
            0: (x - left, top - y),
            90: (y - bottom, x - left),
            180: (right - x, y - bottom),
            270: (top - y, right - x),
        }
        return points[turned]

    def show(x0: float, y0: float, x1: float, y1: float) -> Rectangle:
        (a, b), (c, d) = place(x0, y0), place(x1, y1)
        return min(a, c), min(b, d), max(a, c), max(b, d)

    return show


def _copy(document: pypdfium2.PdfDocument) -> bytes:
    """Return a PDF that contains only the pages, with their annotations made part of the page content."""
    import pypdfium2
    from pypdfium2 import raw

    with contextlib.closing(pypdfium2.PdfDocument.new()) as new:
        new.import_pages(document)
        for page in new:
            raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY)
            page.close()
        written = io.BytesIO()
        new.save(written)
        return written.getvalue()


def answer(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the answer to one request: the sizes, the boxes found and the copy, or an error."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(request["pdf"])
    except pypdfium2.PdfiumError as error:
        locked = getattr(error, "err_code", None) == _PASSWORD_ERROR
        return {"error": "it is locked with a password" if locked else "it is no PDF that can be read"}
    with contextlib.closing(document):
        sizes = [document.get_page_size(number) for number in range(len(document))]
        letters = read_letters(document) if request["wanted"] else LettersOnPages()
        wanted = [WantedWords(*each) for each in request["wanted"]]
        found = [list_boxes(document, list(letters.find(each))) for each in wanted]
        copy = base64.b64encode(_copy(document)).decode("ascii")
    return {"sizes": sizes, "found": found, "copy": copy}


def main() -> None:
    """Answer the request on standard input."""
    json.dump(answer(json.load(sys.stdin)), sys.stdout)


if __name__ == "__main__":
    main()
