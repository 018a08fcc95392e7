"""Describe changes to a draft."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit that replaces ``span`` of the draft's source by ``text``."""

    span: Span
    text: str


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """Return ``source`` with the edits applied. They may be in any order, but must not overlap."""
    for edit in sorted(edits, key=lambda each: each.span, reverse=True):
        source = source[: edit.span.start] + edit.text + source[edit.span.end :]
    return source


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that fixes a problem, in the draft or in the metadata of a library file. ``title`` describes
    it ("Change the pinpoint to [23]"). ``preferred`` is true if it is the only possible fix; an editor may
    then offer it first or apply it to a whole draft. ``describes`` is the id of a library document and the
    citations to be recorded for its file; if it is set, ``edits`` is empty.
    """

    title: str
    edits: tuple[Edit, ...]
    preferred: bool = True
    describes: tuple[int, tuple[str, ...]] | None = None
