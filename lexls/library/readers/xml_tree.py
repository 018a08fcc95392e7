"""Read XML into a tree that records the source position of each word.

The parser is the standard library's expat. Nothing outside the file is opened. A file that declares entities
of more than a few letters is refused, since they can make a small file expand to gigabytes.

Each vocabulary in which law is published is a TOML file in the folder ``vocabularies``; its README describes
the fields.
"""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pyexpat import ErrorString
from typing import TYPE_CHECKING, Any, Literal
from xml.etree.ElementTree import Element
from xml.parsers import expat

from lexls.library.document import UnreadableFile
from lexls.text.lexicon import split_words

DEEPEST = 120
"""Maximum nesting of elements; publishers' files stay below forty."""
_LONGEST_ENTITY = 100
_STAND_IN = "ÿ"
_OTHERS = re.compile("[^\x00-\xff]")
_TAG = re.compile(r"<(?P<name>[^\s/>]+)(?P<attributes>(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+)>")
_ATTRIBUTE = re.compile(r"([^\s=]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_ROOT = re.compile(
    r"\ufeff?(?:\s++|<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?:[^\[>\"']|\"[^\"]*+\"|'[^']*+'|\[.*?\]\s*(?=>))*+>)*+"
    r"<(?P<root>[A-Za-z_][^\s/>]*)(?P<attributes>[^>]*)",
    re.DOTALL,
)

Run = tuple[int, str]
"""A run of text: its start in the source, in code points, and the text itself."""
BLANK: tuple[Run, ...] = ((0, " "),)
"""The runs recorded for text that is only white space, wherever it is."""


class Node(Element):
    """An element whose ``text`` and ``tail`` are also kept as runs, ``runs`` and ``tail_runs``.

    The names of elements and attributes have no prefixes.
    """

    __slots__ = ("runs", "tail_runs")
    runs: tuple[Run, ...]
    tail_runs: tuple[Run, ...]

    if TYPE_CHECKING:

        def __iter__(self) -> Iterator[Node]: ...

        def iter(self, tag: str | None = None) -> Iterator[Node]:  # type: ignore[override]
            """As in ``Element``, like the methods below."""

        def iterfind(  # type: ignore[override]
            self, path: str, namespaces: Mapping[str, str] | None = None
        ) -> Iterator[Node]:
            """As in ``Element``."""

        def find(self, path: str, namespaces: Mapping[str, str] | None = None) -> Node | None:
            """As in ``Element``."""


def find_root(beginning: str) -> tuple[str, str]:
    """Return the name of the root element as written and its attributes as source text; "" if there is none.

    ``beginning`` is the first several thousand code points of a file.
    """
    match = _ROOT.match(beginning)
    return (match["root"], match["attributes"]) if match is not None else ("", "")


def read_tree(source: str) -> Node:
    """Return the root of XML. Raises ``UnreadableFile`` with the reason and the line."""
    return _TreeBuilder(source).build()


