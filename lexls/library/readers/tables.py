"""Read tables row by row, with any delimiter and style of quoting."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lexls.library.document import UnreadableFile

_DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A row with its cells by column name, and the line on which it begins, from 1. If the row cannot be
    read, ``problem`` is the reason and there are no cells.
    """

    line: int
    cells: dict[str, str]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class TableStyle:
    """The format of a table: its delimiter, and whether a quotation mark in a cell is escaped by a backslash
    (CourtListener's bulk files) or doubled.
    """

    delimiter: str
    escapes: bool


def find_style(sample: str) -> TableStyle:
    """Return the style of the table that begins with ``sample``."""
    head = sample.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=head.count)
    return TableStyle(delimiter, '\\"' in sample and '""' not in sample.replace(f'{delimiter}""', ""))


def read_rows(
    lines: Iterable[str], style: TableStyle, longest: int, *, strict: bool = False
) -> Iterator[NamedRow]:
    """Yield the rows after the first, which names the columns.

    A cell of more than ``longest`` characters, or more cells than columns, is a problem of its row. If
    ``strict``, so are fewer cells, and characters after a closing quotation mark. Raises ``UnreadableFile``
    if there is no valid first row.
    """
    dialect: dict[str, Any] = {"delimiter": style.delimiter, "strict": strict}
    if style.escapes:
        dialect |= {"doublequote": False, "escapechar": "\\"}
    reader = csv.reader(iter(lines), **dialect)
    columns = _next(reader, longest)
    if not columns or isinstance(columns, str):
        raise UnreadableFile("not a table with commas")
    while True:
        line = reader.line_num + 1
        cells = _next(reader, longest)
        if cells is None:
            return
        if isinstance(cells, str):
            yield NamedRow(line, {}, cells)
        elif any(cells[len(columns) :]) or (strict and 0 < len(cells) < len(columns)):
            problem = f"{len(cells)} cells, but the first row names {len(columns)} columns"
            yield NamedRow(line, {}, problem)
        elif cells:
            padded = [*cells, *[""] * (len(columns) - len(cells))]
            yield NamedRow(line, dict(zip(columns, padded, strict=False)))


def _next(reader: Any, longest: int) -> list[str] | str | None:
    """Return the next row, the reason why it cannot be read, or None at the end."""
    before = csv.field_size_limit(longest)  # a setting of the whole process
    try:
        return next(reader, None)
    except csv.Error:
        return "a quotation mark opens a cell that does not end"
    finally:
        csv.field_size_limit(before)
