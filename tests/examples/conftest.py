"""The sample's library, opened for the tests of a module."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from lexls.index.library import Library
from lexls.index.session import open_library
from tests.examples.sample_settings import SAMPLE, settings_of


@pytest.fixture(scope="module")
def library(sample_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    index = Path(shutil.copy(sample_index, tmp_path_factory.mktemp("index")))
    settings = settings_of("drafts/skeleton-argument.md")
    opened, report = open_library([SAMPLE / "library"], index, settings, lexical_only=True)
    assert not report.failed
    yield opened
    opened.close()
