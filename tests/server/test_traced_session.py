"""What a session does to the machine, as strace sees it: the server, its indexer and their workers."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from raw_client import SERVE, RawClient

SECRET = "Zanzibarquux"
OPENED = re.compile(r'(?:open|openat|creat)\((?:AT_FDCWD, )?"(?P<path>[^"]*)", (?P<flags>[A-Z_|0-9]+)')
DRAFT = f"The {SECRET} must proceed, as was held in [2014] ASC 12 at [99]. *Ibid*.\n"


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_session_opens_no_socket_and_writes_only_where_it_may(sample: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    allowed = subprocess.run(["strace", "-f", "-o", "/dev/null", "true"], capture_output=True, check=False)
    if allowed.returncode:
        pytest.skip("processes may not be traced here")
    calls = "trace=socket,connect,open,openat,creat,write,pwrite64,writev"
    tracing = ["strace", "-f", "-s", "65536", "-o", str(trace), "-e", calls]
    client = RawClient(tmp_path / "home", command=[*tracing, *SERVE])
    try:
        client.initialize(sample)
        uri = client.open(sample / "drafts/note.md", DRAFT)
        while not client.diagnostics(uri):
            pass
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 60}}
        assert client.result("textDocument/hover", place)
        (sample / "library/cases/new.md").write_text("---\ntitle: New v Old\n---\n\n[1] It is so.\n")
        client.result("textDocument/foldingRange", {"textDocument": {"uri": uri}})
        client.goodbye()
    finally:
        client.process.kill()
    lines = trace.read_text(encoding="utf-8", errors="replace").splitlines()
    sockets = [line for line in lines if re.search(r"\b(?:socket|connect)\(.*AF_INET", line)]
    assert sockets == []
    written = {
        found["path"]
        for line in lines
        if (found := OPENED.search(line)) and re.search("O_WRONLY|O_RDWR|O_CREAT", found["flags"])
    }
    assert any(path.endswith(".sqlite3") for path in written)
    places = (str(tmp_path), str(sample), "/dev/", "/proc/self/")
    elsewhere = [path for path in written if not path.startswith(places) and "__pycache__" not in path]
    assert elsewhere == []
    # Words of the draft go to the client alone: file descriptor 1 of the server.
    told = [line for line in lines if SECRET in line and re.search(r"\bp?write[v64]*\((?!1,)", line)]
    assert told == []
