"""Numbered paragraphs of judgments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from lexls.library.extract import Piece
from lexls.library.sequences import Numbered, rising

_NUMBER = re.compile(
    r"""[*_]{0,3}(?:
        \\?\[\s*(?:¶|para\.?)?\s*(?P<square>\d{1,4})\s*\\?\](?![(:])   # [12]
      | ¶\s*(?P<pilcrow>\d{1,4})\b\.?                                   # ¶ 12
      | (?P<point>\d{1,4})\s?\\?\.(?=[*_]{0,3}(?:\D|$))                 # 12.
      | (?P<bracket>\d{1,4})\\?\)(?=\s|$|[A-Z"“])                       # 12)
      | \((?P<round>\d{1,4})\)(?=\s|$)                                  # (12)
      | (?P<bare>\d{1,4})(?:\t\s*|\s{1,20})(?=["“‘'(\[]?[A-Z])          # 12 The court
    )[*_]{0,3}""",
    re.VERBOSE,
)
_STYLE_WEIGHT = {"square": 1.6, "pilcrow": 1.6, "point": 1.0, "bracket": 0.8, "round": 0.5, "bare": 0.7}
_MONTH = re.compile(
    r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|tember|ober|ember)?\b"
)
_IN_QUOTATION = 0.6
_HEADING_LENGTH = 80


def numbered_paragraphs(text: str, pieces: Sequence[Piece], jurisdiction: str = "") -> dict[int, str]:
    """Labels of the pieces at which a numbered paragraph begins, by the pieces' position.

    The style ("[12]", "12.", "12)", "¶ 12" …) whose numbers rise for longest is taken; others, and numbers
    out of sequence (lists, quoted judgments), are not. Empty if the document does not number its paragraphs.
    Opinions of the United States (``jurisdiction`` "US") seldom do, but number headings, notes and findings:
    there it takes more to be believed.
    """
    styles: dict[str, list[Numbered]] = {}
    quoting = False
    for position, piece in enumerate(pieces):
        start = piece.start
        first = text[start]
        if first.isdigit() or first in "[¶(*_\\":
            match = _NUMBER.match(text, start, min(piece.end, start + 40))
            if match is not None and not piece.quoted:
                style = match.lastgroup or ""
                if not (style == "bare" and _MONTH.match(text, match.end(), piece.end)):
                    weight = _IN_QUOTATION if quoting else 1.0
                    styles.setdefault(style, []).append(Numbered(position, int(match[style]), weight=weight))
        quoting = _quoting_after(text, piece, quoting)
    best: list[Numbered] = []
    best_score = 0.0
    for style, candidates in styles.items():
        chain = [candidates[index] for index in rising(candidates)]
        score = len(chain) * _STYLE_WEIGHT[style]
        if score > best_score and _is_numbering(text, pieces, chain, style, jurisdiction):
            best, best_score = chain, score
    return {found.piece: str(found.number) for found in best}


def _quoting_after(text: str, piece: Piece, quoting: bool) -> bool:
    """Whether a quotation that spans pieces is open after this one."""
    start, end = piece.start, piece.end
    opens, closes = text.count("“", start, end), text.count("”", start, end)
    if opens or closes:
        if text[start] == "“" and opens > closes:
            return True
        return quoting and closes <= opens
    straight = text.count('"', start, end)
    if straight % 2 == 0:
        return quoting
    if quoting:
        return False
    # Of an odd number of marks the last one opens if a space stands before it.
    last = text.rfind('"', start, end)
    return last == start or text[last - 1].isspace()


def _is_numbering(
    text: str, pieces: Sequence[Piece], chain: Sequence[Numbered], style: str, jurisdiction: str
) -> bool:
    """Whether a rising sequence is the numbering of the paragraphs, not of a few headings or a list."""
    length = len(chain)
    if length < 2 or (length < 3 and chain[0].number != 1):
        return False
    starts = [pieces[found.piece].start for found in chain]
    end = pieces[-1].end
    covered, whole = end - starts[0], end - pieces[0].start
    widest = max(later - earlier for earlier, later in pairwise([*starts, end]))
    if style in ("square", "pilcrow"):
        # Not a list of references at the end, nor the few marks of a reporter's headnotes.
        return covered * 3 >= whole and (jurisdiction != "US" or widest * 3 <= whole)
    if covered * 2 < whole:
        return False
    if style != "point" and (length < 5 or jurisdiction == "US"):
        return False
    if jurisdiction == "US" and (length < 10 or covered * 4 < whole * 3 or widest * 5 > whole):
        return False
    short = sum(
        1
        for found in chain
        if pieces[found.piece].end - pieces[found.piece].start < _HEADING_LENGTH
        and text[pieces[found.piece].end - 1] not in ".;:"
    )
    if short * 2 > length:
        return False
    return length >= 8 or covered / length < 12_000
