"""Keep which papers of the record a text cites last, for the *id.* behind them."""

from __future__ import annotations

from lexls.citations.model import CitedPaper
from lexls.citations.steps import ResolverStep


class CitedPapers:
    """The papers of the record that were cited since the last authority, in one string."""

    def __init__(self) -> None:
        self._papers: tuple[CitedPaper, ...] = ()
        self._note = -1

    def cite(self, papers: tuple[CitedPaper, ...], note: int) -> None:
        """Take note of papers that are cited in a footnote (-1: in the main text); none: of something else
        that was not read."""
        self._papers, self._note = papers, note

    def forget(self) -> None:
        """An authority is cited."""
        self._papers = ()

    def find(self, step: ResolverStep, note: int, *, first: bool) -> tuple[CitedPaper, ...]:
        """What an *id.* in a footnote (-1: the main text) may stand for: papers in the same, or in the note
        before one of which it is the ``first`` citation."""
        pinpoint = step.mention.pinpoint
        if step.of_volume or (pinpoint is not None and pinpoint.kind not in ("page", "paragraph")):
            return ()
        near = note == self._note or (first and note > 0 and note == self._note + 1)
        return self._papers if near else ()
