"""Automatic numbers of DOCX paragraphs, counted as Word counts them (ECMA-376 part 1, 17.9)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexls.library.readers.counters import counted
from lexls.library.readers.wordml import attribute, child, is_on, local, number

if TYPE_CHECKING:
    from lxml.etree import _Element

    from lexls.library.readers.styles_part import Styles

_FORMATS = {
    "lowerLetter": "a",
    "upperLetter": "A",
    "lowerRoman": "i",
    "upperRoman": "I",
}
_UNNUMBERED = frozenset({"bullet", "none"})
_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list: its first number, number format, and text such as "%1.%2"."""

    start: int
    format: str
    text: str
    restart: int
    legal: bool
    style: str


@dataclass(slots=True)
class Numbering:
    """The lists of a document and how far each has been counted."""

    levels: dict[str, dict[int, Level]] = field(default_factory=dict)
    abstract_of: dict[str, str] = field(default_factory=dict)
    overrides: dict[str, dict[int, int]] = field(default_factory=dict)
    counters: dict[str, dict[int, int]] = field(default_factory=dict)
    begun: set[tuple[str, int]] = field(default_factory=set)

    def mark(self, properties: _Element | None, style: str, styles: Styles) -> str:
        """Count a paragraph and give the number that Word prints before it, "" if none.

        ``properties`` is its ``w:pPr``; a style may number it too, or its own properties take that away.
        """
        identifier, level_number = self._list_of(properties, style, styles)
        abstract = self.abstract_of.get(identifier)
        if abstract is None:
            return ""
        levels = self.levels.get(abstract, {})
        level = levels.get(level_number)
        if level is None:
            return ""
        counters = self.counters.setdefault(abstract, {})
        override = self.overrides.get(identifier, {}).get(level_number)
        if override is not None and (identifier, level_number) not in self.begun:
            self.begun.add((identifier, level_number))
            counters[level_number] = override
        elif level_number in counters:
            counters[level_number] += 1
        else:
            counters[level_number] = level.start
        for deeper in [depth for depth in counters if depth > level_number]:
            below = levels.get(deeper)
            if below is None or below.restart != 0:
                del counters[deeper]
        if level.format in _UNNUMBERED:
            return ""

        def written(match: re.Match[str]) -> str:
            depth = int(match[1]) - 1
            shown = levels.get(depth)
            if shown is None:
                return ""
            value = counters.get(depth, shown.start)
            decimal = level.legal or shown.format not in _FORMATS
            return str(value) if decimal else counted(value, _FORMATS[shown.format])

        return _PLACE.sub(written, level.text).strip()

    def _list_of(self, properties: _Element | None, style: str, styles: Styles) -> tuple[str, int]:
        own = child(properties, "numPr")
        identifier = attribute(child(own, "numId"), "val")
        depth = number(child(own, "ilvl"), -1)
        if not identifier:
            for ancestor in styles.chain(style):
                inherited = child(ancestor.properties, "numPr")
                if inherited is not None and (identifier := attribute(child(inherited, "numId"), "val")):
                    depth = depth if depth >= 0 else number(child(inherited, "ilvl"), -1)
                    break
        if depth < 0:
            levels = self.levels.get(self.abstract_of.get(identifier, ""), {})
            depth = next((at for at, level in levels.items() if level.style and level.style == style), 0)
        return identifier, depth


def read_numbering(root: _Element | None) -> Numbering:
    """The numbering part; no lists if there is none."""
    numbering = Numbering()
    for element in root if root is not None else ():
        if local(element) == "abstractNum":
            levels = {
                number_of: _level(item)
                for item in element
                if local(item) == "lvl" and (number_of := _depth(item)) is not None
            }
            numbering.levels[attribute(element, "abstractNumId")] = levels
    for element in root if root is not None else ():
        if local(element) != "num":
            continue
        identifier = attribute(element, "numId")
        abstract = attribute(child(element, "abstractNumId"), "val")
        replaced: dict[int, Level] = {}
        for item in element:
            if local(item) != "lvlOverride" or (depth := _depth(item)) is None:
                continue
            if (level := child(item, "lvl")) is not None:
                replaced[depth] = _level(level)
            if (start := child(item, "startOverride")) is not None:
                numbering.overrides.setdefault(identifier, {})[depth] = number(start, 1)
        if replaced:
            own = f"{abstract} {identifier}"
            numbering.levels[own] = {**numbering.levels.get(abstract, {}), **replaced}
            abstract = own
        if identifier != "0":
            numbering.abstract_of[identifier] = abstract
    return numbering


def _depth(element: _Element) -> int | None:
    value = attribute(element, "ilvl")
    return int(value) if value.isdigit() and len(value) < 3 else None


def _level(element: _Element) -> Level:
    return Level(
        start=number(child(element, "start"), 0),
        format=attribute(child(element, "numFmt"), "val") or "decimal",
        text=attribute(child(element, "lvlText"), "val"),
        restart=number(child(element, "lvlRestart"), -1),
        legal=is_on(child(element, "isLgl")),
        style=attribute(child(element, "pStyle"), "val"),
    )
