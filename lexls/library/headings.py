"""Recognise headings and their depth."""

from __future__ import annotations

import re

from lexls.library.document import ExtractedPiece
from lexls.text.lexicon import FIRST_TO_TENTH

TITLE = 1
"""The depth of a document's own title."""

_MARKED: tuple[tuple[re.Pattern[str], int], ...] = (
    *((re.compile(rf"[#*_\s]*(?:{words})\b(?:\s+(?:[\dIVXLCDM]+[A-Z]?|[A-Z])\b|\s*$|\s*[:.—–-])", re.I),
       level) for words, level in (
          (rf"(?:the\s+)?(?:{FIRST_TO_TENTH})?\s*schedule|annex(?:ure)?|appendix|exhibit|part|book", 2),
          (r"chapter|title", 3),
          (r"(?:sub)?division|subpart", 4))),
    (re.compile(r"[*_]{0,2}\(?[IVXL]{1,6}\)?\.?[*_]{0,2}$"), 3),
    (re.compile(r"[*_]{0,2}\(?[A-Z]\)?\.?[*_]{0,2}$"), 4),
)  # fmt: skip
"""Patterns of headings whose beginning shows their depth, and that depth: a division, or an outline mark on
its own.
"""
_OUTLINE = re.compile(r"[*_]{0,2}(?:\([IVXL]{1,6}\)|[IVXL]{1,6}\.|[A-Z]\.|\([A-Z]\))\s+(?=\S)")
_LETTERS = re.compile(r"[^\W\d_]{3}")
_YEAR = re.compile(r"[\[(]\d{4}[\])]")
_LONGEST = 110
_NOTE_MARK = re.compile(r" ?\[note [\d*†‡]{1,6}\]")
"""The mark of a note, as inserted by lexls's readers."""
_EMPHASIS = re.compile(r"(?<!\w)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?!\w)")
_MARKUP_EDGE = "#*_ \t"


def find_heading_level(text: str, piece: ExtractedPiece) -> int:
    """Return the depth of a piece that is a heading, by its format or its wording; 0 if it is not one.

    Headings by wording are: a division ("PART II", "Chapter 4 – Costs", "Schedule 1"), a short line in
    capitals, an outline mark with a short line ("II. The statute", "(A) Facts"), or a mark alone ("III").
    """
    if piece.heading:
        return piece.heading
    if piece.quoted or piece.end - piece.start > _LONGEST:
        return 0
    line = text[piece.start : piece.end]
    first = line[0]
    if first in "\"“‘'<|" or line[-1] in '"”;,' or _YEAR.match(line):
        return 0
    if "\n" in line and not line.isupper():
        return 0
    for pattern, level in _MARKED:
        if pattern.match(line):
            return level if _is_title_like(line) else 0
    if line.isupper():
        return 3 if _LETTERS.search(line) and _is_title_like(line) else 0
    if _OUTLINE.match(line) and _is_title_like(line):
        return 4
    if first in "*_" and len(line) > 4 and line[-1] == first and _is_title_like(line.strip(_MARKUP_EDGE)):
        return 4
    return 0


def is_short_title(text: str, piece: ExtractedPiece) -> bool:
    """Return whether a piece may be a heading in ordinary letters ("The facts"): short, with no full stop."""
    if piece.quoted or piece.end - piece.start > 70:
        return False
    line = text[piece.start : piece.end]
    return (
        line[0].isupper()
        and line[-1].isalpha()
        and "\n" not in line
        and '"' not in line
        and "/" not in line
        and _LETTERS.search(line) is not None
        and line.count(" ") <= 8
    )


def read_heading(line: str) -> str:
    """Return a heading's words without Markdown, note marks and repeated white space."""
    if "[note " in line:
        line = _NOTE_MARK.sub("", line)
    return " ".join(_EMPHASIS.sub("", line).strip(_MARKUP_EDGE).split())


def _is_title_like(line: str) -> bool:
    """Return whether a line may be a title: it is not empty and, if it ends in punctuation, it has at most
    six words.
    """
    body = line.strip(_MARKUP_EDGE)
    return body != "" and not (body[-1] in ".;:,?!" and len(body.split()) > 6)
