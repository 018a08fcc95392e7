"""Documents that we make: what is read is what was put into them, to the character."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from made_documents import list_documents
from made_documents.made_document import Box, MadeDocument, count_errors, fold, list_paragraphs

from lexls.library.document import SourceDocument, UnreadableFile, find_boxes
from lexls.library.readers.decoding import decode_marked_up

Reader = Callable[[str, str | bytes], SourceDocument]


@pytest.mark.parametrize("document", list_documents(), ids=lambda document: document.name)
def test_made_documents_are_read(document: MadeDocument, read_as: Reader) -> None:
    check(document, read_as)


def check(document: MadeDocument, read_as: Reader) -> None:
    if document.reason:
        with pytest.raises(UnreadableFile) as refused:
            read_as(document.name, document.make())
        assert document.reason in str(refused.value)
        return
    data = document.make()
    found = read_as(document.name, data)
    if document.exactly:
        assert list_paragraphs(found) == [fold(line) for line in document.lines]
    assert count_errors(document, found)[0] == 0
    assert found.format == document.format
    assert document.warning in " ".join(found.warnings)
    assert bool(document.warning) == bool(found.warnings)
    if document.labels is not None:
        labels = dict.fromkeys(block.label for block in found.blocks if block.label)
        assert tuple(labels) == tuple(document.labels)
    if document.title:
        assert found.metadata.title == document.title
    if document.pages:
        assert found.page_numbers == tuple(document.pages)
    if document.boxes is not None:
        check_boxes(document.boxes(), found)
    source = decode_marked_up(data)[0] if found.source_map else ""
    for start, at, length in found.source_map:
        read, written = found.text[start : start + length], source[at : at + length]
        assert all(one == other or other in "&\\" for one, other in zip(read, written, strict=True))


def check_boxes(boxes: Sequence[Sequence[Box]], found: SourceDocument) -> None:
    """Each paragraph stands where it was set, to two points."""
    lines = [match for match in re.finditer(r"[^\n]+", found.text) if match[0].strip()]
    for line, expected in zip(lines, boxes, strict=True):
        placed = find_boxes(found.boxes, line.start(), line.end())
        assert [page for page, _ in placed] == [box.page for box in expected]
        for (_, edges), box in zip(placed, expected, strict=True):
            assert edges == pytest.approx((box.left, box.bottom, box.right, box.top), abs=2)
