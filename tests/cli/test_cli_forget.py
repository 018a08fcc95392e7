"""``lexls forget`` leaves nothing of a library; and nothing is written outside the user's folders."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lexls.grounding.threads import StoredTurn, Threads, find_threads_folder, open_threads
from lexls.index.beside import list_beside, lock_index
from lexls.index.config import MilvusAddress
from lexls.index.connection import open_writer
from lexls.index.milvus import KINDS, MilvusIndex, read_name

Run = Callable[..., Any]
"""``Run`` of conftest.py."""
WORDS = ("dredg", "Dredg", "pontoon")
"""Of the library's judgments, whatever their letters' case."""


def list_files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def make_traces(lexls: Run, matter: Path) -> Path:
    """An index, threads and caches of the matter; the index."""
    assert lexls("index").code == 0
    index = Path(lexls("doctor", "--json").json["library"]["index"])
    home = matter.parent / "home"
    views = index.with_name(index.name + "-views") / "1"
    views.mkdir(parents=True)
    (views / "rook.md.txt").write_text("The dredging was late.")
    index.with_name(index.name + "-models").write_text("{}")
    index.with_name(index.name + "-order").write_text("{}")
    (home / "lexls" / "answers").mkdir(parents=True)
    (home / "lexls" / "answers" / "answer-1.md").write_text("The dredging was late.")
    for root, path in (
        (matter, "x"),
        (matter.parent / "other", str(matter / "library" / "cases" / "rook.md")),
    ):
        folder = find_threads_folder(root)
        folder.mkdir(parents=True)
        (folder / "20260101-0123456789ab.json").write_text(json.dumps({"path": path, "text": "dredging"}))
    return index


def test_nothing_is_left_of_a_library_and_all_is_listed(lexls: Run, matter: Path) -> None:
    make_traces(lexls, matter)
    home = matter.parent / "home"
    strangers = find_threads_folder(matter.parent / "third")
    strangers.mkdir()
    (strangers / "20260101-0123456789ab.json").write_text(json.dumps({"path": f"{matter}2/a.md"}))
    (home / "lexls" / "models").mkdir(exist_ok=True)
    (home / "lexls" / "models" / "weights").write_text("1")
    before, matters = list_files(home), list_files(matter)
    removed = lexls("forget", str(matter), "--json").json["removed"]
    left = list_files(home)
    assert left == {
        str((strangers / "20260101-0123456789ab.json").relative_to(home)),
        "lexls/models/weights",
    }
    gone = {str(home / each) for each in before - left if not each.endswith("-lock")}
    assert all(any(each == path or each.startswith(f"{path}/") for path in removed) for each in gone)
    assert list_files(matter) == matters
    assert "Nothing was kept" in lexls("forget", str(matter)).out


def test_nothing_is_left_of_workspaces_in_a_folder_whether_they_are_there_or_not(
    lexls: Run, matter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of matters, one of them deleted and one with an index of its own; and one beside it."""
    matters, home = matter.parent / "matters", matter.parent / "home"
    asked = StoredTurn("Who dredges the channel?", ())
    for name in ("smith", "smith/appeal", "gone"):
        (matters / name).mkdir(parents=True)
        open_threads(matters / name).add(asked)
    open_threads(matter.parent / "matters2").add(asked)
    older = matters / "older"
    older.mkdir()
    Threads(find_threads_folder(older)).add(asked)  # of a lexls that did not say whose they are
    (matters / "gone").rmdir()
    matter.rename(matters / "rook")
    settings = matters / "rook" / "lexls.toml"
    settings.write_text(f"{settings.read_text()}\nindex.path = 'own.sqlite3'\n")
    monkeypatch.chdir(matters / "rook")
    assert lexls("index").code == 0
    index = matters / "rook" / "own.sqlite3"
    assert index.exists()
    monkeypatch.chdir(matters)
    removed = lexls("forget", str(matters), "--json").json["removed"]
    assert str(index) in removed
    assert not index.exists()
    kept = find_threads_folder(matter.parent / "matters2")
    assert {Path(path).parts[2] for path in list_files(home) if "threads" in path} == {kept.name}
    assert "Nothing was kept" in lexls("forget", str(matters)).out


def test_a_library_is_forgotten_by_its_own_folder_too_and_when_it_is_gone(lexls: Run, matter: Path) -> None:
    index = make_traces(lexls, matter)
    (matter / "library").rename(matter / "elsewhere")
    assert str(index) in lexls("forget", str(matter / "library")).out
    assert not index.exists()


