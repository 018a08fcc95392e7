"""Serve the citation graph as callHierarchy: who cites an authority, and whom it cites."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.convert import path_of, to_location, to_range
from lexls.server.server import DocumentRequest, LexlsServer

if TYPE_CHECKING:
    from lexls.features.call_hierarchy import GraphItem
    from lexls.index.records import OpenLocation
    from lexls.text.lines import Encoding


def register(server: LexlsServer) -> None:
    """Offer the citation graph as a call hierarchy."""

    @server.answers(t.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def prepare(
        asked: DocumentRequest, params: t.CallHierarchyPrepareParams
    ) -> list[t.CallHierarchyItem] | None:
        from lexls.features.call_hierarchy import prepare

        uri = asked.document.uri
        found = prepare(asked.snapshot, asked.offset(params.position), path_of(uri))
        return [_item(each, uri, asked.ls.encoding) for each in found] or None

    _offer_calls(server, t.CALL_HIERARCHY_INCOMING_CALLS, t.CallHierarchyIncomingCall)
    _offer_calls(server, t.CALL_HIERARCHY_OUTGOING_CALLS, t.CallHierarchyOutgoingCall)


def _offer_calls(
    server: LexlsServer, method: str, make: Callable[[t.CallHierarchyItem, list[t.Range]], object]
) -> None:
    """Offer the calls of one direction, each written by ``make``."""

    @server.feature(method)
    async def calls(ls: LexlsServer, params: Any) -> list[object] | None:
        data = params.item.data
        if not isinstance(data, dict) or not isinstance(data.get("authority"), int):
            return None
        uri, authority = str(data.get("uri", "")), data["authority"]

        def work(asked: DocumentRequest) -> list[object]:
            from lexls.features.call_hierarchy import find_incoming, find_outgoing

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
        # The document that was asked about belongs to a session, and so to a library.
        data={"authority": item.authority, "uri": uri},
    )


def _ranges(places: tuple[OpenLocation, ...], encoding: Encoding) -> list[t.Range]:
    """The ranges of places in one file."""
    from lexls.text.lines import LineIndex
    from lexls.text.spans import Span

    lines = LineIndex(places[0].text if places else "")
    return [to_range(lines, Span(place.start, place.end), encoding) for place in places]
