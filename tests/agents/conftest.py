"""A copy of the sample with its index, and the official client with ``lexls mcp`` at its other end."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from conversation import MCP, Connect
from mcp import Client, StdioServerParameters, stdio_client
from raw_client import environment
from sample_copy import copy_sample

from lexls.index.config import find_default_path


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


@pytest.fixture
def connect(tmp_path: Path) -> Connect:
    """Connects the official client with ``lexls mcp`` for a workspace; ``command`` is how it is started,
    ``told`` the file that gets its standard error."""

    @asynccontextmanager
    async def open_one(
        workspace: Path, *, command: Sequence[str] = MCP, told: Path | None = None
    ) -> AsyncIterator[Client]:
        program, *arguments = [*command, "--workspace", str(workspace)]
        started = StdioServerParameters(
            command=program, args=arguments, env=environment(tmp_path / "home"), cwd=tmp_path
        )
        with open(told or tmp_path / "stderr", "w", encoding="utf-8") as errors:
            async with Client(stdio_client(started, errlog=errors)) as client:
                yield client

    return open_one
