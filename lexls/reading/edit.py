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
    """A change of the draft that mends a problem.

    ``title`` says what it does ("Change the pinpoint to [23]"). ``preferred`` says that it is the one answer
    there is, so that an editor may offer it first or apply it for a whole draft.
    """

    title: str
    edits: tuple[Edit, ...]
    preferred: bool = True
