"""A server hears of a saved file from its indexer, and does not find it by looking now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from raw_client import PATIENCE, RawClient
from weir_workspace import CITING, DRAFT, workspace

NEVER_LOOKING = """\
import sys
from lexls.cli.main import main
from lexls.server import server
server.TICK_SECONDS = 3600.0
sys.exit(main(["serve"]))
"""


@pytest.fixture
def client(tmp_path: Path) -> Iterator[RawClient]:
    started = RawClient(tmp_path / "home", command=(sys.executable, "-c", NEVER_LOOKING))
    yield started
    started.process.kill()
    started.process.wait()


def test_a_saved_file_is_known_though_nobody_looks(client: RawClient, tmp_path: Path) -> None:
    root = workspace(tmp_path / "work")
    client.initialize(root)
    uri = client.open(root / "draft.md", DRAFT)
    place = {"line": CITING, "character": DRAFT.splitlines()[CITING].index("[2019]")}
    hale = root / "library" / "hale.md"

    def hover() -> str:
        return str(client.result("textDocument/hover", {"textDocument": {"uri": uri}, "position": place}))

    for before, after in (("rises", "rises"), ("rises", "falls"), ("falls", "stands")):
        hale.write_text(hale.read_text().replace(f"river {before}", f"river {after}"))
        end = time.monotonic() + PATIENCE
        while f"river {after}" not in hover():
            assert time.monotonic() < end, f"it does not hear that the river {after}"
            time.sleep(0.05)
