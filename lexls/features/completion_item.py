"""A completion item, with its text for editors with and without snippets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexls.citations.model import PinpointKind
from lexls.text.spans import Span

NO_AUTHORITY = -1
"""The value of ``authority`` for an item that is not in the library: a paper of the record, or a key without
an authority.
"""
ItemKind = Literal["case", "statute", "other", "place"]


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """A completion item.

    ``text`` replaces ``replace`` (a span of the source, on one line, around the cursor). ``stop`` is the part
    of ``text`` that the user fills in (or None), for clients with snippets. ``plain`` is the text to insert
    without snippets or with nothing filled in (if empty, ``text``). ``filter`` begins like the typed text,
    ``order`` is the sort key. ``authority`` and ``label_of_place`` are for ``describe_item``; ``authority``
    is -1 for a paper of the record. ``label_of_place`` and ``place_kind`` are set for a pinpoint. ``asks_on``
    is true if a pinpoint may follow, so that pinpoints are proposed next.
    """

    label: str
    description: str
    kind: ItemKind
    replace: Span
    text: str
    filter: str
    order: str
    authority: int
    label_of_place: str = ""
    place_kind: PinpointKind | None = None
    stop: Span | None = None
    plain: str = ""
    asks_on: bool = False

    @property
    def bare(self) -> str:
        """Return the text to insert if nothing is filled in."""
        return self.plain or self.text

    def snippet(self, *, transforms: bool = False) -> str | None:
        """Return ``text`` as an LSP snippet with an empty tab stop for the pinpoint, or None if a snippet is
        not useful.

        With ``transforms`` (for editors that can rewrite what is typed at a stop), the text around the
        pinpoint appears when the user types the pinpoint. Otherwise it is included only for authorities that
        are not cited as a whole, unlike cases. A snippet is not useful if its only stop would be at the end
        of ``bare``, since editors show the label of a snippet instead of its text until it is accepted.
        """
        if self.stop is None:
            return None
        bare = self.bare
        first = _count_shared(self.text[: self.stop.start], bare)
        behind = self.text[self.stop.end :]
        last = len(self.text) - _count_shared(behind[::-1], bare[first:][::-1])
        lead, trail = self.text[first : self.stop.start], self.text[self.stop.end : last]
        stop = "$1" if self.text[last:] else ""
        if transforms and (lead or trail):
            # What begins with a sign is a place from the list, written as a whole.
            stop = f"${{1/^([^\\s,(\\[].*)/{_escape_format(lead)}$1{_escape_format(trail)}/}}"
        elif self.kind != "case":
            stop = f"{escape_snippet(lead)}$1{escape_snippet(trail)}"
        if not stop:
            return None
        return f"{escape_snippet(self.text[:first])}{stop}{escape_snippet(self.text[last:])}$0"


def escape_snippet(text: str) -> str:
    """Return ``text`` with the special characters of snippets escaped."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def _count_shared(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _escape_format(text: str) -> str:
    return escape_snippet(text).replace("/", "\\/")
