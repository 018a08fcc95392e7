"""Folders chosen in an editor become part of the library, in a real server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from raw_client import RawClient
from weir_workspace import opened, told, workspace

from lexls.settings.load import load

Start = Callable[[], RawClient]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return workspace(tmp_path / "work")


def test_a_folder_of_the_workspace_is_written_into_its_file(start: Start, root: Path) -> None:
    (root / "exhibits").mkdir()
    (root / "lexls.toml").write_text('# Ours.\njurisdiction = "UK"\nembeddings.model = ""\n')
    client = start()
    opened(client, root)
    told_back = told(client, "lexls.addFolders", folders=[str(root / "exhibits"), str(root / "library")])
    assert told_back == {"written": str(root / "lexls.toml"), "folders": []}
    assert (root / "lexls.toml").read_text().startswith('# Ours.\njurisdiction = "UK"\n')
    settings, problems = load(root, user_file=root / "none.toml")
    assert (settings.library_folders, problems) == ((root / "library", root / "exhibits"), [])


def test_a_folder_elsewhere_is_left_to_the_editor(start: Start, root: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "authorities"
    elsewhere.mkdir()
    client = start()
    opened(client, root)
    before = (root / "lexls.toml").read_text()
    told_back = told(client, "lexls.addFolders", folders=[str(elsewhere)])
    assert told_back == {"written": None, "folders": [str(root / "library"), str(elsewhere)]}
    assert (root / "lexls.toml").read_text() == before
