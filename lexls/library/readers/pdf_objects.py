"""Read the objects of a PDF before PDFium does: all objects in the file, whether or not its table lists them,
and those in object streams.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from lexls.library.readers.opening import PDF_STREAMS, GrowthLimit, unpack

PDF_OBJECTS = GrowthLimit(8, "damaged PDF (its objects overlap)")
"""Limit for the average number of objects that contain the same byte of a file."""
_FEW = 100_000
"""Number of bytes added to a file's size when ``PDF_OBJECTS`` is checked, so that objects in small files may
overlap more.
"""
_MOST_UNPACKED = 256 * 2**20
"""Maximum size in bytes of all objects in object streams; a long contract needs a tenth of that."""

_OBJECT = re.compile(rb"obj\b")
_NUMBER = re.compile(rb"(\d{1,10})[\s\0]{1,9}\d{1,5}[\s\0]{1,9}\Z")
_END = re.compile(rb"\bstream(?:\r\n|\n|\r)|endobj")
_MAY_DRAW = re.compile(rb"/(?:Form|Resources|BBox|PatternType|Group|Matrix)\b|\d[\s\0]+R\b")
_LENGTH = re.compile(rb"/Length[\s\0]{0,9}\d{1,10}(?:[\s\0]{1,9}\d{1,5}[\s\0]{1,9}R\b)?")
_PICTURE = re.compile(rb"/Subtype[\s\0]{0,9}/Image\b|/Type[\s\0]{0,9}/(?:XRef|EmbeddedFile|Metadata)\b")
_TOKEN = re.compile(
    rb"<<|>>|[\[\]]|/[^\s\0/<>()\[\]{}%]*|(?P<ref>\d{1,10})[\s\0]{1,9}\d{1,5}[\s\0]{1,9}R\b"
    rb"|\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)|%[^\r\n]*|[^\s\0/<>()\[\]{}%]{1,200}",
    re.DOTALL,
)
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")


class PdfReference(int):
    """The number of another object."""


class PdfObject:
    """A reference to another object: its number."""

    def __init__(self, text: bytes, packed: bytes | None = None) -> None:
        self.text = unescape(text)
        self.packed = packed

    @cached_property
    def value(self) -> Any:
        """The parsed value, made of dictionaries, lists, names (as bytes), numbers and references; None for
        anything else.
        """
        return _parse(self.text)

    @property
    def entries(self) -> Mapping[bytes, Any]:
        """The entries of a dictionary, or none for any other value."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def may_draw(self) -> bool:
        """Return whether this is a stream that may be a form XObject or the like, and not just the contents
        of a page.
        """
        if self.packed is None or _PICTURE.search(self.text):
            return False
        return _MAY_DRAW.search(_LENGTH.sub(b"", self.text)) is not None


def get_entry(value: Any, key: bytes) -> Any:
    """Return the entry of a dictionary; None if it has no such entry or ``value`` is not a dictionary."""
    return value.get(key) if isinstance(value, dict) else None


