from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexls.text.lines import Encoding, LineIndex, match_lines
from lexls.text.spans import Span

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
TEXTS = st.text(alphabet=st.sampled_from("aé§“😀\n\r\f\u2028 x"), max_size=60)


def units(text: str, encoding: Encoding) -> int:
    """The length of ``text`` in ``encoding``, by encoding it."""
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    return (
        len(text.encode({"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding])) // size
    )


def test_only_line_feeds_and_carriage_returns_end_lines() -> None:
    index = LineIndex("a\nb\r\nc\rd\fe\u2028f\x0bg\x85h")
    assert index.line_count == 4
    assert [index.line_span(line) for line in range(4)] == [Span(0, 1), Span(2, 3), Span(5, 6), Span(7, 16)]


def test_an_empty_text_has_one_empty_line() -> None:
    index = LineIndex("")
    assert index.line_count == 1
    assert index.position(0) == (0, 0)
    assert index.offset(3, 9) == 0


def test_a_text_that_ends_with_a_line_end_has_a_last_empty_line() -> None:
    index = LineIndex("a\n")
    assert index.line_count == 2
    assert index.position(2) == (1, 0)


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 8), ("utf-16", 4), ("utf-32", 3)])
def test_columns_count_the_units_of_the_encoding(encoding: Encoding, column: int) -> None:
    # "é" is 2 bytes, 1 unit; the emoji 4 bytes, 2 units; "§" 2 bytes, 1 unit.
    index = LineIndex("first\né😀§x")
    assert index.position(9, encoding) == (1, column)
    assert index.offset(1, column, encoding) == 9


@pytest.mark.parametrize(("encoding", "inside"), [("utf-16", 1), ("utf-8", 1), ("utf-8", 2), ("utf-8", 3)])
def test_a_column_inside_a_character_means_its_start(encoding: Encoding, inside: int) -> None:
    assert LineIndex("😀a").offset(0, inside, encoding) == 0


def test_positions_outside_are_clamped() -> None:
    index = LineIndex("ab\r\ncd")
    assert index.offset(0, 99) == 2
    assert index.offset(9, 0) == 6
    assert index.offset(-1, 5) == 0
    assert index.offset(0, -5) == 0
    assert index.position(-3) == (0, 0)
    assert index.position(99) == (1, 2)


def test_an_offset_inside_a_line_end_is_the_end_of_its_line() -> None:
    assert LineIndex("ab\r\ncd").position(3) == (0, 2)


def test_a_negative_line_has_no_span() -> None:
    with pytest.raises(ValueError, match="negative"):
        LineIndex("a").line_span(-1)


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS, data=st.data())
def test_a_position_leads_back_to_its_offset(encoding: Encoding, text: str, data: st.DataObject) -> None:
    index = LineIndex(text)
    offset = data.draw(st.integers(0, len(text)))
    line, character = index.position(offset, encoding)
    span = index.line_span(line)
    assert character == units(text[span.start : min(offset, span.end)], encoding)
    back = index.offset(line, character, encoding)
    assert back == min(offset, span.end)


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS, line=st.integers(0, 12), character=st.integers(0, 40))
def test_every_offset_lies_in_its_line(encoding: Encoding, text: str, line: int, character: int) -> None:
    index = LineIndex(text)
    offset = index.offset(line, character, encoding)
    if line < index.line_count:
        span = index.line_span(line)
        assert span.touches(offset)
        assert units(text[span.start : offset], encoding) <= character
    else:
        assert offset == len(text)


@given(
    before=st.text(alphabet="ab\r\n\u2028\f𝒳§", max_size=40),
    start=st.integers(0, 40),
    length=st.integers(0, 12),
    text=st.text(alphabet="ab\r\n", max_size=8),
)
def test_the_lines_after_an_edit_are_those_of_the_new_text(
    before: str, start: int, length: int, text: str
) -> None:
    start = min(start, len(before))
    end = min(start + length, len(before))
    after = before[:start] + text + before[end:]
    fresh, edited = LineIndex(after), LineIndex(before).edit(start, end, text)
    assert edited.text == after
    assert edited.line_count == fresh.line_count
    for line in range(fresh.line_count + 1):
        assert edited.line_span(line) == fresh.line_span(line)
    for offset in range(len(after) + 1):
        assert edited.position(offset, "utf-16") == fresh.position(offset, "utf-16")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_columns_of_a_long_line_are_those_of_a_short_one(encoding: Encoding) -> None:
    line = "aé§“😀" * 700
    lines = LineIndex(f"{line}\nx")
    for offset in range(0, len(line), 97):
        column = units(line[:offset], encoding)
        assert lines.position(offset, encoding) == (0, column)
        assert lines.offset(0, column, encoding) == offset
        assert lines.offset(0, column + units(line[offset], encoding) - 1, encoding) in (offset, offset + 1)
    assert lines.offset(0, 10**9, encoding) == len(line)


@pytest.mark.parametrize("text", ["a\r\nb\n\r\nc", "a\rb\nc\r\n", "\r\n", "\n\r", "a\n\nb\n"])
def test_lines_end_alike_however_their_ends_are_found(text: str) -> None:
    index = LineIndex(text)
    spans = [index.line_span(line) for line in range(index.line_count)]
    assert [span.of(text) for span in spans] == re.split(r"\r\n|\r|\n", text)


@given(text=st.text(alphabet="#> a-\r\n", max_size=40))
@pytest.mark.parametrize(
    "pattern",
    [r"^ {0,3}#+[ ]+[^\r\n]*$", r"(?:^[ ]{0,3}>[^\n]*(?:\n|\Z)){2,}", r"^a[^\n]*\r?\n-+$", r"^#", r"^-*"],
)
def test_patterns_of_lines_are_matched_as_everywhere(pattern: str, text: str) -> None:
    compiled = re.compile(pattern, re.MULTILINE)
    everywhere = [match.span() for match in compiled.finditer(text)]
    assert [match.span() for match in match_lines(compiled, text)] == everywhere
