"""Between spans of code points and what the protocol counts in: the only place that does this."""

from __future__ import annotations

from lsprotocol import types as t

from lexls.index.records import OpenLocation
from lexls.server.server import uri_of
from lexls.text.lines import Encoding, LineIndex
from lexls.text.spans import Span


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
    """Where an editor opens a piece of an authority."""
    lines = LineIndex(location.text)
    return t.Location(uri_of(location.file), to_range(lines, Span(location.start, location.end), encoding))
