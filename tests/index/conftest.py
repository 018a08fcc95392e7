"""Small libraries on the disk, and an indexer over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lexls.index.config import IndexerConfig, PrepareOptions
from lexls.index.indexer import Indexer
from lexls.index.library import Library


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    library = tmp_path / "library"
    library.mkdir()
    return library


@pytest.fixture
def config(tmp_path: Path, folder: Path) -> IndexerConfig:
    index = tmp_path / "index" / "library.sqlite3"
    return IndexerConfig(index, (folder.resolve(),), (), PrepareOptions(jurisdiction="UK"), "")


@pytest.fixture
def indexer(config: IndexerConfig) -> Iterator[Indexer]:
    made = Indexer(config)
    yield made
    made.close()


@pytest.fixture
def open_library(config: IndexerConfig) -> Iterator[Callable[[], Library]]:
    opened: list[Library] = []

    def open_it() -> Library:
        library = Library(config.index)
        opened.append(library)
        return library

    yield open_it
    for library in opened:
        library.close()