def test_what_only_has_a_name_like_the_index_is_left(lexls: Run, matter: Path) -> None:
    own = matter.parent / "law"
    assert lexls("index", "--index", str(own)).code == 0
    (matter.parent / "law-notes").mkdir()
    (matter.parent / "law-notes" / "essay.md").write_text("An essay.")
    (matter.parent / ".lawrc").write_text("mine")
    (matter.parent / ".law-verify-1").mkdir()  # of a verification that was killed
    assert str(own) in lexls("forget", str(matter), "--index", str(own)).out
    left = {path.name for path in matter.parent.iterdir()}
    assert left - {"home"} == {"matter", "law-notes", ".lawrc"}
    assert (matter.parent / "law-notes" / "essay.md").exists()


def test_nothing_is_removed_while_somebody_works_with_it(lexls: Run, matter: Path) -> None:
    index = make_traces(lexls, matter)
    home = matter.parent / "home"
    before = list_files(home)
    with lock_index(index):
        refused = lexls("forget", str(matter))
    assert refused.code == 3
    assert "close it first" in refused.err
    assert list_files(home) == before


def test_a_damaged_index_is_forgotten_too(lexls: Run, matter: Path) -> None:
    index = make_traces(lexls, matter)
    with closing(open_writer(index)) as connection:
        connection.execute("DROP TABLE documents")
    index.write_bytes(b"no index" * 1000)
    assert str(index) in lexls("forget", str(matter / "library")).out


def test_an_index_is_its_owners_alone_and_lies_where_the_user_keeps_data(lexls: Run, matter: Path) -> None:
    before = list_files(matter)
    assert lexls("index").code == 0
    lexls("check", "draft.md")
    assert lexls("doctor", "--verify").code == 0
    home = matter.parent / "home"
    assert list_files(matter) == before
    assert {path.name for path in matter.parent.iterdir()} == {"matter", "home"}
    files = [path for path in home.rglob("*") if path.is_file()]
    assert files
    assert all(path.stat().st_mode & 0o077 == 0 for path in files), files


def test_what_lies_on_a_server_is_removed_there_or_named_until_it_is(lexls: Run, matter: Path) -> None:
    pytest.importorskip("milvus_lite")
    settings = matter.parent / "home" / "lexls" / "config.toml"
    settings.parent.mkdir(parents=True)
    address = MilvusAddress(str(matter.parent / "firm.db"))
    here, elsewhere = (f"index.url = {json.dumps(url)}\n" for url in (address.url, "http://127.0.0.1:1"))
    settings.write_text(here)
    index = make_traces(lexls, matter)
    (place,) = lexls("doctor", "--json").json["collections"]
    assert (place["url"], place["index"]) == (address.url, str(index))
    name = read_name(index)
    assert place["names"] == [f"{name}_{kind}" for kind in KINDS]
    assert exists(address, name)

    settings.write_text(elsewhere)
    assert any(name in problem for problem in lexls("doctor", "--json").json["problems"])
    forgotten = lexls("forget", str(matter), "--json")
    assert forgotten.code == 1
    assert forgotten.json["collections"] == []
    assert [each["names"] for each in forgotten.json["left"]] == [place["names"]]
    assert not index.exists()
    assert exists(address, name)
    told = lexls("doctor", "--json").json
    assert [each["index"] for each in told["collections"]] == [None]
    assert any(name in problem and address.url in problem for problem in told["problems"])
    assert str(index).encode() not in b"".join(
        path.read_bytes() for path in (matter.parent / "home").rglob("mirrors.sqlite3")
    )

    settings.write_text(here)
    again = lexls("forget", str(matter))
    assert again.code == 0
    assert all(each in again.out for each in place["names"])
    assert not exists(address, name)
    assert lexls("doctor", "--json").json["collections"] == []


def test_collections_of_an_index_that_was_deleted_by_hand_are_removed_too(lexls: Run, matter: Path) -> None:
    pytest.importorskip("milvus_lite")
    settings = matter.parent / "home" / "lexls" / "config.toml"
    settings.parent.mkdir(parents=True)
    address = MilvusAddress(str(matter.parent / "firm.db"))
    settings.write_text(f"index.url = {json.dumps(address.url)}\n")
    own = matter.parent / "own.sqlite3"
    assert lexls("index", "--index", str(own)).code == 0
    name = read_name(own)
    for path in (own, *list_beside(own)):
        path.unlink()
    assert any(name in problem for problem in lexls("doctor", "--json").json["problems"])
    assert lexls("forget", str(matter), "--json").json["collections"] == []
    assert exists(address, name)
    assert len(lexls("forget", str(matter), "--index", str(own), "--json").json["collections"]) == 1
    assert not exists(address, name)


def exists(address: MilvusAddress, name: str) -> bool:
    with closing(MilvusIndex(address, name)) as server:
        return any(server.exists(kind) for kind in KINDS)
