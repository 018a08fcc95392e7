"""Read lists of cases: tables, JSON files and publishers' formats that list which cases exist, without their
text.

CourtListener publishes three tables (citations, opinion clusters, dockets) whose rows refer to each other by
id; here each table is read on its own. Every other list has one case per row (`case_rows.py`).
"""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import lzma
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from lexls.library.case_rows import Field, ListedRow, has_field, read_case, simplify_name
from lexls.library.document import UnreadableFile
from lexls.library.readers.decoding import decode
from lexls.library.readers.opening import open_file
from lexls.library.readers.tables import find_style, read_rows

ListKind = Literal["citations", "clusters", "dockets", "table", "objects", "lines", "text"]
"""The format of a list. The first three are CourtListener's tables; ``objects`` is one JSON array, ``lines``
has a JSON object per line, ``text`` a citation per line.
"""
_PACKED: Mapping[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
_COURT_LISTENER: Mapping[ListKind, frozenset[str]] = {
    "citations": frozenset(("volume", "reporter", "page", "cluster_id")),
    "clusters": frozenset(("id", "case_name", "date_filed", "docket_id")),
    "dockets": frozenset(("id", "court_id", "docket_number")),
}
"""The columns by which each of CourtListener's tables is recognised."""
_SAMPLE = 1 << 16
_LONGEST_CELL = 50 * 2**20
"""Maximum size of a cell in characters, and of a line in bytes. It is large because CourtListener's rows
include whole opinions.
"""
_LARGEST_ARRAY = 256 * 2**20
"""Maximum size of a JSON array in bytes, since it is loaded into memory at once."""


class BrokenList(Exception):
    """Raised if a list cannot be read; the message names the file, the row and the reason."""

    def __init__(self, path: Path, reason: str, row: str = "") -> None:
        super().__init__(f"{path}: {row}: {reason}" if row else f"{path}: {reason}")


@dataclass(frozen=True, slots=True)
class CaseList:
    """A file that lists cases. ``columns`` are the user's names for fields and override the usual ones."""

    path: Path
    kind: ListKind
    columns: Mapping[Field, str] = field(default_factory=dict)

    def read_rows(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield each row's position and its values by column. Raises ``BrokenList``."""
        with _open(self.path) as stream:
            if self.kind in ("objects", "lines"):
                yield from _read_objects(self.path, stream, self.kind)
            elif self.kind == "text":
                lines = (line.strip() for line in _decode_lines(stream))
                yield from ((f"line {at}", {"citation": each}) for at, each in enumerate(lines, 1) if each)
            else:
                yield from _read_table(self.path, stream)

    def read_cases(self) -> Iterator[ListedRow]:
        """Yield the cases in order, for a list with one case per row. Raises ``BrokenList``."""
        for row, record in self.read_rows():
            try:
                yield read_case(row, record, self.columns)
            except ValueError as error:
                raise BrokenList(self.path, str(error), row) from None


def find_list(path: Path, columns: Mapping[Field, str] | None = None) -> CaseList:
    """Detect the format of a list from its first bytes. Raises ``BrokenList`` if it is not a list of
    cases.
    """
    columns = columns or {}
    with _open(path) as stream:
        head = stream.read(_SAMPLE)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text:
        raise BrokenList(path, "the file is empty")
    if text.startswith(b"["):
        return CaseList(path, "text" if re.match(rb"\[\d{4}\]", text) else "objects", columns)
    if text.startswith(b"{"):
        return CaseList(path, "lines", columns)
    first = decode(text.partition(b"\n")[0])
    names = {simplify_name(each) for each in next(csv.reader([first], delimiter=find_style(first).delimiter))}
    if not columns:
        for kind, needed in _COURT_LISTENER.items():
            if needed <= {each.replace(" ", "_") for each in names}:
                return CaseList(path, kind)
    if not columns and len(names) == 1 and not has_field("citation", {}, names):
        return CaseList(path, "text")
    missing = [each for each in columns.values() if simplify_name(each) not in names]
    if missing:
        raise BrokenList(
            path, f"there is no column {missing[0]!r}; the first row names {first.strip()[:200]}"
        )
    found = CaseList(path, "table", columns)
    if not any(has_field(each, columns, names) for each in ("citation", "reporter")):
        raise BrokenList(path, "no column has citations; name it with --columns citation=COLUMN")
    return found


# -- files --------------------------------------------------------------------------------------------------


@contextmanager
def _open(path: Path) -> Iterator[IO[bytes]]:
    """Open a list, decompressing it if necessary. Errors while reading the returned file also raise
    ``BrokenList``.
    """
    try:
        with open_file(path) as file:
            head = file.read(8)
            file.seek(0)
            unpack = next((each for magic, each in _PACKED.items() if head.startswith(magic)), None)
            if unpack is None:
                yield file
                return
            with unpack(file) as stream:
                yield stream
    except UnreadableFile as error:
        raise BrokenList(path, str(error)) from None
    except (EOFError, OSError, lzma.LZMAError) as error:
        raise BrokenList(path, f"the packed file is damaged or cut short ({error})") from None


def _decode_lines(stream: IO[bytes]) -> Iterator[str]:
    first = True
    while line := stream.readline(_LONGEST_CELL):
        try:
            yield line.decode("utf-8-sig" if first else "utf-8")
        except UnicodeDecodeError:
            yield decode(line)
        first = False


def _read_table(path: Path, stream: IO[bytes]) -> Iterator[tuple[str, Mapping[str, str]]]:
    # A sample of several lines, since the first may not show how cells are quoted.
    head = stream.read(_SAMPLE)
    stream.seek(0)
    style = find_style(decode(head[: head.rfind(b"\n") + 1] or head))
    for row in read_rows(_decode_lines(stream), style, _LONGEST_CELL, strict=True):
        if row.problem:
            raise BrokenList(path, row.problem, f"line {row.line}")
        yield f"line {row.line}", row.cells


def _read_objects(path: Path, stream: IO[bytes], kind: ListKind) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if kind == "lines":
        unit, sources = "line", enumerate(_decode_lines(stream), 1)
        records = ((at, _parse(path, line, f"line {at}")) for at, line in sources if line.strip())
    else:
        data = stream.read(_LARGEST_ARRAY + 1)
        if len(data) > _LARGEST_ARRAY:
            raise BrokenList(path, "a JSON array of more than 256 MB; write one object a line instead")
        unit, parsed = "item", _parse(path, decode(data), "")
        records = ((at, each) for at, each in enumerate(parsed, 1))
    for at, record in records:
        if not isinstance(record, Mapping):
            raise BrokenList(path, "not a JSON object", f"{unit} {at}")
        yield f"{unit} {at}", record


def _parse(path: Path, source: str, row: str) -> Any:
    try:
        return json.loads(source)
    except json.JSONDecodeError as error:
        raise BrokenList(path, "not valid JSON", row or f"line {error.lineno}") from None
    except (RecursionError, ValueError):
        raise BrokenList(path, "JSON that is nested too deeply, or has numbers too long", row) from None
