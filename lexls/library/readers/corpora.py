"""Split a file that contains several documents into records, without loading the entire file."""

from __future__ import annotations

import codecs
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal

from lexls.library.readers.decoding import decode
from lexls.library.readers.opening import open_file
from lexls.library.readers.record_layouts import RecordLayout, find_layout
from lexls.library.readers.tables import find_style, read_rows

_CHUNK = 1 << 20
_LOOKED_AT = 20
"""Number of records examined at the beginning of a file. If one of them has the text of an authority, the
file is a corpus.
"""
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+("?)|[{}\[\]]', re.DOTALL)
_INDENT = 4096
"""Number of bytes kept in memory before an object, to find the line on which it begins."""
_WRAPPED = re.compile(
    rb'\{\s*(?:"(?:count|next|previous|total|page|pages|per_page|limit|offset|status)"\s*:\s*'
    rb'(?:null|true|false|[-\d.]+|"[^"\\]*")\s*,\s*){0,12}'
    rb'"(?:results|items|cases|documents|judgments|judgements|records|data)"\s*:\s*\[\s*\{'
)
"""The beginning of a response from a publisher's service: a list of records, preceded only by counts and
paging fields, if anything.
"""
Form = Literal["lines", "array", "wrapped", "table"]
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class CorpusRecord:
    """One of several documents in a file.

    ``place`` describes its position to the user ("line 17", "item 3"). ``data`` is its JSON object in bytes;
    for a row of a table, an object made from the row. ``start`` is the file offset of the line on which it
    begins, and ``line`` that line's number, from 1; ``data`` then begins with that line. If an editor cannot
    open the record there, ``line`` is 0 and ``data`` begins with the object. If there is no data, ``problem``
    is the reason; otherwise it is "".
    """

    place: str
    data: bytes
    start: int = 0
    line: int = 0
    problem: str = ""

    @property
    def hash(self) -> bytes:
        """The SHA-256 hash of the record's data."""
        return hashlib.sha256(self.data).digest()


@dataclass(frozen=True, slots=True)
class Corpus:
    """A file of several documents. ``max_bytes`` is the maximum size of a record. ``layout`` is the user's
    layout for the records, and ``missing`` describes the fields of that layout that the first records
    lack.
    """

    path: Path
    form: Form
    max_bytes: int
    layout: RecordLayout | None = None
    missing: tuple[str, ...] = ()

    def read(self) -> Iterator[CorpusRecord]:
        """Yield the records in order. Raises ``UnreadableFile`` if the file can no longer be read."""
        with open_file(self.path) as stream:
            yield from _CUTTERS[self.form](stream, self.max_bytes)


def find_corpus(path: Path, max_bytes: int, layout: RecordLayout | None = None) -> Corpus | None:
    """Return how to read ``path`` if it contains several authorities, or None for any other file.

    ``layout`` is the user's layout for this file. Raises ``UnreadableFile`` as ``read_bytes`` does.
    """
    with open_file(path) as stream:
        head = stream.read(1024)
    if head.startswith(_WIDE):
        return None
    found = _find_form(path, head.removeprefix(codecs.BOM_UTF8).lstrip())
    if found is None:
        return None
    corpus = Corpus(path, found, max_bytes, layout)
    first = list(islice(corpus.read(), _LOOKED_AT))
    if len(first) < (1 if found == "wrapped" else 2):
        return None
    values = [value for record in first if isinstance(value := _decode_object(record), Mapping)]
    if not any((layout or find_layout(value)).find_text(value) for value in values):
        return None
    return replace(corpus, missing=tuple(layout.find_missing(values))) if layout else corpus


def _find_form(path: Path, head: bytes) -> Form | None:
    if head.startswith(b"["):
        return "array"
    if _WRAPPED.match(head):
        return "wrapped"
    line, _, rest = head.partition(b"\n")
    # An object over several lines is a single document.
    whole = line.rstrip().endswith(b"}") or not rest.strip()
    if path.suffix.lower() in (".jsonl", ".ndjson") or (head.startswith(b"{") and whole):
        return "lines"
    return "table" if path.suffix.lower() == ".csv" else None


def _decode_object(record: CorpusRecord) -> Any:
    try:
        return json.loads(record.data)
    except (ValueError, RecursionError):
        return None


def _too_large(max_bytes: int) -> str:
    return f"larger than {max_bytes / 2**20:.0f} MB; raise index.maxFileMegabytes to read it"


def _cut_lines(stream: IO[bytes], max_bytes: int) -> Iterator[CorpusRecord]:
    """Yield the non-blank lines of a JSON Lines file."""
    at = number = 0
    while line := stream.readline(max_bytes + 2):
        number += 1
        start, at = at, at + len(line)
        if len(line) > max_bytes and not line.endswith(b"\n"):
            while (rest := stream.readline(_CHUNK)) and not rest.endswith(b"\n"):
                at += len(rest)
            at += len(rest)
            yield CorpusRecord(f"line {number}", b"", problem=_too_large(max_bytes))
            continue
        if number == 1 and line.startswith(codecs.BOM_UTF8):
            start, line = len(codecs.BOM_UTF8), line.removeprefix(codecs.BOM_UTF8)
        if not line.isspace():
            yield CorpusRecord(f"line {number}", line.rstrip(b"\r\n"), start, number)


@dataclass(slots=True)
class _ReadPart:
    """The part of a file that is in memory. ``base`` is the file offset at which it begins. ``line`` is the
    number of the line at offset ``counted`` of the part.
    """

    buffer: bytes = b""
    base: int = 0
    line: int = 1
    counted: int = 0

    def move(self, keep: int, more: bytes) -> None:
        """Drop the bytes before offset ``keep``, and append ``more``."""
        self._count(keep)
        self.buffer = self.buffer[keep:] + more
        self.base, self.counted = self.base + keep, self.counted - keep

    def cut(self, place: str, start: int, end: int, problem: str) -> CorpusRecord:
        """Return the record between two offsets. It has a position in the file only if white space alone
        precedes it on its line.

        A record with a ``problem`` has no data.
        """
        if problem:
            return CorpusRecord(place, b"", problem=problem)
        self._count(start)
        begin = self.buffer.rfind(b"\n", 0, start) + 1
        if self.buffer[begin:start].strip() or (begin == 0 and self.base):
            return CorpusRecord(place, self.buffer[start:end])
        return CorpusRecord(place, self.buffer[begin:end], self.base + begin, self.line)

    def _count(self, until: int) -> None:
        if until > self.counted:
            self.line += self.buffer.count(b"\n", self.counted, until)
            self.counted = until


def _cut_array(stream: IO[bytes], max_bytes: int, inside: int = 2) -> Iterator[CorpusRecord]:
    """Yield the objects of the first JSON array; ``inside`` is their nesting depth, from 1."""
    part = _ReadPart()
    at = depth = number = 0
    start, large = -1, False
    while True:
        token = _TOKEN.search(part.buffer, at)
        if token is None or token[1] == b"":
            # The end of the buffer, perhaps within a string.
            at = len(part.buffer) if token is None else token.start()
            large |= at - start > max_bytes
            left = len(part.buffer) - at
            if left > max_bytes or not (more := stream.read(max(_CHUNK, left))):
                if start >= 0:
                    yield CorpusRecord(
                        f"item {number}", b"", problem="not valid JSON, or too large, as all behind it"
                    )
                return
            held = start >= 0 and not large
            keep = max(0, (start if held else at) - _INDENT)
            part.move(keep, more)
            at -= keep
            start -= keep if held else 0
            continue
        at = token.end()
        sign = token[0]
        if sign in b"{[":
            depth += 1
            if sign == b"{" and depth == inside and start < 0:
                number += 1
                start, large = token.start(), False
        elif sign in b"}]":
            depth -= 1
            if depth == inside - 1 and start >= 0:
                large |= at - start > max_bytes
                yield part.cut(f"item {number}", start, at, _too_large(max_bytes) if large else "")
                start, large = -1, False
            if depth <= inside - 2:
                return


def _cut_table(stream: IO[bytes], max_bytes: int) -> Iterator[CorpusRecord]:
    """Yield the rows of a table as JSON objects."""
    sample = stream.read(_CHUNK)
    style = find_style(decode(sample[: sample.rfind(b"\n") + 1] or sample))
    stream.seek(0)
    lines = (_decode(line) for line in iter(partial(stream.readline, max_bytes), b""))
    for row in read_rows(lines, style, max_bytes):
        place = f"line {row.line}"
        if row.problem:
            yield CorpusRecord(place, b"", problem=row.problem)
        elif any(row.cells.values()):
            yield CorpusRecord(place, json.dumps(row.cells, ensure_ascii=False).encode("utf-8", "replace"))


def _decode(line: bytes) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        return decode(line)


_CUTTERS: Mapping[str, Callable[[IO[bytes], int], Iterator[CorpusRecord]]] = {
    "lines": _cut_lines,
    "array": _cut_array,
    "wrapped": partial(_cut_array, inside=3),
    "table": _cut_table,
}
