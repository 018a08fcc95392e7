"""Report findings in the workspace's drafts that are not open, to clients that ask for them.

Open drafts are reported only by `lexls.server.checking`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.checking import MOST_PLACES, Places, shows_related, to_diagnostics
from lexls.server.convert import to_uri
from lexls.server.documents import OpenDocument
from lexls.server.protocol import RequestRefused
from lexls.server.server import FIRST_ANSWER_SECONDS, DocumentRequest, LexlsServer
from lexls.server.workspace_drafts import MOST_DRAFTS, list_closed, read_closed
from lexls.text.cancel import CancelToken
from lexls.text.lines import LineIndex
from lexls.text.memory import Memory
from lexls.text.paths import stamp_file

if TYPE_CHECKING:
    from lexls.server.session import Session
    from lexls.text.format import Format


SETTLE_SECONDS = 1.0
"""Seconds to wait after a change before the drafts are listed again, since changes come in bursts."""
FOLLOW_SECONDS = 10.0
"""Seconds between two checks for changed drafts if the client cannot report changed files."""
QUIET_SECONDS = 1.0
"""Seconds without another request before a draft is checked in the background."""
MOST_QUIET_SECONDS = 10.0
"""Maximum time, in seconds, that a check waits for other requests to end."""
REST = 2
"""Pause after a check, as a multiple of its time: checks use at most a third of a processor core."""
MOST_REST_SECONDS = 5.0
"""Maximum pause after a check, in seconds."""

LISTING_REST = 10
"""Minimum pause between two searches for drafts, as a multiple of the time that one search takes."""

_ON_DISK = ".disk"
"""Suffix of the result ids of drafts that are not open."""
_Report = t.WorkspaceFullDocumentDiagnosticReport | t.WorkspaceUnchangedDocumentDiagnosticReport
_Stamp = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Listed:
    """A draft on disk. ``stamp`` identifies the state of its file; ``kin`` has the stamps of the drafts that
    may include it.
    """

    uri: str
    path: Path
    session: Session
    stamp: _Stamp
    kin: tuple[_Stamp, ...]

    @property
    def own(self) -> object:
        """The state that the draft's findings depend on, apart from the libraries and the draft's
        bibliography.
        """
        return self.stamp, self.kin, self.session.settings


@dataclass(frozen=True, slots=True)
class _CheckedFile:
    """The findings in a draft on disk, and the state of the draft, its bibliography and the libraries at the
    time of the check.
    """

    own: object
    named: tuple[tuple[Path, _Stamp | None], ...]
    libraries: object
    items: list[t.Diagnostic]
    result_id: str
    seconds: float


class ClosedDrafts:
    """Checks the workspace's drafts that are not open, one at a time. Use it on the event loop only.

    A draft is rechecked when its file, its settings, its bibliography or a library changes. A busy indexer
    changes the library constantly, so drafts that were already checked wait until the indexer is idle.
    """

    def __init__(self, server: LexlsServer) -> None:
        self._server = server
        self._checked: dict[str, _CheckedFile] = {}
        self._places = Places(MOST_PLACES)
        self._left: set[str] = set()
        """Documents closed since the last check, recorded once a client has requested diagnostics."""
        self._asked = False
        self._behind = False
        """True if a draft waits until the indexer is idle."""
        self._listing_seconds = 0.0
        self._waiting: set[asyncio.Event] = set()
        server.watchers.append(lambda session: self.wake())

    def wake(self) -> None:
        """Wake waiting requests to check for new findings, after a file, an open draft, a setting or a
        library has changed.
        """
        for each in self._waiting:
            each.set()

    def leave(self, uri: str) -> None:
        """Record that a document was closed, so that its findings are reported from its file."""
        if self._asked:
            self._left.add(uri)
            self.wake()

    async def answer(self, params: t.WorkspaceDiagnosticParams) -> t.WorkspaceDiagnosticReport:
        """Return a report on each draft that is not open: its findings, or "unchanged" if the client already
        has them.

        If the client gave a token for partial results, each report is sent as soon as it is ready. If no
        report is new, the request waits until one is, since clients that give a token keep asking.
        """
        self._asked = True
        known = {each.uri: each.value for each in params.previous_result_ids}
        token = params.partial_result_token
        changed = asyncio.Event()
        self._waiting.add(changed)
        try:
            found, news = await self._report(known, token)
            while token is not None and not news:
                await self._wait(changed)
                changed.clear()
                _, news = await self._report(known, token, again=True)
            return t.WorkspaceDiagnosticReport(found)
        finally:
            self._waiting.discard(changed)

    async def answer_one(self, params: t.DocumentDiagnosticParams) -> t.DocumentDiagnosticReport:
        """Return the report on one draft that is not open. Editors request it once more when they close a
        draft.
        """
        uri = params.text_document.uri
        for each in await self._list():
            if each.uri == uri and (checked := await self._find(each, waits=True)) is not None:
                return t.RelatedFullDocumentDiagnosticReport(checked.items, result_id=checked.result_id)
        return t.RelatedFullDocumentDiagnosticReport([], result_id="")

    async def _report(
        self, known: dict[str, str], token: t.ProgressToken | None, *, again: bool = False
    ) -> tuple[list[_Report], bool]:
        """Check all drafts once. With a ``token``, send the reports as partial results.

        Return the reports that were not sent, and whether any report is new, sent or not. ``known`` maps the
        URIs of the client's drafts to their result ids and is updated. With ``again``, unchanged reports are
        not sent.
        """
        left: list[_Report] = []
        news = False
        async for report in self._look(known, in_background=token is not None):
            is_new = isinstance(report, t.WorkspaceFullDocumentDiagnosticReport)
            news |= is_new
            if token is None:
                left.append(report)
            elif is_new or not again:
                value = t.WorkspaceDiagnosticReportPartialResult([report])
                self._server.progress(t.ProgressParams(token, value))
        return left, news

    async def _look(self, known: dict[str, str], *, in_background: bool) -> AsyncIterator[_Report]:
        listed = await self._list()
        there = {each.uri for each in listed}
        self._checked = {uri: each for uri, each in self._checked.items() if uri in there}
        left, self._left = self._left, set()
        # Open drafts are reported elsewhere. For a closed one, the client may still show those findings.
        for uri in {*left, *(uri for uri, value in known.items() if value.endswith(_ON_DISK))}:
            is_open = self._server.documents.get(uri) is not None
            if uri not in there and not (is_open and not known.get(uri, "").endswith(_ON_DISK)):
                known[uri] = ""
                yield t.WorkspaceFullDocumentDiagnosticReport(uri, [], result_id="")
        self._behind = False
        if in_background:
            await self._server.wait_for_quiet(QUIET_SECONDS, MOST_QUIET_SECONDS)
        for each in listed:
            before = self._checked.get(each.uri)
            checked = await self._find(each, waits=not in_background and each is listed[0])
            self._behind |= checked is before and not _is_current(each, checked)
            if checked is None or self._server.documents.get(each.uri) is not None:
                continue
            if known.get(each.uri) == checked.result_id:
                yield t.WorkspaceUnchangedDocumentDiagnosticReport(each.uri, checked.result_id)
            else:
                known[each.uri] = checked.result_id
                yield t.WorkspaceFullDocumentDiagnosticReport(
                    each.uri, checked.items, result_id=checked.result_id
                )
            if in_background and checked is not before:
                await asyncio.sleep(min(REST * checked.seconds, MOST_REST_SECONDS))
                await self._server.wait_for_quiet(QUIET_SECONDS, MOST_QUIET_SECONDS)

    async def _wait(self, changed: asyncio.Event) -> None:
        """Wait until drafts may have changed, then a little longer for related changes."""
        watches = self._server.find_capability("workspace.did_change_watched_files.dynamic_registration")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None if watches and not self._behind else FOLLOW_SECONDS):
                await changed.wait()
        await asyncio.sleep(max(SETTLE_SECONDS, LISTING_REST * self._listing_seconds))

    async def _list(self) -> list[_Listed]:
        """List the drafts to check."""
        opened = frozenset(each.uri for each in self._server.documents)
        started = time.monotonic()
        listed = await self._server.run_aside(partial(self._walk, opened))
        self._listing_seconds = time.monotonic() - started
        return listed

    def _walk(self, opened: Collection[str], token: CancelToken) -> list[_Listed]:
        """List the drafts to check; runs on a worker thread. Raises ``Cancelled``."""
        from lexls.text.formats import format_of

        server = self._server
        sessions: Memory[Path, Session | None] = Memory()
        found = []
        for folder in server.folders:
            session = server.find_session(to_uri(folder))
            paths = list_closed(session, [folder], opened, token) if session is not None else ()
            for path in islice(paths, MOST_DRAFTS):
                own = sessions.recall(path.parent, partial(server.find_session, to_uri(path)))
                stamp = stamp_file(path)
                if own is None or stamp is None or own.service is None or own.is_authority(path):
                    continue
                if own.settings.check_closed_drafts:
                    found.append((path, own, stamp, format_of("", path.name)))
        stamps: defaultdict[Format, list[_Stamp]] = defaultdict(list)
        for _, _, stamp, format in found:
            stamps[format].append(stamp)
        return [
            _Listed(to_uri(path), path, own, stamp, tuple(stamps[format]) if format.inclusion else ())
            for path, own, stamp, format in found[:MOST_DRAFTS]
        ]

    async def _find(self, draft: _Listed, *, waits: bool) -> _CheckedFile | None:
        """Return the findings in a draft, which is rechecked if anything has changed. Returns None if the
        draft cannot be read or there is no library yet. With ``waits``, wait a short time for the library.
        """
        before = self._checked.get(draft.uri)
        try:
            found = await self._server.run_aside(partial(self._check, draft, before, waits))
        except RequestRefused:  # an index is being reopened, which will trigger another check
            return before
        except Exception as error:  # a failure in one draft must not affect the others
            self._server.report_server_error(error, None)
            return None
        if found is not None:
            self._checked[draft.uri] = found
        return found

    def _check(
        self, draft: _Listed, before: _CheckedFile | None, waits: bool, token: CancelToken
    ) -> _CheckedFile | None:
        """Check a draft on a worker thread. Raises ``Cancelled``."""
        from lexls.assessing.rules.engine import check_all

        started = time.monotonic()
        session = draft.session
        if (
            before is not None
            and before.own == draft.own
            and all(stamp_file(path) == stamp for path, stamp in before.named)
            and (_is_current(draft, before) or _is_busy(session))
        ):
            return before
        if waits and session.service is not None:
            session.service.wait(FIRST_ANSWER_SECONDS)
        token.raise_if_cancelled()
        source = read_closed(draft.path)
        snapshot = session.snapshot_of(session.read_closed(draft.uri, source)) if source is not None else None
        if source is None or snapshot is None:
            return None
        libraries = _describe_libraries(session)
        places = self._places if shows_related(self._server) else None
        document = OpenDocument(draft.uri, "", 0, source, LineIndex(source))
        asked = DocumentRequest(self._server, session, snapshot, document, token)
        checked = to_diagnostics(asked, check_all(snapshot, token), places)
        bibliography = snapshot.draft.bibliography
        named = tuple((path, stamp_file(path)) for path in bibliography.paths) if bibliography else ()
        seconds = time.monotonic() - started
        return _CheckedFile(draft.own, named, libraries, checked.items, checked.stamp + _ON_DISK, seconds)


def _describe_libraries(session: Session) -> object:
    """Return the state of the library and of the record, on which findings depend."""
    libraries = [each.library for each in (session.service, session.record) if each is not None]
    return [(each.path, each.generation, each.complete) for each in libraries if each is not None]


def _is_current(draft: _Listed, checked: _CheckedFile | None) -> bool:
    """Return whether a draft's findings are up to date with the libraries; also true for a draft without
    findings.
    """
    return checked is None or checked.libraries == _describe_libraries(draft.session)


def _is_busy(session: Session) -> bool:
    """Return whether an indexer is changing the library or the record."""
    services = filter(None, (session.service, session.record))
    progress = [each.progress() for each in services]
    return any(each is not None and each.phase != "idle" for each in progress)
