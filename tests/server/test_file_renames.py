"""An editor renames files: what names them is changed first, and the library follows the disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient
from weir_workspace import eventually, indexed, place, workspace

LINKED = "See [Hale](library/hale.md): *Hale v Ryle* [2019] ASC 41 at [2]. § “é”: [Hale](library/hale.md)\n"
TABLE = "file,court\nhale.md,Supreme Court\npell.md,Supreme Court\n"


@pytest.fixture(scope="module")
def shared(
    shared_start: Callable[[], RawClient], tmp_path_factory: pytest.TempPathFactory
) -> tuple[RawClient, Path, dict[str, Any]]:
    """A client whose library is read, its workspace with a draft on disk, and what the server can do."""
    root = workspace(tmp_path_factory.mktemp("renames") / "work")
    (root / "library/metadata.csv").write_text(TABLE, encoding="utf-8")
    (root / "closed.md").write_text(LINKED, encoding="utf-8")
    (root / "main.tex").write_text("\\input{part}\n", encoding="utf-8")
    (root / "part.tex").write_text("Text.\n", encoding="utf-8")
    client = shared_start()
    known = {"workspaceEdit": {"documentChanges": True}, "fileOperations": {"willRename": True}}
    offered = client.initialize(root, workspace=known)
    client.open(root / "first.md", LINKED)
    indexed(client)
    return client, root, offered["capabilities"]


def asked(client: RawClient, root: Path, **renames: str) -> Any:
    """What the server would have changed before these files get other names."""
    files = [
        {"oldUri": (root / old).as_uri(), "newUri": (root / new).as_uri()} for old, new in renames.items()
    ]
    return client.result("workspace/willRenameFiles", {"files": files})


def changed(edit: Any) -> dict[str, tuple[int | None, list[tuple[int, int, str]]]]:
    """For each file its version, and each change: the line, the first column and the new text."""
    return {
        Path(each["textDocument"]["uri"]).name: (
            each["textDocument"]["version"],
            [
                (*map(change["range"]["start"].get, ("line", "character")), change["newText"])
                for change in each["edits"]
            ],
        )
        for each in edit["documentChanges"]
    }


def test_all_that_names_a_file_changes_with_it(shared: tuple[RawClient, Path, dict[str, Any]]) -> None:
    client, root, capabilities = shared
    (found,) = capabilities["workspace"]["fileOperations"]["willRename"]["filters"]
    assert found == {"pattern": {"glob": "**/*"}, "scheme": "file"}
    edit = asked(client, root, **{"library/hale.md": "library/weir.md"})
    second = LINKED.rindex("library")
    link = [(0, 11, "library/weir.md"), (0, second, "library/weir.md")]
    assert changed(edit) == {
        "first.md": (1, link),
        "closed.md": (None, link),
        "metadata.csv": (None, [(1, 0, "weir.md,Supreme Court\n")]),
    }
    part = asked(client, root, **{"part.tex": "chapters/part.tex"})
    assert changed(part) == {"main.tex": (None, [(0, 7, "chapters/part")])}
    assert asked(client, root, **{"other.md": "another.md"}) is None


def test_nonsense_changes_nothing(shared: tuple[RawClient, Path, dict[str, Any]]) -> None:
    client, _, _ = shared
    files = [{"oldUri": "untitled:a", "newUri": "https://example.invalid/b"}, {"oldUri": "", "newUri": "%"}]
    assert client.result("workspace/willRenameFiles", {"files": files}) is None
    wrong = client.answer(client.request("workspace/willRenameFiles", {"files": 5}))
    assert wrong["error"]["code"] == -32602


def test_the_library_follows_the_disk(shared: tuple[RawClient, Path, dict[str, Any]]) -> None:
    client, root, _ = shared
    at = {"textDocument": {"uri": (root / "first.md").as_uri()}}
    at["position"] = place(0, LINKED.index("ASC"))["start"]

    def leads_to() -> str:
        found = client.result("textDocument/definition", at)
        return Path(found[0]["uri"]).name if found else ""

    assert leads_to() == "hale.md"
    (root / "library/hale.md").rename(root / "library/weir.md")
    eventually(lambda: leads_to() == "weir.md")
    (root / "library/weir.md").rename(root / "library/hale.md")
    eventually(lambda: leads_to() == "hale.md")
