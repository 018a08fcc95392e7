"""Positions and incremental changes in all three encodings, against plain string arithmetic."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as t

from lexls.server.convert import to_offset, to_position, to_range, to_span
from lexls.server.documents import OpenDocuments
from lexls.text.lines import Encoding, LineIndex
from lexls.text.spans import Span

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
texts = st.text(alphabet=st.sampled_from("ab§“”é𝔄🏛\n\r\f\u2028\x85 "), max_size=60)
encodings = st.sampled_from(ENCODINGS)
URI = "file:///draft.md"


def units(text: str, encoding: Encoding) -> int:
    return {
        "utf-8": len(text.encode("utf-8")),
        "utf-16": len(text.encode("utf-16-le")) // 2,
        "utf-32": len(text),
    }[encoding]


def splits_a_line_end(text: str, offset: int) -> bool:
    return text[offset - 1 : offset + 1] == "\r\n"


@given(texts, encodings, st.data())
def test_every_offset_survives_the_way_there_and_back(
    text: str, encoding: Encoding, data: st.DataObject
) -> None:
    offset = data.draw(st.integers(0, len(text)))
    if splits_a_line_end(text, offset):
        return
    lines = LineIndex(text)
    position = to_position(lines, offset, encoding)
    assert to_offset(lines, position, encoding) == offset
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    assert position.line == before.count("\n")
    assert position.character == units(before.rpartition("\n")[2], encoding)


@given(texts, encodings, st.data())
def test_spans_survive_as_ranges(text: str, encoding: Encoding, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if splits_a_line_end(text, start) or splits_a_line_end(text, end):
        return
    lines = LineIndex(text)
    assert to_span(lines, to_range(lines, Span(start, end), encoding), encoding) == Span(start, end)


@given(texts, encodings, st.integers(0, 40), st.integers(0, 80))
def test_any_position_of_a_client_is_an_offset(
    text: str, encoding: Encoding, line: int, character: int
) -> None:
    """Past the end of a line or of the text, or inside a character: never an error, never outside."""
    offset = to_offset(LineIndex(text), t.Position(line, character), encoding)
    assert 0 <= offset <= len(text)
    assert not splits_a_line_end(text, offset) or offset == 0


@given(texts, encodings, st.data())
def test_changes_are_applied_as_the_editor_applies_them(
    text: str, encoding: Encoding, data: st.DataObject
) -> None:
    documents = OpenDocuments()
    documents.open(t.TextDocumentItem(URI, "markdown", 1, text))
    for version in range(2, data.draw(st.integers(2, 6))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        if splits_a_line_end(text, start) or splits_a_line_end(text, end):
            continue
        insert = data.draw(texts)
        range_ = to_range(LineIndex(text), Span(start, end), encoding)
        text = text[:start] + insert + text[end:]
        changed = documents.change(
            t.VersionedTextDocumentIdentifier(version, URI),
            [t.TextDocumentContentChangePartial(range_, insert)],
            encoding,
        )
        assert changed is not None
        assert (changed.source, changed.version) == (text, version)
        assert changed.lines.line_count == LineIndex(text).line_count


def test_changes_of_one_message_follow_each_other() -> None:
    documents = OpenDocuments()
    documents.open(t.TextDocumentItem(URI, "markdown", 1, "one\ntwo"))
    first = t.Range(t.Position(0, 0), t.Position(0, 3))
    changed = documents.change(
        t.VersionedTextDocumentIdentifier(2, URI),
        [
            t.TextDocumentContentChangePartial(first, "1\n1"),
            t.TextDocumentContentChangePartial(t.Range(t.Position(2, 0), t.Position(2, 3)), "2"),
            t.TextDocumentContentChangePartial(t.Range(t.Position(0, 1), t.Position(1, 0)), "-"),
        ],
        "utf-16",
    )
    assert changed is not None
    assert changed.source == "1-1\n2"


def test_a_document_that_is_not_open_cannot_change() -> None:
    changed = OpenDocuments().change(
        t.VersionedTextDocumentIdentifier(1, URI), [t.TextDocumentContentChangeWholeDocument("x")], "utf-16"
    )
    assert changed is None
