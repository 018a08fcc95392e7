"""Serve the structure of drafts: symbols, folding ranges and selection ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.convert import to_location, to_offset, to_range
from lexls.server.server import DocumentRequest, LexlsServer

if TYPE_CHECKING:
    from lexls.features.structure import Symbol
    from lexls.reading.draft import Draft
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken
    from lexls.text.lines import Encoding
    from lexls.text.spans import Span

_KINDS = {
    "heading": t.SymbolKind.String,
    "case": t.SymbolKind.Constant,
    "statute": t.SymbolKind.Module,
    "other": t.SymbolKind.Object,
}


def register(server: LexlsServer) -> None:
    """Offer symbols of documents and of the workspace."""

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
                # Of two that begin on one line an editor shows one: the outer comes first.
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
    """The innermost range, with those around it as its parents."""
    outer: t.SelectionRange | None = None
    for span in reversed(spans):
        outer = t.SelectionRange(to_range(document.lines, span, encoding), outer)
    assert outer is not None  # the draft itself is always one
    return outer
