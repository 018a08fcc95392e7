"""textDocument/documentHighlight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.server import LexlsServer

if TYPE_CHECKING:
    from lexls.features.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken


def register(server: LexlsServer) -> None:
    """Offer the mentions of the authority at the cursor."""

    @server.feature(t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlights(
        ls: LexlsServer, params: t.DocumentHighlightParams
    ) -> list[t.DocumentHighlight] | None:
        encoding = ls.encoding

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> list[t.DocumentHighlight]:
            from lexls.features.highlights import highlights
            from lexls.server.convert import to_offset, to_range

            offset = to_offset(document.lines, params.position, encoding)
            return [
                t.DocumentHighlight(
                    to_range(document.lines, each.span, encoding),
                    t.DocumentHighlightKind.Write if each.defines else t.DocumentHighlightKind.Read,
                )
                for each in highlights(snapshot, offset, token)
            ]

        return await ls.answer(params.text_document.uri, work, None)
