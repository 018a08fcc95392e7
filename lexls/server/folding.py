"""textDocument/foldingRange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.server import LexlsServer

if TYPE_CHECKING:
    from lexls.features.snapshot import Draft
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken


def register(server: LexlsServer) -> None:
    """Offer folding ranges, by whole lines: every editor can fold those."""

    @server.feature(t.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(ls: LexlsServer, params: t.FoldingRangeParams) -> list[t.FoldingRange] | None:
        document = ls.client_capabilities.text_document
        limit = document.folding_range.range_limit if document and document.folding_range else None

        def work(draft: Draft, document: OpenDocument, token: CancelToken) -> list[t.FoldingRange]:
            from lexls.features.folding import folds

            found: dict[int, t.FoldingRange] = {}
            for each in folds(draft, token):
                first, _ = document.lines.position(each.span.start)
                last, _ = document.lines.position(each.span.end)
                kind = t.FoldingRangeKind.Comment if each.kind == "comment" else t.FoldingRangeKind.Region
                # Of two that begin on one line an editor shows one: the outer comes first.
                if first < last:
                    found.setdefault(first, t.FoldingRange(first, last, kind=kind))
            return list(found.values())[:limit]

        return await ls.read(params.text_document.uri, work, None)
