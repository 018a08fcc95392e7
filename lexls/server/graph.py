"""Run the commands for an authority's citation graph, for passages on the pages of a PDF, and for inserted
sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.convert import to_location, to_path, to_span, to_uri
from lexls.server.protocol import read_place, refuse_argument
from lexls.server.server import FIRST_ANSWER_SECONDS, DocumentRequest, LexlsServer
from lexls.text.cancel import CancelToken
from lexls.text.lines import LineIndex
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lexls.features.authority_graph import GraphNode, GraphSide
    from lexls.features.passage_pages import PassageOnPages
    from lexls.index.library import Library
    from lexls.index.records import Authority
    from lexls.text.lines import Encoding


MOST = 14
"""Default maximum number of authorities on each side of the graph."""


def register(server: LexlsServer) -> None:
    """Register the commands for the citation graph, passages on PDF pages, and inserted sentences."""

    @server.command("lexls.graph")
    async def graph(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        if not isinstance(argument, dict):
            raise refuse_argument('the argument must be {"authority": …} or {"uri": …, "position": …}')
        wanted = argument.get("most")
        most = wanted if isinstance(wanted, int) else MOST
        if isinstance(argument.get("authority"), int):
            session = ls.session_of(str(argument.get("uri") or ""))

            def work(token: CancelToken) -> dict[str, Any] | None:
                snapshot = ls.wait_for_snapshot(session, None, token)
                if snapshot is None:
                    return None
                return _draw(snapshot.library, argument["authority"], most, ls.encoding, token)

            return await ls.run(work)
        uri, range_ = read_place(argument)

        def find(asked: DocumentRequest) -> dict[str, Any] | None:
            from lexls.features.navigation import find_graph_items

            items = find_graph_items(asked.snapshot, asked.offset(range_.start), to_path(uri))
            if not items:
                return None
            return _draw(asked.snapshot.library, items[0].authority, most, ls.encoding, asked.token)

        return await ls.answer(uri, find, None)

    @server.command("lexls.evidence")
    async def evidence(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri, range_ = read_place(argument)

        def work(token: CancelToken) -> dict[str, Any] | None:
            from lexls.features.passage_pages import find_on_pages

            path = to_path(uri)
            for service in ls.opened:
                if service.library is None:  # a restored window asks before its library is open
                    service.wait(FIRST_ANSWER_SECONDS)
                    token.raise_if_cancelled()
                library = service.library
                authority = library.find_shown(path) if library is not None else None
                if library is not None and authority is not None:
                    shown = library.locate(authority.id, 0, 0, opened=path)
                    span = to_span(LineIndex(shown.text if shown else ""), range_, ls.encoding)
                    place = library.find_in_text(authority.id, span.start, span.end, opened=path)
                    found = find_on_pages(library, authority, *place, token) if place else None
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
            path = to_path(source_uri)
            authority = library.find_shown(path)
            if authority is None:
                return None
            shown = library.locate(authority.id, 0, 0, opened=path)
            span = to_span(LineIndex(shown.text if shown else ""), source_range, ls.encoding)
            source = library.find_in_text(authority.id, span.start, span.end, opened=path)
            if source is None:
                return None
            offset = asked.offset(range_.start)
            edits = insert_sentence(asked.snapshot, offset, authority, Span(*source), str(words))
            return {"edit": asked.edit(edits)}

        return await ls.answer(uri, work, None)


def _draw(
    library: Library, authority: int, most: int, encoding: Encoding, token: CancelToken
) -> dict[str, Any] | None:
    from lexls.features.authority_graph import draw_graph
    from lexls.features.find_support import describe_warning

    drawn = draw_graph(library, authority, most, token)
    if drawn is None:
        return None

    def describe(each: Authority, start: int = 0, end: int = 0) -> dict[str, Any]:
        from lexls.wording.place_words import cite_authority, cite_behind_title

        place = library.locate(each.id, start, end)
        return {
            "authority": each.id,
            "title": each.name,
            "cited": cite_behind_title(each),
            "name": cite_authority(each),
            "kind": each.kind,
            "year": each.year,
            "target": to_location(place, encoding) if place is not None else None,
        }

    def node(each: GraphNode) -> dict[str, Any]:
        token.raise_if_cancelled()
        place = (each.passage.start, each.passage.end) if each.passage is not None else (0, 0)
        said = {"treatment": each.treatment, "bad": each.bad, "count": each.count}
        return describe(each.authority, *place) | said

    def side(each: GraphSide) -> dict[str, Any]:
        return {"count": each.count, "nodes": [node(one) for one in each.nodes]}

    return {
        **describe(drawn.authority),
        "warning": describe_warning(library, drawn.authority),
        "cites": side(drawn.cited),
        "citedBy": side(drawn.citing),
        "absent": drawn.absent,
    }


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
