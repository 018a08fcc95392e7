"""Show a passage of an authority on the pages of its PDF."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.library.document import PagePassage
from lexls.text.cancel import CancelToken


@dataclass(frozen=True, slots=True)
class PassageOnPages:
    """A passage of an authority that is a PDF. ``page`` is the one it begins on, by position from 1.

    ``pages`` say where it stands on them; empty where the file does not have it any more.
    """

    authority: Authority
    passage: str
    page: int
    pages: tuple[PagePassage, ...]


def find_on_pages(
    library: Library, authority: Authority, start: int, end: int, token: CancelToken
) -> PassageOnPages | None:
    """Return where ``[start, end)`` of an authority's text stands on the pages of its PDF; an empty range
    means its line. None if it is no PDF. Raises ``Cancelled``.
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
