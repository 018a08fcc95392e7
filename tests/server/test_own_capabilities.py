"""What goes beyond the protocol is for clients that ask for it, and the manual says how they do."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient, environment
from weir_workspace import DRAFT, eventually, notified, opened, workspace

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("asks", [True, False])
def test_the_status_is_told_to_those_who_ask(
    start: Callable[[], RawClient], tmp_path: Path, asks: bool
) -> None:
    client = start()
    wanted: dict[str, Any] = {"experimental": {"lexls": {"status": True}}} if asks else {}
    opened(client, workspace(tmp_path / "workspace"), **wanted)
    if asks:
        eventually(lambda: notified(client, "lexls/status")[-1]["phase"] in ("ready", "lexical"))
    client.goodbye()
    assert bool(notified(client, "lexls/status")) is asks


@pytest.mark.parametrize("pulls", [False, True])
def test_the_verdicts_on_a_draft_are_told_after_each_check(
    start: Callable[[], RawClient], tmp_path: Path, pulls: bool
) -> None:
    client = start()
    able = {"workspace": {"diagnostics": {"refreshSupport": True}}} if pulls else {}
    root = workspace(tmp_path / "workspace")
    uri = opened(client, root, experimental={"lexls": {"status": True}}, **able)

    def told(version: int) -> list[dict[str, Any]]:
        if pulls:
            client.result("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        return [each for each in notified(client, "lexls/checked") if each["version"] == version]

    def sums(version: int, summary: str) -> dict[str, Any]:
        found = eventually(lambda: [each for each in told(version) if each["summary"] == summary])
        return dict(found[-1]["counts"])

    assert sums(1, "2 citations: 1 verified, 1 not in your library") == {"verified": 1, "not-in-library": 1}
    wrong = (
        DRAFT.replace("[2019] ASC 41 at [2]", "[2019] ASC 41 at [19]") + "\n*Hale v Ryle* [2019] ASC 41.\n"
    )
    versioned = {"uri": uri, "version": 2}
    client.notify("textDocument/didChange", {"textDocument": versioned, "contentChanges": [{"text": wrong}]})
    summary = "3 citations: 1 verified, 1 wrong, 1 not in your library"
    assert sums(2, summary) == {"verified": 1, "wrong": 1, "not-in-library": 1}
    (root / "draft.md").write_text(wrong, encoding="utf-8")
    assert summary in checked_by_command(client, root)
    sent = notified(client, "lexls/checked")
    assert all(earlier != later for earlier, later in pairwise(sent)), "what did not change is not told again"


def checked_by_command(client: RawClient, root: Path) -> str:
    """What the command line prints of the same draft."""
    command = [sys.executable, "-m", "lexls", "check", "--strict", str(root / "draft.md")]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(client.home),
        cwd=root,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("asks", [True, False])
def test_the_list_of_places_follows_for_those_who_can_ask_again(
    start: Callable[[], RawClient], tmp_path: Path, asks: bool
) -> None:
    client = start()
    own = {"suggest": "client.ask"} if asks else {}
    uri = opened(client, workspace(tmp_path / "workspace"), experimental={"lexls": own})
    typed = "It is settled. *Hale v Ryl"

    def complete(version: int, text: str) -> list[dict[str, Any]]:
        versioned = {"uri": uri, "version": version}
        client.notify(
            "textDocument/didChange", {"textDocument": versioned, "contentChanges": [{"text": text}]}
        )
        at = {"line": 0, "character": len(text)}
        asked = {"textDocument": {"uri": uri}, "position": at, "context": {"triggerKind": 1}}
        return list(client.result("textDocument/completion", asked)["items"])

    (item, *_) = eventually(lambda: complete(2, typed))
    assert item.get("command", {}).get("command") == ("client.ask" if asks else None)
    edit = item["textEdit"]
    places = complete(3, typed[: edit["range"]["start"]["character"]] + edit["newText"])
    assert {each["label"] for each in places} >= {"[1]", "[2]"}
    assert all(each["textEdit"]["newText"].startswith(" at [") for each in places)


def test_the_manual_lists_what_clients_can_ask_for() -> None:
    said = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8").split("## For authors of clients")[1]
    asked = {
        name
        for module in (ROOT / "lexls" / "server").glob("*.py")
        for name in re.findall(r'find_own_capability\("(\w+)"\)', module.read_text(encoding="utf-8"))
    }
    assert set(re.findall(r"(?m)^\| `(\w+)`", said)) == asked
