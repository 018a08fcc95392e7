"""Open a workspace's settings and library for agents, and read the drafts in its folder.

A draft is checked from its beginning, as far as possible in the time that an agent waits.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexls.assessing.check import Finding
from lexls.export.report import DraftReport, examine
from lexls.index.config import IndexerConfig
from lexls.library.document import UnreadableFile
from lexls.reading.draft_files import SUFFIXES
from lexls.reading.draft_source import DraftSource
from lexls.reading.snapshot import Draft, Snapshot
from lexls.server.library_service import LibraryService, explain_failure
from lexls.server.server import CASES_SECONDS, FIRST_ANSWER_SECONDS, TICK_SECONDS
from lexls.server.session import Session
from lexls.server.status import describe_service
from lexls.server.sweeper import Sweeper
from lexls.text.cancel import Cancelled, CancelToken
from lexls.text.formats import format_of

log = logging.getLogger(__name__)

UNSAVED = "untitled:draft"
"""Address of a draft that is given as text."""
_WAIT_SECONDS = 0.1


class Unanswerable(Exception):
    """A question that cannot be answered; the message gives the agent the reason."""


@dataclass(frozen=True, slots=True)
class AskedDraft:
    """A draft that an agent asks about. ``path`` is relative to the workspace, or None for a draft given as
    text.
    """

    source: DraftSource
    path: Path | None

    @property
    def length(self) -> int:
        """The length of the draft in code points."""
        return len(self.source.text)

    def find_end(self, most: int) -> int:
        """Return the end of the last paragraph, line or word that ends within the first ``most`` code
        points.
        """
        return self.source.find_end(most)

    @property
    def name(self) -> str:
        """The draft's name in an answer."""
        return self.path.as_posix() if self.path is not None else "the draft"


class Desk:
    """A workspace and its library, which is kept open and up to date in the background. Safe to use from any
    thread.

    ``editor`` has settings in the form in which editors send them; they override those in files. ``index`` is
    the path of the index (None: as set in the settings).
    """

    def __init__(self, workspace: Path, editor: Mapping[str, Any], index: Path | None = None) -> None:
        self.workspace = workspace.resolve()
        self._editor = editor
        self._index = index
        self._service: LibraryService | None = None
        self._record: LibraryService | None = None
        self._ended = threading.Event()
        self._reading_cases = CancelToken()
        self._sweeper = Sweeper()
        self.session = self._open_session()

    def start(self) -> None:
        """Start background threads that keep the library, the settings and the user's own cases up to date.
        The cases have a separate thread, since embedding many of them takes long the first time.
        """
        for work, seconds in ((self._look_after, TICK_SECONDS), (self._follow_cases, CASES_SECONDS)):
            threading.Thread(target=self._repeat, args=(work, seconds), daemon=True).start()

    def close(self) -> None:
        """Close the library, and end its indexer if this process started it."""
        self._ended.set()
        self._reading_cases.cancel()
        for service in filter(None, (self._service, self._record)):
            service.close()

    @property
    def service(self) -> LibraryService:
        """The library's service. Raises ``Unanswerable`` if the settings name no library."""
        service = self.session.service
        if service is None:
            raise Unanswerable(
                f"there is no library: name its folders in a lexls.toml of {self.workspace} "
                "(library.folders), or start `lexls mcp --library FOLDER`"
            )
        return service

    def explain_failure(self, error: Exception) -> str:
        """Return why a question was not answered if an index is the cause, or ""."""
        return explain_failure(error, [each for each in (self._service, self._record) if each is not None])

    def snapshot(self, token: CancelToken, draft: Draft | None = None) -> Snapshot:
        """Return a snapshot of a draft (None: an empty one), the library and the record. Waits for the
        library and the record to open.

        Raises ``Unanswerable`` if the library cannot be opened, and ``Cancelled``.
        """
        service, session = self.service, self.session
        self._sweeper.asked()
        until = time.monotonic() + FIRST_ANSWER_SECONDS
        for each in filter(None, (service, session.record)):
            while each.library is None and time.monotonic() < until:
                each.wait(_WAIT_SECONDS)
                token.raise_if_cancelled()
        if draft is not None:
            session.read_first(draft)
        found = session.snapshot_of(draft if draft is not None else self.read_text(""))
        if found is None:
            raise Unanswerable(f"the library cannot be asked yet: {describe_service(service).message}")
        return found

    def read_text(self, text: str, language: str = "") -> Draft:
        """Parse a text as a draft. ``language`` is the editors' name of its format; "" is plain text."""
        return self.session.read_other(UNSAVED, text, language)

    def read_draft(self, text: str, path: str, language: str) -> AskedDraft:
        """Read a draft without parsing it: either ``text`` in the format ``language``, or the file ``path``
        in the workspace.

        Raises ``Unanswerable`` if the draft cannot be read or lexls may not read it.
        """
        if bool(text) == bool(path):
            raise Unanswerable("give the draft either as `text` or as a `path` within the workspace")
        if text:
            return AskedDraft(DraftSource(UNSAVED, text, format_of(language, UNSAVED)), None)
        file = self._find_file(path)
        try:
            return AskedDraft(self.session.read_source(file), file.relative_to(self.workspace))
        except UnreadableFile as error:
            raise Unanswerable(f"{path}: {error}") from error

    def parse_draft(self, given: AskedDraft, end: int) -> Draft:
        """Parse the part of a draft before the code point ``end``."""
        return self.session.parse_source(given.source, end)

    def _find_file(self, name: str) -> Path:
        """Return the path of a draft in the workspace, with links resolved. Raises ``Unanswerable`` for any
        other file.
        """
        try:
            path = (self.workspace / name).resolve()
        except (OSError, ValueError, RuntimeError):
            raise Unanswerable("the path is none that this system can have") from None
        if not path.is_relative_to(self.workspace):
            raise Unanswerable(
                f"{name} lies outside the workspace {self.workspace}; only drafts in it are read"
            )
        if self.session.is_authority(path):
            raise Unanswerable(
                f"{name} is of the library or the record, and no draft; `read_passage` reads what is in them"
            )
        if path.suffix.lower() not in SUFFIXES:
            known = ", ".join(sorted(SUFFIXES))
            raise Unanswerable(f"{name}: only drafts are read, whose names end in {known}")
        if not path.is_file():
            raise Unanswerable(f"{name}: there is no such file in the workspace {self.workspace}")
        return path

    # -- looking after it ------------------------------------------------------------------------------------

    def _open_session(self) -> Session:
        session = Session(self.workspace, self._editor)
        library, papers = session.find_configs(self._index)
        idle_seconds = 60.0 * session.settings.models_idle_minutes
        session.service = self._service = _open_service(library, self._service, idle_seconds)
        session.record = self._record = _open_service(papers, self._record, 0.0)
        return session

    def _repeat(self, work: Callable[[], None], seconds: float) -> None:
        """Repeat ``work`` every ``seconds`` until the desk is closed."""
        while not self._ended.is_set():
            try:
                work()
            except Cancelled:
                return
            except Exception as error:  # without the message, which may quote a document
                log.warning("%s while the library was looked after", type(error).__name__)
            self._ended.wait(seconds)

    def _look_after(self) -> None:
        if self.session.settings_changed():
            self.session = self._open_session()
        if self._service is not None and self._service.tick():
            self.session.warm()
        if self._record is not None:
            self._record.tick()
        self._sweeper.sweep_if_due()

    def _follow_cases(self) -> None:
        self.session.follow_cases(self._reading_cases)


