"""Explanations made before anybody asks: after a hover on a citation, one at a time, for the next hover."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexls.citations.model import Citation
    from lexls.features.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.server.explainer import ReadyKey
    from lexls.server.server import LexlsServer
    from lexls.server.session import Session
    from lexls.text.cancel import CancelToken

REST_SECONDS = 0.15
"""A mouse that only passes over a citation starts nothing."""
LOADING = "Loading the model"
"""What the user sees while a model is loaded; an explanation that is made unasked shows nothing else."""


class Ahead:
    """At most one explanation is being made; the newest wish wins. Belongs to the event loop."""

    def __init__(self, ls: LexlsServer) -> None:
        self._ls = ls
        self._task: asyncio.Task[None] | None = None
        self._key: ReadyKey | None = None
        self._uri = ""

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
        from lexls.server.work_progress import WorkProgress

        await asyncio.sleep(REST_SECONDS)
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        shown: list[WorkProgress] = []

        def loading() -> None:
            if task is not None and not task.done():
                shown.append(WorkProgress(self._ls, LOADING, task))

        def work(token: CancelToken) -> None:
            _explained(session, document, offset, key, token, lambda: loop.call_soon_threadsafe(loading))

        try:
            await self._ls.run_long(work)
        finally:
            for each in shown:
                each.end()


def ready_key(snapshot: Snapshot, citation: Citation) -> ReadyKey | None:
    """What the explanation of a citation depends on; None where the library does not have what is cited."""
    from lexls.features.explain import proposition_of
    from lexls.features.resolve import authority_of, resolve
    from lexls.server.explainer import ReadyKey

    cited = authority_of(snapshot.library, resolve(snapshot.library, snapshot.draft, citation))
    if cited is None:
        return None
    pinpoint = citation.pinpoint
    where = f"{pinpoint.kind} {' '.join(pinpoint.labels)}" if pinpoint is not None else ""
    return ReadyKey(cited.id, where, proposition_of(snapshot, citation), snapshot.library.generation)


def _explained(
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
    from lexls.grounding.answering import answers
    from lexls.grounding.generator import GenerationFailed
    from lexls.models.unavailable import ModelUnavailable
    from lexls.server.server import path_of

    snapshot = session.snapshot(document, str(path_of(document.uri)))
    if snapshot is None or session.service is None or snapshot.library.generation != key.generation:
        return
    try:
        means = session.explainer.means("explain", snapshot, session.service)
        gathered = gather_explanation(snapshot, offset, means.generator.room, token)
        if gathered is None:
            return
        if means.model is not None and not gathered.weak and not means.model.ready:
            loading()
        for answer in answers(gathered, means.generator, means.verifier, token, means.template):
            if answer.complete:
                session.explainer.keep(key, answer)
    except (GenerationFailed, ModelUnavailable):
        session.explainer.give_up()
