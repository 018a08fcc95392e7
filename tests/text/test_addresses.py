"""Addresses of files: the right path, or none, and never another file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lexls.text.paths import find_file, find_host, find_nowhere

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has paths to other machines")


@posix
@pytest.mark.parametrize("host", ["", "//", "//localhost", "//LOCALHOST"])
@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("/a/b.md", "/a/b.md"),
        ("/a%20b/%C3%A9;c.md", "/a b/é;c.md"),
        ("/c%3A/a.md", "/c:/a.md"),
        ("/a/b.md?x#y", "/a/b.md"),
    ],
)
def test_files_of_this_machine_have_their_paths(host: str, written: str, path: str) -> None:
    assert find_file(f"file:{host}{written}") == Path(path)
    assert not find_host(f"file:{host}{written}")
    assert find_nowhere(f"file:{host}{written}") is None


@posix
@pytest.mark.parametrize("start", ["file://{}", "FILE://{}", "file:////{}", "file://localhost//{}"])
@pytest.mark.parametrize("host", ["server", "wsl$", "wsl.localhost", "10.0.0.1", "server%20one"])
@pytest.mark.parametrize("rest", ["/share/a.md", "/share/../../../a.md", "/"])
def test_files_of_other_machines_have_none(tmp_path: Path, start: str, host: str, rest: str) -> None:
    uri = start.format(host) + rest
    assert find_file(uri) is None
    assert find_host(uri).replace(" ", "%20") == host
    nowhere = find_nowhere(uri)
    assert nowhere is not None
    assert not nowhere.exists()
    assert not nowhere.parent.is_dir()
    assert Path(os.path.realpath(nowhere)).is_relative_to(os.devnull)


@posix
def test_a_host_is_no_folder_of_this_machine(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("mine", encoding="utf-8")
    for uri in (f"file:/{tmp_path}/a.md", f"file:///{tmp_path}/a.md"):
        assert find_file(uri) is None
        assert find_host(uri) == tmp_path.parts[1]


@pytest.mark.parametrize(
    "uri",
    ["untitled:a.md", "https://x.example/a.md", "file:a.md", "file:", "file://[x/a.md", "file:\\\\server\\a"],
)
def test_other_addresses_are_those_of_no_file(uri: str) -> None:
    assert find_file(uri) is None
    assert not find_host(uri)
    assert find_nowhere(uri) is None