def _open_service(
    config: IndexerConfig | None, before: LibraryService | None, idle_seconds: float
) -> LibraryService | None:
    """Return the service for a configuration (None: no service). The service ``before`` is returned again if
    its configuration is the same; otherwise it is replaced.
    """
    if before is not None and before.config == config:
        return before
    service = LibraryService(config, idle_seconds) if config is not None else None
    if service is not None and before is not None and service.may_follow(before):
        service.follow(before)
        before.end_indexer()
    elif before is not None:
        before.close()
    return service


SECONDS = 30.0
"""Seconds allowed for checking one draft; most clients give a tool a minute."""
AT_ONCE = 100_000
"""Number of code points checked first. This is about a brief of forty pages and takes a second or two."""
FEWEST = 10_000
"""Number of code points checked instead if ``AT_ONCE`` takes longer than ``SECONDS``."""
_GROWTH = 2
"""Factor by which the part to be checked grows while time remains. The time needed is expected to grow by the
same factor.
"""


@dataclass(frozen=True, slots=True)
class Examined:
    """The findings in a draft before the code point ``end``. If the whole draft was checked, ``end`` is its
    length.
    """

    draft: AskedDraft
    snapshot: Snapshot
    findings: list[Finding]
    report: DraftReport
    end: int


def examine_within(
    desk: Desk, given: AskedDraft, token: CancelToken, *, support: bool, seconds: float = SECONDS
) -> Examined:
    """Check a draft from its beginning, in growing parts, until it is complete or the time is up. Return the
    findings in the last part that was checked in time.

    Raises ``Unanswerable`` if there is not enough time for even ``FEWEST`` code points, and ``Cancelled``.
    """
    length, left, found = given.length, seconds, None
    end = given.find_end(AT_ONCE)
    while found is None or found.end < length:
        started = time.monotonic()
        examined = _examine(desk, given, end, token, support, seconds if found is None else left)
        taken = time.monotonic() - started
        left -= taken
        if examined is None and found is None and end > given.find_end(FEWEST):
            end = given.find_end(FEWEST)
            continue
        if examined is None:
            break
        found = examined
        if left < _GROWTH * taken:
            break
        end = given.find_end(_GROWTH * end)
    if found is None:
        raise Unanswerable(
            f"checking the first {end:,} characters of the draft takes longer than {seconds:.0f} seconds; "
            "give a shorter part of it"
        )
    return found


def _examine(
    desk: Desk, given: AskedDraft, end: int, token: CancelToken, support: bool, seconds: float
) -> Examined | None:
    """Check a draft up to ``end`` and return the findings, or None if that takes longer than ``seconds``.
    Raises ``Cancelled``.
    """
    draft = desk.parse_draft(given, end)
    snapshot = desk.snapshot(token, draft)
    with _limited(token, seconds) as limited:
        try:
            findings, report = examine(snapshot, limited, support=support)
        except Cancelled:
            token.raise_if_cancelled()
            return None
    return Examined(given, snapshot, findings, report, end)


@contextlib.contextmanager
def _limited(token: CancelToken, seconds: float) -> Iterator[CancelToken]:
    """Provide a token that is cancelled with ``token`` or after ``seconds``."""
    limited = CancelToken()
    timer = threading.Timer(seconds, limited.cancel)
    timer.daemon = True
    forget = token.on_cancel(limited.cancel)
    timer.start()
    try:
        yield limited
    finally:
        timer.cancel()
        forget()
