"""Locate the elements of a Word document's part, and the characters of its text, in the part's source.

This allows a changed copy in which the rest of the source is as before.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from xml.parsers import expat

from lexls.library.document import UnreadableFile
from lexls.library.readers.archive import read_local_name
from lexls.library.readers.pieces import SOFT_HYPHEN
from lexls.text.lexicon import split_words
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lxml.etree import _Element

    from lexls.library.document import Extract


MAIN_SPACES = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
"""The namespaces of Word's own elements, in the transitional and the strict format."""
_TAG = re.compile(rb"<[^<>\"']*(?:\"[^\"]*\"[^<>\"']*|'[^']*'[^<>\"']*)*>")
_DECLARED = re.compile(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.-]+)")
_CHARACTER = re.compile(r"&[^;]*;|\r\n|.", re.DOTALL)
_UNITS = frozenset({"r", "oMath", "oMathPara"})
# Content that an editor or Word itself rewrites, or that cannot contain another tracked change.
_FIXED = split_words("fldSimple moveTo moveFrom del ruby")


@dataclass(slots=True, eq=False)
class PlacedElement:
    """An element in the UTF-8 source of a part, from ``start`` to ``end``, with its content between
    ``content_start`` and ``content_end``.

    ``kind`` is its local name, or "" for elements that are not Word's. ``children`` are recorded only for
    runs. ``changeable`` is set for requested elements only: whether a tracked change may include them.
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
        """Yield the elements that enclose it, the innermost first."""
        above = self.parent
        while above is not None:
            yield above
            above = above.parent

    @property
    def unit(self) -> PlacedElement:
        """The outermost run or equation that contains the element, or else the element itself. Other runs may
        be inserted before and after it.
        """
        return next((each for each in reversed([*self.ancestors()]) if each.kind in _UNITS), self)

    @property
    def run(self) -> PlacedElement | None:
        """The run of which the element is a child; None if that run is inside an equation or another run (in
        a text box).
        """
        return self.parent if self.parent is not None and self.parent is self.unit else None


@dataclass(frozen=True)
class PartSource:
    """The UTF-8 source of a part, and the requested elements.

    ``nodes`` has them by their position in document order. ``prefix`` is the prefix of Word's names,
    ``space`` their namespace, and ``largest`` the highest numeric ``id`` in the part.
    """

    text: bytes
    encoding: str
    prefix: str
    space: str
    nodes: dict[int, PlacedElement]
    largest: int

    def write(self, text: bytes) -> bytes:
        """Return a changed source in the encoding of the part."""
        return text if self.encoding == "utf-8" else text.decode().encode(self.encoding)

    def offset(self, node: PlacedElement, index: int) -> int:
        """Return the source offset of character ``index`` of an element's text. If ``index`` is 0 or the text
        cannot be split, it is the offset of the element.
        """
        source = self.text[node.content_start : node.content_end]
        if index == 0 or b"<" in source:
            return node.start
        if source.isascii() and b"&" not in source and b"\r" not in source:
            return node.content_start + index
        units = _CHARACTER.findall(source.decode())
        return node.content_start + len("".join(units[:index]).encode())

    def length(self, node: PlacedElement) -> int:
        """Return the number of characters in an element's text."""
        return len(_CHARACTER.findall(self.text[node.content_start : node.content_end].decode()))


def read_source(data: bytes, wanted: Collection[int]) -> PartSource:
    """Read the source of a part; ``wanted`` are the requested elements by document order, from 0 for the
    root.

    Raises ``UnreadableFile`` if it is not XML, has a document type, or uses no prefix for Word's elements.
    """
    source = _scan(data, wanted)
    if not source.prefix:
        raise UnreadableFile("its XML names Word's elements in a way that lexls cannot add to")
    return source


def leave_out(data: bytes, elements: Collection[int]) -> bytes:
    """Return a part without the given elements, identified by document order; none of them may contain
    another.
    """
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
    """A single pass over the source of a part that records the ``wanted`` elements."""

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
        # The source may declare another encoding, but it is UTF-8 here.
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
        """Return whether a tracked change may include an element.

        It must not be in the result of a field (other than a link) or in content bound to data, which Word
        rewrites.
        """
        links = (re.match(r"\s*HYPERLINK\b", "".join(code)) for code in self._fields)
        if node.run is None or node.kind.endswith("Reference") or not all(links):
            return False
        above = [each for each in node.ancestors() if each.kind in _FIXED or each.bound or each.kind == "ins"]
        return all(each.kind == "ins" and each is node.run.parent for each in above)