def list_objects(data: bytes) -> Iterator[tuple[int, PdfObject]]:
    """Yield the readable objects with their numbers.

    Raises ``UnreadableFile`` if they overlap too much, or unpack to more than is allowed.
    """
    looked = unpacked = 0
    for match in _OBJECT.finditer(data):
        number = _NUMBER.search(data, max(0, match.start() - 30), match.start())
        if number is None:
            continue
        end = _END.search(data, match.end())
        if end is None or end.group() == b"endobj":
            plain = PdfObject(data[match.end() : end.start() if end is not None else len(data)])
            looked += len(plain.text)
            PDF_OBJECTS.check(looked // (len(data) + _FEW))
            yield int(number[1]), plain
            continue
        stream = PdfObject(data[match.end() : end.start()])
        stream.packed = _cut(data, end.end(), stream)
        looked += len(stream.text) + len(stream.packed)
        PDF_OBJECTS.check(looked // (len(data) + _FEW))
        yield int(number[1]), stream
        if b"/ObjStm" in stream.text:
            for each in _list_packed(stream):
                unpacked += len(each[1].text)
                if unpacked > _MOST_UNPACKED:
                    raise PDF_STREAMS.refuse()
                yield each


def _cut(data: bytes, start: int, stream: PdfObject) -> bytes:
    """Return a stream's packed content: its declared length if it ends there, else up to "endstream"."""
    said = re.search(rb"/Length[\s\0]{0,9}(\d{1,10})(?![\s\0]{1,9}\d{1,5}[\s\0]{1,9}R\b)", stream.text)
    if said is not None:
        end = start + int(said[1])
        if data[end : end + 20].lstrip().startswith(b"endstream"):
            return data[start:end]
    end = data.find(b"endstream", start)
    return data[start : end if end >= 0 else len(data)]


def _list_packed(stream: PdfObject) -> Iterator[tuple[int, PdfObject]]:
    """Yield the objects of an object stream with their numbers."""
    content, first = decode(stream) or b"", stream.entries.get(b"First")
    if not isinstance(first, int):
        return
    numbers = [int(each) for each in re.findall(rb"\d{1,10}", content[:first])]
    pairs = sorted(zip(numbers[::2], numbers[1::2], strict=False), key=lambda pair: pair[1])
    ends = [first + at for _, at in pairs[1:]] + [len(content)]
    for (number, at), end in zip(pairs, ends, strict=False):
        yield number, PdfObject(content[first + at : end])


def decode(stream: PdfObject) -> bytes | None:
    """Return a stream's unpacked content up to the first damage; None if it uses an unsupported method."""
    filters = stream.entries.get(b"Filter")
    data = stream.packed or b""
    if isinstance(filters, PdfReference) or b"/Predictor" in stream.text:
        return None
    most = PDF_STREAMS.measure(len(data))
    for each in filters if isinstance(filters, list) else [filters] if filters is not None else []:
        unpacked = _FILTERS.get(each) if isinstance(each, bytes) else None
        if unpacked is None:
            return None
        data = unpacked(data, most)
    return data


def _inflate(data: bytes, most: int) -> bytes:
    found = bytearray()
    for chunk in unpack(data):
        found += chunk
        if len(found) > most:
            raise PDF_STREAMS.refuse()
    return bytes(found)


def _read_hexadecimal(data: bytes, _: int) -> bytes:
    digits = re.sub(rb"[^0-9A-Fa-f]", b"", data.partition(b">")[0])
    return binascii.unhexlify(digits + b"0" * (len(digits) % 2))


def _read_base_85(data: bytes, _: int) -> bytes:
    try:
        return base64.a85decode(data.partition(b"~")[0].strip())
    except ValueError:
        return b""


_FILTERS: Mapping[bytes, Callable[[bytes, int], bytes]] = {
    b"FlateDecode": _inflate,
    b"Fl": _inflate,
    b"ASCIIHexDecode": _read_hexadecimal,
    b"AHx": _read_hexadecimal,
    b"ASCII85Decode": _read_base_85,
    b"A85": _read_base_85,
}


def unescape(text: bytes) -> bytes:
    """Return a text with the escaped characters in names decoded."""
    return _ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), text) if b"#" in text else text


def _parse(text: bytes) -> Any:
    """Return the first value of a text; unclosed lists and dictionaries end with the text."""
    root: list[Any] = []
    open_: list[list[Any]] = [root]
    kinds: list[bytes] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in (b"<<", b"["):
            open_.append([])
            kinds.append(token)
        elif token in (b">>", b"]"):
            if kinds:
                _close(open_, kinds)
        elif not token.startswith(b"%"):
            open_[-1].append(_read_token(token, match["ref"]))
        if len(open_) == 1 and root:
            return root[0]
    while kinds:
        _close(open_, kinds)
    return root[0] if root else None


def _close(open_: list[list[Any]], kinds: list[bytes]) -> None:
    """Close the innermost open list or dictionary, and add it to the one around it."""
    items = open_.pop()
    if kinds.pop() == b"<<":
        pairs = zip(items[::2], items[1::2], strict=False)
        open_[-1].append({key: value for key, value in pairs if isinstance(key, bytes)})
    else:
        open_[-1].append(items)


def _read_token(token: bytes, reference: bytes | None) -> Any:
    if reference is not None:
        return PdfReference(reference)
    if token.startswith(b"/"):
        return token[1:]
    return int(token) if token.isdigit() else None
