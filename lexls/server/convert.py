"""Convert between lexls's units (code points, paths, Markdown) and the client's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.uris import from_fs_path

from lexls.text.lines import Encoding, LineIndex
from lexls.text.paths import find_file, find_nowhere
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lexls.index.records import OpenLocation


def to_path(uri: str) -> Path:
    """Return the path of a document. If the document is not a file, only the name and the suffix of the path
    are meaningful.

    A file on another machine gets a path where no file can exist.
    """
    path = find_file(uri) or find_nowhere(uri)
    if path is not None:
        return path
    name = re.split(r"[/\\:]", uri)[-1]
    return Path(name if name.strip(".") else "untitled").absolute()


def to_uri(path: Path) -> str:
    """Return the URI of a file."""
    return str(from_fs_path(str(path)))


def to_position(lines: LineIndex, offset: int, encoding: Encoding) -> t.Position:
    """Convert an offset in code points to a position."""
    return t.Position(*lines.position(offset, encoding))


def to_range(lines: LineIndex, span: Span, encoding: Encoding) -> t.Range:
    """Convert a span to a range."""
    return t.Range(to_position(lines, span.start, encoding), to_position(lines, span.end, encoding))


def to_offset(lines: LineIndex, position: t.Position, encoding: Encoding) -> int:
    """Convert a position to an offset in code points."""
    return lines.offset(position.line, position.character, encoding)


def to_span(lines: LineIndex, range_: t.Range, encoding: Encoding) -> Span:
    """Convert a range to a span."""
    return Span(to_offset(lines, range_.start, encoding), to_offset(lines, range_.end, encoding))


def to_location(location: OpenLocation, encoding: Encoding) -> t.Location:
    """Convert the location of a passage to the protocol's form, so that an editor can open it."""
    lines = LineIndex(location.text)
    return t.Location(to_uri(location.file), to_range(lines, Span(location.start, location.end), encoding))


_LINK = re.compile(r"(?<!\\)!?\[((?:\\.|[^\[\]\\])*)\]\(<?[^)>]*>?\)")
_EMPHASIS = re.compile(r"(?<!\\)(\*\*|__|\*|_|`)")
_BREAK = re.compile(r"\\\n")
_QUOTED = re.compile(r"^>[ ]?(?=(.?))", re.MULTILINE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def to_content(markdown: str, formats: Sequence[t.MarkupKind | str] | None) -> t.MarkupContent:
    """Return ``markdown`` as Markdown if the client lists that format, or else as plain text."""
    if formats and t.MarkupKind.Markdown in [t.MarkupKind(each) for each in formats]:
        return t.MarkupContent(t.MarkupKind.Markdown, markdown)
    return t.MarkupContent(t.MarkupKind.PlainText, to_plain(markdown))


def to_plain(markdown: str) -> str:
    """Return the text of lexls's ``markdown`` without markup. Quotations are indented and lose their ">"
    marks, since an editor that wraps a line does not repeat the mark.
    """
    text = _BREAK.sub("\n", markdown)
    text = _QUOTED.sub(lambda match: "  " if match[1] else "", text)
    text = _LINK.sub(r"\1", text)
    text = _EMPHASIS.sub("", text)
    return _ESCAPE.sub(r"\1", text)


def to_address(location: OpenLocation | None) -> str:
    """Return the link address of a location: the file, and after "#" the range ("L12,3-L14,8"); "" for None.

    Columns are UTF-16 code units counted from 1, as in VS Code. Editors that only support lines use the first
    line.
    """
    if location is None:
        return ""
    lines, file = LineIndex(location.text), to_uri(location.file)
    line, column = lines.position(location.start, "utf-16")
    if location.start == location.end:
        return f"{file}#L{line + 1}"
    last, behind = lines.position(location.end, "utf-16")
    return f"{file}#L{line + 1},{column + 1}-L{last + 1},{behind + 1}"
