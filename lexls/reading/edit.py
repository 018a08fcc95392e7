"""Describe a change of a draft."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """``text`` in place of ``span`` of the draft's source."""

    span: Span
    text: str


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
