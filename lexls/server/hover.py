"""textDocument/hover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.explaining_ahead import ready_key
from lexls.server.markup import content
from lexls.server.server import LexlsServer, uri_of

if TYPE_CHECKING:
    from lexls.citations.model import Citation
    from lexls.features.snapshot import Snapshot
    from lexls.grounding.answer import Answer
    from lexls.index.records import OpenLocation
    from lexls.server.documents import OpenDocument
    from lexls.server.explainer import ReadyKey
    from lexls.text.cancel import CancelToken


def register(server: LexlsServer) -> None:
    """Offer hovers."""

    @server.feature(t.TEXT_DOCUMENT_HOVER)
    async def hover(ls: LexlsServer, params: t.HoverParams) -> t.Hover | None:
        encoding = ls.encoding
        document = ls.client_capabilities.text_document
        formats = document.hover.content_format if document and document.hover else None

        session = ls.session_of(params.text_document.uri)
        wished: list[tuple[OpenDocument, int, ReadyKey]] = []

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> t.Hover | None:
            from lexls.features.hover import hover
            from lexls.server.convert import to_offset, to_range

            offset = to_offset(document.lines, params.position, encoding)

            def link(*place: int) -> str:
                return address(snapshot.library.locate(*place))

            def ready(citation: Citation) -> Answer | None:
                key = ready_key(snapshot, citation)
                answer = session.explainer.ready(key) if key is not None else None
                if key is not None and answer is None and session.explainer.explains_unasked:
                    wished.append((document, offset, key))
                return answer

            wanted = snapshot.settings.explain_on_hover
            found = hover(snapshot, offset, token, link, ready if wanted else None)
            if found is None:
                return None
            return t.Hover(
                content(found.markdown, formats),
                to_range(document.lines, found.span, encoding),
            )

        answer = await ls.answer(params.text_document.uri, work, None)
        for wish in wished:
            ls.ahead.want(*wish)
        return answer


def address(location: OpenLocation | None) -> str:
    """The address that a link in Markdown opens: the file, at the line, which editors read from "#L"."""
    if location is None:
        return ""
    line = location.text.count("\n", 0, location.start) + 1
    return f"{uri_of(location.file)}#L{line}"
