"""Read a book of authorities as its reader does: what its links say, and what stands where they lead."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import pypdfium2
from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject


@dataclass(frozen=True)
class SeenLink:
    """A link: the page it is on (from 0), the letters under it, and the page that it opens."""

    page: int
    letters: str
    opens: int


def letters(text: str) -> str:
    """The letters and digits of a text alone."""
    return "".join(each for each in unicodedata.normalize("NFKD", text).casefold() if each.isalnum())


@dataclass
class SeenBook:
    """A book: its bytes, the letters of its pages, and all its links."""

    data: bytes
    pages: Sequence[str]
    links: list[SeenLink]

    def take(self, said: str) -> int | None:
        """Remove the links of a mention, a run whose letters are those of ``said``; the page they open."""
        wanted = letters(said)
        for start in range(len(self.links)):
            for end in range(start + 1, min(start + 8, len(self.links)) + 1):
                run = self.links[start:end]
                if "".join(each.letters for each in run) == wanted and len({each.opens for each in run}) == 1:
                    del self.links[start:end]
                    return run[0].opens
        return None


def see_book(data: bytes, brief_pages: int) -> SeenBook:
    """Read the links of the first ``brief_pages`` pages, and the letters of all."""
    reader = PdfReader(io.BytesIO(data))
    numbers = {page.indirect_reference: number for number, page in enumerate(reader.pages)}
    document = pypdfium2.PdfDocument(data)
    texts = [page.get_textpage() for page in document]
    links = []
    for number, page in enumerate(reader.pages[:brief_pages]):
        for each in page.get("/Annots", ArrayObject()):
            note = each.get_object()
            assert isinstance(note, DictionaryObject)
            assert note["/Subtype"] == "/Link"
            left, bottom, right, top = (float(edge) for edge in note["/Rect"])
            under = texts[number].get_text_bounded(left + 0.5, bottom + 1, right - 0.5, top - 1)
            opens = numbers[note["/Dest"][0].indirect_reference] if "/Dest" in note else -1
            links.append(SeenLink(number, letters(under), opens))
    return SeenBook(data, [letters(each.get_text_range()) for each in texts], links)
