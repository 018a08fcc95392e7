"""The user says from the menu at the cursor which file a case is; the file is read again and found by it."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient
from weir_workspace import indexed, place, told, workspace

from lexls.library.readers.plain import read_front_matter

Start = Callable[[], RawClient]
SUPREME = "Supreme Court of the United States"
HEAD = "---\ntitle: {title}\ncourt: {court}\ndate: {date}\nkind: case\njurisdiction: US\n---\n\nAffirmed.\n"
PAGE = """<html><head><meta charset="utf-8"></head><body><p>SUPREME COURT OF THE UNITED STATES</p>
<p>No. {docket}</p><p>{title}</p><p>Decided {day}</p>
<p>The judgment is affirmed, and the case is remanded.</p></body></html>"""
DRAFT = "So it is. *Orrin v. Pell*, 563 U.S. 12 (2011).\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return workspace(tmp_path / "work")


def act(client: RawClient, uri: str, files: int) -> dict[str, dict[str, Any]]:
    """The actions that say which file the citation is, by the file, as soon as so many are offered."""
    asked = {
        "textDocument": {"uri": uri},
        "range": place(0, DRAFT.index("563")),
        "context": {"diagnostics": [], "only": ["quickfix"]},
    }
    while True:
        offered = client.result("textDocument/codeAction", asked) or ()
        found = {each["title"]: each for each in offered if each["title"].startswith("Say that ")}
        if len(found) == files:
            return found
        client.diagnostics(uri)


def start_with(start: Start, root: Path, files: dict[str, str]) -> tuple[RawClient, str]:
    for name, text in files.items():
        (root / "library" / name).write_text(text, encoding="utf-8")
    (root / "lexls.toml").write_text('jurisdiction = "US"\nembeddings.model = ""\n')
    (root / "draft.md").write_text(DRAFT)
    client = start()
    client.initialize(root)
    uri = client.open(root / "draft.md", DRAFT)
    indexed(client)
    return client, uri


def until_found(client: RawClient, uri: str, name: str) -> str:
    """What a hover over the citation says, once that names the file's citation as found."""
    asked = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": DRAFT.index("563")}}
    while True:
        shown = client.result("textDocument/hover", asked)
        said = shown["contents"]["value"] if shown else ""
        if name in said:
            return str(said)
        client.diagnostics(uri)


def test_of_two_files_that_fit_the_one_chosen_is_the_case_from_then_on(start: Start, root: Path) -> None:
    files = {
        "first.md": HEAD.format(title="Orrin v. Pell", court=SUPREME, date="2011-05-02"),
        "second.md": HEAD.format(title="Thomas Orrin v. Pell", court=SUPREME, date="2011-06-02"),
    }
    client, uri = start_with(start, root, files)
    offered = act(client, uri, 2)
    assert set(offered) == {f"Say that {name} is 563 U.S. 12" for name in files}
    chosen = offered["Say that second.md is 563 U.S. 12"]
    answer = client.result("workspace/executeCommand", chosen["command"])
    assert answer["file"].endswith("/second.md")
    values, _, _ = read_front_matter((root / "library/second.md").read_text())
    assert (values["citation"], values["title"], str(values["date"])) == (
        "563 U.S. 12",
        "Thomas Orrin v. Pell",
        "2011-06-02",
    )
    assert (root / "library/first.md").read_text() == files["first.md"]
    until_found(client, uri, "Verified")
    client.goodbye()

    again, uri = start_with(start, root, {})
    assert "June 2, 2011" in until_found(again, uri, "Verified")


def test_of_other_formats_a_row_of_the_table_says_it(start: Start, root: Path) -> None:
    files = {
        "first.html": PAGE.format(docket="10-5", title="ORRIN v. PELL", day="May 2, 2011"),
        "second.html": PAGE.format(docket="10-88", title="THOMAS ORRIN v. PELL", day="June 2, 2011"),
        "metadata.csv": 'file,note\nhale.md,"kept, too"\n',
    }
    client, uri = start_with(start, root, files)
    chosen = act(client, uri, 2)["Say that first.html is 563 U.S. 12"]
    client.result("workspace/executeCommand", chosen["command"])
    with (root / "library/metadata.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert [(each["file"], each["citation"]) for each in rows] == [
        ("hale.md", None),
        ("first.html", "563 U.S. 12"),
    ]
    assert rows[0]["note"] == "kept, too"
    until_found(client, uri, "Verified")


def test_a_file_that_is_unclear_is_listed_and_described_from_the_library(start: Start, root: Path) -> None:
    text = "---\nkind: case\ncourt: Court of Eels\n---\n\nthe motion is denied.\n"
    client, _ = start_with(start, root, {"Orrin v Pell order.md": text})
    (unclear,) = client.result("workspace/executeCommand", {"command": "lexls.status"})["libraries"][0][
        "unclear"
    ]
    assert unclear["reason"] == "Which case is this? Unknown: date and citation"
    listed = told(client, "lexls.listLibrary", folder=str(root / "library"))["authorities"]
    (order,) = (each for each in listed if each["unclear"])
    assert (order["title"], order["notes"]) == ("Orrin v Pell order", [unclear["reason"]])
    assert unclear["reason"] in order["about"]
    told(client, "lexls.describeFile", file=order["uri"])
    written = (root / "library/Orrin v Pell order.md").read_text()
    assert written == text.replace("Eels\n", 'Eels\ntitle: "Orrin v Pell order"\ndate:\ncitation:\n')


def test_a_file_outside_of_the_library_is_refused(start: Start, root: Path) -> None:
    client, uri = start_with(start, root, {})
    for argument in ({"file": uri, "citations": ["1 U.S. 2"]}, {"citations": []}, None):
        request = {"command": "lexls.describeFile", "arguments": [argument]}
        assert client.answer(client.request("workspace/executeCommand", request))["error"]["code"] == -32602
    assert (root / "draft.md").read_text() == DRAFT
