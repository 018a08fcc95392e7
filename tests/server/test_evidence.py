"""Where passages of PDFs stand on their pages, as the command ``lexls.evidence`` tells it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from raw_client import RawClient
from sheets import Sheet
from shown_pages import read_under
from weir_workspace import eventually, opened, place, told, workspace

from lexls.library.boxes import PagePassage

Start = Callable[[], RawClient]
HELD = "A warehouse keeper must guard against damp and vermin, and must say at once when either was found."
SECOND = "The keeper answers for what was lost while nobody looked."


def print_case() -> bytes:
    sheet = Sheet()
    sheet.page()
    for y, line in zip((80, 110, 140), ("Pell v Stark", "[2009] UKSC 31", "14 May 2009"), strict=True):
        sheet.text(72, y, line)
    sheet.paragraph(72, 200, "1. The respondent kept a warehouse for grain at the north quay.")
    sheet.page()
    sheet.paragraph(72, 100, f"2. {HELD} {SECOND}")
    return bytes(sheet.pdf.output())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = workspace(tmp_path / "work")
    (root / "library" / "stark.pdf").write_bytes(print_case())
    return root


def test_a_passage_is_found_on_its_page(start: Start, root: Path) -> None:
    client = start()
    opened(client, root)
    uri = client.open(root / "cited.md", "It was so held: *Pell v Stark* [2009] UKSC 31 [2].\n")
    at = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 34}}
    [definition] = eventually(lambda: client.result("textDocument/definition", at))

    copy = definition.get("targetUri") or definition["uri"]
    line = (definition.get("targetSelectionRange") or definition["range"])["start"]["line"]
    start_at, end_at = ({"line": line, "character": 3 + more} for more in (0, len(HELD)))
    found = told(client, "lexls.evidence", uri=copy, range={"start": start_at, "end": end_at})
    assert found["uri"] == (root / "library" / "stark.pdf").as_uri()
    assert (found["title"], found["passage"], found["page"]) == ("Pell v Stark", HELD, 2)
    pages = [
        PagePassage(each["page"], each["width"], each["height"], tuple(tuple(box) for box in each["boxes"]))
        for each in found["pages"]
    ]
    signs, furthest = read_under((root / "library" / "stark.pdf").read_bytes(), pages)
    assert signs == HELD.replace(" ", "")
    assert furthest <= 2
    whole = told(client, "lexls.evidence", uri=copy, range=place(line, 3))
    assert whole["passage"] == f"2. {HELD} {SECOND}"


def test_what_is_no_pdf_of_the_library_is_left_to_the_editor(start: Start, root: Path) -> None:
    client = start()
    opened(client, root)
    for path in (root / "library" / "hale.md", root / "notes.pdf"):
        assert told(client, "lexls.evidence", uri=path.as_uri(), range=place(0, 0)) is None
