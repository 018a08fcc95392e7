"""Explain a citation, find contrary authority and draft a sentence by command, and answer hovers.

After a hover on a citation, its explanation is prepared for the next hover.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.answering import LOADING, WorkProgress, answer_request
from lexls.server.citation_styles import apply_edits
from lexls.server.convert import to_address, to_content
from lexls.server.protocol import read_place, refuse_argument
from lexls.server.server import DocumentRequest, LexlsServer

if TYPE_CHECKING:
    from lexls.citations.model import Citation
    from lexls.features.build import Writer
    from lexls.grounding.answer import Answer
    from lexls.grounding.answering import Gathered
    from lexls.reading.edit import Edit
    from lexls.reading.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.server.explainer import ReadyKey
    from lexls.server.session import Session
    from lexls.text.cancel import CancelToken


CONTRARY_TITLE = "Contrary authority"
DRAFT_TITLE = "Drafting a supported sentence"
EXPLAIN_TITLE = "Explanation"


def register(server: LexlsServer) -> None:
    """Register hovers, and the commands that explain a citation, find contrary authority and draft a
    sentence.
    """

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
                    asked.session.explainer.keep(key, answer)  # also used for hovers
            span = cited.span if cited is not None else draft.sentence_at(offset)
            explained = asked.range(span) if span is not None else range_
            return {"range": explained, "statements": _statements(asked, answer), **found}

        # A client that runs the command itself shows the result.
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

    ahead = Ahead(server)

    @server.feature(t.TEXT_DOCUMENT_HOVER)
    async def hover(ls: LexlsServer, params: t.HoverParams) -> t.Hover | None:
        formats = ls.find_capability("text_document.hover.content_format")
        wished: list[tuple[OpenDocument, int, ReadyKey]] = []

        def work(asked: DocumentRequest) -> t.Hover | None:
            from lexls.features.hover import hover

            snapshot, explainer = asked.snapshot, asked.session.explainer
            offset = asked.offset(params.position)

            def link(document: int, start: int, end: int) -> str:
                return to_address(snapshot.library.locate(document, start, end))

            def link_record(document: int, start: int, end: int) -> str:
                return to_address(
                    snapshot.record.library.locate(document, start, end) if snapshot.record else None
                )

            def ready(citation: Citation) -> Answer | None:
                key = make_key(snapshot, citation)
                answer = explainer.ready(key) if key is not None else None
                if key is not None and answer is None and explainer.explains_unasked:
                    wished.append((asked.document, offset, key))
                return answer

            wanted = snapshot.settings.explain_on_hover
            found = hover(snapshot, offset, asked.token, link, ready if wanted else None, link_record)
            return t.Hover(to_content(found.markdown, formats), asked.range(found.span)) if found else None

        answer = await ls.answer(params.text_document.uri, work, None)
        for wish in wished:
            ahead.want(*wish)
        return answer


def _statements(asked: DocumentRequest, answer: Answer) -> list[dict[str, Any]]:
    """Return the quotations that support an explanation, in the form that clients of lexls's first version
    expect.
    """
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


REST_SECONDS = 0.15
"""Seconds to wait after a hover before preparing an explanation, so that a passing mouse starts nothing."""


class Ahead:
    """Prepares explanations before the user asks for them. A hover on a citation starts the preparation; the
    next hover shows the result.

    At most one explanation is in progress; a new request replaces it. Use it on the event loop only.
    """

    def __init__(self, ls: LexlsServer) -> None:
        self._ls = ls
        self._task: asyncio.Task[None] | None = None
        self._key: ReadyKey | None = None
        self._uri = ""
        ls.leaving_off.append(self.stop)

    def want(self, document: OpenDocument, offset: int, key: ReadyKey) -> None:
        """Prepare the explanation of the citation at ``offset``, unless it is already in progress."""
        if self._task is not None and not self._task.done():
            if self._key == key:
                return
            self._task.cancel()
        self._key, self._uri = key, document.uri
        self._task = self._ls.spawn(self._make(self._ls.session_of(document.uri), document, offset, key))

    def stop(self, uri: str | None = None) -> None:
        """Stop preparing an explanation, because the user asks for an answer or because the document ``uri``
        was closed. With ``uri``, only an explanation for that document is stopped.
        """
        if self._task is not None and (uri is None or uri == self._uri):
            self._task.cancel()
            self._task = None

    async def _make(self, session: Session, document: OpenDocument, offset: int, key: ReadyKey) -> None:
        await asyncio.sleep(REST_SECONDS)
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        shown: list[WorkProgress] = []

        def load() -> None:
            if task is not None and not task.done():
                shown.append(WorkProgress(self._ls, LOADING, task))

        def work(token: CancelToken) -> None:
            _explain(session, document, offset, key, token, lambda: loop.call_soon_threadsafe(load))

        try:
            await self._ls.run_long(work)
        finally:
            for each in shown:
                each.end()


def make_key(snapshot: Snapshot, citation: Citation) -> ReadyKey | None:
    """Return the inputs of a citation's explanation, or None if the library does not have the cited
    authority.
    """
    from lexls.reading.propositions import find_words_supported
    from lexls.reading.resolve import find_authority, resolve
    from lexls.server.explainer import ReadyKey

    cited = find_authority(snapshot.library, resolve(snapshot.library, snapshot.draft, citation))
    if cited is None:
        return None
    pinpoint = citation.pinpoint
    where = f"{pinpoint.kind} {' '.join(pinpoint.labels)}" if pinpoint is not None else ""
    return ReadyKey(
        cited.id, where, find_words_supported(snapshot.draft, citation), snapshot.library.generation
    )


def _explain(
    session: Session,
    document: OpenDocument,
    offset: int,
    key: ReadyKey,
    token: CancelToken,
    loading: Callable[[], object],
) -> None:
    """Prepare one explanation and cache it. If it cannot be written, stop preparing explanations until the
    user asks.

    ``loading`` is called if a model has to be loaded first.
    """
    from lexls.features.gathering import gather_explanation
    from lexls.grounding.answer import GenerationFailed
    from lexls.models.messages import ModelUnavailable

    snapshot = session.snapshot(document)
    if snapshot is None or session.service is None or snapshot.library.generation != key.generation:
        return
    try:
        writer = session.explainer.writer("explain", snapshot, session.service)
        gathered = gather_explanation(snapshot, offset, token)
        if gathered is None:
            return
        if writer.model is not None and not gathered.weak and not writer.model.ready:
            loading()
        for answer in writer.write(gathered, token):
            # Extracts are ready at once; a model's sentences replace them later.
            session.explainer.keep(key, replace(answer, complete=True))
            if answer.failed:
                session.explainer.give_up()
    except (GenerationFailed, ModelUnavailable):
        session.explainer.give_up()
