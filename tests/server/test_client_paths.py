"""Editors on other machines (``lexls serve --client``): their addresses, and what their paths mean here."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from raw_client import PATIENCE, SERVE, RawClient
from weir_workspace import CITING, DRAFT, HELD, indexed, told, workspace

from lexls.server.client_paths import ClientPaths
from lexls.server.convert import to_path
from lexls.server.main import find_client

Connect = Callable[..., RawClient]
ELSEWHERE = Path("/matters of a client/carrow")
"""A folder of the editors' machine."""
LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the folders of XDG")


@given(
    st.sampled_from(
        ["file:///", "file://host/", "file:///c%3A/", "file:///srv/firm/", "https://x/", "untitled:"]
    ),
    st.text(st.characters(codec="ascii", categories=["L", "N"], include_characters="/_- ."), max_size=20),
)
def test_addresses_come_back_as_they_went(start: str, rest: str) -> None:
    paths = ClientPaths(Path("/var/lib/lexls/clients/alice"), (Path("/srv/firm"),))
    uri = start + rest.replace("..", ".").replace("//", "/").lstrip("/")  # no client writes "file:////"
    message = {"params": {"uri": uri, "text": uri, "rootPath": "/etc", "changes": {uri: [{"uri": uri}]}}}
    taken = paths.take(message)["params"]
    assert paths.give(taken["uri"]) == uri
    assert (taken["text"], taken["rootPath"]) == (uri, None)
    assert list(taken["changes"]) == [taken["uri"]]
    if start.startswith("file:") and not start.startswith("file:///srv/firm/"):
        assert taken["uri"].startswith("file:///var/lib/lexls/clients/alice/")


@pytest.mark.parametrize(
    "uri",
    [
        "file:///a/../../../../../../etc/passwd",
        "file:///%2e%2e/%2E./etc/passwd",
        "file:///srv/firm/../secret",
        "file:///a\\..\\..\\b",
        "file:///.\t./.\n./.\r./.\t./.\t./etc/passwd",
        "file:///srv/firm/.\t./secret",
        "file:///srv/firm/%2\te%2e/secret",
        "FILE:///etc/passwd",
        "file:/etc/passwd",
        "file:etc/passwd",
        "file://[etc/passwd",
    ],
)
def test_no_address_leads_out_of_the_clients_folder(uri: str) -> None:
    folder = Path("/var/lib/lexls/clients/alice")
    taken = ClientPaths(folder, (Path("/srv/firm"),)).take({"uri": uri})["uri"]
    assert taken.startswith(folder.as_uri() + "/")
    assert os.path.normpath(to_path(taken)).startswith(f"{folder}{os.sep}")


@LINUX
def test_what_is_no_file_is_the_clients_where_the_servers_data_lie_behind_a_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "data").symlink_to("disk")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    paths = find_client("alice", [Path("shared")])
    assert to_path("untitled:Untitled-1").parent == paths.folder
    assert paths.shared == (tmp_path / "shared",)


@pytest.mark.parametrize("uri", ["", "..", "x/..", "untitled:..", "x:C:\\firm\\secret.docx", "D:secret.docx"])
def test_what_is_no_file_lies_in_the_current_folder(uri: str) -> None:
    path = to_path(uri)
    assert path.parent == Path.cwd()
    assert path.name in ("untitled", "secret.docx")


@pytest.fixture
def firm(tmp_path: Path) -> Path:
    """The home of a server whose own settings name the library."""
    library = workspace(tmp_path / "firm") / "library"
    settings = tmp_path / "home/config/lexls/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        f'library.folders = ["{library.as_posix()}"]\njurisdiction = "UK"\nembeddings.model = ""\n',
        encoding="utf-8",
    )
    return tmp_path / "home"


@pytest.fixture
def connect(firm: Path) -> Iterator[Connect]:
    """Starts the server of a person, not yet initialized, as her editor does by ssh."""
    clients: list[RawClient] = []

    def start(name: str = "alice", *options: str) -> RawClient:
        clients.append(RawClient(firm, command=[*SERVE, "--client", name, *options]))
        return clients[-1]

    yield start
    for client in clients:
        client.process.kill()
        client.process.wait()


def hover(client: RawClient, uri: str) -> str:
    at = {"textDocument": {"uri": uri}, "position": {"line": CITING, "character": 96}}
    return str(client.result("textDocument/hover", at)["contents"]["value"])


def status(client: RawClient) -> dict[str, Any]:
    found: dict[str, Any] = client.result("workspace/executeCommand", {"command": "lexls.status"})
    return found


def test_two_editors_at_once_work_on_the_firms_library(connect: Connect) -> None:
    alice, bob = connect("alice"), connect("bob")
    for each in (alice, bob):
        each.initialize(ELSEWHERE)
    uris = [each.open(ELSEWHERE / "draft.md", DRAFT) for each in (alice, bob)]
    for client, uri in zip((alice, bob), uris, strict=True):
        indexed(client)
        assert HELD in hover(client, uri)
        while not (found := client.diagnostics(uri)):
            pass
        assert [each["code"] for each in found] == ["not-in-library"]
    change = {"textDocument": {"uri": uris[0], "version": 2}, "contentChanges": [{"text": "Nothing."}]}
    alice.notify("textDocument/didChange", change)
    while alice.diagnostics(uris[0]):
        pass
    assert HELD in hover(bob, uris[1])
    assert (alice.goodbye(), bob.goodbye()) == (0, 0)


