"""Where passages of PDFs stand on their pages, as the command ``lexls.evidence`` tells it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from raw_client import RawClient
from sheets import Sheet
from shown_pages import read_under
from weir_workspace import eventually, opened, place, told, workspace

from lexls.library.document import PagePassage

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
    text = Path(unquote(urlsplit(copy).path)).read_text(encoding="utf-8")
    begins = text.replace("\n", " ").index(HELD)
    before, until = text[:begins], text[: begins + len(HELD)]  # over the lines of the copy, which is wrapped
    start_at, end_at = (
        {"line": each.count("\n"), "character": len(each) - each.rfind("\n") - 1} for each in (before, until)
    )
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


@pytest.mark.parametrize("name", ["hale.md", "page.html", "thrift.txt"])
def test_words_of_an_authority_are_inserted_with_their_citation(start: Start, root: Path, name: str) -> None:
    html = (
        "<html><body><h1>Gorse v Teal</h1><p>[2017] ASC 3</p><p>[1] The mill was burnt.</p>"
        "<p>[2] A miller who <i>stores</i> hay must keep it dry.</p></body></html>"
    )
    (root / "library" / "page.html").write_text(html, encoding="utf-8")
    # Its lines are so long that a wrapped copy is shown where it is not opened itself.
    long = (
        "[2] A drover who hires a yard must count his sheep before the gate is shut on them"
        + ", as is right" * 9
    )
    thrift = f"Thrift v Moor\n\n[2018] ASC 5\n\n[1] The yard was full.\n\n{long}.\n"
    (root / "library" / "thrift.txt").write_text(thrift, encoding="utf-8")
    client = start()
    uri = opened(client, root)
    text = (root / "library" / name).read_text(encoding="utf-8")
    words, cited = {
        "hale.md": ("The keeper of a weir must open its gates", "*Hale v Ryle* [2019] ASC 41 at [2]"),
        "page.html": ("must keep it dry.", "*Gorse v Teal* [2017] ASC 3 at [2]"),
        "thrift.txt": ("must count his sheep before the gate", "*Thrift v Moor* [2018] ASC 5 at [2]"),
    }[name]
    line = next(number for number, each in enumerate(text.split("\n")) if words in each)
    column = text.split("\n")[line].index(words)
    ends = ({"line": line, "character": column + more} for more in (0, len(words)))
    source = {
        "uri": (root / "library" / name).as_uri(),
        "range": dict(zip(("start", "end"), ends, strict=True)),
    }
    at = {"line": 6, "character": 0}
    for given, written in (("", f"“{words.rstrip('.')}”: {cited}."), ("So it is.", f"So it is: {cited}.")):
        edit = eventually(
            lambda given=given: told(
                client, "lexls.insertSentence", uri=uri, position=at, source=source, text=given
            )
        )["edit"]
        [change] = (
            next(iter(edit["changes"].values()))
            if edit.get("changes")
            else edit["documentChanges"][0]["edits"]
        )
        assert change["newText"] == f"{written} "
        assert change["range"]["start"] == at
