"""Report paragraphs that were not read to their end."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.assessing.check import Problem, WholeCheck
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken

NOT_FULLY_READ = DiagnosticRule(
    code="not-fully-read",
    severity="information",
    filing="warning",
    order=27,
    help="A paragraph that takes too long to read, whose citations may not all have been found.",
    documentation="""\
The time for reading one paragraph is bounded, so that no text keeps an editor waiting. Past it, lexls leaves
the rest of the paragraph's citations unread and says so. Prose takes a small part of that time: look for a
list of thousands of numbers, or for what a converter has made of a table, and divide it by blank lines.""",
)


def check_read(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """Report each paragraph whose reading was ended by its budget."""
    draft = snapshot.draft
    for block, start, piece in zip(draft.blocks, draft.starts, draft.citations.pieces, strict=True):
        if not piece.is_whole:
            words = "not fully read: this paragraph takes too long, and citations in it may be missing"
            yield Problem(block.words.shift(start), NOT_FULLY_READ.code, words)


CHECKS = (WholeCheck((NOT_FULLY_READ,), check_read),)
