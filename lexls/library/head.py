"""The head of a document: what its first lines say about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.library.extract import Piece
from lexls.library.headings import heading_words

_MOST_PIECES = 40
_MOST_CHARACTERS = 6000
_LINE = 300

_REASONS_BEGIN = re.compile(
    r"""(?:the\s+)?(?:following\s+)?(?:judgments?|orders?|opinions?)\s+(?:of\s+.{1,60}?\s+)?
            (?:was|were)\s+(?:delivered|given|pronounced|as)\b
      | (?:reasons\s+for\s+)?judg(?:e)?ments?\s*:?\s*$ | reasons\s*:?\s*$
      | [*_]{0,3}\\?\[\s*¶?\s*1\s*\\?\] | [*_]{0,3}1\s?\\?[.)]\s | ¶\s*1\b""",
    re.VERBOSE | re.IGNORECASE,
)
_LABELLED_CITATION = re.compile(
    r"(?:medium\s+)?(?:neutral\s+citation(?:\s+(?:number|no\.?))?|citations?|equivalent\s+citations?"
    r"|parallel\s+citations?|also\s+(?:reported|cited)\s+(?:in|as|at)|reported\s+(?:in|as|at)|reported|cite\s+as)"
    r"\s*[:\-–—]?\s+(?=[\[(\d A-Z])",
    re.IGNORECASE,
)
_HAS_YEAR_OR_NUMBER = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Head:
    """The first lines of a document, before its reasons, text or clauses begin.

    ``lines`` are without markup and white space at the edges, each cut to 300 code points;
    ``citation_lines`` are those that may hold the document's own citations, with whether a label ("Neutral
    Citation Number:") says so. ``heading`` is the first heading of the first level that the format declares,
    ``opening`` the first 6,000 code points as they stand.
    """

    lines: tuple[str, ...]
    citation_lines: tuple[tuple[str, bool], ...]
    opening: str
    heading: str = ""


def head_of(text: str, pieces: Sequence[Piece]) -> Head:
    """The head of a text."""
    lines: list[str] = []
    total = 0
    for piece in pieces[:_MOST_PIECES]:
        raw = text[piece.start : min(piece.end, piece.start + _LINE)]
        if _REASONS_BEGIN.match(raw):
            break
        for line in raw.splitlines():
            if words := heading_words(line):
                lines.append(words)
        total += len(raw)
        if total > _MOST_CHARACTERS:
            break
    cited: list[tuple[str, bool]] = []
    for line in lines:
        if len(line) > 200 or not _HAS_YEAR_OR_NUMBER.search(line):
            continue
        label = _LABELLED_CITATION.match(line)
        if label:
            cited.append((line[label.end() :], True))
        elif "[" in line or "(" in line or line[0].isdigit():
            cited.append((line, False))
    opening = text[pieces[0].start : pieces[0].start + _MOST_CHARACTERS] if pieces else ""
    headings = (piece for piece in pieces[:_MOST_PIECES] if piece.heading == 1)
    first = next(headings, None)
    heading = heading_words(text[first.start : min(first.end, first.start + _LINE)]) if first else ""
    return Head(tuple(lines), tuple(cited), opening, heading)