@dataclass(frozen=True, slots=True)
class Origin:
    """A run of the extracted text and the element it was read from.

    ``part`` is the name of the package's part, and ``element`` the element's number in document order, from 0
    for the part's root. If the element is text (``is_text``), ``index`` is the position of the span's first
    character in it; for a tab, a symbol or a note mark it is 0.
    """

    span: Span
    part: str
    element: int
    index: int
    is_text: bool


@dataclass(frozen=True)
class Origins:
    """The origins of a text, in order. Text added by a reader (automatic numbers, "Note 3:") has none."""

    found: tuple[Origin, ...] = ()

    @cached_property
    def _starts(self) -> list[int]:
        return [each.span.start for each in self.found]

    def of(self, span: Span) -> list[Origin]:
        """Return the origins that overlap ``span``, cut to it, in order."""
        first = max(0, bisect_right(self._starts, span.start) - 1)
        last = bisect_left(self._starts, span.end)
        return [_cut(each, span) for each in self.found[first:last] if each.span.overlaps(span)]

    def near(self, offset: int) -> Origin | None:
        """Return the origin of the nearest character before ``offset``, or of the first character if there is
        none before it; None if the text has no origins.
        """
        if not self.found:
            return None
        place = max(0, bisect_left(self._starts, offset) - 1)
        span = self.found[place].span
        at = max(span.start, min(offset, span.end) - 1)
        return _cut(self.found[place], Span(at, at + 1))


def _cut(origin: Origin, span: Span) -> Origin:
    start, end = max(origin.span.start, span.start), min(origin.span.end, span.end)
    index = origin.index + start - origin.span.start if origin.is_text else 0
    return Origin(Span(start, end), origin.part, origin.element, index, origin.is_text)


@dataclass(frozen=True, slots=True)
class ReadLine:
    """The content of one paragraph: its automatic number, the parts of its text, and the element that each
    part was read from.
    """

    mark: str
    parts: tuple[str, ...]
    sources: tuple[_Element, ...]


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """The paragraphs from which a piece of text was read; ``lead`` is the text before their words."""

    piece: int
    lead: str
    lines: tuple[ReadLine, ...]


def find_origins(text: Extract, read: Sequence[ReadPiece], roots: Mapping[str, _Element]) -> Origins:
    """Return the origins of a text whose pieces were ``read`` from these parts."""
    wanted = {source for piece in read for line in piece.lines for source in line.sources}
    places = {
        element: (name, number)
        for name, root in roots.items()
        for number, element in enumerate(root.iter("*"))
        if element in wanted
    }
    found = []
    for each in read:
        piece = text.pieces[each.piece]
        for span, source, index in _align(text.text[piece.start : piece.end], each):
            name, number = places[source]
            is_text = read_local_name(source) == "t"
            found.append(Origin(span.shift(piece.start), name, number, index, is_text))
    return Origins(tuple(found))


def _align(text: str, piece: ReadPiece) -> Iterator[tuple[Span, _Element, int]]:
    """Yield the spans of a piece's text, each with the element it was read from and the index of its first
    character in the element's text.

    The parts make up the text, apart from white space, soft hyphens, and text that the reader added before
    them.
    """
    at = len(piece.lead)
    for line in piece.lines:
        if line.mark:
            at = text.find(line.mark, at) + len(line.mark)
        for part, source in zip(line.parts, line.sources, strict=True):
            if text.startswith(part, at):
                if part:
                    yield Span(at, at + len(part)), source, 0
                at += len(part)
                continue
            begun = None
            for index, char in enumerate(part):
                while at < len(text) and text[at].isspace() and not char.isspace() and char != SOFT_HYPHEN:
                    if begun is not None:
                        yield Span(begun[0], at), source, begun[1]
                        begun = None
                    at += 1
                same = at < len(text) and (text[at] == char or (text[at].isspace() and char.isspace()))
                if same:
                    begun = begun or (at, index)
                    at += 1
                elif begun is not None:
                    yield Span(begun[0], at), source, begun[1]
                    begun = None
            if begun is not None:
                yield Span(begun[0], at), source, begun[1]
