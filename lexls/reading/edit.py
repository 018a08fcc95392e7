"""Describe a change of a draft."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """``text`` in place of ``span`` of the draft's source."""

    span: Span
    text: str


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """Return ``source`` with the edits made. They do not overlap, and may come in any order."""
    for edit in sorted(edits, key=lambda each: each.span, reverse=True):
        source = source[: edit.span.start] + edit.text + source[edit.span.end :]
    return source


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of the draft, or of what a file of the library says of itself, that mends a problem.

    ``title`` says what it does ("Change the pinpoint to [23]"). ``preferred`` says that it is the one answer
    there is, so that an editor may offer it first or apply it for a whole draft. ``describes`` is a document
    of the library with its citations, to be written beside its file; then there are no ``edits``.
    """

    title: str
    edits: tuple[Edit, ...]
    preferred: bool = True
    describes: tuple[int, tuple[str, ...]] | None = None
