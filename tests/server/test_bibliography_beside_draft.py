"""Over the wire: the server reads the bibliography that lies beside a draft, and again when it changes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import PATIENCE, RawClient

BIB = "@jurisdiction{hale, title = {Hale v Ryle}, number = {[2019] UKSC 41}, date = {2019}}\n"
CASE = """\
---
title: Hale v Ryle
citation: "[2019] UKSC 41"
kind: case
jurisdiction: UK
---

[1] The keeper must guard against damp.

[2] He bears the burden of it.
"""
DRAFT = "---\nbibliography: refs.bib\n---\n\nSo it was held [@hale, para 9], and so [@hael].\n"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / "library").mkdir(parents=True)
    (root / "library" / "hale.md").write_text(CASE, encoding="utf-8")
    (root / "refs.bib").write_text(BIB, encoding="utf-8")
    (root / "lexls.toml").write_text('jurisdiction = "UK"\nembeddings.model = ""\n', encoding="utf-8")
    return root


def until(client: RawClient, uri: str, code: str) -> None:
    """Wait until the library has been read, which a diagnostic with that code shows."""
    end = time.monotonic() + PATIENCE
    while all(each != code for each, _ in told(client, uri)):
        assert time.monotonic() < end
        time.sleep(0.1)


def told(client: RawClient, uri: str) -> list[tuple[Any, Any]]:
    """Code and place of each diagnostic."""
    report = client.result("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    return [(each["code"], each["range"]["start"]["character"]) for each in report["items"]]


def test_keys_are_read_through_the_file_and_its_changes_are_seen(
    work: Path, start: Callable[[], RawClient]
) -> None:
    client = start()
    client.initialize(
        work, textDocument={"diagnostic": {}}, workspace={"diagnostics": {"refreshSupport": True}}
    )
    uri = client.open(work / "draft.md", DRAFT)
    line = DRAFT.splitlines()[4]
    until(client, uri, "pinpoint-not-found")
    place = {"line": 4, "character": line.index("hale") + 1}
    hover = client.result("textDocument/hover", {"textDocument": {"uri": uri}, "position": place})
    assert "Hale v Ryle" in hover["contents"]["value"]
    found = client.result("textDocument/definition", {"textDocument": {"uri": uri}, "position": place})
    assert (work / "library" / "hale.md").as_uri() in str(found)
    wrong = ("pinpoint-not-found", line.index("9"))
    assert told(client, uri) == [wrong, ("unknown-key", line.index("hael"))]
    (work / "refs.bib").write_text(BIB + BIB.replace("hale", "hael"), encoding="utf-8")
    os.utime(work / "refs.bib", (1, 1))
    assert told(client, uri) == [wrong]
