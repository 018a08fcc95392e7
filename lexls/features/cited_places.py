"""Where in a draft something is cited, as a table of authorities says it: paragraph, footnote or section."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import groupby

from lexls.features.citation_order import note_at, numbered_notes
from lexls.features.draft import Draft

_NUMBER = re.compile(r"[ \t>*_]{0,8}(?:\[(?P<bracket>\d{1,4})\]|(?P<plain>\d{1,4})[.)])[ \t]")
_FEWEST = 3
"""Fewer numbered paragraphs than this are a list, and not how a draft numbers itself."""


def numbered_paragraphs(draft: Draft) -> tuple[tuple[int, int], ...]:
    """Start and number of the draft's numbered paragraphs; none if it does not number them from 1 on."""
    return draft.once("numbered paragraphs", lambda: tuple(_numbered(draft)))


def _numbered(draft: Draft) -> Iterable[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for paragraph in draft.paragraphs:
        line = max(draft.source.rfind("\n", 0, paragraph.start) + 1, 0)
        match = _NUMBER.match(draft.source, line)
        if match is None:
            continue
        number = int(match["bracket"] or match["plain"])
        if number == (found[-1][1] + 1 if found else 1):
            found.append((paragraph.start, number))
    # Most of the text must stand in them: three items somewhere in a long draft number nothing.
    inside = sum(each.start >= found[0][0] for each in draft.paragraphs) if found else 0
    return found if len(found) >= _FEWEST and len(found) * 3 >= inside else []


def places_in_words(draft: Draft, offsets: Sequence[int]) -> str:
    """Where the offsets stand, each place once, in order: "[3], [7]", "nn 1, 4", "Argument"."""
    paragraphs = numbered_paragraphs(draft)
    starts = [start for start, _ in paragraphs]
    notes = numbered_notes(draft)
    numbered: set[int] = set()
    noted: set[int] = set()
    sections: dict[str, None] = {}
    for offset in sorted(offsets):
        note = note_at(draft, offset)
        at = note.mark if note is not None else offset
        place = bisect_right(starts, at) - 1
        if place >= 0:
            numbered.add(paragraphs[place][1])
        elif note is not None and notes:
            noted.add(note.number)
        else:
            title = _section(draft, at)
            if title:
                sections.setdefault(title)
    parts = []
    if numbered:
        parts.append(", ".join(f"[{each}]" for each in _ranges(numbered, "]–[")))
    if noted:
        parts.append(("n " if len(noted) == 1 else "nn ") + ", ".join(_ranges(noted, "–")))
    parts.extend(sections)
    return "; ".join(parts)


def _section(draft: Draft, offset: int) -> str:
    above = [each for each in draft.headings if each.line.start <= offset]
    return above[-1].title if above else ""


def _ranges(numbers: Iterable[int], dash: str) -> list[str]:
    """Numbers in order, three or more in a row as a range."""
    written = []
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        row = [number for _, number in run]
        if len(row) > 2:
            written.append(f"{row[0]}{dash}{row[-1]}")
        else:
            written.extend(str(each) for each in row)
    return written
