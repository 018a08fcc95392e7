"""Servers whose files stay in temporary folders."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count, repeat
from pathlib import Path

import pytest
from raw_client import RawClient
from sample_copy import copy_sample

Start = Callable[[], RawClient]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with _starting(repeat(tmp_path / "home")) as start_one:
        yield start_one


@pytest.fixture(scope="module")
def shared_start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Servers for all tests of a module, each with a home of its own: a start takes a second or two."""
    with _starting(tmp_path_factory.mktemp("home") for _ in count()) as start_one:
        yield start_one


@pytest.fixture(scope="module")
def shared_sample(
    indexed: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[RawClient, Path]]:
    """A server for tests that change nothing on the disk, not yet initialized, and the sample.

    The sample lies where ``sample`` does: the tests of a module use one or the other.
    """
    home = tmp_path_factory.mktemp("shared") / "home"
    shutil.copytree(indexed / "home", home)
    with _starting(repeat(home)) as start_one:
        yield start_one(), copy_sample(indexed / "sample")


@contextmanager
def _starting(homes: Iterable[Path]) -> Iterator[Start]:
    """Starts servers whose files stay below those folders, and ends them all."""
    clients: list[RawClient] = []
    left = iter(homes)

    def start_one() -> RawClient:
        client = RawClient(next(left))
        clients.append(client)
        return client

    try:
        yield start_one
    finally:
        for client in clients:
            client.process.kill()
            client.process.wait()