def test_threads_are_kept_for_each_person(connect: Connect, firm: Path) -> None:
    settings = firm / "data/lexls/clients/lexls.toml"  # which holds for both
    settings.parent.mkdir(parents=True)
    settings.write_text('jurisdiction = "UK"\n')
    alice, bob = connect("alice"), connect("bob")
    for client in (alice, bob):
        client.initialize(ELSEWHERE)
        client.open(ELSEWHERE / "draft.md", DRAFT)
        indexed(client)
    told(alice, "lexls.ask", question="When must the keeper of a weir open the gates?")
    assert len(told(alice, "lexls.threads")) == 1
    assert told(bob, "lexls.threads") == []


def test_a_person_may_have_a_library_of_her_own(connect: Connect, firm: Path, tmp_path: Path) -> None:
    own = workspace(tmp_path / "own")
    (own / "library/hale.md").unlink()
    settings = firm / "data/lexls/clients/bob/lexls.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'library.folders = ["{(own / "library").as_posix()}"]\n')
    for name, folder in (("alice", tmp_path / "firm"), ("bob", own)):
        client = connect(name)
        client.initialize(ELSEWHERE)
        client.open(ELSEWHERE / "draft.md", DRAFT)
        (library,) = status(client)["libraries"]
        assert library["folders"] == [str(folder / "library")]
        assert client.goodbye() == 0


def test_a_path_of_the_client_means_nothing_on_the_server(
    connect: Connect, firm: Path, tmp_path: Path
) -> None:
    same = workspace(tmp_path / "same")  # a folder of the server with the path of one of the client's
    (same / "lexls.toml").write_text('jurisdiction = "US"\n')
    (same / "sources.bib").write_text("@misc{key, title = {Private}}")
    (same / "other.md").write_text(DRAFT)
    client = connect()
    client.initialize(same)
    named = f"---\nbibliography: [{same}/sources.bib, ../../../../../../../{same}/sources.bib]\n---\n"
    uri = client.open(same / "draft.md", DRAFT)
    keyed = client.open(same / "keyed.md", f"{named}\nSo it was held [@key].\n")
    indexed(client)
    (library,) = status(client)["libraries"]
    assert library["folders"] == [str(tmp_path / "firm/library")]
    at = {"textDocument": {"uri": uri}, "position": {"line": CITING, "character": 96}}
    places = client.result("textDocument/references", {**at, "context": {"includeDeclaration": False}})
    assert {each["uri"] for each in places if "firm" not in each["uri"]} == {uri}
    at = {"textDocument": {"uri": keyed}, "position": {"line": 4, "character": 18}}
    assert "Private" not in str(client.result("textDocument/hover", at))
    argument = {"uri": uri, "check": "not-in-library"}
    request = {"command": "lexls.ignore", "arguments": [argument]}
    refused = client.answer(client.request("workspace/executeCommand", request))["error"]["message"]
    assert "whoever looks after the server" in refused
    up = ".\t./" * 30  # tabs are not read
    for against in (f"{same}/other.md", f"file://{same}/other.md", f"file:///{up}{same}/other.md"):
        request = {"command": "lexls.report", "arguments": [{"uri": uri, "against": [against]}]}
        answer = client.answer(client.request("workspace/executeCommand", request))
        assert answer["error"]["message"].startswith(("other.md: ", "untitled: ")), against
    assert client.goodbye() == 0
    indexes = sorted((firm / "data/lexls/indexes").glob("*.sqlite3"))
    assert [each.name.startswith("library-") for each in indexes] == [True]
    assert (same / "lexls.toml").read_text() == 'jurisdiction = "US"\n'


def test_a_shared_folder_is_the_same_on_both(connect: Connect, tmp_path: Path) -> None:
    same = workspace(tmp_path / "same")
    with (same / "lexls.toml").open("a") as settings:
        settings.write('library.folders = ["library"]\n')
    client = connect("alice", "--shared", os.path.relpath(same))
    client.initialize(same)
    uri = client.open(same / "draft.md", DRAFT)
    until = time.monotonic() + PATIENCE
    while HELD not in hover(client, uri):
        assert time.monotonic() < until
        time.sleep(0.1)
    (library,) = status(client)["libraries"]
    assert library["folders"] == [str(same / "library")]
    assert client.goodbye() == 0


def test_an_editor_far_away_decides_nothing_about_the_servers_machine(
    connect: Connect, tmp_path: Path
) -> None:
    other = workspace(tmp_path / "other")
    client = connect()
    client.initialize(ELSEWHERE)
    index = tmp_path / "elsewhere.sqlite3"
    settings: dict[str, Any] = {
        "library": {"folders": [str(other / "library")]},
        "index": {"path": str(index)},
        "openai": {"baseUrl": "https://elsewhere.example", "apiKeyEnv": "HOME"},
        "passages": {"maxChars": 300},
        "diagnostics": {"notInLibrary": "hint"},
    }
    client.notify("workspace/didChangeConfiguration", {"settings": {"lexls": settings}})
    uri = client.open(ELSEWHERE / "draft.md", DRAFT)
    indexed(client)
    severities: set[int] = set()
    while severities != {4}:
        severities = {each["severity"] for each in client.diagnostics(uri)}
    told_us = status(client)
    assert [each["folders"] for each in told_us["libraries"]] == [[str(tmp_path / "firm/library")]]
    keys = ("library.folders", "index.path", "openai.baseUrl", "openai.apiKeyEnv", "passages.maxChars")
    for key, problem in zip(keys, told_us["settings"], strict=True):
        assert f"{key}: can only be set where the server runs" in problem
    assert not index.exists()
