"""Read files with a single record: a JSON object, or a table with one row."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from lexls.library.document import NO_AUTHORITY, Extract, ExtractedPiece, UnreadableFile
from lexls.library.lines import split_pieces
from lexls.library.pages import find_pages
from lexls.library.readers.decoding import decode_stating, restore_windows
from lexls.library.readers.html import decode_runs, extract_source
from lexls.library.readers.json_strings import (
    Run,
    clean,
    decode_string,
    find_strings,
    map_through,
    read_json,
)
from lexls.library.readers.record_layouts import RecordLayout, find_layout
from lexls.library.readers.tables import find_style, read_rows

_HTML = re.compile(r"\s*<[A-Za-z!?]|.{0,2000}?</?(?:p|div|br|i|em|span)\b[^>]{0,200}>", re.DOTALL)
_SHORTEST = 80
"""Minimum length, in characters, of an authority's text in a record of unknown layout."""


def extract(data: bytes, layout: RecordLayout | None = None) -> Extract:
    """Read a JSON object, or an array or line with a single one. With its source map, editors can find its
    text in the file.

    ``layout`` says where its text and facts are (None: determined by its keys). Raises ``UnreadableFile`` if
    the JSON is invalid, or contains several documents or none.
    """
    source, stated = decode_stating(data)
    record, count = read_json(source)
    path: tuple[str | int, ...] = ()
    if isinstance(record, list):
        path, count, record = (0,), len(record), record[0] if record else None
    if not isinstance(record, Mapping):
        raise UnreadableFile(NO_AUTHORITY)
    layout = layout or find_layout(record)
    paths = layout.find_text(record)
    layout.check_text(paths)
    if count > 1:
        raise UnreadableFile(_several(count))
    places = find_strings(source, {(*path, *each) for each in paths})
    runs = [list(decode_string(source, *places[(*path, *each)])) for each in paths]
    found = _extract(record, layout, runs)
    return replace(found, warnings=(*stated, *found.warnings))


def extract_record(data: bytes, editable: bool, layout: RecordLayout | None = None) -> Extract:
    """Read one of several JSON objects in a file; ``editable`` is true if an editor can open its source."""
    try:
        found = extract(data, layout)
    except UnreadableFile as error:
        # The line numbers in the message are not those of the file.
        raise UnreadableFile(re.sub(r" \(line \d+\)$", "", str(error))) from None
    return found if editable else replace(found, source_map=())


def extract_table(data: bytes, layout: RecordLayout | None = None) -> Extract:
    """Read a table with column names in its first row and exactly one other row; ``layout`` is as for
    ``extract``.

    Raises ``UnreadableFile`` for tables with more rows or without an authority.
    """
    source, stated = decode_stating(data)
    lines = io.StringIO(source, newline="")
    rows = list(read_rows(lines, find_style(source), max(len(source), 1)))
    record = rows[0].cells if rows else {}
    layout = layout or find_layout(record)
    paths = layout.find_text(record)
    layout.check_text(paths)
    if len(rows) > 1:
        raise UnreadableFile(_several(len(rows)))
    texts = [[(record[str(path[0])], -1, 0)] for path in paths]
    found = _extract(record, layout, texts)
    return replace(found, source_map=(), warnings=(*stated, *found.warnings))


def _several(count: int) -> str:
    """Return the reason why a file with several documents is not read as one document."""
    return f"{count:,} documents in one file, which are read if its name ends in .json, .jsonl or .csv"


def _extract(record: Mapping[str, Any], layout: RecordLayout, strings: Sequence[Sequence[Run]]) -> Extract:
    """Return the text of a record, which joins its ``strings``, and the metadata that the record declares."""
    parts: list[str] = []
    pieces: list[ExtractedPiece] = []
    source_map: list[tuple[int, int, int]] = []
    marked: dict[str, object] = {}
    pages: list[tuple[tuple[int, ...], tuple[str, ...]]] = []
    length = 0
    for runs in strings:
        if parts:
            parts.append("\n\n")
            length += 2
        found = _extract_string("".join(run[0] for run in runs))
        parts.append(found.text)
        pieces += [piece.shift(length) for piece in found.pieces]
        source_map += map_through(found.source_map, runs, length)
        pages.append((tuple(start and start + length for start in found.page_starts), found.page_numbers))
        for key, value in found.declared.items():
            marked.setdefault(key, value)
        length += len(found.text)
    text = "".join(parts)
    declared = layout.declare(record, marked, text)
    if layout.guessed and (length < _SHORTEST or not (declared.get("title") or declared.get("citation"))):
        raise UnreadableFile(NO_AUTHORITY)
    starts, numbers = pages[0] if len(pages) == 1 else ((), ())
    return Extract(
        text=text,
        pieces=tuple(pieces),
        page_starts=starts,
        page_numbers=numbers,
        source_map=tuple(source_map),
        declared=declared,
        format=layout.name,
        identity=layout.identify(record),
    )


def _extract_string(text: str) -> Extract:
    text = restore_windows(text)
    if _HTML.match(text):
        found = extract_source(text)
        kept = {} if found.declared_title_is_weak else found.declared
        return replace(found, declared=kept)
    # Some publishers store plain text with HTML entities.
    runs = list(decode_runs(clean(text), 0, len(text)))
    shown = "".join(run[0] for run in runs)
    lengths = (len(run[0]) for run in runs)
    starts = accumulate(lengths, initial=0)
    page_starts, page_numbers = find_pages(shown)
    return Extract(
        text=shown,
        pieces=split_pieces(shown),
        page_starts=page_starts,
        page_numbers=page_numbers,
        source_map=tuple((at, run[1], len(run[0])) for at, run in zip(starts, runs, strict=False)),
    )
