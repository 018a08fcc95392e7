"""Over the wire: a draft on another machine is no file of this one, and the user is told so once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from raw_client import RawClient

CASE = """\
---
title: Hale v Ryle
citation: "[2019] UKSC 41"
kind: case
---

[1] The keeper must guard it.

[2] He bears it.
"""
BIB = "@jurisdiction{hale, title = {Hale v Ryle}, number = {[2019] UKSC 41}, date = {2019}}\n"
DRAFT = "---\nbibliography: refs.bib\n---\n\nSee [2019] UKSC 41 at [9], and [@hale, para 9].\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has paths to other machines")
@pytest.mark.parametrize("slashes", ["//", "////"])
def test_a_draft_of_another_machine_is_checked_and_nothing_beside_its_namesake_is_read(
    tmp_path: Path, start: Callable[[], RawClient], slashes: str
) -> None:
    work = tmp_path / "work"
    (work / "library").mkdir(parents=True)
    (work / "library" / "hale.md").write_text(CASE, encoding="utf-8")
    (work / "lexls.toml").write_text('jurisdiction = "UK"\nembeddings.model = ""\n', encoding="utf-8")
    # A folder of this machine that has the machine's name and the share's.
    other = tmp_path / "share"
    other.mkdir()
    (other / "refs.bib").write_text(BIB, encoding="utf-8")
    (other / "lexls.toml").write_text('jurisdiction = "US"\n', encoding="utf-8")
    client = start()
    client.initialize(work)
    uris = [f"file:{slashes}{str(other).lstrip('/')}/{name}" for name in ("a.md", "b.md")]
    for uri in uris:
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": DRAFT}
        client.notify("textDocument/didOpen", {"textDocument": item})
        codes: list[str] = []
        while "pinpoint-not-found" not in codes:
            codes = sorted(each["code"] for each in client.diagnostics(uri))
        assert codes == ["bibliography-unreadable", "pinpoint-not-found"]
    said = [
        each["params"]["message"] for each in client.passed_over if each["method"] == "window/showMessage"
    ]
    assert [f"a file of the machine {tmp_path.parts[1]}" in each for each in said] == [True]
