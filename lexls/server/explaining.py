"""Explain a citation, find contrary authority and draft a sentence, by command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.answering import answer_request
from lexls.server.citation_styles import apply_edits
from lexls.server.hover import make_key
from lexls.server.protocol import read_place, refuse_argument
from lexls.server.server import DocumentRequest, LexlsServer

if TYPE_CHECKING:
    from lexls.features.build import Writer
    from lexls.grounding.answer import Answer
    from lexls.grounding.answering import Gathered
    from lexls.reading.edit import Edit
    from lexls.server.documents import OpenDocument

CONTRARY_TITLE = "Contrary authority"
DRAFT_TITLE = "Drafting a supported sentence"
EXPLAIN_TITLE = "Explanation"


def register(server: LexlsServer) -> None:
    """Offer the commands that explain, oppose or draft a sentence."""

    @server.command("lexls.explain")
    async def explain(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri, range_ = read_place(argument)
        authority = argument.get("authority")
        if authority is not None and (not isinstance(authority, int) or isinstance(authority, bool)):
            raise refuse_argument('"authority" must be the number of a hit of lexls.findSupport')

        def gather(asked: DocumentRequest, writer: Writer) -> Gathered | None:
            from lexls.features.gathering import gather_explanation

            return gather_explanation(asked.snapshot, asked.span(range_).start, asked.token, authority)

        def make(asked: DocumentRequest, answer: Answer, found: dict[str, Any]) -> dict[str, Any]:
            from lexls.reading.propositions import find_citation_near

            draft, offset = asked.snapshot.draft, asked.span(range_).start
            cited = find_citation_near(draft, offset) if authority is None else None
            if cited is not None and not found["failed"] and not answer.shown:
                key = make_key(asked.snapshot, cited)
                if key is not None:
                    asked.session.explainer.keep(key, answer)  # for hovers, too
            span = cited.span if cited is not None else draft.sentence_at(offset)
            explained = asked.range(span) if span is not None else range_
            return {"range": explained, "statements": _statements(asked, answer), **found}

        # A client that runs the command itself shows what comes back.
        return await answer_request(ls, "explain", uri, EXPLAIN_TITLE, argument, gather, make, shown=False)

    @server.command("lexls.contrary")
    async def contrary(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri, range_ = read_place(argument)

        def gather(asked: DocumentRequest, writer: Writer) -> Gathered | None:
            from lexls.features.gathering import gather_contrary

            return gather_contrary(asked.snapshot, asked.span(range_), asked.token)

        def make(asked: DocumentRequest, answer: Answer, found: dict[str, Any]) -> dict[str, Any]:
            return {"title": CONTRARY_TITLE, **found}

        return await answer_request(ls, "contrary", uri, CONTRARY_TITLE, argument, gather, make, shown=True)

    @server.command("lexls.draft")
    async def draft(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri, range_ = read_place(argument)

        def gather(asked: DocumentRequest, writer: Writer) -> Gathered | None:
            from lexls.features.gathering import gather_draft

            return gather_draft(asked.snapshot, asked.span(range_), asked.token)

        def make(
            asked: DocumentRequest, answer: Answer, found: dict[str, Any]
        ) -> tuple[OpenDocument, list[Edit], dict[str, Any]]:
            from lexls.features.drafting import draft_sentence

            said = bool(answer.sentences)
            edits = list(draft_sentence(asked.snapshot, asked.span(range_), answer)) if said else []
            return asked.document, edits, found

        made = await answer_request(ls, "draft", uri, DRAFT_TITLE, argument, gather, make, shown=False)
        if made is None:
            return None
        document, edits, found = made
        reason = ""
        if not edits:
            reason = found["failed"] or "nothing in your library supports a sentence here"
        if not reason and ls.documents.get(uri) is not document:
            reason = "the draft was changed meanwhile"
        if reason:
            if not found["failed"]:
                ls.show(t.MessageType.Info, reason)
            return {**found, "applied": False, "edit": None, "reason": reason}
        applied = await apply_edits(ls, uri, edits, "Draft a supported sentence", argument)
        return {**found, **applied, "reason": ""}


def _statements(asked: DocumentRequest, answer: Answer) -> list[dict[str, Any]]:
    """The words an explanation rests on, one by one, as clients of the first version know them."""
    return [
        {
            "text": pin.text,
            "paragraph": pin.label,
            "page": pin.page,
            "at_pinpoint": pin.at_pinpoint,
            "target": asked.location(asked.snapshot.library.locate(pin.authority.id, pin.start, pin.end)),
        }
        for sentence in answer.sentences
        for pin in sentence.pins
    ]
