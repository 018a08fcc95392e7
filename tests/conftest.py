"""What all tests share: patience with a busy machine, the index of the sample, and the sample to work in."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from raw_client import environment
from sample_copy import copy_sample

from lexls.index.config import find_default_path

SAMPLE = Path(__file__).parents[1] / "examples"

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that have slow tests: at the end they would keep one worker, and others idle."""
    slow = {item.path for item in items if item.get_closest_marker("slow") is not None}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture(scope="session", autouse=True)
def grammars_are_kept() -> Iterator[None]:
    """A grammar is immutable for its users and takes a while to make: tests that need the same share one."""
    from lexls.citations.grammar import Grammar

    make = Grammar.load

    @lru_cache(maxsize=4)
    def keep(forms: str, jurisdictions: str) -> Grammar:
        return make(json.loads(forms))

    def load(forms: Sequence[Mapping[str, Any]] = ()) -> Grammar:
        return keep(json.dumps(list(forms)), os.environ.get("LEXLS_JURISDICTIONS", ""))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Grammar, "load", load)
        yield


@pytest.fixture(scope="session")
def sample_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the sample's library, read once for all processes of a run: a test works on a copy.

    It serves a copy of the library too: the indexer sees that files have moved, and does not read them again.
    """
    from filelock import FileLock

    from lexls.index.session import open_library
    from lexls.settings.load import load

    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    index, unfinished = folder / "sample.sqlite3", folder / "unfinished.sqlite3"
    with FileLock(folder / "sample.lock"):
        if not index.exists():
            own, problems = load(SAMPLE / "draft.md", user_file=SAMPLE / "none.toml")
            assert problems == []
            library, report = open_library([SAMPLE / "library"], unfinished, own, lexical_only=True)
            library.close()
            assert not report.failed
            unfinished.rename(index)
    return index


@pytest.fixture(scope="session")
def indexed(sample_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample, and the home of a user who has indexed it there."""
    folder = tmp_path_factory.mktemp("indexed")
    root = copy_sample(folder / "sample")
    indexes = folder / "home/data/lexls/indexes"
    indexes.mkdir(parents=True)
    shutil.copy(sample_index, indexes / find_default_path([(root / "library").resolve()]).name)
    subprocess.run(
        [sys.executable, "-m", "lexls", "index", "--lexical"],
        cwd=root,
        env=environment(folder / "home"),
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return folder


@pytest.fixture
def sample(indexed: Path, tmp_path: Path) -> Path:
    """The sample as it was, at the same place: the index in the home of the test is up to date."""
    shutil.copytree(indexed / "home", tmp_path / "home")
    return copy_sample(indexed / "sample")
