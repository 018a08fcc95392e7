"""Texts that the made documents hold, all of them invented: a judgment, a statute, a contract, a letter."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Literal

SOFT_HYPHEN = "\u00ad"
"""Where the texts allow a word to be divided at the end of a line."""
NOTE = "‡"
"""Where in a part's text the mark of its note stands."""


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph. A ``unit`` is numbered, nested by its ``level`` (from 1), and may have a ``heading``.

    Of a row of a table, ``text`` has the cells, tabs between them; a heading's ``level`` is its depth.
    """

    kind: Literal["line", "heading", "unit", "paragraph", "quotation", "row"]
    text: str = ""
    number: str = ""
    level: int = 0
    heading: str = ""
    note: str = ""


Parts = Sequence[Part]
JUDGMENT_MARKS = ("{}.",)
STATUTE_MARKS = ("{}", "({})", "({})")
CONTRACT_MARKS = ("{}.", "{}", "({})")


def write_mark(part: Part, marks: Sequence[str]) -> str:
    """The number of a unit as it is printed, "" for other parts."""
    return marks[part.level - 1].format(part.number) if part.kind == "unit" else ""


def write_lines(parts: Parts, marks: Sequence[str] = JUDGMENT_MARKS) -> list[str]:
    """What is to be read: the paragraphs, each note behind the one that refers to it."""
    lines: list[str] = []
    notes = 0
    for part in parts:
        text, mark = part.text, write_mark(part, marks)
        if part.note:
            notes += 1
            text = text.replace(NOTE, f" [note {notes}]")
        if part.heading:
            lines.append(f"{mark} {part.heading}")
            mark = ""
        if text:
            lines.append(f"{mark} {text}".strip())
        if part.note:
            lines.append(f"Note {notes}: {part.note}")
    return [line.replace(SOFT_HYPHEN, "") for line in lines]


def leave_notes_out(parts: Parts) -> list[Part]:
    """The parts without their notes and the marks of these."""
    return [replace(part, text=part.text.replace(NOTE, ""), note="") for part in parts]


def without_ligatures(parts: Parts) -> list[Part]:
    """The parts with letters that old encodings have."""
    return [replace(part, text=part.text.replace("ﬂ", "fl").replace("ﬁ", "fi")) for part in parts]


def repeat_units(parts: Parts, times: int) -> list[Part]:
    """A longer document: its units again and again, numbered on."""
    units = [part for part in parts if part.kind == "unit"]
    more = [
        replace(unit, number=str(place))
        for place, unit in enumerate(units * (times - 1), start=len(units) + 1)
    ]
    return [*parts, *more]


def nest(units: Parts, opens: Callable[[Part, bool], str], closes: Callable[[int, bool], str]) -> str:
    """Units as elements within elements: each is told whether others stand in it."""
    found: list[str] = []
    stack: list[tuple[int, bool]] = []
    for unit, following in zip_longest(units, units[1:]):
        while stack and stack[-1][0] >= unit.level:
            found.append(closes(*stack.pop()))
        holds = following is not None and following.level > unit.level
        found.append(opens(unit, holds))
        stack.append((unit.level, holds))
    found += [closes(*each) for each in reversed(stack)]
    return "".join(found)


_TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
JUDGMENT, STATUTE, CONTRACT, LETTER = (
    tuple(Part(**part) for part in _TEXTS[name]) for name in ("judgment", "statute", "contract", "letter")
)
TITLE = "Ardwell Mills Limited v Josiah Pennock"
NUMBERS = ("1", "2", "3", "4", "5", "6", "7", "8")
STATUTE_TITLE = "Weirs and Sluices Act 2011"
SECTIONS = ("1", "1(1)", "1(1)(a)", "1(1)(b)", "1(2)", "2", "2(1)", "2(2)", "3", "3(1)", "3(2)")
CONTRACT_TITLE = "Agreement for the Supply of Oats"
LETTER_TITLE = "The sluice at Ardwell"
