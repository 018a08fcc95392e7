"""Navigate to definitions, references, links and calls, rename defined terms, and describe a draft's
structure.

The structure consists of symbols, folding ranges and selection ranges.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types as t

from lexls.server.convert import to_address, to_location, to_offset, to_path, to_range, to_uri
from lexls.server.protocol import RequestRefused
from lexls.server.server import DocumentRequest, LexlsServer
from lexls.server.workspace_drafts import MOST_DRAFTS, list_closed, read_closed
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lexls.features.navigation import GraphItem
    from lexls.features.structure import Symbol
    from lexls.index.records import OpenLocation
    from lexls.reading.draft import Draft
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken
    from lexls.text.lines import Encoding
    from lexls.text.spans import Span


T = TypeVar("T")
NO_LIBRARY = "lexls can rename when your library is open."


def register(server: LexlsServer) -> None:
    """Register definitions, references, links, highlights, renaming, symbols, folding, selection, and the
    citation graph as a call hierarchy.
    """

    @server.answers(t.TEXT_DOCUMENT_DEFINITION)
    def definition(
        asked: DocumentRequest, params: t.DefinitionParams
    ) -> list[t.LocationLink] | list[t.Location]:
        from lexls.features.navigation import find_definitions

        found = find_definitions(asked.snapshot, asked.offset(params.position), asked.token)
        places = [(each, to_location(each.location, asked.ls.encoding)) for each in found]
        if not asked.ls.find_capability("text_document.definition.link_support"):
            return [place for _, place in places]
        return [
            t.LocationLink(
                target_uri=place.uri,
                target_range=place.range,
                target_selection_range=place.range,
                origin_selection_range=asked.range(each.origin),
            )
            for each, place in places
        ]

    @server.feature(t.TEXT_DOCUMENT_REFERENCES)
    async def references(ls: LexlsServer, params: t.ReferenceParams) -> list[t.Location] | None:
        encoding = ls.encoding
        uri = params.text_document.uri
        session = ls.session_of(uri)
        opened = [d for d in ls.documents if d.uri != uri and ls.session_of(d.uri) is session]
        folders = ls.folders or [session.root]

        def work(asked: DocumentRequest) -> list[t.Location]:
            from lexls.features.navigation import find_references
            from lexls.text.lines import LineIndex

            others = [session.draft(each) for each in opened]
            known = {uri, *(each.uri for each in opened)}
            for path in islice(list_closed(session, folders, known, asked.token), MOST_DRAFTS):
                source = read_closed(path)
                if source is not None:
                    others.append(session.read_closed(to_uri(path), source))
            found = find_references(asked.snapshot, asked.offset(params.position), others, asked.token)
            sources = {draft.uri: draft.source for draft in others} | {uri: asked.document.source}
            lines = {each.uri: LineIndex(sources[each.uri]) for each in found.drafts}
            locations = [
                t.Location(each.uri, to_range(lines[each.uri], each.span, encoding)) for each in found.drafts
            ]
            locations += [to_location(each, encoding) for each in found.authorities]
            if params.context.include_declaration and found.declaration is not None:
                locations.insert(0, to_location(found.declaration, encoding))
            return locations

        return await ls.answer(uri, work, None)

    @server.answers(t.TEXT_DOCUMENT_DOCUMENT_LINK, t.DocumentLinkOptions(resolve_provider=True))
    def links(asked: DocumentRequest, params: t.DocumentLinkParams) -> list[t.DocumentLink]:
        from lexls.features.navigation import find_links

        tooltips = asked.ls.find_capability("text_document.document_link.tooltip_support")
        return [
            t.DocumentLink(
                asked.range(link.span),
                tooltip=link.tooltip if tooltips else None,
                data={
                    "uri": asked.document.uri,
                    "start": link.span.start,
                    "end": link.span.end,
                    "authority": link.authority,
                    "tooltip": link.tooltip,
                    "record": link.of_record,
                },
            )
            for link in find_links(asked.snapshot, asked.token)
        ]

    @server.resolves(t.DOCUMENT_LINK_RESOLVE, start=int, end=int, authority=int)
    def resolve_link(asked: DocumentRequest, params: t.DocumentLink, data: dict[str, Any]) -> t.DocumentLink:
        from lexls.features.navigation import find_target

        span = Span(data["start"], data["end"])
        of_record = bool(data.get("record"))
        place = find_target(asked.snapshot, span, data["authority"], of_record=of_record)
        params.target = None if place is None else to_address(place)
        return params

    @server.answers(t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(asked: DocumentRequest, params: t.DocumentHighlightParams) -> list[t.DocumentHighlight]:
        from lexls.features.navigation import find_highlights

        return [
            t.DocumentHighlight(
                asked.range(each.span),
                t.DocumentHighlightKind.Write if each.defines else t.DocumentHighlightKind.Read,
            )
            for each in find_highlights(asked.snapshot, asked.offset(params.position), asked.token)
        ]

    @server.feature(t.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(ls: LexlsServer, params: t.PrepareRenameParams) -> t.PrepareRenamePlaceholder:
        def work(asked: DocumentRequest) -> t.PrepareRenamePlaceholder:
            from lexls.features.rename import find_renamable

            found = find_renamable(asked.snapshot, asked.offset(params.position), asked.token)
            return t.PrepareRenamePlaceholder(asked.range(found.span), found.defined.term)

        return await _rename(ls, params.text_document.uri, work)

    @server.feature(t.TEXT_DOCUMENT_RENAME, t.RenameOptions(prepare_provider=True))
    async def rename(ls: LexlsServer, params: t.RenameParams) -> t.WorkspaceEdit:
        def work(asked: DocumentRequest) -> t.WorkspaceEdit:
            from lexls.features.rename import rename

            found = rename(asked.snapshot, asked.offset(params.position), params.new_name, asked.token)
            return asked.edit(found)

        return await _rename(ls, params.text_document.uri, work)

    @server.answers(t.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def prepare_calls(
        asked: DocumentRequest, params: t.CallHierarchyPrepareParams
    ) -> list[t.CallHierarchyItem] | None:
        from lexls.features.navigation import find_graph_items

        uri = asked.document.uri
        found = find_graph_items(asked.snapshot, asked.offset(params.position), to_path(uri))
        return [_item(each, uri, asked.ls.encoding) for each in found] or None

    _offer_calls(server, t.CALL_HIERARCHY_INCOMING_CALLS, t.CallHierarchyIncomingCall)
    _offer_calls(server, t.CALL_HIERARCHY_OUTGOING_CALLS, t.CallHierarchyOutgoingCall)

    @server.answers(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def document_symbols(asked: DocumentRequest, params: t.DocumentSymbolParams) -> list[t.DocumentSymbol]:
        from lexls.features.structure import find_document_symbols

        outlined = asked.ls.find_own_capability("outlines") or ()
        headings = asked.document.language not in outlined
        found = find_document_symbols(asked.snapshot, asked.token, headings=headings)
        return [_symbol(each, asked) for each in found]

    @server.feature(t.WORKSPACE_SYMBOL)
    async def workspace_symbols(
        ls: LexlsServer, params: t.WorkspaceSymbolParams
    ) -> list[t.SymbolInformation] | None:
        encoding = ls.encoding
        sessions = [session for session in ls.sessions if session.service is not None]
        unique = list({id(session.service): session for session in sessions}.values())

        def task(token: CancelToken) -> list[t.SymbolInformation]:
            from lexls.features.structure import find_workspace_symbols

            found = []
            for snapshot in filter(None, (session.empty_snapshot() for session in unique)):
                for each in find_workspace_symbols(snapshot, params.query, token):
                    place = snapshot.library.locate(each.authority.id, each.start, each.end)
                    if place is not None:
                        kind = _KINDS["case" if each.authority.kind == "case" else "statute"]
                        at = to_location(place, encoding)
                        found.append(t.SymbolInformation(at, each.name, kind, container_name=each.container))
            return found

        return await ls.run(task)

    @server.feature(t.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(ls: LexlsServer, params: t.FoldingRangeParams) -> list[t.FoldingRange] | None:
        limit = ls.find_capability("text_document.folding_range.range_limit")

        def work(draft: Draft, document: OpenDocument, token: CancelToken) -> list[t.FoldingRange]:
            from lexls.features.structure import find_folds

            found: dict[int, t.FoldingRange] = {}
            for each in find_folds(draft, token):
                first, _ = document.lines.position(each.span.start)
                last, _ = document.lines.position(each.span.end)
                kind = t.FoldingRangeKind.Comment if each.kind == "comment" else t.FoldingRangeKind.Region
                # If two ranges start on one line, an editor shows only one: the outer one comes first.
                if first < last:
                    found.setdefault(first, t.FoldingRange(first, last, kind=kind))
            return list(found.values())[:limit]

        return await ls.read(params.text_document.uri, work, None)

    @server.feature(t.TEXT_DOCUMENT_SELECTION_RANGE)
    async def selection(ls: LexlsServer, params: t.SelectionRangeParams) -> list[t.SelectionRange] | None:
        encoding = ls.encoding

        def work(draft: Draft, document: OpenDocument, token: CancelToken) -> list[t.SelectionRange]:
            from lexls.features.structure import find_selections

            found = []
            for position in params.positions:
                token.raise_if_cancelled()
                offset = to_offset(document.lines, position, encoding)
                found.append(_nested(find_selections(draft, offset), document, encoding))
            return found

        return await ls.read(params.text_document.uri, work, None)


def _offer_calls(
    server: LexlsServer, method: str, make: Callable[[t.CallHierarchyItem, list[t.Range]], object]
) -> None:
    """Register the handler of one call direction, incoming or outgoing. ``make`` builds each call from an
    item and its ranges.
    """

    @server.feature(method)
    async def calls(ls: LexlsServer, params: Any) -> list[object] | None:
        data = params.item.data
        if not isinstance(data, dict) or not isinstance(data.get("authority"), int):
            return None
        uri, authority = str(data.get("uri", "")), data["authority"]

        def work(asked: DocumentRequest) -> list[object]:
            from lexls.features.navigation import find_incoming, find_outgoing

            find = find_incoming if method == t.CALL_HIERARCHY_INCOMING_CALLS else find_outgoing
            found = find(asked.snapshot.library, authority, asked.token)
            return [
                make(_item(each.item, uri, ls.encoding), _ranges(each.places, ls.encoding)) for each in found
            ]

        return await ls.answer(uri, work, None)


def _item(item: GraphItem, uri: str, encoding: Encoding) -> t.CallHierarchyItem:
    place = to_location(item.location, encoding)
    return t.CallHierarchyItem(
        name=item.name,
        kind=t.SymbolKind.Constant,
        uri=place.uri,
        range=place.range,
        selection_range=place.range,
        tags=[t.SymbolTag.Deprecated] if item.bad else None,
        detail=item.detail or None,
        # The URI of the original document determines the session and so the library.
        data={"authority": item.authority, "uri": uri},
    )


def _ranges(places: tuple[OpenLocation, ...], encoding: Encoding) -> list[t.Range]:
    """Return the ranges of places that are all in one file."""
    from lexls.text.lines import LineIndex

    lines = LineIndex(places[0].text if places else "")
    return [to_range(lines, Span(place.start, place.end), encoding) for place in places]


async def _rename(ls: LexlsServer, uri: str, work: Callable[[DocumentRequest], T]) -> T:
    """Run ``work`` as ``ls.answer`` does, and return its result. Raises ``RequestRefused`` if nothing can be
    renamed at the position or the library is not open yet.
    """

    def attempt(asked: DocumentRequest) -> T:
        from lexls.features.rename import NotRenamable

        try:
            return work(asked)
        except NotRenamable as refused:
            raise RequestRefused(str(refused)) from refused

    found = await ls.answer(uri, attempt, None)
    if found is None:
        raise RequestRefused(NO_LIBRARY)
    return found


_KINDS = {
    "heading": t.SymbolKind.String,
    "case": t.SymbolKind.Constant,
    "statute": t.SymbolKind.Module,
    "other": t.SymbolKind.Object,
}


def _symbol(symbol: Symbol, asked: DocumentRequest) -> t.DocumentSymbol:
    return t.DocumentSymbol(
        name=symbol.name or "…",  # an empty name is not allowed
        detail=symbol.detail or None,
        kind=_KINDS[symbol.kind],
        range=asked.range(symbol.span),
        selection_range=asked.range(symbol.words),
        children=[_symbol(child, asked) for child in symbol.children],
    )


def _nested(spans: list[Span], document: OpenDocument, encoding: Encoding) -> t.SelectionRange:
    """Return the innermost range, with the ranges around it as parents."""
    outer: t.SelectionRange | None = None
    for span in reversed(spans):
        outer = t.SelectionRange(to_range(document.lines, span, encoding), outer)
    assert outer is not None  # the draft itself is always one
    return outer
