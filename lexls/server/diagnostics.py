"""textDocument/publishDiagnostics: after each pause in typing, and when the library changes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.server import LexlsServer, path_of

if TYPE_CHECKING:
    from lexls.features.checks.problem import Finding
    from lexls.features.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.server.session import Session
    from lexls.text.cancel import CancelToken
    from lexls.text.lines import Encoding

QUIET_SECONDS = 0.15
LIBRARY_SECONDS = 1.0
"""While the indexer is busy the library changes all the time: drafts are checked again this often."""
SEVERITIES = {
    "error": t.DiagnosticSeverity.Error,
    "warning": t.DiagnosticSeverity.Warning,
    "information": t.DiagnosticSeverity.Information,
    "hint": t.DiagnosticSeverity.Hint,
}


class Diagnostics:
    """Checks open drafts and publishes what is found. Belongs to the event loop."""

    def __init__(self, server: LexlsServer) -> None:
        self._server = server
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._shown: set[str] = set()
        server.watchers.append(self._library_changed)

    def schedule(self, uri: str, seconds: float = QUIET_SECONDS) -> None:
        """Check a draft after a pause; a check that is waiting or running for it is dropped."""
        earlier = self._waiting.pop(uri, None)
        if earlier is not None:
            earlier.cancel()
        self._waiting[uri] = self._server.spawn(self._check(uri, seconds))

    def clear(self, uri: str) -> None:
        """A document was closed: its diagnostics go."""
        earlier = self._waiting.pop(uri, None)
        if earlier is not None:
            earlier.cancel()
        if uri in self._shown:
            self._shown.discard(uri)
            self._server.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri, []))

    def _library_changed(self, session: Session) -> None:
        for document in self._server.documents:
            if document.uri in self._waiting and not self._waiting[document.uri].done():
                continue
            if self._server.session_of(document.uri) is session:
                self.schedule(document.uri, LIBRARY_SECONDS)

    async def _check(self, uri: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        document = self._server.documents.get(uri)
        if document is None:
            return
        session = self._server.session_of(uri)
        if session.service is None or session.is_authority(path_of(uri)):
            return  # a judgment's own citations are not the user's to mend
        encoding = self._server.encoding

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> list[t.Diagnostic] | None:
            from lexls.features.checks.engine import check

            return [to_diagnostic(each, document, encoding) for each in check(snapshot, token)]

        found = await self._server.answer(uri, work, None)
        current = self._server.documents.get(uri)
        if found is None or current is None or current.version != document.version:
            return
        self._shown.add(uri)
        self._server.text_document_publish_diagnostics(
            t.PublishDiagnosticsParams(uri, found, version=document.version)
        )


def to_diagnostic(finding: Finding, document: OpenDocument, encoding: Encoding) -> t.Diagnostic:
    """A finding as the protocol has it."""
    from lexls.server.convert import to_range

    return t.Diagnostic(
        range=to_range(document.lines, finding.span, encoding),
        message=finding.message,
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        source="lexls",
    )
