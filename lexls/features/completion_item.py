"""One proposal of a completion, and how it is written for editors with and without snippets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexls.citations.model import PinpointKind
from lexls.text.spans import Span

NO_AUTHORITY = -1
"""The authority of an item that is none of the library: a paper of the record, or a key without one."""
ItemKind = Literal["case", "statute", "other", "place"]


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """One proposal.

    ``text`` takes the place of ``replace`` (a span of the source, on one line, around the cursor);
    ``stop`` is the part of ``text`` that the person fills in (None: nothing), for clients with snippets.
    ``plain`` is what to insert where there are none, or where nothing is filled in, "" for ``text``.
    ``filter`` begins like what is typed, ``order`` sorts. ``authority`` and ``label`` are for
    ``describe_item``; a paper of the record has -1. ``label_of_place`` and ``place_kind`` tell a place of it.
    ``asks_on`` says that a place may be cited behind it, so that its places are to be listed next.
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
        """Return what is inserted where nothing is filled in."""
        return self.plain or self.text

    def snippet(self, *, transforms: bool = False) -> str | None:
        """``text`` as an LSP snippet whose stop is empty, so that nothing is left of it when it is not used.

        With ``transforms`` (an editor that rewrites what was typed in a stop) what stands around a pinpoint
        comes with it; without, it is typed too, but for what is never cited as a whole. None where nothing
        but the end of ``bare`` is left to stop at: editors show the label, not the text, of a snippet that
        is not accepted yet.
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
    """``text`` with the characters escaped that snippets give a meaning."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def _count_shared(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _escape_format(text: str) -> str:
    return escape_snippet(text).replace("/", "\\/")
