"""Make an answer for a request: on a thread of its own, shown as it grows, cancellable."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types as t

from lexls.server.answer_pages import Page, place_for
from lexls.server.convert import address
from lexls.server.documents import OpenDocument
from lexls.server.protocol import Protocol
from lexls.server.server import DocumentRequest, LexlsServer
from lexls.text.lines import LineIndex

if TYPE_CHECKING:
    from lexls.features.build import Writer
    from lexls.features.snapshot import Snapshot
    from lexls.grounding.answer import Answer
    from lexls.grounding.answering import Gathered
    from lexls.grounding.evidence import Pin
    from lexls.grounding.request import Task
    from lexls.index.records import Authority
    from lexls.text.cancel import CancelToken


T = TypeVar("T")
LOADING = "Loading the model"
"""What the user sees while a model is loaded; an explanation that is made unasked shows nothing else."""
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
"""What the progress of an answer is called; the question itself is nothing for a client's log."""


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """A request for an answer.

    ``uri`` is the document it is about ("" if none) and ``id`` what notifications call it. ``title`` stands
    above the page. ``shown`` says whether the answer is shown while it grows.
    """

    task: Task
    uri: str
    title: str
    id: str
    shown: bool


def read_request(task: Task, uri: str, title: str, argument: Any, *, shown: bool) -> AnswerRequest:
    """What a command asks for; its argument may have an ``id`` and whether to ``show`` the answer."""
    show = argument.get("show")
    return AnswerRequest(
        task, uri, title, str(argument.get("id") or uuid.uuid4()), shown if show is None else bool(show)
    )


async def answer_request(
    ls: LexlsServer,
    request: AnswerRequest,
    gather: Callable[[DocumentRequest, Writer], Gathered | None],
    make: Callable[[DocumentRequest, Answer, dict[str, Any]], T],
) -> T | None:
    """What ``make`` makes of the answer; None without a library, or where ``gather`` finds nothing to ask.

    ``make`` gets the whole answer and its fields as commands give them (``failed`` says why it is not whole,
    "" if it is), on the thread that made the answer. A question about no document comes with an empty one.
    What went wrong is shown to the user; cancelling the request reaches the generator.
    """
    session = ls.session_for(request.uri or None)
    document = ls.documents.get(request.uri) if request.uri else None
    if document is None:
        if request.task != "ask":
            return None
        document = OpenDocument("", "", 0, "", LineIndex(""))
    loop = asyncio.get_running_loop()
    shown = place_for(ls, request.id, request.uri) if request.shown else None
    progress = WorkProgress(ls, TITLES[request.task])
    ls.leave_off()
    pages: list[Page] = []
    ended: list[bool] = []

    def show(page: Page) -> None:
        if shown is not None and not ended:
            pages.append(page)
            shown.show(page)

    def say(message: str) -> None:
        loop.call_soon_threadsafe(progress.report, message)

    def work(token: CancelToken) -> tuple[T, str] | None:
        snapshot = ls.wait_for_snapshot(session, document, token)
        return None if snapshot is None else write(DocumentRequest(ls, session, snapshot, document, token))

    def write(asked: DocumentRequest) -> tuple[T, str] | None:
        from lexls.grounding.answer import Answer
        from lexls.grounding.generator import GenerationFailed
        from lexls.models.messages import ModelUnavailable

        assert session.service is not None
        answer, failed = Answer(request.task, ""), ""
        try:
            say("Searching the library")
            writer = session.explainer.writer(request.task, asked.snapshot, session.service)
            model = writer.model
            cold = model is not None and not model.ready
            if model is not None:
                model.prepare()  # while the library is searched
            gathered = gather(asked, writer)
            if gathered is None:
                return None
            if model is not None and cold and not gathered.weak:
                say(LOADING)
                model.load(asked.token)
            answer = replace(answer, question=gathered.request.question, generator=writer.generator.name)
            say("Writing the answer")
            last = ""
            for answer in writer.write(gathered, asked.token):
                if answer.complete or not (answer.sentences or answer.shown):
                    continue
                markdown = _page(asked.snapshot, answer)
                if markdown != last:
                    loop.call_soon_threadsafe(show, Page(request.title, markdown, False, False))
                last = markdown
        except (GenerationFailed, ModelUnavailable) as error:
            failed = str(error)
            answer = replace(answer, notes=(*answer.notes, failed), complete=True)
        asked.token.raise_if_cancelled()
        markdown = _page(asked.snapshot, answer)
        made = make(asked, answer, fields(asked, answer, markdown, failed))
        loop.call_soon_threadsafe(show, Page(request.title, markdown, True, answer.abstained))
        return made, failed

    try:
        outcome = await ls.run_long(work)
    except BaseException as error:
        if pages:  # else nothing is shown that must be said to be over
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


