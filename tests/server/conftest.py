"""A copy of the sample to work in, indexed before, and servers whose files stay in temporary folders."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from raw_client import RawClient, environment
from sample_copy import copy_sample


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample, and the home of a user who has indexed it there."""
    folder = tmp_path_factory.mktemp("indexed")
    subprocess.run(
        [sys.executable, "-m", "lexls", "index", "--lexical"],
        cwd=copy_sample(folder / "sample"),
        env=environment(folder / "home"),
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return folder


@pytest.fixture
def sample(indexed: Path, tmp_path: Path) -> Path:
    """The sample as it was, at the same place: the index in the home of the test's servers is up to date."""
    shutil.copytree(indexed / "home", tmp_path / "home")
    return copy_sample(indexed / "sample")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], RawClient]]:
    clients: list[RawClient] = []

    def start_one() -> RawClient:
        client = RawClient(tmp_path / "home")
        clients.append(client)
        return client

    yield start_one
    for client in clients:
        client.process.kill()
        client.process.wait()
