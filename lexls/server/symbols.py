"""textDocument/documentSymbol and workspace/symbol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.server import LexlsServer

if TYPE_CHECKING:
    from lexls.features.snapshot import Snapshot
    from lexls.features.symbols import Symbol
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken
    from lexls.text.lines import Encoding

_KINDS = {
    "heading": t.SymbolKind.String,
    "case": t.SymbolKind.Constant,
    "statute": t.SymbolKind.Module,
    "other": t.SymbolKind.Object,
}


def register(server: LexlsServer) -> None:
    """Offer symbols of documents and of the workspace."""

    @server.feature(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document_symbols(
        ls: LexlsServer, params: t.DocumentSymbolParams
    ) -> list[t.DocumentSymbol] | None:
        encoding = ls.encoding

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> list[t.DocumentSymbol]:
            from lexls.features.symbols import document_symbols

            return [_symbol(each, document, encoding) for each in document_symbols(snapshot, token)]

        return await ls.answer(params.text_document.uri, work, None)

    @server.feature(t.WORKSPACE_SYMBOL)
    async def workspace_symbols(
        ls: LexlsServer, params: t.WorkspaceSymbolParams
    ) -> list[t.SymbolInformation] | None:
        encoding = ls.encoding
        sessions = [session for session in ls.sessions if session.service is not None]
        unique = list({id(session.service): session for session in sessions}.values())

        def task(token: CancelToken) -> list[t.SymbolInformation]:
            from lexls.features.symbols import locate, workspace_symbols
            from lexls.server.convert import to_location

            found = []
            for session in unique:
                snapshot = session.empty_snapshot()
                if snapshot is None:
                    continue
                for each in workspace_symbols(snapshot, params.query, token):
                    place = locate(snapshot, each)
                    if place is not None:
                        kind = _KINDS["case" if each.authority.kind == "case" else "statute"]
                        location = to_location(place, encoding)
                        found.append(
                            t.SymbolInformation(location, each.name, kind, container_name=each.container)
                        )
            return found

        return await ls.run(task)


def _symbol(symbol: Symbol, document: OpenDocument, encoding: Encoding) -> t.DocumentSymbol:
    from lexls.server.convert import to_range

    return t.DocumentSymbol(
        name=symbol.name or "…",  # an empty name is not allowed
        detail=symbol.detail or None,
        kind=_KINDS[symbol.kind],
        range=to_range(document.lines, symbol.span, encoding),
        selection_range=to_range(document.lines, symbol.words, encoding),
        children=[_symbol(child, document, encoding) for child in symbol.children],
    )
