"""A line of a page, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

DIVIDED = "\ufffe"
"""What PDFium writes where a hyphen at a line's end divides a word; it drops the line's end itself."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text and its box in points, from the page's lower left corner.

    ``height`` is that of its first character's font box; ``bottom`` lies lower than ``top - height`` where
    the text layer has joined lines whose words were divided.
    """

    text: str
    left: float
    right: float
    top: float
    bottom: float
    height: float