def fields(asked: DocumentRequest, answer: Answer, markdown: str, failed: str) -> dict[str, Any]:
    """An answer as commands give it."""
    from lexls.grounding.place_words import named

    def nearest(pin: Pin | None, authority: Authority) -> dict[str, Any]:
        if pin is not None:
            return pin_fields(asked, pin)
        place = asked.location(asked.snapshot.library.locate(authority.id, 0, 0))
        return {"title": named(authority), "place": "", "text": "", "target": place}

    return {
        "markdown": markdown,
        "sentences": [
            {
                "text": each.text,
                "extract": each.is_extract,
                "pins": [pin_fields(asked, pin) for pin in each.pins],
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


def pin_fields(asked: DocumentRequest, pin: Pin) -> dict[str, Any]:
    """A pin as commands give it: what it is cited as, its place, its words, and where an editor opens it."""
    from lexls.grounding.place_words import named, words_of
    from lexls.grounding.render import place_of

    return {
        "title": named(pin.authority),
        "place": place_of(pin),
        "text": words_of(pin),
        "target": asked.location(asked.snapshot.library.locate(pin.authority.id, pin.start, pin.end)),
    }


def _page(snapshot: Snapshot, answer: Answer) -> str:
    """The answer as it is shown, with links to what it rests on."""
    from lexls.features.find_support import warning_of
    from lexls.grounding.render import answer_markdown

    authorities = [pin.authority for each in answer.sentences for pin in each.pins]
    authorities += [each.authority for each in answer.nearest]
    warnings = {each.id: warning_of(snapshot.library, each) for each in authorities}

    def link(pin: Pin) -> str:
        return address(snapshot.library.locate(pin.authority.id, pin.start, pin.end))

    return answer_markdown(answer, link, warnings)


CREATE_SECONDS = 5.0
"""How long a client may take to agree to show progress; the work does not wait for it."""


class WorkProgress:
    """Shows that a request is being worked on, where the client can show it. Belongs to the event loop.

    The user's cancelling cancels ``request``, by default the task it is made in. The client's own token is
    used if it gave one with the request.
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
        window = ls.client_capabilities.window
        if given is not None:
            self._begin()
        elif window and window.work_done_progress:
            ls.spawn(self._create())

    def report(self, message: str) -> None:
        """Say what is being done now."""
        if message == self._message or self._ended:
            return
        self._message = message
        if self._begun:
            self._ls.work_done_progress.report(self._token, t.WorkDoneProgressReport(message=message))

    def end(self) -> None:
        """The work is done, failed or cancelled."""
        self._ended = True
        if self._begun:
            self._begun = False
            self._ls.work_done_progress.tokens.pop(self._token, None)
            self._ls.work_done_progress.end(self._token, t.WorkDoneProgressEnd())

    async def _create(self) -> None:
        progress = self._ls.work_done_progress
        try:
            await asyncio.wait_for(progress.create_async(self._token), CREATE_SECONDS)
        except Exception as error:  # a client that does not want progress still wants the answer
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
