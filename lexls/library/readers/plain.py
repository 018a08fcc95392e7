"""Read plain text and Markdown with their YAML front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from lexls.library.document import Extract
from lexls.library.lines import split_pieces
from lexls.library.pages import find_pages
from lexls.library.readers.decoding import decode_stating
from lexls.library.readers.text_pages import read_pages
from lexls.text.yaml_data import UnreadableYaml, load_yaml

_OPENING = re.compile(r"---[ \t]*(?:\r\n|\n|\r)")
_CLOSING = re.compile(r"(?:^|(?<=[\n\r]))(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)")
_KEY_AND_VALUE = re.compile(r"([A-Za-z][A-Za-z_ -]{0,40}?)[ \t]*:[ \t]+(\S.*)")
_LONGEST = 65_536


def read_front_matter(text: str) -> tuple[Mapping[str, object], int, tuple[str, ...]]:
    """The front matter of ``text``, the offset after it, and warnings.

    Front matter that is not valid YAML gives a warning and is read as lines of "key: value": people write
    "citation: [2014] ASC 12" without quotation marks. Text that only begins with a rule of dashes has none,
    and its body begins at 0.
    """
    opening = _OPENING.match(text)
    if opening is None:
        return {}, 0, ()
    closing = _CLOSING.search(text, opening.end(), opening.end() + _LONGEST)
    if closing is None:
        return {}, 0, ()
    source = text[opening.end() : closing.start()]
    try:
        values = load_yaml(source)
    except UnreadableYaml as error:
        # The parser's own message quotes the file; only the place may be told.
        where = f" (line {error.line + 2})" if error.line is not None else ""
        warning = f"front matter is not valid YAML{where}; it was read line by line"
        return _line_by_line(source), closing.end(), (warning,)
    if values is None:
        return {}, closing.end(), ()
    if not isinstance(values, Mapping):
        return {}, 0, ()
    return {str(key): value for key, value in values.items()}, closing.end(), ()


def _line_by_line(source: str) -> dict[str, object]:
    values: dict[str, object] = {}
    for line in source.splitlines():
        if match := _KEY_AND_VALUE.match(line):
            value = match[2].strip()
            if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
                value = value[1:-1]
            values.setdefault(match[1], value)
    return values


def extract(data: bytes, *, markdown: bool = False) -> Extract:
    """Read plain text, with YAML front matter or not, and without the heads of printed pages."""
    text, stated = decode_stating(data)
    declared, body, warnings = read_front_matter(text)
    page_starts, page_numbers = find_pages(text, body)
    source_map: tuple[tuple[int, int, int], ...] = ()
    if not markdown and (unprinted := read_pages(text, body)) is not None:
        text, page_starts, source_map = unprinted.text, unprinted.page_starts, unprinted.source_map
    return Extract(
        text=text,
        pieces=split_pieces(text, body, markdown=markdown),
        page_starts=page_starts,
        page_numbers=page_numbers,
        source_map=source_map,
        declared=declared,
        declared_in="front matter",
        warnings=(*stated, *warnings),
    )


extract_markdown = partial(extract, markdown=True)
"""Reads Markdown as it stands: the text keeps its markup, so that its offsets are the file's."""
