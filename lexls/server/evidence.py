"""Answer where a passage stands on the pages of its PDF, and put one into a draft with its citation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.convert import to_path, to_span, to_uri
from lexls.server.protocol import read_place
from lexls.server.server import FIRST_ANSWER_SECONDS, DocumentRequest, LexlsServer
from lexls.text.cancel import CancelToken
from lexls.text.lines import LineIndex
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lexls.features.passage_pages import PassageOnPages


def register(server: LexlsServer) -> None:
    """Offer the commands."""

    @server.command("lexls.evidence")
    async def evidence(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri, range_ = read_place(argument)

        def work(token: CancelToken) -> dict[str, Any] | None:
            from lexls.features.passage_pages import find_on_pages

            path = to_path(uri)
            for service in ls.opened:
                if service.library is None:  # a window that comes back asks before its library is open
                    service.wait(FIRST_ANSWER_SECONDS)
                    token.raise_if_cancelled()
                library = service.library
                authority = library.find_shown(path) if library is not None else None
                if library is not None and authority is not None:
                    lines = LineIndex(library.contents.text(authority.id))
                    span = to_span(lines, range_, ls.encoding)
                    found = find_on_pages(library, authority, span.start, span.end, token)
                    return None if found is None else _describe(found)
            return None

        return await ls.run(work)

    @server.command("lexls.insertSentence")
    async def insert_sentence(ls: LexlsServer, argument: Any = None) -> dict[str, t.WorkspaceEdit] | None:
        uri, range_ = read_place(argument)
        source_uri, source_range = read_place(argument.get("source"))
        words = argument.get("text") or ""

        def work(asked: DocumentRequest) -> dict[str, t.WorkspaceEdit] | None:
            from lexls.features.drafting import insert_sentence

            library = asked.snapshot.library
            authority = library.find_shown(to_path(source_uri))
            if authority is None:
                return None
            shown = library.locate(authority.id, 0, 0)
            span = to_span(LineIndex(shown.text if shown else ""), source_range, ls.encoding)
            source = library.find_in_text(authority.id, span.start, span.end)
            if source is None:
                return None
            offset = asked.offset(range_.start)
            edits = insert_sentence(asked.snapshot, offset, authority, Span(*source), str(words))
            return {"edit": asked.edit(edits)}

        return await ls.answer(uri, work, None)


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
