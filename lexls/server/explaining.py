"""lexls.explain, lexls.contrary and lexls.draft: answers about a sentence of a draft."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from lsprotocol import types as t

from lexls.server.answering import Asking, answered, asked, fields
from lexls.server.citation_styles import change
from lexls.server.commands import place_of, wrong
from lexls.server.server import LexlsServer

if TYPE_CHECKING:
    from lexls.features.checks.problem import Edit
    from lexls.features.snapshot import Snapshot
    from lexls.grounding.answer import Answer
    from lexls.grounding.answering import Gathered
    from lexls.server.documents import OpenDocument
    from lexls.server.session import Session
    from lexls.text.lines import Encoding
    from lexls.text.spans import Span

CONTRARY_TITLE = "Contrary authority"
DRAFT_TITLE = "Drafting a supported sentence"
EXPLAIN_TITLE = "Explanation"


@dataclass(frozen=True, slots=True)
class _Drafted:
    """What a draft comes to: its edits to the document as it was read, and the answer's fields."""

    document: OpenDocument
    edits: list[Edit]
    found: dict[str, Any]


def register(server: LexlsServer) -> None:
    """Offer the commands that explain, oppose or draft a sentence."""

    @server.command("lexls.explain")
    async def explain(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri, range_ = place_of(argument)
        authority = argument.get("authority")
        if authority is not None and (not isinstance(authority, int) or isinstance(authority, bool)):
            raise wrong('"authority" must be the number of a hit of lexls.findSupport')
        encoding = ls.encoding
        session = ls.session_of(uri)

        def gather(asking: Asking) -> Gathered | None:
            from lexls.features.gathering import gather_explanation

            assert asking.means is not None
            return gather_explanation(
                asking.snapshot,
                _span(asking, range_, encoding).start,
                asking.means.generator.room,
                asking.token,
                authority,
            )

        def make(asking: Asking, answer: Answer, markdown: str, failed: str) -> dict[str, Any]:
            if authority is None and not failed and not answer.shown:
                _keep(session, asking, range_, answer, encoding)
            return {
                "range": _explained(asking, range_, authority, encoding),
                "statements": _statements(asking.snapshot, answer, encoding),
                **fields(asking.snapshot, answer, markdown, failed, encoding),
            }

        # A client that runs the command itself shows what comes back.
        request = asked("explain", uri, EXPLAIN_TITLE, argument, shown=False)
        outcome = await answered(ls, request, gather, make)
        return outcome.made if outcome is not None else None

    @server.command("lexls.contrary")
    async def contrary(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri, range_ = place_of(argument)
        encoding = ls.encoding

        def make(asking: Asking, answer: Answer, markdown: str, failed: str) -> dict[str, Any]:
            return {
                "title": CONTRARY_TITLE,
                **fields(asking.snapshot, answer, markdown, failed, encoding),
            }

        request = asked("contrary", uri, CONTRARY_TITLE, argument, shown=True)
        outcome = await answered(ls, request, _gathering("contrary", range_, encoding), make)
        return outcome.made if outcome is not None else None

    @server.command("lexls.draft")
    async def draft(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri, range_ = place_of(argument)
        encoding = ls.encoding

        def make(asking: Asking, answer: Answer, markdown: str, failed: str) -> _Drafted:
            from lexls.features.drafting import drafted

            assert asking.document is not None
            span = _span(asking, range_, encoding)
            edits = list(drafted(asking.snapshot, span, answer)) if answer.sentences and not failed else []
            found = fields(asking.snapshot, answer, markdown, failed, encoding)
            return _Drafted(asking.document, edits, found)

        request = asked("draft", uri, DRAFT_TITLE, argument, shown=False)
        outcome = await answered(ls, request, _gathering("draft", range_, encoding), make)
        if outcome is None:
            return None
        done = outcome.made
        reason = outcome.failed
        if not reason and not done.edits:
            reason = "nothing in your library supports a sentence here"
        if not reason and ls.documents.get(uri) is not done.document:
            reason = "the draft was changed meanwhile"
        if reason:
            if not outcome.failed:
                ls.window_show_message(t.ShowMessageParams(t.MessageType.Info, f"lexls: {reason}"))
            return {**done.found, "applied": False, "edit": None, "reason": reason}
        applied = await change(ls, uri, done.edits, "Draft a supported sentence", argument)
        return {**done.found, **applied, "reason": ""}


def _span(asking: Asking, range_: t.Range, encoding: Encoding) -> Span:
    from lexls.server.convert import to_span

    assert asking.document is not None
    return to_span(asking.document.lines, range_, encoding)


def _explained(asking: Asking, range_: t.Range, authority: int | None, encoding: Encoding) -> t.Range:
    """The range of what was explained: the citation there, or the sentence for an authority of choice."""
    from lexls.features.explain import citation_near
    from lexls.server.convert import to_range

    assert asking.document is not None
    offset = _span(asking, range_, encoding).start
    found = citation_near(asking.snapshot, offset) if authority is None else None
    if found is not None:
        return to_range(asking.document.lines, found.span, encoding)
    sentence = asking.snapshot.draft.sentence_at(offset)
    return to_range(asking.document.lines, sentence, encoding) if sentence is not None else range_


def _keep(session: Session, asking: Asking, range_: t.Range, answer: Answer, encoding: Encoding) -> None:
    """Have the explanation that was asked for ready for hovers, too."""
    from lexls.features.explain import citation_near
    from lexls.server.explaining_ahead import ready_key

    found = citation_near(asking.snapshot, _span(asking, range_, encoding).start)
    key = ready_key(asking.snapshot, found) if found is not None else None
    if key is not None:
        session.explainer.keep(key, answer)


def _statements(snapshot: Snapshot, answer: Answer, encoding: Encoding) -> list[dict[str, Any]]:
    """The words an explanation rests on, one by one, as clients of the first version know them."""
    from lexls.server.convert import to_location

    found = []
    for pin in (pin for sentence in answer.sentences for pin in sentence.pins):
        place = snapshot.library.locate(pin.authority.id, pin.start, pin.end)
        found.append(
            {
                "text": pin.text,
                "paragraph": pin.label,
                "page": pin.page,
                "at_pinpoint": pin.at_pinpoint,
                "target": to_location(place, encoding) if place is not None else None,
            }
        )
    return found


def _gathering(
    task: Literal["contrary", "draft"], range_: t.Range, encoding: Encoding
) -> Callable[[Asking], Gathered | None]:
    """What finds the evidence for a task about the sentence at a range."""

    def gather(asking: Asking) -> Gathered | None:
        from lexls.features.gathering import gather_contrary, gather_draft

        assert asking.means is not None
        of_task = gather_contrary if task == "contrary" else gather_draft
        means = asking.means
        span = _span(asking, range_, encoding)
        return of_task(asking.snapshot, span, means.generator.room, asking.token)

    return gather
