"""Know the XML vocabularies in which law is published, one TOML file each in the folder ``vocabularies``.

The README there says what the fields mean.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

from lexls.library.readers.xml_tree import Node
from lexls.text.lexicon import split_words

Role = Literal[
    "omit", "block", "heading", "quoted", "apart", "body", "spaced", "line", "cell", "note", "page"
]
"""What an element is for the text; that of units is in ``Unit``, and all others are part of a line."""


@dataclass(frozen=True, slots=True)
class Unit:
    """An element that is numbered: a section, a paragraph, or a part or schedule that holds such.

    ``numbers`` and ``headings`` are paths from it; ``mark`` is how its number is printed where the file has
    it bare ("({})"), ``value`` the attribute of it that has it bare. ``label`` is its pinpoint: "{}" for its
    number behind that of the unit around it, a name with "{}" for schedules and the like ("Sch {}"), "" for
    none. ``depth`` is that of the heading which number and heading make together, 0 where they open the
    text; a number that is ``alone`` has a line of its own. A unit that is ``top`` needs no unit around it to
    have a pinpoint, but if it holds other such units at once it only divides them. What stands in one that
    does not nest (``nests``) has no pinpoints of its own.
    """

    numbers: tuple[str, ...] = ("num",)
    headings: tuple[str, ...] = ("heading",)
    mark: str = "{}"
    value: str = ""
    label: str = "{}"
    depth: int = 0
    top: bool = False
    alone: bool = False
    nests: bool = True


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """One kind of documents of a vocabulary: those whose root has ``when``, a path.

    ``declared`` has for the fields of ``Metadata`` what says them, the first that does; ``units`` are those
    of its elements that are numbered.
    """

    when: str
    declared: Mapping[str, tuple[Any, ...]]
    units: Mapping[str, Unit]


@dataclass(frozen=True, slots=True)
class XmlVocabulary:
    """A vocabulary: by which root elements it is known, and what its elements are.

    ``depths`` are those of headings. An element with the attribute that ``named_by`` has for it is looked up
    as "element.value" first. ``lends`` has elements whose child of that name is the heading of the first unit
    in them.
    """

    format: str
    roots: frozenset[str]
    namespace: re.Pattern[str]
    documents: tuple[DocumentKind, ...]
    roles: Mapping[str, Role]
    depths: Mapping[str, int] = field(default_factory=dict)
    named_by: Mapping[str, str] = field(default_factory=dict)
    lends: Mapping[str, str] = field(default_factory=dict)

    def find_kind(self, root: Node) -> DocumentKind | None:
        """The kind of the document whose root this is; None for one that the vocabulary does not tell."""
        for kind in self.documents:
            if not kind.when or root.find(kind.when) is not None:
                return kind
        return None


_FOLDER = resources.files(__package__) / "vocabularies"


@lru_cache(maxsize=1)
def load_vocabularies() -> tuple[XmlVocabulary, ...]:
    """All vocabularies, in the order of their files' names."""
    files = sorted((each for each in _FOLDER.iterdir() if each.name.endswith(".toml")), key=lambda f: f.name)
    return tuple(_read(tomllib.loads(file.read_text("utf-8"))) for file in files)


def find_vocabulary(name: str, attributes: str | Mapping[str, str]) -> XmlVocabulary | None:
    """The vocabulary whose root element has this name, with a prefix or without; None if none has.

    ``attributes`` are the element's as they stand, in which its namespace is looked for.
    """
    local = name.rpartition(":")[2]
    for vocabulary in load_vocabularies():
        if local in vocabulary.roots and vocabulary.namespace.search(str(attributes)):
            return vocabulary
    return None


def _read(data: Mapping[str, Any]) -> XmlVocabulary:
    text = data["text"]
    roles: dict[str, Role] = {}
    for role in ("omit", "block", "quoted", "apart", "body", "spaced", "line", "cell", "note", "page"):
        roles |= dict.fromkeys(split_words(text.get(role, "")), role)
    depths = text.get("headings", {})
    roles |= dict.fromkeys(depths, "heading")
    common = data.get("declared", {})
    units = data.get("units", {})
    return XmlVocabulary(
        format=data["format"],
        roots=split_words(data["roots"]),
        namespace=re.compile(data.get("namespace", "")),
        documents=tuple(
            DocumentKind(
                when=kind.get("when", ""),
                declared={
                    key: tuple(value) if isinstance(value, list) else (value,)
                    for key, value in (common | kind.get("declared", {})).items()
                },
                units={
                    name: _read_unit(unit)
                    for name, unit in (units | kind.get("units", {})).items()
                    if unit is not False
                },
            )
            for kind in data.get("documents", [{}])
        ),
        roles=roles,
        depths=depths,
        named_by=text.get("named_by", {}),
        lends=text.get("lends", {}),
    )


def _read_unit(table: Mapping[str, Any]) -> Unit:
    number = table.get("number", "num")
    others = {key: value for key, value in table.items() if key != "number"}
    paths = tuple(table.get("headings", ["heading"]))
    return Unit(
        **{**others, "headings": paths, "numbers": (number,) if isinstance(number, str) else tuple(number)}
    )
