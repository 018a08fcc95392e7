"""Indexing is paused and resumed by commands, and what a draft cites is read first, in a real server."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import PATIENCE, RawClient
from weir_workspace import DRAFT, opened, workspace

from lexls.index.wanted import WantedReader, set_paused

Start = Callable[[], RawClient]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return workspace(tmp_path / "work")


def do(client: RawClient, command: str) -> Any:
    return client.result("workspace/executeCommand", {"command": command})


def status_when(client: RawClient, phase: str) -> dict[str, Any]:
    """The status of the only library, once it is in a phase."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        libraries = do(client, "lexls.status")["libraries"]
        if libraries and libraries[0]["phase"] == phase:
            return dict(libraries[0])
        time.sleep(0.05)
    raise AssertionError(f"it is never {phase}")


def test_indexing_pauses_and_goes_on(start: Start, root: Path) -> None:
    client = start()
    opened(client, root)
    do(client, "lexls.pauseIndexing")
    assert "paused" in status_when(client, "paused")["message"]
    (root / "library" / "late.md").write_text("1. The ferry came late to the weir.\n")
    do(client, "lexls.resumeIndexing")
    end = time.monotonic() + PATIENCE
    while status_when(client, "lexical")["documents"] < 3:
        assert time.monotonic() < end, "it does not go on"


def test_what_the_draft_cites_is_wished_before_the_library_is_read(start: Start, root: Path) -> None:
    index = root / "index.sqlite3"
    with (root / "lexls.toml").open("a") as settings:
        settings.write(f'index.path = "{index.name}"\n')
    set_paused(index, True)
    client = start()
    client.initialize(root)
    client.open(root / "draft.md", DRAFT)
    assert status_when(client, "paused")["documents"] == 0
    wishes = WantedReader(index)
    end = time.monotonic() + PATIENCE
    while "Hale v Ryle [2019] ASC 41" not in wishes.take():
        assert time.monotonic() < end, "it is not wished"
        time.sleep(0.05)
    do(client, "lexls.resumeIndexing")
    assert status_when(client, "lexical")["documents"] == 2
