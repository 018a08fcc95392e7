"""Report the state of the libraries: progress, the ``lexls/status`` notification and the status command."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types as t

from lexls.index.unclear import list_unclear
from lexls.index.unread import describe_kinds
from lexls.server.server import LexlsServer

if TYPE_CHECKING:
    from lexls.index.records import IndexProgress
    from lexls.server.library_service import LibraryService

T = TypeVar("T")
STATUS_NOTIFICATION = "lexls/status"
PROGRESS = "lexls-library-"
"""Prefix of the tokens for library progress. It allows an editor that shows this progress in another way to
recognise them.
"""
_PHASES = {
    "failed": "",
    "paused": "Indexing is paused",
    "starting": "",
    "scanning": "Looking through the library",
    "reading": "Indexing the library",
    "citations": "Reading citations",
    "ocr": "Reading scans",
    "embedding": "Embedding passages",
    "lexical": "",
    "ready": "",
}
"""Message for each phase of a library. Of several libraries, the one in the earliest phase is shown."""


@dataclass(frozen=True, slots=True)
class LibraryStatus:
    """The state of lexls in one line, for a status item.

    ``phase`` is "starting", "scanning", "reading", "citations", "ocr" (of scans), "embedding", "paused",
    "ready", "lexical" (ready, without vectors), "failed" or "none" (no library). ``done`` and ``total`` are 0
    if nothing is counted. ``authorities`` is the number of authorities that can be searched.
    """

    phase: str
    done: int
    total: int
    message: str
    authorities: int = 0


class StatusReporter:
    """Reports the state of the libraries to the editor. Use it on the event loop only."""

    def __init__(self, server: LexlsServer) -> None:
        self._server = server
        self._last: LibraryStatus | None = None
        self._token: str | None = None
        self._title = ""
        self._told: set[str] = set()

    async def report(self) -> None:
        """Report the status if it has changed. Call this after each tick.

        Messages are shown to the user; so are problems, if the client does not show the status itself. A
        client that asked for the status is notified, and the progress bar is updated.
        """
        for service in self._server.opened:
            if news := service.take_news():
                self._server.show(t.MessageType.Warning, news)
            if service.problem and service.problem not in self._told and not self._is_asked:
                self._told.add(service.problem)
                self._server.show(t.MessageType.Error, service.problem)
        status = await self._server.run_behind(self._current)
        if status == self._last:
            return
        self._last = status
        if self._is_asked:
            self._server.protocol.notify(STATUS_NOTIFICATION, asdict(status))
        await self._progress(status)

    @property
    def _is_asked(self) -> bool:
        """True if the client wants status notifications. A client that does not know them would report an
        unknown notification to the user.
        """
        return self._server.find_own_capability("status") is True

    def _current(self) -> LibraryStatus:
        services = self._server.services
        if not self._server.sessions:
            return LibraryStatus("starting", 0, 0, "Starting")
        if not services:
            return LibraryStatus("none", 0, 0, "No library folder: set lexls.library.folders")
        # Only problems of the record are reported: its papers are not authorities.
        failing = [record for record in self._server.records if record.problem]
        states = [describe_service(service) for service in [*services, *failing]]
        order = list(_PHASES)
        shown = min(states, key=lambda state: order.index(state.phase))
        return replace(shown, authorities=sum(state.authorities for state in states))

    async def _progress(self, status: LibraryStatus) -> None:
        if not self._server.find_capability("window.work_done_progress"):
            return
        title = _PHASES[status.phase] if status.phase not in ("none", "paused") else ""
        if self._token is not None and title != self._title:
            token, self._token = self._token, None
            self._server.work_done_progress.end(token, t.WorkDoneProgressEnd(message=status.message))
        if not title:
            return
        percentage = 100 * status.done // status.total if status.total else 0
        message = f"{status.done:,} of {status.total:,}" if status.total else None
        if self._token is None:
            token = f"{PROGRESS}{uuid.uuid4()}"
            await self._server.work_done_progress.create_async(token)
            self._token, self._title = token, title
            begin = t.WorkDoneProgressBegin(title=title, message=message, percentage=percentage)
            self._server.work_done_progress.begin(token, begin)
            return
        report = t.WorkDoneProgressReport(message=message, percentage=percentage)
        self._server.work_done_progress.report(self._token, report)


def describe_service(service: LibraryService) -> LibraryStatus:
    """Return the state of one library. If its index turns out to be damaged, the state says so."""
    return _meeting_damage(service, _describe_service)


def _meeting_damage(service: LibraryService, describe: Callable[[LibraryService], T]) -> T:
    try:
        return describe(service)
    except Exception as error:
        if not service.meet_damage(error):
            raise
        return describe(service)


def _describe_service(service: LibraryService) -> LibraryStatus:
    if service.problem:
        return LibraryStatus("failed", 0, 0, service.problem)
    library = service.library
    if library is None:
        return LibraryStatus("starting", 0, 0, "Opening the library")
    progress: IndexProgress = library.status.progress()
    if progress.phase != "idle":
        message = _PHASES[progress.phase]
        if progress.total:
            message += f": {progress.done:,} of {progress.total:,}"
        return LibraryStatus(
            progress.phase, progress.done, progress.total, message, len(library.catalogue.all())
        )
    documents, passages, vectors = library.status.counts()
    failed = len(library.status.failed())
    message = f"{documents:,} authorities, {passages:,} passages"
    if missing := library.status.missing():
        message += f"; not there now, but kept in the index: {', '.join(map(str, missing))}"
    if unclear := len(library.catalogue.list_unclear()):
        message += f"; files that do not say which case they are: {unclear:,}"
    if failed:
        message += f"; {failed:,} files could not be read"
    if named := [kind for kind in library.status.unread() if kind.paths]:
        message += f"; not read: {describe_kinds(named)}"
    if vectors < passages and (reason := library.status.no_vectors_reason()):
        return LibraryStatus(
            "lexical", documents, documents, f"{message}; lexical search only: {reason}", documents
        )
    return LibraryStatus("ready", documents, documents, message, documents)


def describe(server: LexlsServer) -> dict[str, Any]:
    """Return the full status for the command ``lexls.status``. Runs on a worker thread."""
    libraries = [describe_library(service) for service in server.services]
    records = [describe_library(service) for service in server.records]
    problems = [str(problem) for session in server.sessions for problem in session.problems]
    return {"version": server.version, "libraries": libraries, "records": records, "settings": problems}


def describe_library(service: LibraryService) -> dict[str, Any]:
    """Return the full status of one library. Runs on a worker thread."""
    return _meeting_damage(service, _describe_library)


def _describe_library(service: LibraryService) -> dict[str, Any]:
    status = _describe_service(service)
    library = service.library
    documents, passages, vectors = library.status.counts() if library is not None else (0, 0, 0)
    failed = library.status.failed() if library is not None else []
    notes = library.status.warnings() if library is not None else []
    unclear = [*list_unclear(library.catalogue.list_unclear())] if library is not None else []
    return {
        "folders": [str(folder) for folder in service.config.folders],
        "index": str(service.config.index),
        "phase": status.phase,
        "message": status.message,
        "done": status.done,
        "total": status.total,
        "documents": documents,
        "passages": passages,
        "vectors": vectors,
        "embedder": library.status.embedder if library is not None else "",
        "indexer": "this server" if service.indexes() else "another process or none",
        **{
            key: [{"path": str(each.path), "reason": each.reason} for each in found]
            for key, found in (("failed", failed), ("notes", notes), ("unclear", unclear))
        },
        "unread": [asdict(kind) for kind in library.status.unread()] if library is not None else [],
    }
