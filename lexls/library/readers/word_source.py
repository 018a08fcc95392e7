"""Find where the elements of a Word document's part stand in its source, so that the rest of it can stay."""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from lexls.library.document import UnreadableFile
from lexls.text.lexicon import split_words

MAIN_SPACES = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
"""The namespaces of Word's own elements: the usual one, and that of the strict form."""
_TAG = re.compile(rb"<[^<>\"']*(?:\"[^\"]*\"[^<>\"']*|'[^']*'[^<>\"']*)*>")
_DECLARED = re.compile(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.-]+)")
_CHARACTER = re.compile(r"&[^;]*;|\r\n|.", re.DOTALL)
_UNITS = frozenset({"r", "oMath", "oMathPara"})
# What an editor, or Word itself, writes anew, or where a second change has no place.
_FIXED = split_words("fldSimple moveTo moveFrom del ruby")


@dataclass(slots=True, eq=False)
class PlacedElement:
    """An element in the UTF-8 source of a part: from ``start`` to ``end``, its content between the inner two.

    ``kind`` is its local name, "" where it is none of Word's. ``children`` are kept of runs. ``changeable``
    says of what was asked for whether a tracked change may touch it.
    """

    kind: str
    start: int
    parent: PlacedElement | None
    content_start: int = 0
    content_end: int = 0
    end: int = 0
    children: list[PlacedElement] = field(default_factory=list)
    bound: bool = False
    changeable: bool = False

    def ancestors(self) -> Iterator[PlacedElement]:
        """The elements around it, the innermost first."""
        above = self.parent
        while above is not None:
            yield above
            above = above.parent

    @property
    def unit(self) -> PlacedElement:
        """The outermost run or equation that holds it, before and behind which other runs may stand."""
        return next((each for each in reversed([*self.ancestors()]) if each.kind in _UNITS), self)

    @property
    def run(self) -> PlacedElement | None:
        """The run that it is a child of, if that is no part of another (in a text box) or an equation."""
        return self.parent if self.parent is not None and self.parent is self.unit else None


@dataclass(frozen=True)
class PartSource:
    """A part: its source in UTF-8, and where the elements stand that were asked for.

    ``nodes`` has them by their place in document order. ``prefix`` is that of Word's names, ``space`` their
    namespace, ``largest`` the largest number that an ``id`` of the part has.
    """

    text: bytes
    encoding: str
    prefix: str
    space: str
    nodes: dict[int, PlacedElement]
    largest: int

    def write(self, text: bytes) -> bytes:
        """A changed source in the encoding of the part."""
        return text if self.encoding == "utf-8" else text.decode().encode(self.encoding)

    def offset(self, node: PlacedElement, index: int) -> int:
        """Where the character ``index`` of a text stands; its own beginning where it cannot be cut."""
        source = self.text[node.content_start : node.content_end]
        if index == 0 or b"<" in source:
            return node.start
        if source.isascii() and b"&" not in source and b"\r" not in source:
            return node.content_start + index
        units = _CHARACTER.findall(source.decode())
        return node.content_start + len("".join(units[:index]).encode())

    def length(self, node: PlacedElement) -> int:
        """How many characters the text of an element has."""
        return len(_CHARACTER.findall(self.text[node.content_start : node.content_end].decode()))


def read_source(data: bytes, wanted: Collection[int]) -> PartSource:
    """The source of a part; ``wanted`` are elements by their place in document order, from 0 for the root.

    Raises ``UnreadableFile`` where it is no XML, declares entities, or names Word's elements by no prefix.
    """
    source = _scan(data, wanted)
    if not source.prefix:
        raise UnreadableFile("its XML names Word's elements in a way that lexls cannot add to")
    return source


def leave_out(data: bytes, elements: Collection[int]) -> bytes:
    """A part without some elements, none of which lies in another, by their place in document order."""
    source = _scan(data, elements)
    kept, at = [], 0
    for start, end in sorted((each.start, each.end) for each in source.nodes.values()):
        kept.append(source.text[at:start])
        at = end
    return source.write(b"".join([*kept, source.text[at:]]))


