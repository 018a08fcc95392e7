"""textDocument/codeLens and codeLens/resolve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.server import LexlsServer, path_of

if TYPE_CHECKING:
    from lexls.features.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken

CHOOSE = "lexls.findSupport"
"""Our clients show the answer of this command in a list to choose from."""


def register(server: LexlsServer) -> None:
    """Offer a lens above each paragraph; its words are found when the editor shows it."""

    @server.feature(t.TEXT_DOCUMENT_CODE_LENS, t.CodeLensOptions(resolve_provider=True))
    async def lenses(ls: LexlsServer, params: t.CodeLensParams) -> list[t.CodeLens] | None:
        encoding = ls.encoding
        uri = params.text_document.uri
        session = ls.session_of(uri)
        if not session.settings.code_lens_enabled or session.is_authority(path_of(uri)):
            return None

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> list[t.CodeLens]:
            from lexls.features.code_lens import lenses
            from lexls.server.convert import to_range

            return [
                t.CodeLens(
                    to_range(document.lines, span, encoding),
                    data={"uri": uri, "version": document.version, "start": span.start},
                )
                for span in lenses(snapshot, token)
            ]

        return await ls.answer(uri, work, None)

    @server.feature(t.CODE_LENS_RESOLVE)
    async def resolve(ls: LexlsServer, params: t.CodeLens) -> t.CodeLens:
        data = params.data
        if not isinstance(data, dict):
            return params
        encoding = ls.encoding

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> t.Command | None:
            from lexls.features.code_lens import lens
            from lexls.server.convert import to_range

            found = lens(snapshot, int(data["start"]), token) if data["version"] == document.version else None
            if found is None:
                return None
            place = {"uri": document.uri, "range": to_range(document.lines, found.wanted, encoding)}
            return t.Command(found.title, CHOOSE, arguments=[place])

        # An editor may ask about a text that has moved on: what it shows must be a command all the same.
        params.command = await ls.answer(str(data["uri"]), work, None) or t.Command("…", "")
        return params
