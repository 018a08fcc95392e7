"""The papers of a record over the protocol: opened, shown, linked, told as missing; pages of PDFs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient
from sheets import Sheet
from weir_workspace import eventually, opened, told, workspace

Start = Callable[[], RawClient]
PULL = {
    "textDocument": {"diagnostic": {}, "documentLink": {"tooltipSupport": True}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}
COMPLAINT = """\
# COMPLAINT

1. The plaintiff mows the meadow below the weir at Ennis.

2. On 3 May the defendant left both gates of the weir shut from dusk until the mill stopped.
"""
LETTER = "The gates were shut at dusk and nobody was told of it before the morning."
DRAFT = """\
# Brief

The gates were shut. Compl. ¶ 2. He wrote of it at once. Ex. 4 at 2. See Ex. 14.

The defendant “left both gates of the weir open from dusk until the mill stopped”. Compl. ¶ 2.
"""


def print_letter() -> bytes:
    sheet = Sheet()
    sheet.page()
    sheet.paragraph(72, 100, "To the miller of Ennis, by hand, on the fourth of May.")
    sheet.page()
    sheet.paragraph(72, 100, LETTER)
    return bytes(sheet.pdf.output())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = workspace(tmp_path / "work")
    (root / "exhibits").mkdir()
    (root / "exhibits" / "Complaint.md").write_text(COMPLAINT, encoding="utf-8")
    (root / "exhibits" / "Ex. 4 - Letter.pdf").write_bytes(print_letter())
    return root


def ask(client: RawClient, method: str, uri: str, line: int, character: int) -> Any:
    position = {"line": line, "character": character}
    return client.result(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": position})


def test_a_paper_is_opened_shown_linked_and_compared(start: Start, root: Path) -> None:
    client = start()
    opened(client, root, **PULL)
    uri = client.open(root / "brief.md", DRAFT)
    [complaint] = eventually(lambda: ask(client, "definition", uri, 2, 24))
    assert (complaint.get("targetUri") or complaint["uri"]).endswith("/exhibits/Complaint.md")
    assert (complaint.get("targetSelectionRange") or complaint["range"])["start"]["line"] == 4

    hovered = ask(client, "hover", uri, 2, 24)["contents"]["value"]
    assert "left both gates of the weir shut" in hovered
    assert "exhibits/Complaint.md" in hovered

    def linked() -> list[dict[str, Any]]:
        links = client.result("textDocument/documentLink", {"textDocument": {"uri": uri}})
        return [each for each in links if each.get("tooltip") == "Ex. 4 - Letter.pdf"]

    [link] = eventually(linked)
    assert "Letter.pdf.txt" in client.result("documentLink/resolve", link)["target"].replace("%20", " ")

    def found() -> list[dict[str, Any]]:
        report = client.result("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        return [each for each in report["items"] if each["code"] in ("exhibit-not-found", "misquotation")]

    missing, misquoted = eventually(lambda: found() if len(found()) == 2 else None)
    assert missing["message"] == "no file in exhibits/ is called Ex. 14"
    assert misquoted["message"].startswith("“open” — the record says “shut” (Complaint at [2])")


def test_a_passage_of_an_exhibit_is_found_on_its_page(start: Start, root: Path) -> None:
    client = start()
    opened(client, root, **PULL)
    uri = client.open(root / "brief.md", DRAFT)
    [letter] = eventually(lambda: ask(client, "definition", uri, 2, 59))
    copy = letter.get("targetUri") or letter["uri"]
    line = (letter.get("targetSelectionRange") or letter["range"])["start"]["line"]
    ends = [{"line": line, "character": each} for each in (0, len(LETTER))]
    shown = told(client, "lexls.evidence", uri=copy, range={"start": ends[0], "end": ends[1]})
    assert shown["uri"] == (root / "exhibits" / "Ex. 4 - Letter.pdf").as_uri()
    assert (shown["passage"], shown["page"]) == (LETTER, 2)


def test_a_paper_is_no_draft(start: Start, root: Path) -> None:
    client = start()
    opened(client, root, **PULL)
    draft = client.open(root / "brief.md", DRAFT)
    eventually(lambda: ask(client, "definition", draft, 2, 24))
    uri = client.open(root / "exhibits" / "Complaint.md", COMPLAINT + "\nSee Ex. 99.\n")
    report = client.result("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert report["items"] == []


def test_the_record_is_told_of_and_paused_with_the_library(start: Start, root: Path) -> None:
    client = start()
    opened(client, root)

    def do(command: str) -> Any:
        return client.result("workspace/executeCommand", {"command": command})

    def phases() -> set[str]:
        status = do("lexls.status")
        return {each["phase"] for kind in ("libraries", "records") for each in status[kind]}

    eventually(lambda: phases() <= {"lexical", "ready"})
    (record,) = do("lexls.status")["records"]
    assert (record["folders"], record["documents"]) == ([str(root / "exhibits")], 2)
    do("lexls.pauseIndexing")
    eventually(lambda: phases() == {"paused"})
    do("lexls.resumeIndexing")
    eventually(lambda: phases() <= {"lexical", "ready"})
