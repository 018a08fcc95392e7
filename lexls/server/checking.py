"""Decide when drafts are checked, and send findings as diagnostics."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.convert import to_path
from lexls.server.server import LexlsServer
from lexls.text.memory import Memory

if TYPE_CHECKING:
    from lexls.assessing.check import Finding, Related
    from lexls.assessing.rules.engine import CheckedDraft
    from lexls.assessing.verdicts import Verdict
    from lexls.server.server import DocumentRequest
    from lexls.server.session import Session


MOST_PLACES = 10_000
SEVERITIES = {
    "error": t.DiagnosticSeverity.Error,
    "warning": t.DiagnosticSeverity.Warning,
    "information": t.DiagnosticSeverity.Information,
    "hint": t.DiagnosticSeverity.Hint,
}


Places = Memory["Related", t.Location | None]
"""Cache of the editor's locations of passages in the library and the record; None for a passage that is gone.
Locations are cached since finding a line number scans the whole text. The cache is cleared when the
library or the record changes.
"""


@dataclass(frozen=True, slots=True)
class CheckedDocument:
    """A checked document: its diagnostics, and the verdicts on its citations.

    ``stamp`` changes with the diagnostics; it is "" if the document is not a draft. ``verdicts`` counts the
    citations per verdict at this ``version``, and ``summary`` gives these counts in one line.
    """

    items: list[t.Diagnostic]
    stamp: str
    version: int
    verdicts: Mapping[Verdict, int]
    summary: str


def check_open(asked: DocumentRequest, places: Places | None) -> CheckedDocument:
    """Check an open document and convert its findings; see `to_diagnostics`. Raises ``Cancelled``."""
    checked = asked.session.checker.find(asked.snapshot, asked.document, asked.token)
    return to_diagnostics(asked, checked, places)


def to_diagnostics(asked: DocumentRequest, checked: CheckedDraft, places: Places | None) -> CheckedDocument:
    """Convert the findings of a checked document to diagnostics.

    With ``places``, the diagnostics also link to the passages they refer to.
    """
    from lexls.assessing.rules.engine import list_libraries
    from lexls.assessing.verdicts import summarise_citations

    libraries = list_libraries(asked.snapshot)
    if places is not None:
        places.renew(tuple((each.path, each.generation) for each in libraries))
    items = [_to_diagnostic(asked, each, places) for each in checked.findings]
    generations = "-".join(str(each.generation) for each in libraries)
    # Lines are included because offsets do not change when a space becomes a line end.
    lines = tuple((each.range.start.line, each.range.start.character) for each in items)
    stamp = f"{generations}.{hash((checked.findings, lines)):x}"
    verdicts = checked.verdicts
    return CheckedDocument(items, stamp, asked.document.version, verdicts, summarise_citations(verdicts))


def _locate(asked: DocumentRequest, place: Related) -> t.Location | None:
    assert place.authority is not None
    library = place.hold(asked.snapshot)
    return asked.location(library.locate(place.authority, place.span.start, place.span.end))


def _to_diagnostic(asked: DocumentRequest, finding: Finding, places: Places | None) -> t.Diagnostic:
    related = []
    for each in finding.related if places is not None else ():
        location: t.Location | None
        if each.authority is None:
            location = t.Location(asked.document.uri, asked.range(each.span))
        else:
            assert places is not None
            location = places.recall(each, partial(_locate, asked, each))
        if location is not None:
            related.append(t.DiagnosticRelatedInformation(location, each.message))
    return t.Diagnostic(
        range=asked.range(finding.span),
        message=finding.message,
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        source="lexls",
        tags=[t.DiagnosticTag.Unnecessary] if finding.rule.unnecessary else None,
        related_information=related or None,
    )


CHECKED_NOTIFICATION = "lexls/checked"
"""Notification with the number of citations per verdict in an open draft, sent when a check changes them."""
QUIET_SECONDS = 0.15
IDLE_SECONDS = 4.0
"""Seconds after the last change of a draft before the slow checks run."""
LIBRARY_SECONDS = 1.0
"""Seconds to wait before drafts are rechecked after a library change. A busy indexer changes the library
constantly.
"""


_NO_DRAFT = CheckedDocument([], "", 0, {}, "")


def shows_related(server: LexlsServer) -> bool:
    """Return whether the client shows related locations of diagnostics."""
    related = ("diagnostic", "publish_diagnostics.related_information")
    return any(server.find_capability(f"text_document.{each}") for each in related)


class Diagnostics:
    """Checks open drafts and reports findings to the editor. Use it on the event loop only.

    An editor that requests (pulls) diagnostics gets them on request; any other editor is sent them after each
    pause in typing. At an editor's first request, the diagnostics that it was sent before are cleared:
    editors keep both kinds apart and would show each finding twice.
    """

    def __init__(self, server: LexlsServer) -> None:
        self._server = server
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._idle: dict[str, asyncio.Task[None]] = {}
        self._shown: set[str] = set()
        self._counted: dict[str, dict[str, object]] = {}
        """The verdict counts last sent for each draft, by URI."""
        self._asked = False
        self._refreshing: asyncio.Task[None] | None = None
        self._places = Places(MOST_PLACES)
        server.watchers.append(self._library_changed)

    def schedule(self, uri: str, seconds: float = QUIET_SECONDS) -> None:
        """Schedule a check of a draft after a pause. An earlier check of it that is still waiting or running
        is cancelled.
        """
        self._look_later(uri)
        if self._asked:
            return
        self._stop_waiting(uri)
        self._waiting[uri] = self._server.spawn(self._check(uri, seconds))

    def _stop_waiting(self, uri: str) -> None:
        earlier = self._waiting.pop(uri, None)
        if earlier is not None:
            earlier.cancel()

    def _look_later(self, uri: str) -> None:
        """Schedule the slow checks of a draft, to run once it has not changed for ``IDLE_SECONDS``."""
        earlier = self._idle.pop(uri, None)
        if earlier is not None:
            earlier.cancel()
        self._idle[uri] = self._server.spawn(self._find_late(uri))

    async def _find_late(self, uri: str) -> None:
        await asyncio.sleep(IDLE_SECONDS)
        if self._server.session_of(uri).is_authority(to_path(uri)):
            return

        def find(asked: DocumentRequest) -> bool:
            return asked.session.checker.find_late(asked.snapshot, asked.document, asked.token)

        if not await self._server.answer(uri, find, False, f"late {uri}"):
            return
        if self._asked:
            await self._refresh()
        else:
            self._waiting[uri] = self._server.spawn(self._check(uri, 0.0))

    def clear(self, uri: str) -> None:
        """Clear the diagnostics of a closed document."""
        self._stop_waiting(uri)
        idle = self._idle.pop(uri, None)
        if idle is not None:
            idle.cancel()
        self._counted.pop(uri, None)
        if uri in self._shown:
            self._shown.discard(uri)
            self._server.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri, []))

    async def answer(self, params: t.DocumentDiagnosticParams) -> t.DocumentDiagnosticReport:
        """Return a document's diagnostics, or "unchanged" if the editor already has them."""
        if not self._asked:
            self._asked = True
            for uri in [*self._waiting, *self._shown]:
                self.clear(uri)
                self._look_later(uri)
        uri = params.text_document.uri
        found = await self._found(uri)
        if found is None:
            # The library is not open yet. Once it is, the editor is asked to request again.
            return t.RelatedFullDocumentDiagnosticReport([], result_id="")
        self._count(uri, found)
        if found.stamp == params.previous_result_id:
            return t.RelatedUnchangedDocumentDiagnosticReport(result_id=found.stamp)
        return t.RelatedFullDocumentDiagnosticReport(found.items, result_id=found.stamp)

    def _library_changed(self, session: Session) -> None:
        if self._asked:
            if self._refreshing is None or self._refreshing.done():
                self._refreshing = self._server.spawn(self._refresh())
            return
        for document in self._server.documents:
            if document.uri in self._waiting and not self._waiting[document.uri].done():
                continue
            if self._server.session_of(document.uri) is session:
                self.schedule(document.uri, LIBRARY_SECONDS)

    async def _refresh(self) -> None:
        """Ask an editor that pulls diagnostics to request them again, if it supports that."""
        if self._server.find_capability("workspace.diagnostics.refresh_support"):
            await asyncio.sleep(LIBRARY_SECONDS)
            await self._server.workspace_diagnostic_refresh_async(None)

    async def _check(self, uri: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        document = self._server.documents.get(uri)
        found = await self._found(uri)
        current = self._server.documents.get(uri)
        if not found or not found.stamp or document is None or current is None:
            return
        if current.version != document.version:
            return
        self._shown.add(uri)
        self._server.text_document_publish_diagnostics(
            t.PublishDiagnosticsParams(uri, found.items, version=document.version)
        )
        self._count(uri, found)

    def _count(self, uri: str, found: CheckedDocument) -> None:
        """Send the verdict counts of an open draft if they have changed and the client shows lexls's
        status.
        """
        server, document = self._server, self._server.documents.get(uri)
        if not found.stamp or document is None or document.version != found.version:
            return
        if server.find_own_capability("status") is not True:
            return
        counted = {
            "uri": uri,
            "version": found.version,
            "summary": found.summary,
            "counts": dict(found.verdicts),
        }
        if self._counted.get(uri) != counted:
            self._counted[uri] = counted
            server.protocol.notify(CHECKED_NOTIFICATION, counted)

    async def _found(self, uri: str) -> CheckedDocument | None:
        """Check a document and return the result, or None if the library is not open yet. A document that is
        not a draft gets no diagnostics and no stamp.
        """
        server = self._server
        if server.documents.get(uri) is None:
            return _NO_DRAFT
        session = server.session_of(uri)
        if session.service is None or session.is_authority(to_path(uri)):
            return _NO_DRAFT  # the user cannot correct a judgment's own citations
        places = self._places if shows_related(server) else None
        return await server.answer(uri, partial(check_open, places=places), None, uri)


def choose_kind(server: LexlsServer) -> None:
    """Disable pull diagnostics for an editor that cannot be asked to refresh them. Such an editor would never
    learn that a library was opened or changed.

    Call it once the client's capabilities are known, before the server sends its own.
    """
    if not server.find_capability("workspace.diagnostics.refresh_support"):
        server.protocol.fm.features.pop(t.TEXT_DOCUMENT_DIAGNOSTIC, None)
