"""The book of authorities of an open draft as the command ``lexls.book`` gives it."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pypdfium2
from raw_client import RawClient
from weir_workspace import HELD, opened, told, workspace

Start = Callable[[], RawClient]


def test_the_book_has_the_draft_as_it_is_and_what_it_cites(start: Start, tmp_path: Path) -> None:
    client = start()
    root = workspace(tmp_path / "work")
    uri = opened(client, root)
    made = told(client, "lexls.book", uri=uri)
    pages = [
        " ".join(page.get_textpage().get_text_range().split())
        for page in pypdfium2.PdfDocument(base64.b64decode(made["book"]))
    ]
    assert len(pages) == made["pages"] == 5
    assert "Index of authorities draft" in pages[1]
    assert HELD in pages[3]
    assert "Not in the library" in pages[4]
    assert made["missing"] == ["Nobody v Known [1999] ASC 999"]
    assert made["unlinked"] == 0
    assert told(client, "lexls.book", uri=(root / "closed.md").as_uri()) is None
