"""Reading WordprocessingML without regard to which of its two namespaces (transitional, strict) it uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element


def local(element: _Element) -> str:
    """An element's name without its namespace; "" for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def child(element: _Element | None, name: str) -> _Element | None:
    """The first child of that name, None if there is none or no element."""
    if element is None:
        return None
    for candidate in element:
        if local(candidate) == name:
            return candidate
    return None


def attribute(element: _Element | None, name: str) -> str:
    """The value of an attribute by its local name, "" if it is not there."""
    if element is None:
        return ""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return ""


def is_on(element: _Element | None) -> bool:
    """Whether a toggle property is there and not switched off."""
    return element is not None and attribute(element, "val").lower() not in ("0", "false", "off", "none")


def number(element: _Element | None, default: int) -> int:
    """The ``val`` of an element as a number."""
    value = attribute(element, "val")
    return int(value) if value.lstrip("-").isdigit() and len(value) < 10 else default
