"""Records of one file, and files that other files describe, through a real server."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from raw_client import PATIENCE, RawClient
from weir_workspace import eventually, indexed, opened, told, workspace

from lexls.index.config import find_default_path
from lexls.index.status import IndexStatus

Start = Callable[[], RawClient]
UNNAMED = "The lighter lay at the quay.\n\n" + "Nothing is said here of who sued whom, or where. " * 4


def record(number: int) -> dict[str, Any]:
    return {
        "id": f"c{number}",
        "title": f"Smew v Teal (No {number})",
        "citation": f"[2015] UKSC {number}",
        "kind": "case",
        "text": f"1. The mooring of buoy {number} was laid by the harbour board.\n\n"
        f"2. A board that lays mooring {number} must keep its chain from rusting through.\n\n"
        "3. The “appeal” is allowed.",
    }


def as_lines(*numbers: int) -> str:
    return "".join(json.dumps(record(number)) + "\n" for number in numbers)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return workspace(tmp_path / "work")


def at(uri: str, text: str, words: str, *, behind: bool = False) -> dict[str, Any]:
    start = text.index(words) + (len(words) if behind else 0)
    line = text.count("\n", 0, start)
    character = start - (text.rfind("\n", 0, start) + 1)
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def read_copy(place: dict[str, Any], file: Path) -> list[str]:
    """The lines of the readable copy at a place, which must name the file that it is of."""
    lines = Path(unquote(urlsplit(place["uri"]).path)).read_text(encoding="utf-8").split("\n")
    assert lines[1] == file.as_uri()
    return lines


def names(client: RawClient, query: str) -> set[str]:
    return {each["name"] for each in client.result("workspace/symbol", {"query": query}) or ()}


def named(client: RawClient, name: str, query: str = " v ") -> bool:
    return any(each.startswith(name) for each in names(client, query))


def test_records_are_cited_hovered_opened_and_proposed(start: Start, root: Path) -> None:
    (root / "library/cases.jsonl").write_text(f"{as_lines(11)}\n{{broken\n{as_lines(12, 13)}")
    client = start()
    opened(client, root)
    text = (
        "So it was held in *Smew v Teal (No 12)* [2015] UKSC 12 at [2].\n\nSee Smew v Teal (No 1\n\n"
        "A board must keep the chain of its mooring 13 from rusting through.\n"
    )
    uri = client.open(root / "second.md", text)
    eventually(lambda: named(client, "Smew v Teal (No 12)"))

    hover = client.result("textDocument/hover", at(uri, text, "UKSC 12"))["contents"]["value"]
    assert "Smew v Teal (No 12)" in hover
    assert "keep its chain from rusting" in hover

    found = client.result("textDocument/definition", at(uri, text, "UKSC 12"))
    (place,) = found if isinstance(found, list) else [found]
    lines = read_copy(place, root / "library/cases.jsonl")
    first = place["range"]["start"]
    assert lines[first["line"]][first["character"] :].startswith("2. A board that lays mooring 12")

    proposed = client.result("textDocument/completion", at(uri, text, "(No 1\n"[:-1], behind=True))
    items = proposed["items"] if isinstance(proposed, dict) else proposed
    assert {f"Smew v Teal (No {number})" for number in (11, 12, 13)} <= {each["label"] for each in items}

    asked = at(uri, text, "from rusting")
    support = told(client, "lexls.findSupport", uri=uri, position=asked["position"])
    best = support[0]
    assert (best["title"], best["path"], best["part"]) == ("Smew v Teal (No 13)", "cases.jsonl", "c13")

    listed = told(client, "lexls.listLibrary", folder=str(root / "library"))
    assert [(each["name"], each["count"]) for each in listed["folders"]] == [("cases.jsonl", 3)]
    listed = told(client, "lexls.listLibrary", folder=str(root / "library/cases.jsonl"))
    assert len(listed["authorities"]) == 3

    status = client.result("workspace/executeCommand", {"command": "lexls.status"})
    reasons = [each["reason"] for each in status["libraries"][0]["failed"]]
    assert reasons == ["line 3: not valid JSON"]


def test_a_bibliography_names_a_file_that_does_not_name_itself(start: Start, root: Path) -> None:
    attached = root / "library/storage/ABCD1234"
    attached.mkdir(parents=True)
    (attached / "scan.txt").write_text(UNNAMED)
    (root / "library/zotero.bib").write_text(
        "@jurisdiction{smew, title={Smew v Teal}, number={[2015] UKSC 11}, date={2015-03-02},\n"
        "  file={Full Text PDF:/home/ann/Zotero/storage/ABCD1234/scan.txt:text/plain}}\n"
    )
    client = start()
    opened(client, root)
    eventually(lambda: named(client, "Smew v Teal"))
    text = "So it was held in *Smew v Teal* [2015] UKSC 11.\n"
    uri = client.open(root / "second.md", text)
    hover = client.result("textDocument/hover", at(uri, text, "UKSC 11"))["contents"]["value"]
    assert "Smew v Teal" in hover
    found = client.result("textDocument/definition", at(uri, text, "UKSC 11"))
    (place,) = found if isinstance(found, list) else [found]
    assert any(line.startswith("The lighter lay") for line in read_copy(place, attached / "scan.txt"))


def test_a_table_that_changes_while_the_server_runs(start: Start, root: Path) -> None:
    (root / "library/scan.txt").write_text(UNNAMED)
    client = start()
    opened(client, root)
    table = root / "library/metadata.csv"
    table.write_text("file,title,citation\nscan.txt,Smew v Teal,[2015] UKSC 11\n")
    eventually(lambda: named(client, "Smew v Teal"))
    table.write_text("file,title,citation\nscan.txt,Knot v Dunlin,[2015] UKSC 11\ngone.pdf,A v B,\n")
    eventually(lambda: named(client, "Knot v Dunlin"))
    assert not named(client, "Smew v Teal")
    status = client.result("workspace/executeCommand", {"command": "lexls.status"})
    (failed,) = status["libraries"][0]["failed"]
    assert failed["path"] == str(table)
    assert failed["reason"] == 'line 3: there is no file "gone.pdf"'
    table.unlink()
    eventually(lambda: not named(client, "Knot v Dunlin"))


@pytest.mark.slow
def test_killed_in_the_middle_of_a_file_nothing_is_lost(start: Start, root: Path) -> None:
    count = 400
    (root / "library/cases.jsonl").write_text(as_lines(*range(1, count + 1)))
    for pause in (1.0, 1.5, 2.0):
        client = start()
        client.initialize(root)
        time.sleep(pause)
        client.process.send_signal(signal.SIGKILL)
        client.process.wait(timeout=PATIENCE)
    client = start()
    opened(client, root)
    indexed(client)
    home = client.home
    (index,) = (home / "data/lexls/indexes").glob(find_default_path([(root / "library").resolve()]).name)
    with closing(IndexStatus(index)) as status:
        ids = eventually(lambda: len(found := status.document_ids()) == count + 2 and found)
    assert {part for _, _, part in ids if part} == {f"c{number}" for number in range(1, count + 1)}
    assert os.path.exists(index)
