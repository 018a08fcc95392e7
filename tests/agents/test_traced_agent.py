"""What a session of an agent does to the machine, as strace sees it, and what it logs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conversation import ASKED, MCP, Connect, ask

SOCKETS = "socket,connect,bind,listen,accept,accept4"
"""What a socket takes; a pair of them, of which one process has both, is a pipe."""
SECRET = "Zanzibarquux"


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
async def test_a_session_opens_no_socket_and_logs_nothing(
    connect: Connect, sample: Path, tmp_path: Path
) -> None:
    if subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False).returncode:
        pytest.skip("processes may not be traced here")
    trace, told = tmp_path / "trace", tmp_path / "told"
    tracing = ("strace", "-f", "-o", str(trace), "-e", f"trace=execve,{SOCKETS}")
    async with connect(sample, command=(*tracing, *MCP), told=told) as client:
        for tool, arguments in ASKED.items():
            await ask(client, tool, **arguments)
        await client.call_tool("search", {"query": SECRET, "most": 0})
        await client.call_tool("check_draft", {"path": f"{SECRET}.md"})
        await client.call_tool("check_draft", {"text": f"{SECRET} [2014] ASC 12 at [99]."})
        for each in (await client.list_resources()).resources:
            await client.read_resource(each.uri)
        await client.get_prompt("support-this", {"proposition": SECRET})
    lines = trace.read_text(encoding="utf-8", errors="replace").splitlines()
    assert any("lexls.index.process" in each for each in lines)
    assert [each for each in lines if re.match(rf"\d+ +(?:{SOCKETS.replace(',', '|')})\(", each)] == []
    assert told.read_text(encoding="utf-8") == ""
