"""Read a DOCX's styles and count its automatic numbers as Word does (ECMA-376 part 1, 17.9)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexls.library.marks import write_count
from lexls.library.readers.archive import find_child, read_attribute, read_local_name

if TYPE_CHECKING:
    from lxml.etree import _Element


def is_on(element: _Element | None) -> bool:
    """Return whether a toggle property is present and not switched off."""
    return element is not None and read_attribute(element, "val").lower() not in ("0", "false", "off", "none")


def number(element: _Element | None, default: int) -> int:
    """Return the ``val`` of an element as a number, or ``default`` if it is not one."""
    value = read_attribute(element, "val")
    return int(value) if value.lstrip("-").isdigit() and len(value) < 10 else default


_HEADING = re.compile(r"heading\s*([1-9])$", re.IGNORECASE)
_QUOTATION = re.compile(
    r"(?:block|intense)?\s*(?:quot(?:e|ation)|text)$|.*\bquot(?:e|ation)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class WordStyle:
    """A paragraph style: its name, the style it is based on, and its own paragraph properties."""

    name: str
    based_on: str
    properties: _Element | None


@dataclass(frozen=True, slots=True)
class Styles:
    """The paragraph styles by identifier, and the identifier of the default style."""

    by_id: Mapping[str, WordStyle]
    default: str
    hidden: frozenset[str] = frozenset()
    """The paragraph and character styles whose text is hidden."""
    _headings: dict[str, int] = field(default_factory=dict)

    def chain(self, identifier: str) -> Iterator[WordStyle]:
        """Yield a style and the styles it is based on, each only once."""
        seen: set[str] = set()
        while identifier and identifier not in seen and (style := self.by_id.get(identifier)) is not None:
            seen.add(identifier)
            yield style
            identifier = style.based_on

    def heading(self, identifier: str) -> int:
        """Return the heading level of a style, or 0 if it is not a heading."""
        if identifier not in self._headings:
            self._headings[identifier] = self._find_heading(identifier)
        return self._headings[identifier]

    def _find_heading(self, identifier: str) -> int:
        for style in self.chain(identifier):
            if style.name.lower() == "title":
                return 1
            if match := _HEADING.match(style.name):
                return int(match[1])
            level = read_attribute(find_child(style.properties, "outlineLvl"), "val")
            if level.isdigit() and int(level) < 9:
                return int(level) + 1
        return 0

    def is_quotation(self, identifier: str) -> bool:
        """Return whether a style is for quotations, judging by its name."""
        style = self.by_id.get(identifier)
        return style is not None and "quot" in style.name.lower() and _QUOTATION.match(style.name) is not None


def read_styles(root: _Element | None) -> Styles:
    """Read the styles part; without it, there are no styles."""
    by_id: dict[str, WordStyle] = {}
    default = ""
    hides: dict[str, tuple[_Element | None, str]] = {}  # each style's own setting and its base style
    for element in root if root is not None else ():
        if read_local_name(element) != "style":
            continue
        identifier = read_attribute(element, "styleId")
        vanish = find_child(find_child(element, "rPr"), "vanish")
        hides[identifier] = (vanish, read_attribute(find_child(element, "basedOn"), "val"))
        if read_attribute(element, "type") not in ("", "paragraph"):
            continue
        by_id[identifier] = WordStyle(
            read_attribute(find_child(element, "name"), "val"),
            read_attribute(find_child(element, "basedOn"), "val"),
            find_child(element, "pPr"),
        )
        value = read_attribute(element, "default")
        if value and value.lower() not in ("0", "false", "off") and is_on(element):
            default = identifier
    return Styles(by_id, default, frozenset(each for each in hides if _is_hidden(each, hides)))


def _is_hidden(identifier: str, hides: Mapping[str, tuple[_Element | None, str]]) -> bool:
    """Return whether a style's text is hidden. The setting is the style's own, or else that of the nearest
    style it is based on.
    """
    for _ in range(len(hides)):
        vanish, identifier = hides.get(identifier, (None, ""))
        if vanish is not None or not identifier:
            return is_on(vanish)
    return False


_FORMATS = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}
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
    """The lists of a document and their current counts."""

    levels: dict[str, dict[int, Level]] = field(default_factory=dict)
    abstract_of: dict[str, str] = field(default_factory=dict)
    overrides: dict[str, dict[int, int]] = field(default_factory=dict)
    counters: dict[str, dict[int, int]] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)

    def mark(self, properties: _Element | None, style: str, styles: Styles) -> str:
        """Count a paragraph and return the number that Word prints before it, or "".

        ``properties`` is its ``w:pPr``. A style may also number it, and its own properties may remove that
        number.
        """
        identifier, level_number = self._list_of(properties, style, styles)
        abstract = self.abstract_of.get(identifier)
        levels = self.levels.get(abstract or "", {})
        level = levels.get(level_number)
        if abstract is None or level is None:
            return ""
        # Lists with overridden levels share their counts with the list they are based on.
        counters = self.counters.setdefault(abstract.partition(" ")[0], {})
        overrides = self.overrides.get(identifier, {})
        override = overrides.get(level_number)
        # If a level is used before those above it, these are set to their first numbers.
        for above in range(level_number):
            if above not in counters and above in levels:
                counters[above] = overrides.get(above, levels[above].start)
        # A list with its own start restarts a level only when it is first used; otherwise it continues the
        # counts that it shares.
        first = identifier not in self.begun
        self.begun.add(identifier)
        if level_number in counters and not (first and override is not None):
            counters[level_number] += 1
        else:
            counters[level_number] = level.start if override is None else override
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
            written_as = "1" if level.legal else _FORMATS.get(shown.format, "1")
            return write_count(counters.get(depth, shown.start), written_as)

        return _PLACE.sub(written, level.text).strip()

    def _list_of(self, properties: _Element | None, style: str, styles: Styles) -> tuple[str, int]:
        """Return the identifier of a paragraph's list, and its level. If the paragraph's style numbers it,
        the level is the one linked to that style.
        """
        own = find_child(properties, "numPr")
        identifier = read_attribute(find_child(own, "numId"), "val")
        depth = number(find_child(own, "ilvl"), -1)
        styled = -1
        for ancestor in styles.chain(style) if not identifier else ():
            inherited = find_child(ancestor.properties, "numPr")
            styled = styled if styled >= 0 else number(find_child(inherited, "ilvl"), -1)
            if identifier := read_attribute(find_child(inherited, "numId"), "val"):
                break
        if depth < 0:
            levels = self.levels.get(self.abstract_of.get(identifier, ""), {})
            named = (at for at, level in levels.items() if level.style and level.style == style)
            depth = next(named, max(styled, 0))
        return identifier, depth


def read_numbering(root: _Element | None) -> Numbering:
    """Read the numbering part; without it, there are no lists."""
    numbering = Numbering()
    # A style's list is defined once; other lists with that style only refer to it.
    defined: dict[str, str] = {}
    linked: dict[str, str] = {}
    for element in root if root is not None else ():
        if read_local_name(element) == "abstractNum":
            own_number = read_attribute(element, "abstractNumId")
            if style := read_attribute(find_child(element, "styleLink"), "val"):
                defined[style] = own_number
            if style := read_attribute(find_child(element, "numStyleLink"), "val"):
                linked[own_number] = style
            levels = {
                number_of: _level(item)
                for item in element
                if read_local_name(item) == "lvl" and (number_of := _depth(item)) is not None
            }
            numbering.levels[own_number] = levels
    for element in root if root is not None else ():
        if read_local_name(element) != "num":
            continue
        identifier = read_attribute(element, "numId")
        abstract = read_attribute(find_child(element, "abstractNumId"), "val")
        abstract = defined.get(linked.get(abstract, ""), abstract)
        replaced: dict[int, Level] = {}
        for item in element:
            if read_local_name(item) != "lvlOverride" or (depth := _depth(item)) is None:
                continue
            if (level := find_child(item, "lvl")) is not None:
                replaced[depth] = _level(level)
            if (start := find_child(item, "startOverride")) is not None:
                numbering.overrides.setdefault(identifier, {})[depth] = number(start, 1)
        if replaced:
            own = f"{abstract} {identifier}"
            numbering.levels[own] = {**numbering.levels.get(abstract, {}), **replaced}
            abstract = own
        if identifier != "0":
            numbering.abstract_of[identifier] = abstract
    return numbering


def _depth(element: _Element) -> int | None:
    value = read_attribute(element, "ilvl")
    return int(value) if value.isdigit() and len(value) < 3 else None


def _level(element: _Element) -> Level:
    child = {read_local_name(each): each for each in element}
    return Level(
        start=number(child.get("start"), 0),
        format=read_attribute(child.get("numFmt"), "val") or "decimal",
        text=read_attribute(child.get("lvlText"), "val"),
        restart=number(child.get("lvlRestart"), -1),
        legal=is_on(child.get("isLgl")),
        style=read_attribute(child.get("pStyle"), "val"),
    )
