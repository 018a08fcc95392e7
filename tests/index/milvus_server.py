"""A Milvus server for tests: milvus-lite's own, as a process with which the client speaks as with any."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lexls.index.config import MilvusAddress
from lexls.index.library import Library
from lexls.index.milvus import MilvusIndex, MilvusUnavailable
from lexls.index.mirror import Mirror

PATIENCE_SECONDS = 60


class MirroredLibrary(Library):
    """A library over a server, whose mirror catches up whenever the library moves on."""

    def __init__(self, path: Path, address: MilvusAddress) -> None:
        self._written = Mirror(path, address)
        self._seen = -1
        super().__init__(path, address)

    def refresh(self) -> bool:
        if (version := self._written.index_version()) != self._seen:
            self._seen = version
            self._written.catch_up()
        return super().refresh()

    def close(self) -> None:
        self._written.close()
        super().close()


@contextlib.contextmanager
def serve_milvus(folder: Path) -> Iterator[MilvusAddress]:
    """A server that keeps its data in ``folder``, until the end of the block."""
    pytest.importorskip("pymilvus")
    pytest.importorskip("milvus_lite")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "milvus_lite", "server", "--data-dir", str(folder / "data")]
    with open(folder / "server.log", "wb") as log:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)], stdout=log, stderr=subprocess.STDOUT
        )
    try:
        address = MilvusAddress(f"http://127.0.0.1:{port}")
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                MilvusIndex(address, "any").exists("passages")
                break
            except MilvusUnavailable:
                if time.monotonic() > until or process.poll() is not None:
                    raise
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait()
