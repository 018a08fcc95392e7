"""lexls.ask: a question to the library, kept in a thread."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.answering import Asking, answered, asked, fields
from lexls.server.commands import wrong
from lexls.server.protocol import Refused
from lexls.server.server import LexlsServer

if TYPE_CHECKING:
    from lexls.grounding.answer import Answer
    from lexls.grounding.answering import Gathered
    from lexls.grounding.request import Turn
    from lexls.grounding.threads import StoredPin, Thread, Threads
    from lexls.index.library import Library
    from lexls.server.session import Session

LONGEST_QUESTION = 4000
"""Characters."""
LONGEST_TITLE = 80


def register(server: LexlsServer) -> None:
    """Offer the commands that ask the library and keep what was asked."""

    @server.command("lexls.ask")
    async def ask(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        # Half a surrogate pair, which JSON can write, is no character.
        given = _text(argument, "question").encode("utf-8", "replace").decode()
        question = " ".join(given.split())
        if not question:
            raise wrong('"question" is empty')
        if len(question) > LONGEST_QUESTION:
            raise wrong(f'"question" has more than {LONGEST_QUESTION} characters')
        uri, name = _text(argument, "uri", ""), _text(argument, "thread", "")
        after = _number(argument, "after")
        encoding = ls.encoding
        session = ls.session_for(uri or None)
        title = (
            question if len(question) <= LONGEST_TITLE else question[:LONGEST_TITLE].rsplit(" ", 1)[0] + " …"
        )
        troubles: list[str] = []

        def gather(asking: Asking) -> Gathered | None:
            from lexls.features.gathering import gather_answer
            from lexls.features.generator_choice import keywords_of
            from lexls.grounding.threads import ThreadError, history

            assert asking.means is not None
            before: tuple[Turn, ...] = ()
            if name:
                try:
                    before = history(_threads(session).get(name).branch(after))
                except ThreadError as error:
                    raise Refused(str(error)) from error
            means, snapshot = asking.means, asking.snapshot
            return gather_answer(
                snapshot,
                question,
                before,
                means.generator.room,
                asking.token,
                keywords=keywords_of(snapshot.settings, means.generator),
            )

        def make(asking: Asking, answer: Answer, markdown: str, failed: str) -> dict[str, Any]:
            from lexls.grounding.stored_answers import to_turn
            from lexls.grounding.threads import ThreadError

            kept: tuple[str | None, int | None, str] = (name or None, None, title)
            if not failed and not answer.shown:
                try:
                    thread, turn = _threads(session).add(to_turn(question, answer), name, after)
                    kept = (thread.name, turn.id, thread.title)
                except ThreadError as error:
                    troubles.append(str(error))
            found = fields(asking.snapshot, answer, markdown, failed, encoding)
            return {"thread": kept[0], "turn": kept[1], "title": kept[2], **found}

        request = asked("ask", uri, title, argument, shown=True)
        outcome = await answered(ls, request, gather, make)
        _tell(ls, troubles)
        return outcome.made if outcome is not None else None

    @server.command("lexls.threads")
    async def threads(ls: LexlsServer, argument: Any = None) -> list[dict[str, Any]]:
        session = ls.session_for(_text(argument, "uri", "") or None)

        def work() -> tuple[list[Thread], list[str]]:
            kept = _threads(session)
            return kept.all(), kept.take_problems()

        found, troubles = await ls.run_behind(work)
        _tell(ls, troubles)
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
        session = ls.session_for(_text(argument, "uri", "") or None)
        name, turn = _text(argument, "thread"), _number(argument, "turn")

        def work() -> tuple[dict[str, Any] | str, list[str]]:
            from lexls.grounding.threads import ThreadError

            kept = _threads(session)
            try:
                return _shown(session, kept.get(name), turn), kept.take_problems()
            except ThreadError as error:
                return str(error), kept.take_problems()

        found, troubles = await ls.run_behind(work)
        _tell(ls, troubles)
        if isinstance(found, str):
            raise Refused(found)
        return found

    @server.command("lexls.deleteThread")
    async def delete_thread(ls: LexlsServer, argument: Any = None) -> dict[str, bool]:
        session = ls.session_for(_text(argument, "uri", "") or None)
        name = _text(argument, "thread")

        def work() -> bool | str:
            from lexls.grounding.threads import ThreadError

            try:
                return _threads(session).delete(name)
            except ThreadError as error:
                return str(error)

        deleted = await ls.run_behind(work)
        if isinstance(deleted, str):
            raise Refused(deleted)
        return {"deleted": deleted}


def _shown(session: Session, thread: Thread, turn: int) -> dict[str, Any]:
    """A thread as the command gives it: the branch that ends at ``turn`` (0: its newest) as Markdown."""
    from lexls.grounding.stored_answers import turns_markdown

    branch = thread.branch(turn)
    library = session.service.library if session.service is not None else None
    return {
        "thread": thread.name,
        "title": thread.title,
        "turn": branch[-1].id,
        "markdown": turns_markdown(branch, lambda pin: _address(library, pin)),
        "turns": [
            {"turn": each.id, "after": each.after or None, "question": each.question} for each in thread.turns
        ],
    }


def _address(library: Library | None, pin: StoredPin) -> str:
    """Where an editor opens what a stored pin quotes: where it stands now, "" if it is not there any more."""
    from lexls.server.hover import address

    authority = library.by_path(Path(pin.path)) if library is not None else None
    if library is None or authority is None:
        return ""
    text = library.text(authority.id)
    start = pin.start if text[pin.start : pin.end] == pin.text else text.find(pin.text)
    return address(library.locate(authority.id, start, start + len(pin.text))) if start >= 0 else ""


def _threads(session: Session) -> Threads:
    from lexls.grounding.threads import Threads, threads_folder

    return Threads(threads_folder(session.root))


def _tell(ls: LexlsServer, troubles: list[str]) -> None:
    for each in troubles:
        ls.window_show_message(t.ShowMessageParams(t.MessageType.Warning, f"lexls: {each}"))


def _text(argument: Any, name: str, otherwise: str | None = None) -> str:
    value = argument.get(name) if isinstance(argument, dict) else None
    if value is None and otherwise is not None:
        return otherwise
    if not isinstance(value, str):
        raise wrong(f'the argument must have "{name}", a string')
    return value


def _number(argument: Any, name: str) -> int:
    """A number of an argument, 0 where it is not given."""
    value = argument.get(name)
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise wrong(f'"{name}" must be the number of a turn')
    return value
