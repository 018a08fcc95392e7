"""textDocument/selectionRange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.server import LexlsServer

if TYPE_CHECKING:
    from lexls.features.snapshot import Draft
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken
    from lexls.text.lines import Encoding
    from lexls.text.spans import Span


def register(server: LexlsServer) -> None:
    """Offer selection ranges."""

    @server.feature(t.TEXT_DOCUMENT_SELECTION_RANGE)
    async def selection(ls: LexlsServer, params: t.SelectionRangeParams) -> list[t.SelectionRange] | None:
        encoding = ls.encoding

        def work(draft: Draft, document: OpenDocument, token: CancelToken) -> list[t.SelectionRange]:
            from lexls.features.selection import selection_at
            from lexls.server.convert import to_offset

            found = []
            for position in params.positions:
                token.raise_if_cancelled()
                offset = to_offset(document.lines, position, encoding)
                found.append(_nested(selection_at(draft, offset), document, encoding))
            return found

        return await ls.read(params.text_document.uri, work, None)


def _nested(spans: list[Span], document: OpenDocument, encoding: Encoding) -> t.SelectionRange:
    """The innermost range, with those around it as its parents."""
    from lexls.server.convert import to_range

    outer: t.SelectionRange | None = None
    for span in reversed(spans):
        outer = t.SelectionRange(to_range(document.lines, span, encoding), outer)
    assert outer is not None  # the draft itself is always one
    return outer
