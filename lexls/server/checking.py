"""Choose when drafts are checked, and send what is found as diagnostics."""

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
"""Where places of authorities and of the record open, worked out once for a state of both, since a line
number takes a look at the whole text; None for one that is gone."""


@dataclass(frozen=True, slots=True)
class CheckedDocument:
    """A document after a check: its diagnostics, and the verdicts on its citations.

    ``stamp`` changes with the diagnostics; it is "" for a document that is no draft. ``verdicts`` counts the
    citations of this ``version`` that have each verdict, and ``summary`` says so in a line.
    """

    items: list[t.Diagnostic]
    stamp: str
    version: int
    verdicts: Mapping[Verdict, int]
    summary: str


def check_open(asked: DocumentRequest, places: Places | None) -> CheckedDocument:
    """Check an open document; see `to_diagnostics`. Raises ``Cancelled``."""
    checked = asked.session.checker.find(asked.snapshot, asked.document, asked.token)
    return to_diagnostics(asked, checked, places)


def to_diagnostics(asked: DocumentRequest, checked: CheckedDraft, places: Places | None) -> CheckedDocument:
    """Return what was found in a document as diagnostics.

    With ``places`` they open the authorities that they point into.
    """
    from lexls.assessing.rules.engine import list_libraries
    from lexls.assessing.verdicts import summarise_citations

    libraries = list_libraries(asked.snapshot)
    if places is not None:
        places.renew(tuple((each.path, each.generation) for each in libraries))
    items = [_to_diagnostic(asked, each, places) for each in checked.findings]
    generations = "-".join(str(each.generation) for each in libraries)
    # The offsets stay where a space becomes a line end.
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
"""The verdicts on the citations of an open draft, counted, after each check that changes them."""
QUIET_SECONDS = 0.15
IDLE_SECONDS = 4.0
"""So long after the last change of a draft what takes long is looked for in it."""
LIBRARY_SECONDS = 1.0
"""While the indexer is busy the library changes all the time: drafts are checked again this often."""


_NO_DRAFT = CheckedDocument([], "", 0, {}, "")


def shows_related(server: LexlsServer) -> bool:
    """Return whether the client shows the places that a diagnostic points at."""
    related = ("diagnostic", "publish_diagnostics.related_information")
    return any(server.find_capability(f"text_document.{each}") for each in related)


class Diagnostics:
    """Checks open drafts and tells the editor what is found. Belongs to the event loop.

    An editor that asks for diagnostics is answered; one that never asks is sent them after each pause in
    typing. Which kind an editor is shows when it first asks: what was sent until then is taken back, since
    editors keep the two apart and would show everything twice.
    """

    def __init__(self, server: LexlsServer) -> None:
        self._server = server
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._idle: dict[str, asyncio.Task[None]] = {}
        self._shown: set[str] = set()
        self._counted: dict[str, dict[str, object]] = {}
        """What was last sent of each draft's verdicts, by its URI."""
        self._asked = False
        self._refreshing: asyncio.Task[None] | None = None
        self._places = Places(MOST_PLACES)
        server.watchers.append(self._library_changed)

    def schedule(self, uri: str, seconds: float = QUIET_SECONDS) -> None:
        """Check a draft after a pause; a check that is waiting or running for it is dropped."""
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
        """Look for what takes long when a draft has not been changed for a while."""
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
        """A document was closed: its diagnostics go."""
        self._stop_waiting(uri)
        idle = self._idle.pop(uri, None)
        if idle is not None:
            idle.cancel()
        self._counted.pop(uri, None)
        if uri in self._shown:
            self._shown.discard(uri)
            self._server.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri, []))

    async def answer(self, params: t.DocumentDiagnosticParams) -> t.DocumentDiagnosticReport:
        """Everything there is to tell about a document, or that it is still what was told last."""
        if not self._asked:
            self._asked = True
            for uri in [*self._waiting, *self._shown]:
                self.clear(uri)
                self._look_later(uri)
        uri = params.text_document.uri
        found = await self._found(uri)
        if found is None:
            # The library is not open yet: nothing is known. When it opens, the editor is told to ask again.
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
        """Tell an editor that asks to ask again, where it can be told."""
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
        """Send the counted verdicts of an open draft, if they changed and the client asked for the status."""
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
        """Check a document; None if nobody can tell yet. What is no draft has no diagnostics and no stamp."""
        server = self._server
        if server.documents.get(uri) is None:
            return _NO_DRAFT
        session = server.session_of(uri)
        if session.service is None or session.is_authority(to_path(uri)):
            return _NO_DRAFT  # a judgment's own citations are not the user's to mend
        places = self._places if shows_related(server) else None
        return await server.answer(uri, partial(check_open, places=places), None, uri)


def choose_kind(server: LexlsServer) -> None:
    """Do not ask to be asked by an editor that cannot be told to ask again: it would never hear of a library
    that opened or changed. Called when the client has said what it can, before the server announces itself.
    """
    if not server.find_capability("workspace.diagnostics.refresh_support"):
        server.protocol.fm.features.pop(t.TEXT_DOCUMENT_DIAGNOSTIC, None)
