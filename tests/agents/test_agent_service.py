"""How ``lexls mcp`` lives: beside the editor, while the library is read, cancelled, with one that comes."""

from __future__ import annotations

import asyncio
import subprocess
import threading
from pathlib import Path

import pytest
from conversation import AUTHORITIES, MCP, Connect, ask, refused
from raw_client import RawClient, environment

from lexls.agents.desk import Desk
from lexls.agents.main import AgentServer
from lexls.index.config import find_default_path
from lexls.index.wanted import set_paused
from lexls.text.cancel import Cancelled, CancelToken


async def test_it_runs_beside_the_editor_with_the_same_index(
    connect: Connect, sample: Path, tmp_path: Path
) -> None:
    editor = RawClient(tmp_path / "home")
    try:
        editor.initialize(sample)
        uri = editor.open(sample / "drafts/note.md", "As held in [2014] ASC 12 at [23].\n")
        async with connect(sample) as client:
            told = await ask(client, "library_status")
            hover = editor.result(
                "textDocument/hover",
                {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 16}},
            )
            assert "Carrow" in hover["contents"]["value"]
            (sample / "library/cases/new.md").write_text("---\ntitle: New v Old\n---\n\n[1] Zebras are so.\n")
            while told.data["searched"]["authorities"] <= AUTHORITIES:
                told = await ask(client, "library_status")
        (library,) = editor.result("workspace/executeCommand", {"command": "lexls.status", "arguments": []})[
            "libraries"
        ]
        assert library["documents"] == AUTHORITIES + 1
        editor.goodbye()
    finally:
        editor.process.kill()
        editor.process.wait()


async def test_it_answers_while_the_library_is_read_and_says_so(
    connect: Connect, sample: Path, tmp_path: Path
) -> None:
    for each in (tmp_path / "home/data/lexls/indexes").iterdir():
        each.unlink()
    index = tmp_path / "home/data/lexls/indexes" / find_default_path([(sample / "library").resolve()]).name
    set_paused(index, True)
    async with connect(sample) as client:
        told = await ask(client, "verify_citation", citation="Carrow v Meridian [2014] ASC 12")
        assert told.data["searched"]["complete"] is False
        assert "still being read" in told.text
        assert told.data["citations"][0]["verdict"] == "not-checkable"
        assert "as far as it has been read" in told.text
        set_paused(index, False)
        while not told.data["searched"]["complete"]:
            told = await ask(client, "verify_citation", citation="Carrow v Meridian [2014] ASC 12")
        assert told.data["citations"][0]["authority"] is not None


async def test_without_a_library_it_says_what_to_do(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    async with connect(tmp_path / "empty") as client:
        assert "lexls mcp --library FOLDER" in await refused(client, "library_status")
        library = tmp_path / "empty/library"
        library.mkdir()
        (library / "new.md").write_text("---\ntitle: New v Old\n---\n\n[1] Zebras are so.\n")
        (tmp_path / "empty/lexls.toml").write_text('[library]\nfolders = ["library"]\n')
        while (await client.call_tool("library_status", {})).is_error:
            await asyncio.sleep(0.05)


async def test_a_library_may_be_named_on_the_command_line(
    connect: Connect, sample: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    command = (*MCP, "--library", str(sample / "library"), "--index", str(tmp_path / "own.sqlite"))
    async with connect(tmp_path / "elsewhere", command=command) as client:
        told = await ask(client, "library_status")
        assert told.data["searched"]["folders"] == [str((sample / "library").resolve())]
    assert (tmp_path / "own.sqlite").exists()


async def test_cancelling_a_request_cancels_its_work(sample: Path) -> None:
    server = AgentServer(Desk(sample, {}))
    begun, ended = threading.Event(), threading.Event()

    def work(token: CancelToken) -> None:
        begun.set()
        try:
            while True:
                token.raise_if_cancelled()
        except Cancelled:
            ended.set()
            raise

    request = asyncio.ensure_future(server.run(work))
    await asyncio.to_thread(begun.wait)
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    assert await asyncio.to_thread(ended.wait, 60)


async def test_requests_that_the_client_gives_up_leave_room_for_others(
    connect: Connect, sample: Path
) -> None:
    draft = (sample / "drafts/skeleton-argument.md").read_text(encoding="utf-8") * 60
    async with connect(sample) as client:
        await ask(client, "library_status")
        given_up = [
            asyncio.ensure_future(client.call_tool("check_draft", {"text": draft, "support": True}))
            for _ in range(6)
        ]
        await asyncio.sleep(0.2)
        for each in given_up:
            each.cancel()
        assert all(
            isinstance(each, asyncio.CancelledError)
            for each in await asyncio.gather(*given_up, return_exceptions=True)
        )
        assert (await ask(client, "library_status")).data["searched"]["authorities"] == AUTHORITIES


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("--workspace", "gone"), "gone: there is no such folder"), (("--library", "gone"), "gone: there is")],
)
def test_a_folder_that_is_not_there_is_told(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = subprocess.run(
        [*MCP, *arguments],
        cwd=tmp_path,
        env=environment(tmp_path / "home"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_it_ends_with_its_client(sample: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [*MCP, "--workspace", str(sample)],
        env=environment(tmp_path / "home"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
