"""Findings are ignored from the menu at the cursor: by a comment, and by the workspace's file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from raw_client import RawClient
from weir_workspace import DRAFT, UNKNOWN, opened, place, workspace

Start = Callable[[], RawClient]
CITED = "[1999] ASC 999"


def until(client: RawClient, uri: str, holds: Callable[[list[str]], bool]) -> list[str]:
    """The codes of the diagnostics, once that is so of them."""
    while True:
        codes = [each["code"] for each in client.diagnostics(uri)]
        if holds(codes):
            return codes


def test_a_finding_is_ignored_here_or_for_its_authority(shared_start: Start, tmp_path: Path) -> None:
    client = shared_start()
    root = workspace(tmp_path / "work")
    edits = {"documentChanges": True, "snippetEditSupport": True}
    uri = opened(client, root, workspace={"workspaceEdit": edits}, experimental={"lexls": {"answers": True}})
    (code,) = until(client, uri, lambda codes: len(codes) == 1)
    line = DRAFT.split("\n")[UNKNOWN]
    asked: dict[str, Any] = {
        "textDocument": {"uri": uri},
        "range": place(UNKNOWN, line.index("Nobody") + 2),
        "context": {"diagnostics": []},
    }
    actions = {each["title"]: each for each in client.result("textDocument/codeAction", asked)}
    (edit,) = actions["Ignore here"]["edit"]["documentChanges"][0]["edits"]
    assert edit["snippet"]["value"] == f" <!-- lexls: ignore {code}: ${{1:reason}} -->"
    assert edit["range"]["start"] == {"line": UNKNOWN, "character": len(line)}

    more = client.result("workspace/executeCommand", actions["More…"]["command"])
    (ignore,) = (each for each in more if each["title"] == f"Ignore “{code}” for {CITED}")
    answer = client.result("workspace/executeCommand", ignore["command"])
    assert answer["ignored"]
    written = tomllib.loads((root / "lexls.toml").read_text(encoding="utf-8"))
    assert written["check"]["ignore"] == [{"check": code, "authority": CITED}]
    assert written["jurisdiction"] == "UK"
    until(client, uri, lambda codes: not codes)


def test_a_command_that_names_nothing_is_refused(shared_start: Start, tmp_path: Path) -> None:
    client = shared_start()
    root = workspace(tmp_path / "work")
    uri = opened(client, root)
    before = (root / "lexls.toml").read_bytes()
    for argument in ({"uri": uri}, {"uri": uri, "check": "nonsense"}):
        request = {"command": "lexls.ignore", "arguments": [argument]}
        assert client.answer(client.request("workspace/executeCommand", request))["error"]["code"] == -32602
    assert (root / "lexls.toml").read_bytes() == before
