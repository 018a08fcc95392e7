"""Write answers on separate threads. An answer is shown as it grows, and the user can cancel it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types as t

from lexls.server.convert import to_address, to_uri
from lexls.server.documents import OpenDocument
from lexls.server.protocol import Protocol
from lexls.server.server import DocumentRequest, LexlsServer
from lexls.text.lines import LineIndex

if TYPE_CHECKING:
    from lexls.features.build import Writer
    from lexls.grounding.answer import Answer, Task
    from lexls.grounding.answering import Gathered
    from lexls.grounding.evidence import Pin
    from lexls.index.records import Authority
    from lexls.reading.snapshot import Snapshot
    from lexls.text.cancel import CancelToken


T = TypeVar("T")
LOADING = "Loading the model"
"""Progress message while a model is loaded. It is also the only progress shown for an explanation that is
prepared before the user asks for it.
"""
CANCELLED = "_The answer was cancelled._"
BROKEN = "_The answer breaks off here, by a fault of lexls._"
TITLES: Mapping[Task, str] = MappingProxyType(
    {
        "explain": "Explaining",
        "ask": "Asking the library",
        "draft": "Drafting a sentence",
        "contrary": "Looking for contrary authority",
    }
)
"""Progress title of each task. It never contains the question, since clients may log progress titles."""


async def answer_request(
    ls: LexlsServer,
    task: Task,
    uri: str,
    title: str,
    argument: Any,
    gather: Callable[[DocumentRequest, Writer], Gathered | None],
    make: Callable[[DocumentRequest, Answer, dict[str, Any]], T],
    *,
    shown: bool,
) -> T | None:
    """Write an answer and return the result of ``make``. Returns None if there is no library, if ``gather``
    returns None, or if the document is not open; a question does not need a document.

    ``uri`` is the document that the answer is about ("" if none), and ``title`` is the heading of the
    answer's page. The command's ``argument`` may have an ``id`` for notifications, and a value ``show`` that
    overrides ``shown``: whether the answer is shown while it grows.

    ``make`` runs on the thread that wrote the answer. Its arguments are the request, the complete answer, and
    the answer's fields in the form that commands return. The field ``failed`` is the reason why the answer is
    incomplete, or "". Errors are shown to the user; cancelling the request also stops the generator.
    """
    session = ls.session_of(uri)
    document = ls.documents.get(uri) if uri else None
    if document is None:
        if task != "ask":
            return None
        document = OpenDocument("", "", 0, "", LineIndex(""))
    loop = asyncio.get_running_loop()
    if argument.get("show") is not None:
        shown = bool(argument["show"])
    place = choose_place(ls, str(argument.get("id") or uuid.uuid4()), uri) if shown else None
    progress = WorkProgress(ls, TITLES[task])
    ls.leave_off()
    pages: list[Page] = []
    ended: list[bool] = []

    def show(page: Page) -> None:
        if place is not None and not ended:
            pages.append(page)
            place.show(page)

    def say(message: str) -> None:
        loop.call_soon_threadsafe(progress.report, message)

    def work(token: CancelToken) -> tuple[T, str] | None:
        snapshot = ls.wait_for_snapshot(session, document, token)
        return None if snapshot is None else write(DocumentRequest(ls, session, snapshot, document, token))

    def write(asked: DocumentRequest) -> tuple[T, str] | None:
        from lexls.grounding.answer import Answer, GenerationFailed
        from lexls.models.messages import ModelUnavailable

        assert session.service is not None
        answer, failed = Answer(task, ""), ""
        try:
            say("Searching the library")
            writer = session.explainer.writer(task, asked.snapshot, session.service)
            model = writer.model
            if model is not None:
                model.prepare()  # while the library is searched
            gathered = gather(asked, writer)
            if gathered is None:
                return None
            answer = replace(answer, question=gathered.request.question, generator=writer.generator.name)
            last = ""
            for answer in writer.write(gathered, asked.token):
                say("Writing the answer" if model is None or model.ready else LOADING)
                if answer.complete or not (answer.sentences or answer.shown):
                    continue
                markdown = _page(asked.snapshot, answer)
                if markdown != last:
                    loop.call_soon_threadsafe(show, Page(title, markdown, False, False))
                last = markdown
        except (GenerationFailed, ModelUnavailable) as error:
            failed = str(error)
            answer = replace(answer, notes=(*answer.notes, failed), complete=True)
        asked.token.raise_if_cancelled()
        failed = failed or answer.failed
        markdown = _page(asked.snapshot, answer)
        made = make(asked, answer, write_fields(asked, answer, markdown, failed))
        loop.call_soon_threadsafe(show, Page(title, markdown, True, answer.abstained))
        return made, failed

    try:
        outcome = await ls.run_long(work)
    except BaseException as error:
        if pages:  # otherwise there is no shown page to close
            why = CANCELLED if isinstance(error, asyncio.CancelledError) else BROKEN
            show(replace(pages[-1], markdown=f"{pages[-1].markdown}\n\n{why}", complete=True))
        ended.append(True)
        raise
    finally:
        progress.end()
    if outcome is None:
        return None
    made, failed = outcome
    if failed:
        ls.show(t.MessageType.Error, failed)
    return made


def write_fields(asked: DocumentRequest, answer: Answer, markdown: str, failed: str) -> dict[str, Any]:
    """Return the fields of an answer in the form that commands return."""
    from lexls.wording.place_words import cite_authority

    def nearest(pin: Pin | None, authority: Authority) -> dict[str, Any]:
        if pin is not None:
            return write_pin(asked, pin)
        place = asked.location(asked.snapshot.library.locate(authority.id, 0, 0))
        return {"title": cite_authority(authority), "place": "", "text": "", "target": place}

    return {
        "markdown": markdown,
        "sentences": [
            {
                "text": each.text,
                "extract": each.is_extract,
                "pins": [write_pin(asked, pin) for pin in each.pins],
            }
            for each in answer.sentences
        ],
        "notes": list(answer.notes),
        "missing": list(answer.missing),
        "nearest": [nearest(each.pin, each.authority) for each in answer.nearest],
        "abstained": answer.abstained,
        "generator": answer.generator,
        "failed": failed,
    }


def write_pin(asked: DocumentRequest, pin: Pin) -> dict[str, Any]:
    """Return a pinned passage in the form that commands return: the authority's title, the pinpoint, the
    quoted words and the target location.
    """
    from lexls.grounding.evidence import quote_pin
    from lexls.grounding.render import place_of
    from lexls.wording.place_words import cite_authority

    return {
        "title": cite_authority(pin.authority),
        "place": place_of(pin),
        "text": quote_pin(pin),
        "target": asked.location(asked.snapshot.library.locate(pin.authority.id, pin.start, pin.end)),
    }


def _page(snapshot: Snapshot, answer: Answer) -> str:
    """Return the answer as Markdown, with links to its sources."""
    from lexls.features.find_support import describe_warning
    from lexls.grounding.render import write_markdown

    authorities = [pin.authority for each in answer.sentences for pin in each.pins]
    authorities += [each.authority for each in answer.nearest]
    warnings = {each.id: describe_warning(snapshot.library, each) for each in authorities}

    def link(pin: Pin) -> str:
        return to_address(snapshot.library.locate(pin.authority.id, pin.start, pin.end))

    return write_markdown(answer, link, warnings)


CREATE_SECONDS = 5.0
"""Seconds a client has to accept a progress indicator. The work does not wait for the client."""


class WorkProgress:
    """Shows the progress of a request if the client supports it. Use it on the event loop only.

    If the user cancels, the task ``request`` is cancelled (default: the task that created this object). A
    progress token that the client sent with the request is used.
    """

    def __init__(self, ls: LexlsServer, title: str, request: asyncio.Task[Any] | None = None) -> None:
        self._ls = ls
        self._title = title
        self._message = ""
        self._begun = self._ended = False
        self._request = request or asyncio.current_task()
        protocol = ls.protocol
        given = protocol.progress_token if isinstance(protocol, Protocol) else None
        self._token: str | int = given if given is not None else f"lexls-{uuid.uuid4()}"
        if given is not None:
            self._begin()
        elif ls.find_capability("window.work_done_progress"):
            ls.spawn(self._create())

    def report(self, message: str) -> None:
        """Set the progress message."""
        if message == self._message or self._ended:
            return
        self._message = message
        if self._begun:
            self._ls.work_done_progress.report(self._token, t.WorkDoneProgressReport(message=message))

    def end(self) -> None:
        """End the progress indicator, whether the work succeeded, failed or was cancelled."""
        self._ended = True
        if self._begun:
            self._begun = False
            self._ls.work_done_progress.tokens.pop(self._token, None)
            self._ls.work_done_progress.end(self._token, t.WorkDoneProgressEnd())

    async def _create(self) -> None:
        progress = self._ls.work_done_progress
        try:
            await asyncio.wait_for(progress.create_async(self._token), CREATE_SECONDS)
        except Exception as error:  # without progress, the answer is still wanted
            self._ls.report_server_error(error, None)
            return
        if self._ended:
            progress.tokens.pop(self._token, None)
        else:
            self._begin()

    def _begin(self) -> None:
        self._begun = True
        progress = self._ls.work_done_progress
        begin = t.WorkDoneProgressBegin(self._title, cancellable=True, message=self._message or None)
        progress.begin(self._token, begin)
        progress.tokens[self._token].add_done_callback(self._cancelled)

    def _cancelled(self, future: Any) -> None:
        if future.cancelled() and not self._ended and self._request is not None:
            self._request.cancel()


# -- where an answer is shown: in the client's own view, or in a file that the editor opens ------------------

ANSWER_NOTIFICATION = "lexls/answer"
BETWEEN_SECONDS = 0.1
"""Minimum number of seconds between two notifications about one answer."""
KEPT_FILES = 50
"""Maximum number of answer pages kept on disk. Older ones are removed when a new page is created."""
_DRAFT = ".answer-"
_WRITING_SECONDS = 600
"""Seconds after which an unfinished answer file is considered abandoned."""


@dataclass(frozen=True, slots=True)
class Page:
    """An answer as shown: its title, its Markdown without the title, whether it is complete, and whether
    lexls abstained.
    """

    title: str
    markdown: str
    complete: bool
    abstained: bool


def choose_place(ls: LexlsServer, id: str, uri: str) -> NotifiedPage | WrittenPage:
    """Return the object that shows an answer about the document ``uri`` ("" if none). If the client shows
    answers itself, it sends notifications with the id ``id``; otherwise it writes a file.
    """
    return NotifiedPage(ls, id, uri) if shows_answers(ls) else WrittenPage(ls)


def shows_answers(ls: LexlsServer) -> bool:
    """Return whether the client has declared that it shows answers itself."""
    return ls.find_own_capability("answers") is True


class NotifiedPage:
    """Sends an answer to the client at most ten times a second; the complete answer is always sent."""

    def __init__(self, ls: LexlsServer, id: str, uri: str) -> None:
        self._ls = ls
        self._id = id
        self._uri = uri
        self._told_at = 0.0
        self._later: asyncio.TimerHandle | None = None

    def show(self, page: Page) -> None:
        """Send the page now, or as soon as the minimum interval has passed."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        wait = self._told_at + BETWEEN_SECONDS - time.monotonic()
        if page.complete or wait <= 0:
            self._tell(page)
        else:
            self._later = asyncio.get_running_loop().call_later(wait, self._tell, page)

    def _tell(self, page: Page) -> None:
        self._told_at = time.monotonic()
        self._ls.protocol.notify(ANSWER_NOTIFICATION, {"id": self._id, "uri": self._uri, **asdict(page)})


