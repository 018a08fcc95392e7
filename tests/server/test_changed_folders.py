"""Over the wire: folders of the library that come and go under an open editor."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from raw_client import PATIENCE, RawClient

from lexls.index.config import find_default_path, make_indexer_config
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.server.session import Session
from lexls.settings.declaration import Settings
from lexls.settings.load import load

CASE = """\
---
title: {title}
citation: "{citation}"
kind: case
jurisdiction: UK
---

[1] The keeper must guard against damp.

[2] He bears the burden of it.
"""
CASES = {
    "oats": ("Thorn v Elm", "[2014] UKSC 71"),
    "barley": ("Vane v Rook", "[2019] UKSC 55"),
    "rye": ("Hale v Ryle", "[2020] UKSC 9"),
}
DRAFT = "".join(f"In {title} {citation} at [9] it was so.\n\n" for title, citation in CASES.values())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    for number, (name, (title, citation)) in enumerate(CASES.items()):
        (root / name).mkdir(parents=True)
        for each in range(number + 2):  # so that documents are numbered otherwise in an index made anew
            told = CASE.format(title=f"{title} ({each})", citation=f"{citation}{each}")
            (root / name / f"other{each}.md").write_text(told, encoding="utf-8")
        (root / name / f"{name}.md").write_text(CASE.format(title=title, citation=citation), encoding="utf-8")
    return root


def choose(root: Path, *folders: str) -> None:
    """Write the settings, as somebody does who edits them."""
    lines = ['jurisdiction = "UK"', 'embeddings.model = ""', f"library.folders = {json.dumps(folders)}"]
    (root / "lexls.toml").write_text("\n".join([*lines, ""]), encoding="utf-8")


def wait(client: RawClient, uri: str, *folders: str) -> None:
    """Wait until exactly the cases of these folders are known, by their wrong pinpoints."""
    expected = [2 * list(CASES).index(name) for name in folders]
    end = time.monotonic() + PATIENCE
    while True:
        found = client.result("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
        wrong = [each["range"]["start"]["line"] for each in found if each["code"] == "pinpoint-not-found"]
        if sorted(wrong) == sorted(expected):
            return
        assert time.monotonic() < end, found
        time.sleep(0.1)


def number_documents(root: Path, *folders: str) -> dict[str, set[int]]:
    """The numbers under which the documents of each folder are in the index of these folders, once it has all
    of them and no others."""
    index = find_default_path(root / name for name in folders)
    lying = {name: len(list((root / name).iterdir())) for name in folders}
    end = time.monotonic() + PATIENCE
    while True:
        numbers: dict[str, set[int]] = {}
        with closing(Library(index)) as library:
            for each in library.catalogue.all():
                numbers.setdefault(each.path.parent.name, set()).add(each.id)
        if {name: len(found) for name, found in numbers.items()} == lying:
            return numbers
        assert time.monotonic() < end, numbers
        time.sleep(0.1)


def test_a_folder_that_comes_is_read_and_one_that_goes_is_forgotten_and_no_other_is_read_again(
    root: Path, start: Callable[[], RawClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(root, "oats")
    client = start()
    monkeypatch.setenv("XDG_DATA_HOME", str(client.home / "data"))
    client.initialize(
        root, textDocument={"diagnostic": {}}, workspace={"diagnostics": {"refreshSupport": True}}
    )
    uri = client.open(root / "draft.md", DRAFT)
    wait(client, uri, "oats")
    oats = number_documents(root, "oats")["oats"]
    choose(root, "barley", "oats")
    wait(client, uri, "barley", "oats")
    both = number_documents(root, "barley", "oats")
    assert both["oats"] == oats
    choose(root, "barley", "rye")
    wait(client, uri, "barley", "rye")
    found = number_documents(root, "barley", "rye")
    assert found["barley"] == both["barley"]
    assert set(found) == {"barley", "rye"}
    # What is known of folders that were chosen before is known still.
    choose(root, "oats")
    wait(client, uri, "oats")
    assert number_documents(root, "oats") == {"oats": oats}


def test_findings_stay_while_a_smaller_folder_comes_and_goes(
    root: Path, start: Callable[[], RawClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("oats", "barley"):
        (root / "rye" / f"{name}.md").write_bytes((root / name / f"{name}.md").read_bytes())
    choose(root, "rye")
    client = start()
    monkeypatch.setenv("XDG_DATA_HOME", str(client.home / "data"))
    client.initialize(
        root, textDocument={"diagnostic": {}}, workspace={"diagnostics": {"refreshSupport": True}}
    )
    uri = client.open(root / "draft.md", DRAFT + "In Ash v Oak [2013] UKSC 99 it was otherwise.\n")

    def read_findings() -> list[str]:
        found = client.result("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
        return sorted(f"{each['range']['start']['line']} {each['code']}" for each in found)

    wait(client, uri, "oats", "barley", "rye")
    end = time.monotonic() + PATIENCE
    while len(before := read_findings()) < 4:
        assert time.monotonic() < end, before
        time.sleep(0.1)
    for folders in (("oats", "rye"), ("rye",)):
        choose(root, *folders)
        until = time.monotonic() + 5.0
        while time.monotonic() < until:
            assert read_findings() == before
            time.sleep(0.02)
        assert set(number_documents(root, *folders)) == set(folders)


def test_settings_that_are_being_written_are_not_read(root: Path) -> None:
    choose(root, "rye")
    session, file = Session(root, {}), root / "lexls.toml"
    file.write_text("", encoding="utf-8")
    assert not session.settings_changed()
    choose(root, "oats", "rye")
    assert not session.settings_changed()
    assert session.settings_changed()
    assert Session(root, {}).settings.library_folders == (root / "oats", root / "rye")
    file.unlink()
    assert not session.settings_changed()
    assert session.settings_changed()


def test_settings_that_change_while_they_are_read_are_read_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(root, "rye")

    def write_then_load(*told: Any, **more: Any) -> object:
        loaded = load(*told, **more)
        choose(root, "oats", "rye")
        return loaded

    monkeypatch.setattr("lexls.server.session.load", write_then_load)
    session = Session(root, {})
    assert [session.settings_changed() for _ in range(2)] == [False, True]


def test_nothing_is_said_to_be_missing_until_a_folder_that_came_is_read(tmp_path: Path, root: Path) -> None:
    settings = Settings(jurisdiction="UK", embeddings_model="")
    index = tmp_path / "index.sqlite"
    first = make_indexer_config([root / "oats"], settings, index)
    more = make_indexer_config([root / "oats", root / "rye"], settings, index)
    less = make_indexer_config([root / "rye"], settings, index)
    states = []
    for config, added, removed in ((first, 3, 0), (first, 0, 0), (more, 5, 0), (less, 0, 3)):
        with closing(Indexer(config, lambda _: states.append(is_complete(index)))) as indexer:
            tally = indexer.reconcile()
        assert (tally.added, tally.changed, tally.removed) == (added, 0, removed)
        assert is_complete(index)
        assert (False in states) == (added > 0)
        states.clear()


def is_complete(index: Path) -> bool:
    """Whether those who open an index now may say that something is missing."""
    with closing(Library(index)) as library:
        return library.complete
