"""Describe changes to a draft."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of ``span`` of the draft's source by ``text``."""

    span: Span
    text: str


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """Return ``source`` with the edits applied. They must not overlap, and may be in any order."""
    for edit in sorted(edits, key=lambda each: each.span, reverse=True):
        source = source[: edit.span.start] + edit.text + source[edit.span.end :]
    return source


@dataclass(frozen=True, slots=True)
class Fix:
    """A change to the draft, or to the metadata of a library file, that fixes a problem. ``title`` describes
    it ("Change the pinpoint to [23]"). ``preferred`` is true if it is the only answer, so that an editor
    may offer it first or apply it to a whole draft. ``describes`` is a library document with its
    citations, to be recorded for its file; then ``edits`` is empty.
    """

    title: str
    edits: tuple[Edit, ...]
    preferred: bool = True
    describes: tuple[int, tuple[str, ...]] | None = None
