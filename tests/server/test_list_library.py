"""The library as the command ``lexls.listLibrary`` lists it, in a real server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from raw_client import RawClient
from weir_workspace import opened, told, workspace

Start = Callable[[], RawClient]
HEAD = """\
Pell v Stark

[2009] UKSC 31

14 May 2009

1. The respondent kept a warehouse for grain at the north quay.

2. A warehouse keeper must guard against damp and vermin.
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return workspace(tmp_path / "work")


def test_a_folder_tells_what_was_read_and_what_was_not(start: Start, root: Path) -> None:
    folder = root / "library" / "added"
    folder.mkdir()
    (folder / "pell.txt").write_text(HEAD)
    (folder / "torn.pdf").write_bytes(b"%PDF-1.7\nno more")
    (folder / "letter.wpd").write_text("A letter.")
    (folder / "numbers.json").write_text('{"a": 1}')
    client = start()
    opened(client, root)
    (top,) = told(client, "lexls.listLibrary")["folders"]
    assert (top["path"], top["name"]) == (str(root / "library"), "library")
    below = told(client, "lexls.listLibrary", folder=top["path"])
    assert sum(each["count"] for each in below["folders"]) + len(below["authorities"]) == top["count"]
    assert ("added", 1) in [(each["name"], each["count"]) for each in below["folders"]]
    listed = told(client, "lexls.listLibrary", folder=str(folder))
    (pell,) = listed["authorities"]
    assert (pell["title"], pell["citation"], pell["kind"]) == ("Pell v Stark", "[2009] UKSC 31", "case")
    assert "Read title" in pell["about"]
    assert [(each["name"], each["reason"]) for each in listed["unread"]] == [
        ("letter.wpd", "lexls has no reader for it"),
        ("numbers.json", "no text of an authority in it"),
        ("torn.pdf", "damaged PDF (cut off before its end)"),
    ]
