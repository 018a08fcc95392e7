"""Find paragraphs: what stands between blank lines, and the items of lists."""

from __future__ import annotations

import re

from lexls.text.blanking import ITEM
from lexls.text.spans import Span

# Begins with a set of characters, which ``re`` skips to.
_BREAK = re.compile(rf"[\r\n{ITEM}](?:(?<={ITEM})|(?:(?<=\r)\n)?+[^\S\r\n]*[\r\n])\s*")
_BLANKS = f" \t{ITEM}"


def find_paragraphs(masked: str) -> list[Span]:
    """The paragraphs of a text in order, without the white space around them."""
    spans = []
    start = 0
    for match in _BREAK.finditer(masked):
        spans.append(_trim(masked, start, match.start()))
        start = match.end()
    spans.append(_trim(masked, start, len(masked)))
    return [span for span in spans if len(span)]


def find_paragraph(masked: str, offset: int) -> Span | None:
    """The paragraph that a cursor at ``offset`` stands in or touches, None between paragraphs.

    A cursor behind the last visible character of a line (in trailing blanks) is still in the paragraph.
    """
    if not 0 <= offset <= len(masked):
        return None
    start = 0
    for match in _BREAK.finditer(masked):
        if match.start() >= offset and masked[offset : offset + 1] != ITEM:
            return _with_blanks(masked, start, match.start(), offset)
        # ``offset`` may stand in the indentation of the line that begins the next paragraph.
        if offset < match.end() and masked[offset : match.end()].strip(_BLANKS):
            return None
        start = match.end()
    return _with_blanks(masked, start, len(masked), offset)


def _with_blanks(masked: str, start: int, end: int, offset: int) -> Span | None:
    span = _trim(masked, start, end)
    if not len(span):
        return None
    if span.touches(offset) or (masked[min(offset, span.end) : max(offset, span.start)].strip(_BLANKS) == ""):
        return span
    return None


def _trim(text: str, start: int, end: int) -> Span:
    piece = text[start:end].rstrip()
    words = piece.lstrip()
    return Span(start + len(piece) - len(words), start + len(piece)) if words else Span(end, end)
