"""Making an answer for a request: on a thread of its own, shown as it grows, cancellable, told once."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from lsprotocol import types as t

from lexls.server.answer_pages import Page, place_for
from lexls.server.explaining_ahead import LOADING
from lexls.server.server import FIRST_ANSWER_SECONDS, LexlsServer, path_of
from lexls.server.work_progress import WorkProgress

if TYPE_CHECKING:
    from lexls.features.snapshot import Snapshot
    from lexls.grounding.answer import Answer
    from lexls.grounding.answering import Gathered
    from lexls.grounding.evidence import Pin
    from lexls.grounding.request import Task
    from lexls.server.documents import OpenDocument
    from lexls.server.explainer import Means
    from lexls.text.cancel import CancelToken
    from lexls.text.lines import Encoding

T = TypeVar("T")
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
class Asked:
    """A request for an answer.

    ``uri`` is the document it is about ("" if none) and ``id`` what notifications call it. ``title`` stands
    above the page. ``shown`` says whether the answer is shown while it grows.
    """

    task: Task
    uri: str
    title: str
    id: str
    shown: bool


@dataclass(frozen=True, slots=True)
class Asking:
    """What an answer can be made from, on the thread that makes it."""

    snapshot: Snapshot
    document: OpenDocument | None
    means: Means | None
    token: CancelToken


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """An answer with what was made of it. ``failed`` says why it is not whole, "" if it is."""

    answer: Answer
    markdown: str
    made: T
    failed: str


def asked(task: Task, uri: str, title: str, argument: Any, *, shown: bool) -> Asked:
    """What a command asks for; its argument may have an ``id`` and whether to ``show`` the answer."""
    show = argument.get("show")
    return Asked(
        task, uri, title, str(argument.get("id") or uuid.uuid4()), shown if show is None else bool(show)
    )


async def answered(
    ls: LexlsServer,
    request: Asked,
    gather: Callable[[Asking], Gathered | None],
    make: Callable[[Asking, Answer, str, str], T],
) -> Outcome[T] | None:
    """The answer to a request; None without a library, or where ``gather`` finds nothing to ask.

    ``make`` gets the whole answer, its Markdown and why it failed ("" if it did not), and runs on the
    thread that made the answer. What went wrong is shown to the user; cancelling the request reaches the
    generator.
    """
    session = ls.session_for(request.uri or None)
    document = ls.documents.get(request.uri) if request.uri else None
    if document is None and request.task != "ask":
        return None
    loop = asyncio.get_running_loop()
    shown = place_for(ls, request.id, request.uri) if request.shown else None
    progress = WorkProgress(ls, TITLES[request.task])
    ls.ahead.stop()
    pages: list[Page] = []
    ended: list[bool] = []

    def show(page: Page) -> None:
        if shown is not None and not ended:
            pages.append(page)
            shown.show(page)

    def say(message: str) -> None:
        loop.call_soon_threadsafe(progress.report, message)

    def work(token: CancelToken) -> Outcome[T] | None:
        service = session.service
        if service is None:
            return None
        if service.library is None:
            service.wait(FIRST_ANSWER_SECONDS)
        token.raise_if_cancelled()
        if document is not None:
            snapshot = session.snapshot(document, str(path_of(document.uri)))
        else:
            snapshot = session.empty_snapshot()
        if snapshot is None:
            return None
        return write(snapshot, token)

    def write(snapshot: Snapshot, token: CancelToken) -> Outcome[T] | None:
        from lexls.grounding.answer import Answer
        from lexls.grounding.answering import answers
        from lexls.grounding.generator import GenerationFailed
        from lexls.models.unavailable import ModelUnavailable

        assert session.service is not None
        answer, failed = Answer(request.task, ""), ""
        asking = Asking(snapshot, document, None, token)
        try:
            say("Searching the library")
            means = session.explainer.means(request.task, snapshot, session.service)
            asking = replace(asking, means=means)
            model = means.model
            if model is not None:
                model.prepare()  # while the library is searched
            gathered = gather(asking)
            if gathered is None:
                return None
            if model is not None and not gathered.weak and not model.ready:
                say(LOADING)
                model.load(token)
            answer = replace(answer, question=gathered.request.question, generator=means.generator.name)
            say("Writing the answer")
            last = ""
            for answer in answers(gathered, means.generator, means.verifier, token, means.template):
                if answer.complete or not (answer.sentences or answer.shown):
                    continue
                markdown = _page(snapshot, answer)
                if markdown != last:
                    loop.call_soon_threadsafe(show, Page(request.title, markdown, False, False))
                last = markdown
        except (GenerationFailed, ModelUnavailable) as error:
            failed = str(error)
            answer = replace(answer, notes=(*answer.notes, failed), complete=True)
        token.raise_if_cancelled()
        markdown = _page(snapshot, answer)
        made = make(asking, answer, markdown, failed)
        loop.call_soon_threadsafe(show, Page(request.title, markdown, True, answer.abstained))
        return Outcome(answer, markdown, made, failed)

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
    if outcome is not None and outcome.failed:
        message = f"lexls: {outcome.failed}"
        ls.window_show_message(t.ShowMessageParams(t.MessageType.Error, message))
    return outcome


def fields(
    snapshot: Snapshot, answer: Answer, markdown: str, failed: str, encoding: Encoding
) -> dict[str, Any]:
    """An answer as commands give it."""
    return {
        "markdown": markdown,
        "sentences": [
            {
                "text": each.text,
                "extract": each.is_extract,
                "pins": [pin_fields(snapshot, pin, encoding) for pin in each.pins],
            }
            for each in answer.sentences
        ],
        "notes": list(answer.notes),
        "missing": list(answer.missing),
        "nearest": [_nearest(snapshot, each.pin, each.authority, encoding) for each in answer.nearest],
        "abstained": answer.abstained,
        "generator": answer.generator,
        "failed": failed,
    }


def pin_fields(snapshot: Snapshot, pin: Pin, encoding: Encoding) -> dict[str, Any]:
    """A pin as commands give it: what it is cited as, its place, its words, and where an editor opens it."""
    from lexls.grounding.place_words import named
    from lexls.grounding.plain import words_of
    from lexls.grounding.render import place_of
    from lexls.server.convert import to_location

    place = snapshot.library.locate(pin.authority.id, pin.start, pin.end)
    return {
        "title": named(pin.authority),
        "place": place_of(pin),
        "text": words_of(pin),
        "target": to_location(place, encoding) if place is not None else None,
    }


def _nearest(snapshot: Snapshot, pin: Pin | None, authority: Any, encoding: Encoding) -> dict[str, Any]:
    from lexls.grounding.place_words import named
    from lexls.server.convert import to_location

    if pin is not None:
        return pin_fields(snapshot, pin, encoding)
    place = snapshot.library.locate(authority.id, 0, 0)
    target = to_location(place, encoding) if place is not None else None
    return {"title": named(authority), "place": "", "text": "", "target": target}


def _page(snapshot: Snapshot, answer: Answer) -> str:
    """The answer as it is shown, with links to what it rests on."""
    from lexls.features.find_support import warning_of
    from lexls.grounding.render import answer_markdown
    from lexls.server.hover import address

    named = {pin.authority.id: pin.authority for each in answer.sentences for pin in each.pins}
    named.update({each.authority.id: each.authority for each in answer.nearest})
    warnings = {id: warning_of(snapshot.library, authority) for id, authority in named.items()}

    def link(pin: Pin) -> str:
        return address(snapshot.library.locate(pin.authority.id, pin.start, pin.end))

    return answer_markdown(answer, link, warnings)
