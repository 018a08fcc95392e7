"""Tell whose opinion the words of a judgment stand in: the court's, or that of a judge who says otherwise."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Literal

from lexls.index.library import Library
from lexls.text.phrases import compile_pattern, load_phrases

OpinionPart = Literal["", "court", "dissent", "concurrence"]

_PHRASES = load_phrases(__package__, "opinion_parts.toml")
_DISSENT, _CONCURRENCE, _COURT = (
    compile_pattern(_PHRASES[part], {}, re.NOFLAG) for part in ("dissent", "concurrence", "court")
)
_LONGEST = 140
"""Code points of a heading that names an opinion."""
_TITLE = 600
"""Code points before the first opinion of a copy that has nothing but a title there."""


def list_parts(library: Library, authority: int) -> list[tuple[int, OpinionPart]]:
    """Where opinions begin in an authority's text, in order; empty if none has a heading."""
    text = library.contents.text(authority)
    found: list[tuple[int, OpinionPart]] = []
    for block in library.contents.outline(authority):
        if block.kind == "heading" and block.end - block.start <= _LONGEST:
            part = _tell(text[block.start : block.end])
            if part:
                found.append((block.start, part))
    return found


def find_part(library: Library, authority: int, offset: int) -> OpinionPart:
    """Whose opinion ``offset`` of an authority’s text stands in, "" where no heading says."""
    parts = list_parts(library, authority)
    place = bisect_right(parts, offset, key=lambda each: each[0])
    return parts[place - 1][1] if place else ""


def lacks_the_courts(library: Library, authority: int) -> bool:
    """Whether a copy has separate opinions alone, and so not all that the court said."""
    parts = list_parts(library, authority)
    return bool(parts) and parts[0][0] < _TITLE and all(part != "court" for _, part in parts)


def _tell(heading: str) -> OpinionPart:
    if _DISSENT.search(heading):
        return "dissent"
    if _CONCURRENCE.search(heading):
        return "concurrence"
    return "court" if _COURT.search(heading) else ""
