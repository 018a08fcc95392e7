"""Documents that we make: what is read is what was put into them, to the character."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from made_documents import list_documents
from made_documents.made_document import MadeDocument, count_errors, fold, list_paragraphs

from lexls.library.document import SourceDocument, UnreadableFile

Reader = Callable[[str, str | bytes], SourceDocument]


DOCUMENTS = [pytest.param(each, id=each.name) for each in list_documents()]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_made_documents_are_read(document: MadeDocument, read_as: Reader) -> None:
    check(document, read_as)


def check(document: MadeDocument, read_as: Reader) -> None:
    if document.reason:
        with pytest.raises(UnreadableFile) as refused:
            read_as(document.name, document.make())
        assert document.reason in str(refused.value)
        return
    found = read_as(document.name, document.make())
    if document.exactly:
        assert list_paragraphs(found) == [fold(line) for line in document.lines]
    assert count_errors(document, found)[0] == 0
    assert found.format == document.format
    assert document.warning in " ".join(found.warnings)
    assert bool(document.warning) == bool(found.warnings)
    if document.labels is not None:
        assert list(dict.fromkeys(block.label for block in found.blocks if block.label)) == list(
            document.labels
        )
    if document.title:
        assert found.metadata.title == document.title
