"""The official client with ``lexls mcp`` at its other end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from conversation import MCP, Connect
from mcp import Client, StdioServerParameters, stdio_client
from raw_client import environment


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
