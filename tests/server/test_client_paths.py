"""Addresses of a client on another machine, as they are moved below its folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexls.server.client_paths import ClientPaths
from lexls.server.convert import to_path
from lexls.server.main import find_client

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
