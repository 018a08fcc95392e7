"""A copy of the sample to work in, and servers whose files stay in temporary folders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from raw_client import RawClient
from sample_copy import copy_sample


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return copy_sample(tmp_path / "sample")


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
