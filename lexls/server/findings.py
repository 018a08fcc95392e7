"""Check open documents on worker threads, and keep what is found while nothing changes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexls.text.memory import Memory

if TYPE_CHECKING:
    from lexls.assessing.rules.engine import CheckedDraft, FoundBefore
    from lexls.reading.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken

KEPT_DOCUMENTS = 64
LOOK_SECONDS = 0.05
"""How often who waits for another thread's check looks whether the answer is still wanted."""


def _start() -> FoundBefore:
    from lexls.assessing.rules.engine import FoundBefore

    return FoundBefore()


@dataclass(slots=True)
class _Checked:
    """What was found in a document's text in a state: the generations of library and record, whether these
    are complete, the document's bibliography. ``result`` is None before its first check. ``before`` is what
    the next check need not find again; for one thread at a time. ``late`` is what was found when nobody
    waited.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    before: FoundBefore = field(default_factory=_start)
    late: FoundBefore = field(default_factory=_start)
    source: str | None = None
    state: object = None
    result: CheckedDraft | None = None


@contextmanager
def _held(lock: threading.Lock, token: CancelToken) -> Iterator[None]:
    """Hold a lock as soon as it is free. Raises ``Cancelled``, also while it is waited for."""
    while not lock.acquire(timeout=LOOK_SECONDS):
        token.raise_if_cancelled()
    try:
        yield
    finally:
        lock.release()


class Checker:
    """Checks the documents of one session; what is found is kept while document and library stay."""

    def __init__(self) -> None:
        self._checked = Memory[str, _Checked](KEPT_DOCUMENTS)

    def find(self, snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> CheckedDraft:
        """Check the document: its findings and its verdicts counted. Raises ``Cancelled``."""
        from lexls.assessing.rules.engine import check_all, list_libraries

        states = tuple((each.generation, each.complete) for each in list_libraries(snapshot))
        state = (states, snapshot.draft.bibliography)
        checked = self._checked.recall(document.uri, _Checked)
        with _held(checked.lock, token):
            result = checked.result
            if result is None or checked.source is not document.source or checked.state != state:
                token.raise_if_cancelled()
                result = check_all(snapshot, token, checked.before, checked.late)
                checked.result, checked.source, checked.state = result, document.source, state
            return result

    def find_late(self, snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> bool:
        """Look for what takes long; whether ``find`` has more to report from now on. Raises ``Cancelled``."""
        from lexls.assessing.rules.engine import check_late

        checked = self._checked.recall(document.uri, _Checked)
        more = check_late(snapshot, token, checked.late)
        if more:
            with checked.lock:
                checked.source = None
        return more

    def forget(self, uri: str) -> None:
        """Drop what is kept of a document that was closed."""
        self._checked.forget([uri])
