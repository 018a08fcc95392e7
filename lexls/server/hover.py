"""Answer textDocument/hover, and explain what was pointed at before anybody asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.answering import LOADING, WorkProgress
from lexls.server.convert import to_address, to_content
from lexls.server.server import DocumentRequest, LexlsServer

if TYPE_CHECKING:
    from lexls.citations.model import Citation
    from lexls.grounding.answer import Answer
    from lexls.reading.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.server.explainer import ReadyKey
    from lexls.server.session import Session
    from lexls.text.cancel import CancelToken


def register(server: LexlsServer) -> None:
    """Offer hovers."""
    ahead = Ahead(server)

    @server.feature(t.TEXT_DOCUMENT_HOVER)
    async def hover(ls: LexlsServer, params: t.HoverParams) -> t.Hover | None:
        formats = ls.find_capability("text_document.hover.content_format")
        wished: list[tuple[OpenDocument, int, ReadyKey]] = []

        def work(asked: DocumentRequest) -> t.Hover | None:
            from lexls.features.hover import hover

            snapshot, explainer = asked.snapshot, asked.session.explainer
            offset = asked.offset(params.position)

            def link(*place: int) -> str:
                return to_address(snapshot.library.locate(*place))

            def link_record(*place: int) -> str:
                return to_address(snapshot.record.library.locate(*place) if snapshot.record else None)

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


REST_SECONDS = 0.15
"""A mouse that only passes over a citation starts nothing."""


class Ahead:
    """Explanations made before anybody asks: after a hover on a citation, for the next hover.

    At most one is being made; the newest wish wins. Belongs to the event loop.
    """

    def __init__(self, ls: LexlsServer) -> None:
        self._ls = ls
        self._task: asyncio.Task[None] | None = None
        self._key: ReadyKey | None = None
        self._uri = ""
        ls.leaving_off.append(self.stop)

    def want(self, document: OpenDocument, offset: int, key: ReadyKey) -> None:
        """Make the explanation of the citation at ``offset``, unless it is being made already."""
        if self._task is not None and not self._task.done():
            if self._key == key:
                return
            self._task.cancel()
        self._key, self._uri = key, document.uri
        self._task = self._ls.spawn(self._make(self._ls.session_of(document.uri), document, offset, key))

    def stop(self, uri: str | None = None) -> None:
        """Leave off: somebody asks for an answer, or the document ``uri`` is closed."""
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
    """What the explanation of a citation depends on; None where the library does not have what is cited."""
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
    """Make one explanation and remember it. What cannot be made is left for when somebody asks.

    ``loading`` is told when a model must be loaded first.
    """
    from lexls.features.gathering import gather_explanation
    from lexls.grounding.generator import GenerationFailed
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
            # Extracts are ready at once; a model's sentences take their places later.
            session.explainer.keep(key, replace(answer, complete=True))
            if answer.failed:
                session.explainer.give_up()
    except (GenerationFailed, ModelUnavailable):
        session.explainer.give_up()
