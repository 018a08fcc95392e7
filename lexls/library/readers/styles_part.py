"""Paragraph styles of a DOCX: which are headings, quotations, or numbered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexls.library.readers.wordml import attribute, child, is_on, local

if TYPE_CHECKING:
    from lxml.etree import _Element

_HEADING = re.compile(r"heading\s*([1-9])$", re.IGNORECASE)
_QUOTATION = re.compile(
    r"(?:block|intense)?\s*(?:quot(?:e|ation)|text)$|.*\bquot(?:e|ation)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style: its name, the style it builds on, and its own paragraph properties."""

    name: str
    based_on: str
    properties: _Element | None


@dataclass(frozen=True, slots=True)
class Styles:
    """The paragraph styles by identifier, and the default one."""

    by_id: Mapping[str, Style]
    default: str

    def chain(self, identifier: str) -> Iterator[Style]:
        """A style and those it builds on, without going in circles."""
        seen: set[str] = set()
        while identifier and identifier not in seen and (style := self.by_id.get(identifier)) is not None:
            seen.add(identifier)
            yield style
            identifier = style.based_on

    def heading(self, identifier: str) -> int:
        """The heading level of a style, 0 if it is no heading."""
        for style in self.chain(identifier):
            if style.name.lower() == "title":
                return 1
            if match := _HEADING.match(style.name):
                return int(match[1])
            level = attribute(child(style.properties, "outlineLvl"), "val")
            if level.isdigit() and int(level) < 9:
                return int(level) + 1
        return 0

    def is_quotation(self, identifier: str) -> bool:
        """Whether a style is one for quotations, by its name."""
        style = self.by_id.get(identifier)
        return style is not None and "quot" in style.name.lower() and _QUOTATION.match(style.name) is not None


def read_styles(root: _Element | None) -> Styles:
    """The styles part; no styles if there is none."""
    by_id: dict[str, Style] = {}
    default = ""
    for element in root if root is not None else ():
        if local(element) != "style" or attribute(element, "type") not in ("", "paragraph"):
            continue
        identifier = attribute(element, "styleId")
        by_id[identifier] = Style(
            attribute(child(element, "name"), "val"),
            attribute(child(element, "basedOn"), "val"),
            child(element, "pPr"),
        )
        value = attribute(element, "default")
        if value and value.lower() not in ("0", "false", "off") and is_on(element):
            default = identifier
    return Styles(by_id, default)
