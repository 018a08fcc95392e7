"""Write facts stated by a user about an authority where lexls reads them: in front matter, or in a row of an
adjacent table.

Both functions work on the whole text. They return None if they would lose or change anything else in it.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from lexls.library.catalogues import find_field
from lexls.library.readers.plain import read_front_matter
from lexls.library.readers.tables import TableStyle, find_style
from lexls.text.spans import Span

Facts = Mapping[str, str | Sequence[str]]
"""Fields of ``Metadata`` with their values; an empty value is for the user to fill in."""
_COLUMNS = ("file", "title", "citation", "court", "date")
"""The columns of a new table."""
_JOINED = "; "
_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"", "utf-8"),
    (b"", "cp1252"),
)


def change_bytes(data: bytes, text: str, changed: str) -> bytes | None:
    """Return ``changed`` in the encoding of ``text`` in ``data``; None if it cannot be encoded."""
    for mark, encoding in _ENCODINGS:
        try:
            if mark + text.encode(encoding) == data:
                return mark + changed.encode(encoding)
        except UnicodeEncodeError:
            continue
    return None


def add_front_matter(text: str, facts: Facts) -> str | None:
    """Return a text whose front matter includes these facts, replacing its previous values of those fields.
    Return None if they cannot be added.
    """
    values, body, warnings = read_front_matter(text)
    if warnings:
        return None
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text[:body].splitlines(keepends=True)
    opening, kept, closing = (
        lines[:1] or [f"---{end}"],
        "".join(lines[1:-1]),
        lines[-1:] or [f"---{end}"],
    )
    for name, fact in facts.items():
        line = f"{name}: {json.dumps(fact, ensure_ascii=False)}" if fact else f"{name}:"
        key = re.compile(rf"^{name.replace('_', '[ _-]')}[ \t]*:.*(?:\r?\n(?:[ \t]|- ).*)*\r?$", re.I | re.M)
        whole = (line + end.removesuffix("\n")).replace("\\", r"\\")
        kept, found = key.subn(whole, kept, count=1)
        kept = kept if found else f"{kept}{line}{end}"
    changed = "".join((*opening, kept, *closing)) + text[body:]
    says, behind, faults = read_front_matter(changed)
    expected = {**_fold(values), **{name: fact or None for name, fact in _fold(facts).items()}}
    return changed if not faults and changed[behind:] == text[body:] and _fold(says) == expected else None


def _fold(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values with their keys renamed to the field names of lexls."""
    named = {re.sub("[ -]", "_", key.strip().lower()): value for key, value in values.items()}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in named.items()}


def add_row(text: str, name: str, facts: Facts) -> str | None:
    """Return a metadata table in which the row of the file ``name`` includes these facts.

    Existing cell values are kept; citations are added after those in the cell. All other rows are unchanged.
    An empty ``text`` becomes a table. Returns None if the table has no column for file names, or has errors.
    """
    end = "\r\n" if "\r\n" in text else "\n"
    if not text.strip():
        text = ",".join(_COLUMNS) + end
    text += "" if text.endswith(("\n", "\r")) else end
    style = find_style(text)
    records = _cut_records(text, style)
    if records is None:
        return None
    header = records[0][1]
    fields = [find_field(each) for each in header]
    if "file" not in fields:
        return None
    flat = {key: fact if isinstance(fact, str) else _JOINED.join(fact) for key, fact in facts.items()}
    missing = [each for each, fact in flat.items() if fact and each not in fields]
    fields += missing
    own = fields.index("file")
    place = next((at for at, (_, cells) in enumerate(records[1:], 1) if _names(cells[own:][:1], name)), None)
    cells = [*records[place][1]] if place is not None else []
    cells += [""] * (len(fields) - len(cells))
    cells[own] = cells[own] or name
    for field, fact in flat.items():
        if field in fields and fact:
            at = fields.index(field)
            cells[at] = _join(cells[at], fact) if field == "citation" else cells[at] or fact
    written = [raw for raw, _ in records]
    if missing:
        written[0] = _write([*header, *missing], style, end)
    row = _write(cells, style, end)
    if place is None:
        written.append(row)
    else:
        written[place] = row
    return "".join(written)


def rename_in_rows(text: str, rename: Callable[[str], str]) -> Iterator[tuple[Span, str]]:
    """Yield each row of a metadata table whose file name ``rename`` changes: the row's span in the text, and
    its new text. Yield nothing if no column contains file names or the table has errors.
    """
    end = "\r\n" if "\r\n" in text else "\n"
    style = find_style(text)
    records = _cut_records(text, style) or []
    fields = [find_field(each) for each in records[0][1]] if records else []
    if "file" not in fields:
        return
    own, start = fields.index("file"), 0
    for number, (written, cells) in enumerate(records):
        if number and own < len(cells) and (name := rename(cells[own])) != cells[own]:
            row = _write([*cells[:own], name, *cells[own + 1 :]], style, end)
            yield (
                Span(start, start + len(written)),
                row if written.endswith(("\n", "\r")) else row.removesuffix(end),
            )
        start += len(written)


def _cut_records(text: str, style: TableStyle) -> list[tuple[str, list[str]]] | None:
    """Return the rows of a table, each as written and as its cells; None if one cannot be read."""
    lines = io.StringIO(text, newline="").readlines()
    reader = csv.reader(iter(lines), strict=True, **_list_options(style))
    records: list[tuple[str, list[str]]] = []
    begun = 0
    try:
        for cells in reader:
            records.append(("".join(lines[begun : reader.line_num]), cells))
            begun = reader.line_num
    except csv.Error:
        return None
    return records or None


def _list_options(style: TableStyle) -> dict[str, Any]:
    escapes = {"doublequote": False, "escapechar": "\\"} if style.escapes else {}
    return {"delimiter": style.delimiter, **escapes}


def _names(cells: Sequence[str], name: str) -> bool:
    """Return whether the cell of a row contains the file's name, with or without its suffix."""
    written = {unicodedata.normalize("NFC", each.strip()) for each in cells}
    return bool(written & {unicodedata.normalize("NFC", each) for each in (name, PurePath(name).stem)})


def _join(cell: str, fact: str) -> str:
    known = [each.strip() for each in cell.split(";") if each.strip()]
    return _JOINED.join(dict.fromkeys([*known, *(each.strip() for each in fact.split(";"))]))


def _write(cells: Sequence[str], style: TableStyle, end: str) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator=end, **_list_options(style)).writerow(cells)
    return out.getvalue()
