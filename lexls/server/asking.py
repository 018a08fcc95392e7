"""Answer questions from the library's authorities (``lexls.ask``), and store the answers in threads."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types as t

from lexls.server.answering import answer_request
from lexls.server.code_action import cut_title
from lexls.server.convert import to_address, to_location
from lexls.server.protocol import RequestRefused, refuse_argument
from lexls.server.server import DocumentRequest, LexlsServer

if TYPE_CHECKING:
    from lexls.features.build import Writer
    from lexls.grounding.answer import Answer, Turn
    from lexls.grounding.answering import Gathered
    from lexls.grounding.threads import StoredPin, Thread, Threads
    from lexls.index.library import Library
    from lexls.index.records import OpenLocation
    from lexls.server.session import Session
    from lexls.text.lines import Encoding

T = TypeVar("T")
LONGEST_QUESTION = 4000
"""Maximum length of a question in characters."""


def register(server: LexlsServer) -> None:
    """Register the commands that ask the library and manage the stored threads."""

    @server.command("lexls.ask")
    async def ask(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        # JSON can contain half a surrogate pair, which is not a character.
        given = _text(argument, "question").encode("utf-8", "replace").decode()
        question = " ".join(given.split())
        if not question:
            raise refuse_argument('"question" is empty')
        if len(question) > LONGEST_QUESTION:
            raise refuse_argument(f'"question" has more than {LONGEST_QUESTION} characters')
        uri, name = _text(argument, "uri", ""), _text(argument, "thread", "")
        after = _number(argument, "after")
        session = ls.session_of(uri)
        title = cut_title(question)
        troubles: list[str] = []

        def gather(asked: DocumentRequest, writer: Writer) -> Gathered | None:
            from lexls.features.gathering import gather_answer
            from lexls.grounding.threads import ThreadError, describe_history

            before: tuple[Turn, ...] = ()
            if name:
                try:
                    before = describe_history(_threads(session).get(name).branch(after))
                except ThreadError as error:
                    raise RequestRefused(str(error)) from error
            return gather_answer(asked.snapshot, question, before, asked.token, keywords=writer.keywords)

        def make(asked: DocumentRequest, answer: Answer, found: dict[str, Any]) -> dict[str, Any]:
            from lexls.grounding.render import to_turn
            from lexls.grounding.threads import ThreadError

            kept: tuple[str | None, int | None, str] = (name or None, None, title)
            if (answer.sentences or not found["failed"]) and not answer.shown:
                try:
                    thread, turn = _threads(session).add(to_turn(question, answer), name, after)
                    kept = (thread.name, turn.id, thread.title)
                except ThreadError as error:
                    troubles.append(str(error))
            return {"thread": kept[0], "turn": kept[1], "title": kept[2], **found}

        found = await answer_request(ls, "ask", uri, title, argument, gather, make, shown=True)
        _tell(ls, troubles)
        return found

    @server.command("lexls.threads")
    async def threads(ls: LexlsServer, argument: Any = None) -> list[dict[str, Any]]:
        found = await _with_threads(ls, argument, lambda kept, _: kept.all())
        return [
            {
                "thread": each.name,
                "title": each.title,
                "created": each.created,
                "changed": each.changed,
                "turns": len(each.turns),
            }
            for each in found
        ]

    @server.command("lexls.thread")
    async def thread(ls: LexlsServer, argument: Any = None) -> dict[str, Any]:
        name, turn = _text(argument, "thread"), _number(argument, "turn")
        encoding = ls.encoding

        def read(kept: Threads, session: Session) -> dict[str, Any]:
            return _shown(session, kept.get(name), turn, encoding)

        return await _with_threads(ls, argument, read)

    @server.command("lexls.deleteThread")
    async def delete_thread(ls: LexlsServer, argument: Any = None) -> dict[str, bool]:
        name = _text(argument, "thread")
        return {"deleted": await _with_threads(ls, argument, lambda kept, _: kept.delete(name))}


async def _with_threads(ls: LexlsServer, argument: Any, work: Callable[[Threads, Session], T]) -> T:
    """Run ``work`` on a session's stored threads, on a background thread, and return its result. Raises
    ``RequestRefused`` for a ``ThreadError``. Problems with the threads' files are shown as warnings.
    """
    session = ls.session_of(_text(argument, "uri", ""))
    troubles: list[str] = []

    def attempt() -> T:
        from lexls.grounding.threads import ThreadError

        kept = _threads(session)
        try:
            return work(kept, session)
        except ThreadError as error:
            raise RequestRefused(str(error)) from error
        finally:
            troubles.extend(kept.take_problems())

    try:
        return await ls.run_behind(attempt)
    finally:
        _tell(ls, troubles)


def _shown(session: Session, thread: Thread, turn: int, encoding: Encoding) -> dict[str, Any]:
    """Return the branch of a thread that ends at ``turn`` (0: the newest), as fields of a command's result.
    They include the branch's sentences and all turns of the thread.
    """
    from lexls.grounding.render import write_turns

    branch = thread.branch(turn)
    library = session.service.library if session.service is not None else None
    sentences = [sentence for each in branch for sentence in each.sentences]
    pins = chain(*(each.pins for each in sentences), *(each.nearest for each in branch))
    places = {pin: place for pin in dict.fromkeys(pins) if (place := _find(library, pin)) is not None}

    def write_pin(pin: StoredPin) -> dict[str, Any]:
        place = places.get(pin)
        target = to_location(place, encoding) if place is not None else None
        return {"title": pin.title, "place": pin.place, "text": pin.words, "target": target}

    return {
        "thread": thread.name,
        "title": thread.title,
        "turn": branch[-1].id,
        "markdown": write_turns(branch, lambda pin: to_address(places.get(pin))),
        "sentences": [
            {"text": each.text, "extract": each.extract, "pins": [write_pin(pin) for pin in each.pins]}
            for each in sentences
        ],
        "turns": [
            {"turn": each.id, "after": each.after or None, "question": each.question} for each in thread.turns
        ],
    }


def _find(library: Library | None, pin: StoredPin) -> OpenLocation | None:
    """Return the current location of a stored quotation, or None if the file or the words are gone."""
    authority = library.catalogue.find_path(Path(pin.path)) if library is not None else None
    if library is None or authority is None:
        return None
    text = library.contents.text(authority.id)
    start = pin.start if text[pin.start : pin.end] == pin.text else text.find(pin.text)
    return library.locate(authority.id, start, start + len(pin.text)) if start >= 0 else None


def _threads(session: Session) -> Threads:
    from lexls.grounding.threads import open_threads

    return open_threads(session.root)


def _tell(ls: LexlsServer, troubles: list[str]) -> None:
    for each in troubles:
        ls.show(t.MessageType.Warning, each)


def _text(argument: Any, name: str, otherwise: str | None = None) -> str:
    value = argument.get(name) if isinstance(argument, dict) else None
    if value is None and otherwise is not None:
        return otherwise
    if not isinstance(value, str):
        raise refuse_argument(f'the argument must have "{name}", a string')
    return value


def _number(argument: Any, name: str) -> int:
    """Return a turn number from a command's argument, or 0 if it is not given. Refuses the request if the
    number is not a positive integer.
    """
    value = argument.get(name)
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise refuse_argument(f'"{name}" must be the number of a turn')
    return value
