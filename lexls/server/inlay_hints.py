"""textDocument/inlayHint and inlayHint/resolve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.markup import content
from lexls.server.server import LexlsServer, path_of

if TYPE_CHECKING:
    from lexls.features.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken


def register(server: LexlsServer) -> None:
    """Offer inlay hints; what they tell when pointed at is found when it is asked for."""

    @server.feature(t.TEXT_DOCUMENT_INLAY_HINT, t.InlayHintOptions(resolve_provider=True))
    async def hints(ls: LexlsServer, params: t.InlayHintParams) -> list[t.InlayHint] | None:
        encoding = ls.encoding
        uri = params.text_document.uri
        if ls.session_of(uri).is_authority(path_of(uri)):
            return None

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> list[t.InlayHint]:
            from lexls.features.inlay_hints import inlay_hints
            from lexls.server.convert import to_position, to_span

            span = to_span(document.lines, params.range, encoding)
            return [
                t.InlayHint(
                    to_position(document.lines, each.offset, encoding),
                    [t.InlayHintLabelPart(each.label)],
                    padding_left=each.behind,
                    padding_right=not each.behind,
                    data={"uri": uri, "version": document.version, "core": each.core.start},
                )
                for each in inlay_hints(snapshot, span, token)
            ]

        return await ls.answer(uri, work, None)

    @server.feature(t.INLAY_HINT_RESOLVE)
    async def resolve(ls: LexlsServer, params: t.InlayHint) -> t.InlayHint:
        data = params.data
        if not isinstance(data, dict):
            return params
        encoding = ls.encoding
        document = ls.client_capabilities.text_document
        support = document.inlay_hint.resolve_support if document and document.inlay_hint else None
        properties = support.properties if support else ()
        hover = document.hover if document else None
        formats = hover.content_format if hover else None

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> t.InlayHint:
            from lexls.features.inlay_hints import explained
            from lexls.server.convert import to_location

            if data["version"] != document.version:
                return params
            found = explained(snapshot, int(data["core"]))
            if found is not None:
                params.tooltip = content(found[0], formats)
                # A part with a location is a link to it.
                if found[1] is not None and "label.location" in properties and isinstance(params.label, list):
                    params.label[0].location = to_location(found[1], encoding)
            return params

        return await ls.answer(str(data["uri"]), work, params)
