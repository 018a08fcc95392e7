"""textDocument/prepareRename and rename."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.protocol import Refused
from lexls.server.server import LexlsServer

if TYPE_CHECKING:
    from lexls.features.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken

NO_LIBRARY = "lexls can rename when your library is open."


def register(server: LexlsServer) -> None:
    """Offer renaming of defined terms."""

    @server.feature(t.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(ls: LexlsServer, params: t.PrepareRenameParams) -> t.PrepareRenamePlaceholder | None:
        encoding = ls.encoding

        def work(
            snapshot: Snapshot, document: OpenDocument, token: CancelToken
        ) -> t.PrepareRenamePlaceholder:
            from lexls.features.rename import NotRenamable, renamable
            from lexls.server.convert import to_offset, to_range

            offset = to_offset(document.lines, params.position, encoding)
            try:
                found = renamable(snapshot, offset, token)
            except NotRenamable as refused:
                raise Refused(str(refused)) from refused
            return t.PrepareRenamePlaceholder(to_range(document.lines, found.span, encoding), found.term)

        found = await ls.answer(params.text_document.uri, work, None)
        if found is None:
            raise Refused(NO_LIBRARY)
        return found

    @server.feature(t.TEXT_DOCUMENT_RENAME, t.RenameOptions(prepare_provider=True))
    async def rename(ls: LexlsServer, params: t.RenameParams) -> t.WorkspaceEdit | None:
        encoding = ls.encoding
        workspace = ls.client_capabilities.workspace
        edits = workspace.workspace_edit if workspace else None
        versioned = bool(edits and edits.document_changes)

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> t.WorkspaceEdit:
            from lexls.features.rename import NotRenamable, rename
            from lexls.server.convert import to_offset, to_range

            offset = to_offset(document.lines, params.position, encoding)
            try:
                found = rename(snapshot, offset, params.new_name, token)
            except NotRenamable as refused:
                raise Refused(str(refused)) from refused
            changes = [t.TextEdit(to_range(document.lines, each.span, encoding), each.text) for each in found]
            if versioned:
                # With the version, so that no editor applies it to a text that has moved on.
                identifier = t.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
                return t.WorkspaceEdit(document_changes=[t.TextDocumentEdit(identifier, [*changes])])
            return t.WorkspaceEdit(changes={document.uri: changes})

        found = await ls.answer(params.text_document.uri, work, None)
        if found is None:
            raise Refused(NO_LIBRARY)
        return found
