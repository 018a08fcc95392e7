from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lexls.text import kept
from lexls.text.kept import keep, read_toml

Keep = Callable[..., dict[str, str]]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.txt"
    path.write_text("old", encoding="utf-8")
    return path


@pytest.fixture
def made() -> list[str]:
    return []


@pytest.fixture
def ask(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: Path, made: list[str]
) -> Callable[..., dict[str, str]]:
    """Ask for what is kept of the source, in a folder of its own; ``made`` grows each time it is made."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "kept"))

    def make() -> dict[str, str]:
        made.append(source.read_text(encoding="utf-8"))
        return {"text": made[-1]}

    return lambda given=None: keep("source", [source], make, given)


def find_kept(tmp_path: Path) -> Path:
    (found,) = (tmp_path / "kept").rglob("*.kept")
    return found


def test_it_is_made_once(ask: Keep, made: list[str]) -> None:
    assert ask() == ask() == {"text": "old"}
    assert made == ["old"]


def test_what_is_kept_is_another_object_each_time(ask: Keep, made: list[str]) -> None:
    ask()
    ask().clear()
    assert ask() == {"text": "old"}


def test_a_changed_source_is_read_again(ask: Keep, source: Path, made: list[str]) -> None:
    ask()
    source.write_text("new", encoding="utf-8")
    os.utime(source, ns=(1, 1))
    assert ask() == {"text": "new"}


def test_another_lexls_makes_it_again(ask: Keep, made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ask()
    monkeypatch.setattr(kept, "__version__", "0.0.0")
    ask()
    assert len(made) == 2


def test_what_is_given_counts(ask: Keep, made: list[str]) -> None:
    for given in ("one", "two", "two"):
        ask(given)
    assert len(made) == 2


def test_a_file_cut_off_or_changed_anywhere_is_made_again(ask: Keep, made: list[str], tmp_path: Path) -> None:
    ask()
    path = find_kept(tmp_path)
    whole = path.read_bytes()
    for number in range(len(whole)):
        other = bytes([whole[number] ^ 0x41])
        for damaged in (whole[:number], whole[:number] + other + whole[number + 1 :]):
            path.write_bytes(damaged)
            made.clear()
            assert ask() == {"text": "old"}
            assert made == ["old"]
    assert find_kept(tmp_path).read_bytes() == whole


def test_nothing_is_kept_where_python_writes_no_modules(
    ask: Keep, made: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert ask() == ask() == {"text": "old"}
    assert len(made) == 2
    assert not (tmp_path / "kept").exists()


def test_a_folder_that_cannot_be_written_is_left(
    ask: Keep, made: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "file"))
    assert ask() == ask() == {"text": "old"}
    assert len(made) == 2


def test_a_file_of_the_users_is_read_and_not_kept(ask: Keep, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text("key = 1", encoding="utf-8")
    assert read_toml(path) == {"key": 1}
    assert not (tmp_path / "kept").exists()
