"""Build the text of a document from its paragraphs, for formats that are not divided into lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lexls.library.document import ExtractedPiece

SOFT_HYPHEN = "\u00ad"
"""A possible division of a word at the end of a line; it is not part of the word."""


def leave_soft_hyphens_out(text: str, at: int) -> Iterator[tuple[int, str]]:
    """Yield the parts of ``text`` between its soft hyphens, each preceded by its offset; ``at`` is the offset
    of ``text``.
    """
    for stretch in text.split(SOFT_HYPHEN):
        if stretch:
            yield at, stretch
        at += len(stretch) + 1


@dataclass(slots=True)
class Pieces:
    """The text so far, with paragraphs separated by two line breaks, and the offsets of paragraphs
    and pages.
    """

    parts: list[str] = field(default_factory=list)
    length: int = 0
    pieces: list[ExtractedPiece] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text of all paragraphs added so far."""
        return "".join(self.parts)

    @property
    def page_starts(self) -> tuple[int, ...]:
        """The offsets at which pages begin; empty if there is only one page."""
        return tuple(dict.fromkeys([0, *self.pages])) if self.pages else ()

    def add(self, text: str, heading: int = 0, quoted: bool = False, breaks: tuple[int, ...] = ()) -> None:
        """Add a paragraph unless it is empty; ``breaks`` are the offsets in its text at which pages begin."""
        if SOFT_HYPHEN in text:
            breaks = tuple(at - text.count(SOFT_HYPHEN, 0, at) for at in breaks)
            text = text.replace(SOFT_HYPHEN, "")
        lead = len(text) - len(text.lstrip())
        stripped = text.strip()
        if not stripped:
            if breaks:
                self.pages.append(self.length + (2 if self.length else 0))
            return
        if self.length:
            self.parts.append("\n\n")
            self.length += 2
        start = self.length
        self.parts.append(stripped)
        self.length += len(stripped)
        self.pieces.append(ExtractedPiece(start, self.length, heading, quoted))
        self.pages.extend(start + min(max(0, at - lead), len(stripped)) for at in breaks)
