"""Convert between what lexls counts and writes in (code points, paths, Markdown) and what the client does."""

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
    """The path of a document; for documents that are no files, a path that only tells the suffix.

    Files of another machine get one where no file can be.
    """
    path = find_file(uri) or find_nowhere(uri)
    if path is not None:
        return path
    name = re.split(r"[/\\:]", uri)[-1]
    return Path(name if name.strip(".") else "untitled").absolute()


def to_uri(path: Path) -> str:
    """The URI of a file."""
    return str(from_fs_path(str(path)))


def to_position(lines: LineIndex, offset: int, encoding: Encoding) -> t.Position:
    """The position of a code point offset."""
    return t.Position(*lines.position(offset, encoding))


def to_range(lines: LineIndex, span: Span, encoding: Encoding) -> t.Range:
    """The range of a span."""
    return t.Range(to_position(lines, span.start, encoding), to_position(lines, span.end, encoding))


def to_offset(lines: LineIndex, position: t.Position, encoding: Encoding) -> int:
    """The code point offset of a position."""
    return lines.offset(position.line, position.character, encoding)


def to_span(lines: LineIndex, range_: t.Range, encoding: Encoding) -> Span:
    """The span of a range."""
    return Span(to_offset(lines, range_.start, encoding), to_offset(lines, range_.end, encoding))


def to_location(location: OpenLocation, encoding: Encoding) -> t.Location:
    """Return where an editor opens a piece of an authority."""
    lines = LineIndex(location.text)
    return t.Location(to_uri(location.file), to_range(lines, Span(location.start, location.end), encoding))


_LINK = re.compile(r"(?<!\\)!?\[((?:\\.|[^\[\]\\])*)\]\(<?[^)>]*>?\)")
_EMPHASIS = re.compile(r"(?<!\\)(\*\*|__|\*|_|`)")
_BREAK = re.compile(r"\\\n")
_QUOTED = re.compile(r"^>[ ]?(?=(.?))", re.MULTILINE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def to_content(markdown: str, formats: Sequence[t.MarkupKind | str] | None) -> t.MarkupContent:
    """``markdown`` in the first format that the client lists, as plain text where it lists none."""
    if formats and t.MarkupKind.Markdown in [t.MarkupKind(each) for each in formats]:
        return t.MarkupContent(t.MarkupKind.Markdown, markdown)
    return t.MarkupContent(t.MarkupKind.PlainText, to_plain(markdown))


def to_plain(markdown: str) -> str:
    """The words of ``markdown`` as lexls writes it: links and emphasis undone, quotations indented, as a sign
    would be lost where an editor wraps their lines."""
    text = _BREAK.sub("\n", markdown)
    text = _QUOTED.sub(lambda match: "  " if match[1] else "", text)
    text = _LINK.sub(r"\1", text)
    text = _EMPHASIS.sub("", text)
    return _ESCAPE.sub(r"\1", text)


def to_address(location: OpenLocation | None) -> str:
    """The address that a link in Markdown opens: the file and, behind "#", the range ("L12,3-L14,8").

    Columns count UTF-16 code units from 1, as VS Code does. Editors that know lines alone read the first one.
    """
    if location is None:
        return ""
    lines, file = LineIndex(location.text), to_uri(location.file)
    line, column = lines.position(location.start, "utf-16")
    if location.start == location.end:
        return f"{file}#L{line + 1}"
    last, behind = lines.position(location.end, "utf-16")
    return f"{file}#L{line + 1},{column + 1}-L{last + 1},{behind + 1}"