def _scan(data: bytes, wanted: Collection[int]) -> PartSource:
    encoding = _find_encoding(data)
    try:
        text = data if encoding == "utf-8" else data.decode(encoding).encode()
        scan = _Scan(text, wanted)
        scan.parse()
    except (expat.ExpatError, UnicodeError, LookupError):
        raise UnreadableFile("damaged DOCX file (a part is not valid XML)") from None
    return PartSource(text, encoding, scan.prefix, scan.space, scan.nodes, scan.largest)


def _find_encoding(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16-le" if data.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
    declared = _DECLARED.match(data.removeprefix(codecs.BOM_UTF8))
    name = declared[1].decode().casefold() if declared is not None else "utf-8"
    return "utf-8" if name in ("utf-8", "utf8", "us-ascii", "ascii") else name


class _Scan:
    """One walk over a source."""

    def __init__(self, text: bytes, wanted: Collection[int]) -> None:
        self.prefix = self.space = ""
        self.nodes: dict[int, PlacedElement] = {}
        self.largest = 0
        self._text = text
        self._wanted = wanted
        self._count = -1
        self._open: list[PlacedElement] = []
        self._fields: list[list[str]] = []
        self._kinds: dict[str, str] = {}
        # What the source declares is how it was stored, and it is UTF-8 here.
        self._parser = expat.ParserCreate("utf-8", " ")

    def parse(self) -> None:
        parser = self._parser
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartNamespaceDeclHandler = self._declare
        parser.StartDoctypeDeclHandler = self._refuse
        parser.Parse(self._text, True)

    def _refuse(self, *_: object) -> None:
        raise UnreadableFile("its XML has a document type, which no Word document has")

    def _declare(self, prefix: str | None, space: str) -> None:
        if self._count < 0 and prefix and space in MAIN_SPACES:
            self.prefix, self.space = prefix, space

    def _kind(self, name: str) -> str:
        if name not in self._kinds:
            space, _, local = name.rpartition(" ")
            known = space in MAIN_SPACES or (space.endswith("/math") and local in _UNITS and local != "r")
            self._kinds[name] = local if known else ""
        return self._kinds[name]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        parent = self._open[-1] if self._open else None
        node = PlacedElement(self._kind(name), self._parser.CurrentByteIndex, parent)
        self._open.append(node)
        if parent is not None and parent.kind == "r":
            parent.children.append(node)
        if attributes:
            value = attributes.get(f"{name.rpartition(' ')[0]} id", "")
            if value.isdecimal() and len(value) < 10:
                self.largest = max(self.largest, int(value))
        if node.kind == "fldChar":
            sign = attributes.get(f"{name.rpartition(' ')[0]} fldCharType", "")
            if sign == "begin":
                self._fields.append([])
            elif sign == "end" and self._fields:
                self._fields.pop()
        elif node.kind == "dataBinding":
            for each in node.ancestors():
                each.bound = each.bound or each.kind == "sdt"
        if self._count in self._wanted:
            node.changeable = self._is_changeable(node)
            self.nodes[self._count] = node

    def _end(self, _: str) -> None:
        node = self._open.pop()
        tag = _TAG.match(self._text, node.start)
        node.content_start = tag.end() if tag is not None else node.start
        if self._text[node.content_start - 2 : node.content_start] == b"/>":
            node.content_end = node.end = node.content_start
        else:
            node.content_end = self._parser.CurrentByteIndex
            node.end = self._text.index(b">", node.content_end) + 1
        if node.kind == "instrText" and self._fields:
            self._fields[-1].append(self._text[node.content_start : node.content_end].decode())

    def _is_changeable(self, node: PlacedElement) -> bool:
        """Word writes the result of a field anew, that of a link aside, and what is bound to data."""
        links = (re.match(r"\s*HYPERLINK\b", "".join(code)) for code in self._fields)
        if node.run is None or node.kind.endswith("Reference") or not all(links):
            return False
        above = [each for each in node.ancestors() if each.kind in _FIXED or each.bound or each.kind == "ins"]
        return all(each.kind == "ins" and each is node.run.parent for each in above)
