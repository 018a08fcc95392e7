"""Look into the XML of office documents, whose names are in namespaces that change with the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element


def read_local_name(element: _Element) -> str:
    """An element's name without its namespace; "" for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def find_child(element: _Element | None, name: str) -> _Element | None:
    """The first child of that name, None if there is none or no element."""
    return None if element is None else next(element.iterchildren(f"{{*}}{name}"), None)


def read_attribute(element: _Element | None, name: str) -> str:
    """The value of an attribute by its local name, "" if it is not there."""
    if element is None:
        return ""
    # Most are in the namespace of their element.
    space, _, _ = str(element.tag).rpartition("}")
    if (found := element.get(f"{space}}}{name}" if space else name)) is not None:
        return found
    attributes = element.attrib.items()
    return next((str(value) for key, value in attributes if str(key).rpartition("}")[2] == name), "")
