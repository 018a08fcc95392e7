"""What goes beyond the protocol is for clients that ask for it, and the manual says how they do."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient
from weir_workspace import eventually, notified, opened, workspace

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


def test_the_manual_lists_what_clients_can_ask_for() -> None:
    said = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8").split("## For authors of clients")[1]
    asked = {
        name
        for module in (ROOT / "lexls" / "server").glob("*.py")
        for name in re.findall(r'find_own_capability\("(\w+)"\)', module.read_text(encoding="utf-8"))
    }
    assert set(re.findall(r"(?m)^\| `(\w+)`", said)) == asked
