"""Hold what agents ask about: a workspace's settings, its library, and the drafts in its folder.

Of a draft as much is checked, from its beginning, as the time allows that an agent waits.
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
"""What a draft is called that is given as text."""
_WAIT_SECONDS = 0.1


class Unanswerable(Exception):
    """What was asked cannot be answered; the message says why, for whoever asked."""


@dataclass(frozen=True, slots=True)
class AskedDraft:
    """A draft that somebody asks about; ``path`` is where it lies below the workspace, None if it is text."""

    source: DraftSource
    path: Path | None

    @property
    def length(self) -> int:
        """The length of the draft in code points."""
        return len(self.source.text)

    def find_end(self, most: int) -> int:
        """Return where the last paragraph, line or word ends within the first ``most`` code points."""
        return self.source.find_end(most)

    @property
    def name(self) -> str:
        """What it is called in an answer."""
        return self.path.as_posix() if self.path is not None else "the draft"


class Desk:
    """The workspace, its library kept open and current beside the requests. For any thread.

    ``editor`` are settings that come before those of files, as an editor gives them, ``index`` is where the
    index lies (None: where the settings say).
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
        """Begin to look after the library and the settings' files, and after the user's own cases beside it,
        since the vectors of many take long the first time."""
        for work, seconds in ((self._look_after, TICK_SECONDS), (self._follow_cases, CASES_SECONDS)):
            threading.Thread(target=self._repeat, args=(work, seconds), daemon=True).start()

    def close(self) -> None:
        """Close the library, and end its indexer if it is this process'."""
        self._ended.set()
        self._reading_cases.cancel()
        for service in filter(None, (self._service, self._record)):
            service.close()

    @property
    def service(self) -> LibraryService:
        """The library. Raises ``Unanswerable`` where the settings name none."""
        service = self.session.service
        if service is None:
            raise Unanswerable(
                f"there is no library: name its folders in a lexls.toml of {self.workspace} "
                "(library.folders), or start `lexls mcp --library FOLDER`"
            )
        return service

    def explain_failure(self, error: Exception) -> str:
        """Return why a question was not answered, if an index is the reason; "" if none is."""
        return explain_failure(error, [each for each in (self._service, self._record) if each is not None])

    def snapshot(self, token: CancelToken, draft: Draft | None = None) -> Snapshot:
        """A draft (None: an empty one) with the library and the record, as soon as these are open.

        Raises ``Unanswerable`` where it cannot be opened, and ``Cancelled``.
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
        """A draft that is text; ``language`` is its format as editors call it, plain text without one."""
        return self.session.read_other(UNSAVED, text, language)

    def read_draft(self, text: str, path: str, language: str) -> AskedDraft:
        """The draft that is given as ``text`` in a ``language``, or as a ``path`` below the workspace, before
        it is parsed.

        Raises ``Unanswerable`` for one that may not be read, or cannot be.
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
        """Parse what stands before the code point ``end`` of a draft."""
        return self.session.parse_source(given.source, end)

    def _find_file(self, name: str) -> Path:
        """The file of a draft, links resolved. Raises ``Unanswerable`` for any other."""
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
        """The pulse, until the desk is closed."""
        while not self._ended.is_set():
            try:
                work()
            except Cancelled:
                return
            except Exception as error:  # never its message, which may quote a document
                log.warning("%s while the library was looked after", type(error).__name__)
            self._ended.wait(seconds)

    def _look_after(self) -> None:
        if self.session.settings_changed():
            self.session = self._open_session()
        if self._service is not None and self._service.tick():
            self.session.warm()
        if self._record is not None:
            self._record.tick()
        self._sweeper.sweep_if_idle()

    def _follow_cases(self) -> None:
        self.session.follow_cases(self._reading_cases)


def _open_service(
    config: IndexerConfig | None, before: LibraryService | None, idle_seconds: float
) -> LibraryService | None:
    """The service of a configuration (None: none): the one ``before``, if that has it, or else a new one."""
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
"""Time for checking one draft; most clients give a tool a minute."""
AT_ONCE = 100_000
"""Code points that are checked together: a brief of forty pages, which takes a second or two."""
FEWEST = 10_000
"""Code points that are checked instead if ``AT_ONCE`` takes longer than ``SECONDS``."""
_GROWTH = 2
"""How many times as much is checked next while time is left; that takes as many times as long."""


@dataclass(frozen=True, slots=True)
class Examined:
    """The findings on a draft up to the code point ``end``: on all of it, if that is its length."""

    draft: AskedDraft
    snapshot: Snapshot
    findings: list[Finding]
    report: DraftReport
    end: int


def examine_within(
    desk: Desk, given: AskedDraft, token: CancelToken, *, support: bool, seconds: float = SECONDS
) -> Examined:
    """Check a draft, ever more of it while the time lasts.

    Raises ``Unanswerable`` if there is no time for even ``FEWEST`` code points of it, and ``Cancelled``.
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
    """Check a draft up to ``end``; None if that takes longer than ``seconds``. Raises ``Cancelled``."""
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
    """A token that is cancelled with ``token``, or after so many seconds."""
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
