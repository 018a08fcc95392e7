"""textDocument/prepareCallHierarchy, callHierarchy/incomingCalls and outgoingCalls: the citation graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.server import LexlsServer, path_of

if TYPE_CHECKING:
    from lexls.features.call_hierarchy import Call, GraphItem
    from lexls.features.snapshot import Snapshot
    from lexls.index.library import Library
    from lexls.index.records import OpenLocation
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken
    from lexls.text.lines import Encoding


def register(server: LexlsServer) -> None:
    """Offer the citation graph as a call hierarchy."""

    @server.feature(t.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    async def prepare(
        ls: LexlsServer, params: t.CallHierarchyPrepareParams
    ) -> list[t.CallHierarchyItem] | None:
        encoding = ls.encoding
        uri = params.text_document.uri

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> list[t.CallHierarchyItem]:
            from lexls.features.call_hierarchy import prepare
            from lexls.server.convert import to_offset

            offset = to_offset(document.lines, params.position, encoding)
            return [_item(each, uri, encoding) for each in prepare(snapshot, offset, path_of(uri))]

        return await ls.answer(uri, work, None) or None

    @server.feature(t.CALL_HIERARCHY_INCOMING_CALLS)
    async def incoming_calls(
        ls: LexlsServer, params: t.CallHierarchyIncomingCallsParams
    ) -> list[t.CallHierarchyIncomingCall] | None:
        from lexls.features.call_hierarchy import incoming

        found = await _asked(ls, params.item, incoming)
        if found is None:
            return None
        uri, calls = found
        return [
            t.CallHierarchyIncomingCall(_item(call.item, uri, ls.encoding), _ranges(call.places, ls.encoding))
            for call in calls
        ]

    @server.feature(t.CALL_HIERARCHY_OUTGOING_CALLS)
    async def outgoing_calls(
        ls: LexlsServer, params: t.CallHierarchyOutgoingCallsParams
    ) -> list[t.CallHierarchyOutgoingCall] | None:
        from lexls.features.call_hierarchy import outgoing

        found = await _asked(ls, params.item, outgoing)
        if found is None:
            return None
        uri, calls = found
        return [
            t.CallHierarchyOutgoingCall(_item(call.item, uri, ls.encoding), _ranges(call.places, ls.encoding))
            for call in calls
        ]


async def _asked(
    ls: LexlsServer, item: t.CallHierarchyItem, ask: Callable[[Library, int, CancelToken], list[Call]]
) -> tuple[str, list[Call]] | None:
    """What ``ask`` finds for the authority of an item, with the document that the item was asked from."""
    data: Any = item.data
    if not isinstance(data, dict) or not isinstance(data.get("authority"), int):
        return None
    uri, authority = str(data.get("uri", "")), data["authority"]

    def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> list[Call]:
        return ask(snapshot.library, authority, token)

    calls = await ls.answer(uri, work, None)
    return None if calls is None else (uri, calls)


def _item(item: GraphItem, uri: str, encoding: Encoding) -> t.CallHierarchyItem:
    from lexls.server.convert import to_location

    place = to_location(item.location, encoding)
    return t.CallHierarchyItem(
        name=item.name,
        kind=t.SymbolKind.Constant,
        uri=place.uri,
        range=place.range,
        selection_range=place.range,
        tags=[t.SymbolTag.Deprecated] if item.bad else None,
        detail=item.detail or None,
        # The document that was asked about belongs to a session, and so to a library.
        data={"authority": item.authority, "uri": uri},
    )


def _ranges(places: tuple[OpenLocation, ...], encoding: Encoding) -> list[t.Range]:
    """The ranges of places in one file."""
    from lexls.server.convert import to_range
    from lexls.text.lines import LineIndex
    from lexls.text.spans import Span

    if not places:
        return []
    lines = LineIndex(places[0].text)
    return [to_range(lines, Span(place.start, place.end), encoding) for place in places]
