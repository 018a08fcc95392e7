"""Read XML into a tree that knows where in the file each of its words stands.

The parser is the standard library's expat. Nothing outside the file is opened, and a file that declares
entities of more than a few letters is refused: that is how a small file swells to gigabytes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from pyexpat import ErrorString
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element
from xml.parsers import expat

from lexls.library.document import UnreadableFile

DEEPEST = 120
"""Files with elements nested deeper are refused; those of publishers stay below forty."""
_LONGEST_ENTITY = 100
_AMPERSAND = ord("&")
_ROOT = re.compile(
    r"\ufeff?(?:\s++|<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?:[^\[>\"']|\"[^\"]*+\"|'[^']*+'|\[.*?\]\s*(?=>))*+>)*+"
    r"<(?P<root>[A-Za-z_][^\s/>]*)(?P<attributes>[^>]*)",
    re.DOTALL,
)

Run = tuple[int, str]
"""A run of text: where it begins in the source, in code points, and the text itself."""


class Node(Element):
    """An element whose ``text`` and ``tail`` are also kept as runs, ``runs`` and ``tail_runs``.

    The names of elements and attributes are without prefixes.
    """

    __slots__ = ("runs", "tail_runs")
    runs: tuple[Run, ...]
    tail_runs: tuple[Run, ...]

    if TYPE_CHECKING:

        def __iter__(self) -> Iterator[Node]: ...

        def iter(self, tag: str | None = None) -> Iterator[Node]:  # type: ignore[override]
            """As in ``Element``; so are the others."""

        def iterfind(  # type: ignore[override]
            self, path: str, namespaces: Mapping[str, str] | None = None
        ) -> Iterator[Node]:
            """As in ``Element``."""

        def find(self, path: str, namespaces: Mapping[str, str] | None = None) -> Node | None:
            """As in ``Element``."""


def find_root(beginning: str) -> tuple[str, str]:
    """The name with which the root element of XML opens, and its attributes as they stand; "" if none does.

    ``beginning`` are the first thousands of code points of a file.
    """
    match = _ROOT.match(beginning)
    return (match["root"], match["attributes"]) if match is not None else ("", "")


def read_tree(source: str) -> Node:
    """The root of XML. Raises ``UnreadableFile`` with the reason and the line."""
    return _TreeBuilder(source).build()


class _TreeBuilder:
    """Builds the tree from what expat calls out."""

    def __init__(self, source: str) -> None:
        self._data = source.encode("utf-8", "replace")
        self._plain = source.isascii()
        self._at = self._points = 0
        self._names: dict[str, str] = {}
        self._open: list[Node] = []
        self._last: Node | None = None
        self._root: Node | None = None
        self._runs: list[Run] = []
        self._parser = parser = expat.ParserCreate("utf-8")
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
        self._flush()
        name = self._names.get(tag)
        if name is None:
            name = self._names[tag] = tag.rpartition(":")[2]
        if attributes:
            attributes = {
                key.rpartition(":")[2]: value for key, value in attributes.items() if key[:5] != "xmlns"
            }
        node = Node(name, attributes)
        node.runs = node.tail_runs = ()
        if self._open:
            if len(self._open) >= DEEPEST:
                raise self._refuse(f"nested more than {DEEPEST} elements deep")
            self._open[-1].append(node)
        else:
            self._root = node
        self._open.append(node)
        self._last = None

    def _end(self, _tag: str) -> None:
        self._flush()
        self._last = self._open.pop()

    def _text(self, text: str) -> None:
        self._runs.append((self._parser.CurrentByteIndex, text))

    def _skip(self, name: str, is_parameter: bool) -> None:
        """Take an entity that only a DTD outside the file declares for what it is in HTML."""
        known = "" if is_parameter else html.unescape(f"&{name};")
        if known and not known.startswith("&"):
            self._runs.append((self._parser.CurrentByteIndex, known))

    def _declare(
        self,
        name: str,
        is_parameter: bool,
        value: str | None,
        base: str | None,
        system: str,
        public: str | None,
        notation: str | None,
    ) -> None:
        if value is not None and (len(value) > _LONGEST_ENTITY or "&" in value or "<" in value):
            raise self._refuse(f'declares an entity of its own ("{name}"), which lexls does not expand')

    def _flush(self) -> None:
        """Give the text that came since the last tag to the element that it belongs to."""
        if not self._runs:
            return
        runs = tuple((self._find_point(at), text) for at, text in self._runs)
        words = runs[0][1] if len(runs) == 1 else "".join(text for _, text in runs)
        self._runs = []
        if self._last is not None:
            self._last.tail, self._last.tail_runs = words, runs
        elif self._open:
            self._open[-1].text, self._open[-1].runs = words, runs

    def _find_point(self, at: int) -> int:
        """The code point of the source at which byte ``at`` stands; asked for in rising order."""
        if self._plain:
            return at
        self._points += len(self._data[self._at : at].decode("utf-8", "replace"))
        self._at = at
        return self._points
