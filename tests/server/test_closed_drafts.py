"""Findings in the drafts of a workspace that are not open."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient
from weir_workspace import DRAFT, eventually, indexed, notified, workspace

Start = Callable[[], RawClient]
PULL = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
UNKNOWN = "So it was held in *Nobody v Known* [1999] ASC 999 at [1].\n"
KNOWN = "A keeper answers for the hay: *Hale v Ryle* [2019] ASC 41 at [3].\n"


@pytest.fixture(scope="module")
def shared(
    shared_start: Start, tmp_path_factory: pytest.TempPathFactory
) -> tuple[RawClient, Path, dict[str, Any]]:
    """A client whose library is read, its workspace, and what the server can do."""
    root = workspace(tmp_path_factory.mktemp("closed") / "work")
    client = shared_start()
    capabilities = client.initialize(root, **PULL)["capabilities"]
    uri = client.open(root / "first.md", DRAFT)
    indexed(client)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    return client, root, capabilities


@pytest.fixture
def asking(shared: tuple[RawClient, Path, dict[str, Any]]) -> Iterator[tuple[RawClient, Path]]:
    """The client, and its workspace with one draft."""
    client, root, _ = shared
    eventually(lambda: set(pulled(client)) == {(root / "draft.md").as_uri()})
    yield client, root
    for path in root.iterdir():
        if path.name not in ("library", "draft.md"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    workspace_settings(root)
    (root / "draft.md").write_text(DRAFT, encoding="utf-8")


def workspace_settings(root: Path, more: str = "") -> None:
    settings = f'jurisdiction = "UK"\nembeddings.model = ""\n{more}'
    if not (root / "lexls.toml").exists() or (root / "lexls.toml").read_text(encoding="utf-8") != settings:
        (root / "lexls.toml").write_text(settings, encoding="utf-8")


def pulled(client: RawClient, known: dict[str, str] | None = None, **more: Any) -> dict[str, dict[str, Any]]:
    """The reports on all drafts that are not open, by URI."""
    previous = [{"uri": uri, "value": value} for uri, value in (known or {}).items()]
    params = {"identifier": "lexls", "previousResultIds": previous, **more}
    return {each["uri"]: each for each in client.result("workspace/diagnostic", params)["items"]}


def codes(report: dict[str, Any]) -> list[str]:
    return [each["code"] for each in report["items"]]


def ids(reports: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {uri: each["resultId"] for uri, each in reports.items()}


def test_drafts_that_are_not_open_are_reported_once(asking: tuple[RawClient, Path]) -> None:
    client, root = asking
    (root / "notes").mkdir()
    (root / "notes/memo.tex").write_text(f"\\section{{A}}\n{UNKNOWN}", encoding="utf-8")
    for shut in (".old", "node_modules", "lexls-review"):
        (root / shut).mkdir()
        (root / shut / "memo.md").write_text(UNKNOWN, encoding="utf-8")
    (root / "clean.md").write_text(KNOWN, encoding="utf-8")
    (root / "odd.md").write_bytes(b"\xff\xfe\x00")
    reports = pulled(client)
    draft, memo, clean = ((root / name).as_uri() for name in ("draft.md", "notes/memo.tex", "clean.md"))
    assert {draft, memo, clean} <= set(reports)
    assert not any(name in uri for uri in reports for name in ("/library/", "/.old/", "node_mod", "-review"))
    assert "not-in-library" in codes(reports[draft])
    assert "not-in-library" in codes(reports[memo])
    assert codes(reports[clean]) == []
    assert {each["version"] for each in reports.values()} == {None}
    again = pulled(client, ids(reports))
    assert {each["kind"] for each in again.values()} == {"unchanged"}
    assert ids(again) == ids(reports)
    (root / "clean.md").write_text(KNOWN + "\n" + UNKNOWN, encoding="utf-8")
    (root / "notes/memo.tex").unlink()
    third = pulled(client, ids(reports))
    assert {uri for uri, each in third.items() if each["kind"] == "full"} == {clean, memo}
    assert codes(third[clean]) == ["not-in-library"]
    assert third[memo]["items"] == []


def test_an_open_draft_is_reported_by_itself_alone(asking: tuple[RawClient, Path]) -> None:
    client, root = asking
    before = pulled(client)
    uri = client.open(root / "draft.md", KNOWN)
    opened = pulled(client, ids(before))
    assert opened[uri]["kind"] == "full"
    assert opened[uri]["items"] == []
    assert uri not in pulled(client, ids(opened))
    assert uri not in pulled(client)
    own = client.result("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert own["items"] == []  # of the text in the editor, not of that on disk
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    closed = client.result("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert "not-in-library" in codes(closed)
    assert codes(pulled(client, ids(opened))[uri]) == codes(closed)
    (root / "draft.md").unlink()
    client.open(root / "draft.md", DRAFT)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert pulled(client)[uri]["items"] == []  # whoever has its findings from when it was open
    assert pulled(client) == {}


def test_what_is_asked_with_a_token_comes_in_parts_and_waits_for_news(asking: tuple[RawClient, Path]) -> None:
    client, root = asking
    client.forget()

    def sent(token: str) -> dict[str, dict[str, Any]]:
        said = [each["value"] for each in notified(client, "$/progress") if each["token"] == token]
        return {item["uri"]: item for each in said for item in each["items"]}

    assert pulled(client, partialResultToken="first") == {}
    first = sent("first")
    assert "not-in-library" in codes(first[(root / "draft.md").as_uri()])
    known = [{"uri": uri, "value": value} for uri, value in ids(first).items()]
    waiting = client.request(
        "workspace/diagnostic", {"previousResultIds": known, "partialResultToken": "second"}
    )
    eventually(lambda: len(sent("second")) == len(first))
    assert {each["kind"] for each in sent("second").values()} == {"unchanged"}
    assert waiting not in client.answers
    (root / "draft.md").write_text(KNOWN, encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", {"changes": []})
    assert client.answer(waiting)["result"] == {"items": []}
    changed = [each for each in sent("second").values() if each["kind"] == "full"]
    assert [codes(each) for each in changed] == [[]]
    left = client.request(
        "workspace/diagnostic",
        {
            "previousResultIds": [{"uri": u, "value": v} for u, v in ids(sent("second")).items()],
            "partialResultToken": 3,
        },
    )
    client.notify("$/cancelRequest", {"id": left})
    assert client.answer(left)["error"]["code"] == -32800


def test_a_setting_leaves_them_out(asking: tuple[RawClient, Path]) -> None:
    client, root = asking
    before = pulled(client)
    workspace_settings(root, "check.closedDrafts = false\n")
    gone = eventually(lambda: (found := pulled(client, ids(before))) and _all_empty(found) and found)
    assert set(gone) == set(before)


def _all_empty(reports: dict[str, dict[str, Any]]) -> bool:
    return all(each["kind"] == "full" and not each["items"] for each in reports.values())


def test_a_bibliography_and_an_included_file_count_too(asking: tuple[RawClient, Path]) -> None:
    client, root = asking
    entry = "@jurisdiction{%s, title = {Hale v Ryle}, number = {[2019] ASC 41}, date = {2019}}\n"
    keyed = "---\nbibliography: refs.bib\n---\n\nA keeper answers for the hay [@hale].\n"
    (root / "keyed.md").write_text(keyed, encoding="utf-8")
    (root / "refs.bib").write_text(entry % "hale", encoding="utf-8")
    (root / "main.tex").write_text(f"{KNOWN}\n\\input{{part}}\n", encoding="utf-8")
    (root / "part.tex").write_text("Ibid at [9].\n", encoding="utf-8")
    before = pulled(client)
    found = {Path(uri).name: codes(each) for uri, each in before.items()}
    assert (found["keyed.md"], found["part.tex"]) == ([], ["pinpoint-not-found"])
    (root / "refs.bib").write_text(entry % "other", encoding="utf-8")
    (root / "main.tex").write_text("Nothing.\n\n\\input{part}\n", encoding="utf-8")
    after = pulled(client, ids(before))
    changed = {Path(uri).name: codes(each) for uri, each in after.items() if each["kind"] == "full"}
    assert changed["keyed.md"] == ["unknown-key"]
    assert "pinpoint-not-found" not in changed["part.tex"]


def test_who_would_lose_open_drafts_is_told_nothing(start: Start, tmp_path: Path) -> None:
    root = workspace(tmp_path / "work")
    client = start()
    info = {"name": "Neovim", "version": "0.12"}
    folders = [{"uri": root.as_uri(), "name": "work"}]
    params = {"processId": None, "workspaceFolders": folders, "capabilities": PULL, "clientInfo": info}
    provider = client.result("initialize", params)["capabilities"]["diagnosticProvider"]
    assert provider["workspaceDiagnostics"] is False
    client.notify("initialized", {})
    eventually(lambda: any(codes(each) for each in pulled(client).values()))


def test_they_are_announced(shared: tuple[RawClient, Path, dict[str, Any]]) -> None:
    assert shared[2]["diagnosticProvider"]["workspaceDiagnostics"] is True
