"""Show a passage of an authority on the pages of its PDF."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.library.document import PagePassage
from lexls.text.cancel import CancelToken


@dataclass(frozen=True, slots=True)
class PassageOnPages:
    """A passage of an authority in PDF format. ``page`` is the page on which it begins, by position from 1.

    ``pages`` has its location on each page; it is empty if the file no longer contains it.
    """

    authority: Authority
    passage: str
    page: int
    pages: tuple[PagePassage, ...]


def find_on_pages(
    library: Library, authority: Authority, start: int, end: int, token: CancelToken
) -> PassageOnPages | None:
    """Return where ``[start, end)`` of an authority's text is on the pages of its PDF. If the range is empty,
    the line that contains it is used. Returns None if the authority is not a PDF. Raises ``Cancelled``.
    """
    content = library.contents.get(authority.id)
    if content is None or not authority.is_pdf:
        return None
    text = content.text
    if start == end:
        start = text.rfind("\n", 0, start) + 1
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
    pages = library.find_on_pages(authority.id, start, end, token)
    page = pages[0].page if pages else max(1, content.position_at(start))
    return PassageOnPages(authority, text[start:end], page, pages)
