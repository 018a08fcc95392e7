"""The citation proposed in grey, over the wire: only where the settings ask for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from raw_client import RawClient
from weir_workspace import BARE, DRAFT, opened, workspace

Start = Callable[[], RawClient]


@pytest.mark.parametrize("asked_for", [True, False])
def test_a_citation_is_proposed_where_it_is_asked_for(
    shared_start: Start, tmp_path: Path, asked_for: bool
) -> None:
    client = shared_start()
    root = workspace(tmp_path / "work")
    if asked_for:
        with (root / "lexls.toml").open("a", encoding="utf-8") as settings:
            settings.write("completion.inline = true\n")
    uri = opened(client, root)
    line = DRAFT.split("\n")[BARE]
    position = {"line": BARE, "character": len(line)}
    found = client.result(
        "textDocument/inlineCompletion",
        {"textDocument": {"uri": uri}, "position": position, "context": {"triggerKind": 1}},
    )
    if not asked_for:
        assert found is None
        return
    (item,) = found["items"]
    assert item["insertText"] == " *Hale v Ryle* [2019] ASC 41 at [2]."
    assert item["range"] == {"start": position, "end": position}