class WrittenPage:
    """Writes an answer to a file in the user's cache folder. The file is replaced as the answer grows, and
    opened in the editor once.
    """

    def __init__(self, ls: LexlsServer) -> None:
        self._ls = ls
        self._path: Path | None = None
        self._latest: Page | None = None
        self._writing: asyncio.Task[Any] | None = None

    def show(self, page: Page) -> None:
        """Write the page to the file. Of the pages that arrive during a write, only the latest is written."""
        self._latest = page
        if self._writing is None or self._writing.done():
            self._writing = self._ls.spawn(self._write())

    async def _write(self) -> None:
        while self._latest is not None:
            page, self._latest = self._latest, None
            first = self._path is None
            try:
                path = self._path = await self._ls.run_behind(partial(_written, page, self._path))
            except OSError as error:
                reason = f"the answer cannot be written to a file: {error.strerror or error}"
                self._ls.show(t.MessageType.Warning, reason)
                return
            if first:
                self._ls.spawn(self._open(path))

    async def _open(self, path: Path) -> None:
        if self._ls.find_capability("window.show_document.support"):
            params = t.ShowDocumentParams(to_uri(path), external=False, take_focus=True)
            with contextlib.suppress(Exception):  # if the client refuses, the path is shown instead
                if (await self._ls.window_show_document_async(params)).success:
                    return
        self._ls.show(t.MessageType.Info, f"the answer is in {path}")


