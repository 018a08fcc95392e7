"""Check as much of a draft, from its beginning, as the time allows that an agent waits."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from lexls.agents.desk import AskedDraft, Desk, Unanswerable
from lexls.assessing.check import Finding
from lexls.export.report import DraftReport, examine
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import Cancelled, CancelToken

SECONDS = 30.0
"""Time for checking one draft; most clients give a tool a minute."""
AT_ONCE = 100_000
"""Code points that are checked together: a brief of forty pages, which takes a second or two."""
FEWEST = 10_000
"""Code points that are checked instead if ``AT_ONCE`` takes longer than ``SECONDS``."""
_GROWTH = 2
"""How many times as much is checked next while time is left; that takes as many times as long."""


@dataclass(frozen=True, slots=True)
class Examined:
    """The findings on a draft up to the code point ``end``: on all of it, if that is its length."""

    draft: AskedDraft
    snapshot: Snapshot
    findings: list[Finding]
    report: DraftReport
    end: int


def examine_within(
    desk: Desk, given: AskedDraft, token: CancelToken, *, support: bool, seconds: float = SECONDS
) -> Examined:
    """Check a draft, ever more of it while the time lasts.

    Raises ``Unanswerable`` if there is no time for even ``FEWEST`` code points of it, and ``Cancelled``.
    """
    length, left, found = given.length, seconds, None
    end = given.find_end(AT_ONCE)
    while found is None or found.end < length:
        started = time.monotonic()
        examined = _examine(desk, given, end, token, support, seconds if found is None else left)
        taken = time.monotonic() - started
        left -= taken
        if examined is None and found is None and end > given.find_end(FEWEST):
            end = given.find_end(FEWEST)
            continue
        if examined is None:
            break
        found = examined
        if left < _GROWTH * taken:
            break
        end = given.find_end(_GROWTH * end)
    if found is None:
        raise Unanswerable(
            f"checking the first {end:,} characters of the draft takes longer than {seconds:.0f} seconds; "
            "give a shorter part of it"
        )
    return found


def _examine(
    desk: Desk, given: AskedDraft, end: int, token: CancelToken, support: bool, seconds: float
) -> Examined | None:
    """Check a draft up to ``end``; None if that takes longer than ``seconds``. Raises ``Cancelled``."""
    draft = desk.parse_draft(given, end)
    snapshot = desk.snapshot(token, draft)
    with _limited(token, seconds) as limited:
        try:
            findings, report = examine(snapshot, limited, support=support)
        except Cancelled:
            token.raise_if_cancelled()
            return None
    return Examined(given, snapshot, findings, report, end)


@contextlib.contextmanager
def _limited(token: CancelToken, seconds: float) -> Iterator[CancelToken]:
    """A token that is cancelled with ``token``, or after so many seconds."""
    limited = CancelToken()
    timer = threading.Timer(seconds, limited.cancel)
    timer.daemon = True
    forget = token.on_cancel(limited.cancel)
    timer.start()
    try:
        yield limited
    finally:
        timer.cancel()
        forget()
