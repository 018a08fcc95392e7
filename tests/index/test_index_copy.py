from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from lexls.index.connection import copy_index
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.settings.declaration import Settings


def test_a_copy_is_an_index_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "authorities"
    folder.mkdir()
    (folder / "weir.txt").write_text("The weir belongs to the miller.", encoding="utf-8")
    source, target = tmp_path / "a.sqlite", tmp_path / "deep" / "b.sqlite"
    settings = Settings(embeddings_model="")
    library, _ = open_library([folder], source, settings, lexical_only=True)
    copy_index(source, target)
    (folder / "eels.txt").write_text("Eels are fish.", encoding="utf-8")
    moved, _ = open_library([folder], source, settings, lexical_only=True)
    copied = Library(target)
    try:
        assert [each.relative for each in copied.catalogue.all()] == ["weir.txt"]
        assert len(moved.catalogue.all()) == 2
        assert [path.name for path in target.parent.iterdir() if path.suffix == ".sqlite"] == ["b.sqlite"]
    finally:
        for each in (library, moved, copied):
            each.close()


def test_nothing_is_left_where_there_is_nothing_to_copy(tmp_path: Path) -> None:
    with pytest.raises(apsw.CantOpenError):
        copy_index(tmp_path / "gone.sqlite", tmp_path / "b.sqlite")
    assert list(tmp_path.iterdir()) == []