def _written(page: Page, path: Path | None) -> Path:
    """Write a page to ``path``, or to a new file if ``path`` is None, and return the path. The file is
    replaced atomically, and only the user can read it.
    """
    from lexls.text.formats.markdown import as_markdown

    if path is None:
        folder = find_answers_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _remove_old(folder)
        path = folder / f"answer-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}.md"
    descriptor, draft = tempfile.mkstemp(prefix=_DRAFT, dir=path.parent)  # 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as stream:
            stream.write(f"# {as_markdown(page.title)}\n\n{page.markdown}\n")
        os.replace(draft, path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    return path


def find_answers_folder() -> Path:
    """Return the folder for answer pages, in the user's cache folder."""
    from platformdirs import user_cache_path

    return user_cache_path("lexls", appauthor=False) / "answers"


def _remove_old(folder: Path) -> None:
    """Delete old answer pages to make room for a new one, and unfinished files that a killed server
    has left.
    """
    old = sorted(folder.glob("answer-*.md"))[: -KEPT_FILES + 1]
    for each in [*old, *folder.glob(f"{_DRAFT}*")]:
        with contextlib.suppress(OSError):  # open in another program, or already deleted
            if each.suffix or each.stat().st_mtime < time.time() - _WRITING_SECONDS:
                each.unlink()