class _TreeBuilder:
    """Builds the tree from expat's events.

    Expat gets one byte (Latin-1) for each code point, so that its positions are offsets in the source. A
    character outside Latin-1 is replaced by ``_STAND_IN`` and later read from the source.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        told = _OTHERS.sub(_STAND_IN, source) if not source.isascii() else source
        self._foreign = told != source
        self._names: dict[str, str] = {}
        self._entities: dict[str, str] = {}
        self._open: list[Node] = []
        self._last: Node | None = None
        self._root: Node | None = None
        self._words: list[str] = []
        self._places: list[int] = []
        self._parser = parser = expat.ParserCreate("utf-8" if source.isascii() else "iso-8859-1")
        self._data = told.encode("latin-1")
        parser.buffer_text = False
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.SkippedEntityHandler = self._skip
        parser.EntityDeclHandler = self._declare

    def build(self) -> Node:
        try:
            self._parser.Parse(self._data, True)
        except expat.ExpatError as error:
            raise UnreadableFile(
                f"not well-formed XML (line {error.lineno}: {ErrorString(error.code)})"
            ) from None
        if self._root is None:
            raise UnreadableFile("not well-formed XML (there is no element in it)")
        return self._root

    def _refuse(self, reason: str) -> UnreadableFile:
        return UnreadableFile(f"{reason} (line {self._parser.CurrentLineNumber})")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._words:
            self._flush()
        if self._foreign and _STAND_IN in tag + "".join(attributes.values()):
            tag, attributes = self._read_tag() or (tag, attributes)
        name = self._names.get(tag)
        if name is None:
            name = self._names[tag] = tag.rpartition(":")[2]
        if attributes:
            attributes = {
                key.rpartition(":")[2] if ":" in key else key: value
                for key, value in attributes.items()
                if key[:5] != "xmlns"
            }
        node = Node(name, attributes)
        node.runs = node.tail_runs = ()
        opened = self._open
        if opened:
            if len(opened) >= DEEPEST:
                raise self._refuse(f"nested more than {DEEPEST} elements deep")
            opened[-1].append(node)
        else:
            self._root = node
        opened.append(node)
        self._last = None

    def _end(self, _tag: str) -> None:
        if self._words:
            self._flush()
        self._last = self._open.pop()

    def _text(self, text: str) -> None:
        self._words.append(text)
        self._places.append(self._parser.CurrentByteIndex)

    def _skip(self, name: str, is_parameter: bool) -> None:
        """Decode an entity as in HTML if only an external DTD declares it."""
        known = "" if is_parameter else html.unescape(f"&{name};")
        if known and not known.startswith("&"):
            self._text(known)

    def _declare(self, name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        if value is None:
            return
        if len(value) > _LONGEST_ENTITY or "&" in value or "<" in value:
            raise self._refuse(f'declares an entity of its own ("{name}"), which lexls does not expand')
        if _STAND_IN in value:
            at = self._parser.CurrentByteIndex
            written = re.compile(r"[^\"']*([\"'])(.*?)\1", re.DOTALL).match(self._source, at)
            value = html.unescape(written[2]) if written is not None else value
        self._entities[name] = value

    def _flush(self) -> None:
        """Attach the text since the last tag to its element."""
        first, end = self._places[0], self._parser.CurrentByteIndex
        words = self._words[0] if len(self._words) == 1 else "".join(self._words)
        if words.isspace():
            words, runs = " ", BLANK
        elif first + len(words) == end and not self._entities:
            if self._foreign:
                words = self._source[first:end]
            runs = ((first, words),)
        else:
            runs = tuple(map(self._restore, self._places, self._words))
            words = "".join(text for _, text in runs)
        self._words, self._places = [], []
        if self._last is not None:
            self._last.tail, self._last.tail_runs = words, runs
        elif self._open:
            self._open[-1].text, self._open[-1].runs = words, runs

    def _restore(self, at: int, text: str) -> Run:
        """Return a run of text as written in the source, with entities decoded."""
        if self._source[at] == "&":
            name = self._source[at + 1 : self._source.find(";", at)]
            return at, self._entities.get(name, text)
        return at, self._source[at : at + len(text)] if self._foreign else text

    def _read_tag(self) -> tuple[str, dict[str, str]] | None:
        """Return the name and attributes of the opening tag at the current position, as in the source; None
        if there is none.
        """
        match = _TAG.match(self._source, self._parser.CurrentByteIndex)
        if match is None:
            return None
        attributes = _ATTRIBUTE.findall(match["attributes"])
        return match["name"], {key: html.unescape(one or other) for key, one, other in attributes}


Role = Literal[
    "omit", "block", "heading", "quoted", "apart", "body", "spaced", "line", "cell", "note", "page"
]
"""The role of an element in the text. Units are described by ``Unit``; elements without a role are part of a
line.
"""


@dataclass(frozen=True, slots=True)
class Unit:
    """A numbered element: a section, a paragraph, or a part or schedule that contains them.

    ``numbers`` and ``headings`` are paths from it. ``mark`` is how a bare number is printed ("({})"), and
    ``value`` the number's attribute with the bare form. ``label`` is its pinpoint: "{}" for its number after
    that of the enclosing unit, a name with "{}" for schedules and the like ("Sch {}"), "" for none. ``depth``
    is the depth of the heading that number and heading form, or 0 if they begin the text. A number that is
    ``alone`` has its own line. A ``top`` unit needs no enclosing unit to have a pinpoint; if it directly
    contains other such units, it only divides them. Elements inside a unit without ``nests`` have no
    pinpoints of their own.
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
    """A kind of document in a vocabulary. A document is of this kind if its root contains the path ``when``.

    ``declared`` maps the fields of ``Metadata`` to their sources, of which the first with a value is used;
    ``units`` are the numbered elements.
    """

    when: str
    declared: Mapping[str, tuple[Any, ...]]
    units: Mapping[str, Unit]


@dataclass(frozen=True, slots=True)
class XmlVocabulary:
    """An XML vocabulary: the root elements that identify it, and the roles of its elements.

    ``depths`` gives the depth of each heading element. An element with the attribute given in ``named_by`` is
    first looked up as "element.value". ``lends`` maps an element to its child that is the heading of the
    first unit in it.
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
        """Return the kind of the document with this root, or None if the vocabulary does not describe it."""
        for kind in self.documents:
            if not kind.when or root.find(kind.when) is not None:
                return kind
        return None


_FOLDER = resources.files(__package__) / "vocabularies"


@lru_cache(maxsize=1)
def load_vocabularies() -> tuple[XmlVocabulary, ...]:
    """Return all vocabularies, in the order of their file names."""
    files = sorted((each for each in _FOLDER.iterdir() if each.name.endswith(".toml")), key=lambda f: f.name)
    return tuple(_read(tomllib.loads(file.read_text("utf-8"))) for file in files)


def find_vocabulary(name: str, attributes: str | Mapping[str, str]) -> XmlVocabulary | None:
    """Return the vocabulary whose root element has this name, with or without a prefix; None if there is
    none.

    ``attributes`` are the element's attributes as written, including its namespace.
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
