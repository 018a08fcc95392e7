from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.library.document import SourceDocument
from lexls.library.readers import read

Reader = Callable[[str, str | bytes], SourceDocument]


@pytest.fixture(scope="session")
def grammar() -> Grammar:
    return Grammar.load()


@pytest.fixture
def read_as(tmp_path: Path, grammar: Grammar) -> Reader:
    """Writes a file of that name and reads it."""

    def reader(name: str, content: str | bytes) -> SourceDocument:
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return read(path, grammar)

    return reader
