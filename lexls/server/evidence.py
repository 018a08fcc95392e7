"""Answer where a passage stands on the pages of its PDF (lexls.evidence)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexls.server.convert import to_path, to_span, to_uri
from lexls.server.protocol import read_place
from lexls.server.server import LexlsServer
from lexls.text.cancel import CancelToken
from lexls.text.lines import LineIndex

if TYPE_CHECKING:
    from lexls.features.passage_pages import PassageOnPages


def register(server: LexlsServer) -> None:
    """Offer the command."""

    @server.command("lexls.evidence")
    async def evidence(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri, range_ = read_place(argument)

        def work(token: CancelToken) -> dict[str, Any] | None:
            from lexls.features.passage_pages import find_on_pages

            path = to_path(uri)
            for service in ls.services:
                library = service.library
                authority = library.find_shown(path) if library is not None else None
                if library is not None and authority is not None:
                    lines = LineIndex(library.contents.text(authority.id))
                    span = to_span(lines, range_, ls.encoding)
                    found = find_on_pages(library, authority, span.start, span.end, token)
                    return None if found is None else _describe(found)
            return None

        return await ls.run(work)


def _describe(found: PassageOnPages) -> dict[str, Any]:
    return {
        "uri": to_uri(found.authority.path),
        "title": found.authority.name,
        "passage": found.passage,
        "page": found.page,
        "pages": [
            {"page": each.page, "width": each.width, "height": each.height, "boxes": each.boxes}
            for each in found.pages
        ],
    }
