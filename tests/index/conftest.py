"""Small libraries on the disk, an indexer over them, and what answers: memory, and a Milvus server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from milvus_server import MirroredLibrary, serve_milvus

from lexls.index.config import IndexerConfig, MilvusAddress, PrepareOptions
from lexls.index.indexer import Indexer
from lexls.index.library import Library


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    library = tmp_path / "library"
    library.mkdir()
    return library


@pytest.fixture(autouse=True)
def user_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lexls remembers of a user lies in a folder that is thrown away."""
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "data"))


@pytest.fixture
def config(tmp_path: Path, folder: Path) -> IndexerConfig:
    index = tmp_path / "index" / "library.sqlite3"
    return IndexerConfig(index, (folder.resolve(),), (), PrepareOptions(jurisdiction="UK"), "")


@pytest.fixture
def indexer(config: IndexerConfig) -> Iterator[Indexer]:
    made = Indexer(config)
    yield made
    made.close()


@pytest.fixture(scope="session")
def milvus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusAddress]:
    """A Milvus server of this test process' own."""
    with serve_milvus(tmp_path_factory.mktemp("milvus")) as address:
        yield address


@pytest.fixture(params=["memory", "milvus"])
def open_library(config: IndexerConfig, request: pytest.FixtureRequest) -> Iterator[Callable[[], Library]]:
    """Opens the library as memory ranks it, and as a Milvus server does that its mirror keeps current."""
    opened: list[Library] = []
    address = request.getfixturevalue("milvus") if request.param == "milvus" else None

    def open_it() -> Library:
        library = Library(config.index) if address is None else MirroredLibrary(config.index, address)
        opened.append(library)
        return library

    yield open_it
    for library in opened:
        library.close()
