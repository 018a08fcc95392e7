"""The protocol's rough edges: cancellation, shutdown, lost clients, silence about drafts."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import DRAFT, PATIENCE, RawClient
from weir_workspace import workspace

from lexls.index.milvus import MilvusUnavailable
from lexls.server.main import EDITOR_SECONDS, end_with_editor, make_server
from lexls.server.protocol import RequestRefused
from lexls.server.server import LexlsServer
from lexls.text.cancel import CancelToken

Start = Callable[[], RawClient]
REQUEST_CANCELLED = -32800


def at(uri: str, line: int, character: int) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def support(uri: str, line: int) -> dict[str, Any]:
    place = {"line": line, "character": 10}
    return {
        "command": "lexls.findSupport",
        "arguments": [{"uri": uri, "range": {"start": place, "end": place}}],
    }


async def test_futures_of_finished_notifications_are_forgotten() -> None:
    server = make_server()
    seen = []

    @server.feature("lexls/testNotification")
    async def handler(ls: LexlsServer, params: Any) -> None:
        seen.append(params)

    for number in range(5):
        server.protocol._handle_notification("lexls/testNotification", number)
    await asyncio.sleep(0.05)
    assert len(seen) == 5
    assert server.protocol._request_futures == {}


async def test_a_server_of_the_users_that_cannot_be_asked_is_no_fault_of_lexls() -> None:
    reason = "Milvus at https://milvus.example (index.url): it does not answer"

    def ask(token: CancelToken) -> None:
        raise MilvusUnavailable(reason)

    with pytest.raises(RequestRefused, match=r"index\.url"):
        await make_server().run(ask)


def test_shutdown_with_commands_in_flight_answers_everything_once(start: Start, sample: Path) -> None:
    client = start()
    uri = client.open_sample(sample)
    asked = [client.request("workspace/executeCommand", support(uri, 42)) for _ in range(10)]
    last = client.request("shutdown")
    assert client.answer(last).get("result") is None
    for number in asked:
        answer = client.answer(number)
        assert "result" in answer or answer["error"]["code"] == REQUEST_CANCELLED
    client.notify("exit")
    assert client.process.wait(timeout=PATIENCE) == 0
    assert all(len(answers) == 1 for answers in client.answers.values())


def test_a_client_that_vanishes_ends_the_server_quietly(start: Start, sample: Path) -> None:
    client = start()
    uri = client.open_sample(sample)
    for _ in range(5):
        client.request("workspace/executeCommand", support(uri, 42))
    assert client.process.stdin is not None
    assert client.process.stdout is not None
    client.process.stdin.close()
    client.process.wait(timeout=PATIENCE)
    assert client.process.stderr is not None
    said = client.process.stderr.read()
    assert b"RecursionError" not in said
    assert len(said) < 4000


@pytest.mark.skipif(os.name != "posix", reason="elsewhere nobody can ask")
def test_the_server_ends_with_its_editor_though_the_pipes_stay_open(start: Start, sample: Path) -> None:
    client = start()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as editor:
        client.initialize(sample, editor=editor.pid)
        client.open(sample / DRAFT, (sample / DRAFT).read_text(encoding="utf-8"))
        assert client.process.poll() is None
        editor.kill()
    assert client.process.wait(timeout=PATIENCE) == 1


@pytest.mark.skipif(os.name != "posix", reason="elsewhere nobody can ask")
def test_an_editor_that_ends_before_it_is_looked_at_again_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ended(Exception):
        pass

    def end(status: int) -> None:
        assert status == 1
        raise Ended

    with subprocess.Popen([sys.executable, "-c", ""]) as editor:
        editor.wait()
    monkeypatch.setattr(os, "_exit", end)
    with pytest.raises(Ended):
        asyncio.run(end_with_editor(make_server(), editor.pid))


@pytest.mark.skipif(os.name != "posix", reason="elsewhere nobody can ask")
def test_an_editor_in_another_container_is_not_missed(start: Start, sample: Path) -> None:
    client = start()
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    client.initialize(sample, editor=gone.pid)
    time.sleep(2.5 * EDITOR_SECONDS)
    assert client.goodbye() == 0


def test_cancelling_is_answered_once_and_reaches_the_work(start: Start, sample: Path) -> None:
    client = start()
    uri = client.open_sample(sample)
    asked = []
    for _ in range(30):
        asked.append(client.request("workspace/executeCommand", support(uri, 42)))
        client.notify("$/cancelRequest", {"id": asked[-1]})
    codes = []
    for number in asked:
        answer = client.answer(number)
        codes.append(answer["error"]["code"] if "error" in answer else 0)
    assert set(codes) <= {0, REQUEST_CANCELLED}, codes
    assert REQUEST_CANCELLED in codes
    assert client.result("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert client.goodbye() == 0
    assert all(len(answers) == 1 for answers in client.answers.values())


async def test_cancelling_a_request_stops_its_thread() -> None:
    server = make_server()
    stopped = threading.Event()

    def work(token: CancelToken) -> None:
        while not token.cancelled:
            time.sleep(0.01)
        stopped.set()

    request = asyncio.ensure_future(server.run(work))
    await asyncio.sleep(0.1)
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    assert await asyncio.get_running_loop().run_in_executor(None, stopped.wait, PATIENCE)
    server.shutdown()


def test_slow_requests_do_not_keep_others_from_being_heard(start: Start, sample: Path) -> None:
    client = start()
    uri = client.open_sample(sample)
    for _ in range(40):
        client.request("workspace/executeCommand", support(uri, 42))
    number = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert client.answer(number)["result"]


def test_an_unknown_request_is_refused(start: Start, tmp_path: Path) -> None:
    client = start()
    client.initialize(tmp_path)
    answer = client.answer(client.request("lexls/unknown", {}))
    assert answer["error"]["code"] == -32601
    assert client.goodbye() == 0


def test_no_text_of_a_draft_reaches_the_log(start: Start, sample: Path) -> None:
    client = start()
    uri = client.open_sample(sample)
    secret = "Zanzibarquux"
    client.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": f"{secret} [2014] ASC 12"}]},
    )
    client.answer(client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": secret}))
    client.answer(client.request("workspace/executeCommand", {"command": secret, "arguments": [secret]}))
    client.answer(
        client.request("completionItem/resolve", {"label": secret, "data": {"uri": uri, "offset": secret}})
    )
    client.notify("textDocument/didChange", {"textDocument": secret})
    client.goodbye()
    assert client.process.stderr is not None
    assert secret.encode() not in client.process.stderr.read()


def test_the_exit_status_tells_whether_it_was_asked_to_shut_down(start: Start, tmp_path: Path) -> None:
    polite, rude = start(), start()
    polite.initialize(tmp_path)
    assert polite.goodbye() == 0
    rude.initialize(tmp_path)
    rude.notify("exit")
    assert rude.process.wait(timeout=PATIENCE) == 1


def test_several_roots_have_libraries_and_settings_of_their_own(start: Start, tmp_path: Path) -> None:
    one, two = workspace(tmp_path / "one"), workspace(tmp_path / "two")
    (two / "library/hale.md").unlink()
    client = start()
    client.initialize(one, two)
    text = "As was held in [2019] ASC 41 at [2]."
    first = client.open(one / "note.md", text)
    second = client.open(two / "note.md", text)
    while not (found := client.diagnostics(second)):
        pass
    assert [each["code"] for each in found] == ["not-in-library"]
    about = at(first, 0, 18)  # its library may take longer to read than the other
    _eventually(lambda: "Hale v Ryle" in client.result("textDocument/hover", about)["contents"]["value"])
    shown = client.result("textDocument/hover", at(second, 0, 18))
    assert "not in your library" in shown["contents"]["value"]


def test_a_single_file_finds_its_library(start: Start, sample: Path) -> None:
    client = start()
    client.initialize()
    uri = client.open(sample / "drafts/note.md", "As was held in [2014] ASC 12 at [99].")
    while not (found := client.diagnostics(uri)):
        pass
    assert [each["code"] for each in found] == ["pinpoint-not-found"]


def test_settings_files_are_followed_and_their_faults_are_named(start: Start, sample: Path) -> None:
    client = start()
    uri = client.open_sample(sample)
    settings = sample / "lexls.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(
        'hover.propositons = true\ndiagnostics.missingAmongHeld = "error"\n' + text, encoding="utf-8"
    )
    severities: set[tuple[str, int]] = set()
    while ("missing-among-held", 1) not in severities:
        severities = {(each["code"], each["severity"]) for each in client.diagnostics(uri)}
    (message,) = [each for each in client.passed_over if each["method"] == "window/showMessage"]
    assert "hover.propositons" in message["params"]["message"]
    assert "hover.propositions" in message["params"]["message"]
    assert client.goodbye() == 0


def test_settings_that_come_after_a_draft_was_opened_count_too(start: Start, sample: Path) -> None:
    client = start()
    client.unanswered.add("workspace/configuration")
    client.initialize(sample, workspace={"configuration": True})
    uri = client.open(sample / DRAFT, (sample / DRAFT).read_text(encoding="utf-8"))
    _eventually(lambda: client.result("workspace/executeCommand", {"command": "lexls.status"})["libraries"])
    (asked,) = [each for each in client.asked if each["method"] == "workspace/configuration"]
    settings = {"diagnostics": {"pinpointNotFound": "hint"}}
    client.send({"id": asked["id"], "result": [settings]})
    severities: set[tuple[str, int]] = set()
    while ("pinpoint-not-found", 4) not in severities:
        severities = {(each["code"], each["severity"]) for each in client.diagnostics(uri)}


def test_the_indexer_ends_with_a_killed_server(start: Start, sample: Path) -> None:
    client = start()
    client.open_sample(sample)
    children = _children(client.process.pid)
    assert children
    client.process.send_signal(signal.SIGKILL)
    client.process.wait(timeout=PATIENCE)
    _eventually(lambda: not any(_alive(child) for child in children))


def test_a_broken_index_file_is_named_and_does_not_flood_the_log(start: Start, sample: Path) -> None:
    (sample / "index.sqlite3").write_text("This is a letter, not an index. " * 100)
    settings = sample / "lexls.toml"
    settings.write_text(
        'index.path = "index.sqlite3"\n' + settings.read_text(encoding="utf-8"), encoding="utf-8"
    )
    client = start()
    client.initialize(sample)
    client.open(sample / DRAFT, (sample / DRAFT).read_text(encoding="utf-8"))
    _eventually(lambda: _phase(client) == "failed")
    time.sleep(1.0)
    client.goodbye()
    assert client.process.stderr is not None
    said = client.process.stderr.read()
    assert b"is not an index of lexls" in said
    assert len(said) < 4000
    assert (sample / "index.sqlite3").read_text().startswith("This is a letter")


def _phase(client: RawClient) -> str:
    (library,) = client.result("workspace/executeCommand", {"command": "lexls.status"})["libraries"]
    return str(library["phase"])


def test_a_data_folder_that_cannot_be_made_is_named_and_a_temporary_index_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matter = workspace(tmp_path / "matter")
    home, spare = tmp_path / "nobody", tmp_path / "spare"
    for folder in (home, spare):
        folder.mkdir()
    (home / "data").write_text("a file where the folder should be", encoding="utf-8")
    monkeypatch.setenv("TMPDIR", str(spare))
    client = RawClient(home)
    client.initialize(matter)
    draft = matter / "draft.md"
    uri = client.open(draft, draft.read_text(encoding="utf-8").replace("must open", "may open"))
    _eventually(lambda: client.result("textDocument/hover", at(uri, 2, 90)))
    told = [*client.passed_over, *client.notifications.queue]
    said = [each["params"]["message"] for each in told if each["method"] == "window/showMessage"]
    assert len(said) == 1
    assert f"no index can be made at {home / 'data'}" in said[0]
    assert list(spare.rglob("*.sqlite3"))
    assert client.goodbye() == 0


def test_a_killed_indexer_is_started_again(start: Start, sample: Path) -> None:
    client = start()
    uri = client.open_sample(sample)
    (child,) = _children(client.process.pid)
    os.kill(child, signal.SIGKILL)
    _eventually(lambda: any(each != child for each in _children(client.process.pid)))
    (sample / "library/cases/new.md").write_text(
        '---\ntitle: "Ennis v Port of Wray"\ncitation: "[2013] ACA 77"\nkind: case\n---\n\n[1] It is so.\n'
    )
    while any(each["code"] == "missing-among-held" for each in client.diagnostics(uri)):
        pass


def test_two_editors_share_one_indexer(start: Start, sample: Path) -> None:
    first = start()
    first.open_sample(sample)
    second = start()
    second.open_sample(sample)
    assert len(_children(first.process.pid)) == 1
    assert _children(second.process.pid) == []
    assert first.goodbye() == 0
    _eventually(lambda: len(_children(second.process.pid)) == 1)


def test_nothing_heavy_is_imported_before_initialize_is_answered(sample: Path) -> None:
    """Asks a server in a process of its own which modules it has once the answer is on the wire."""
    program = """
import io, json, sys
from lexls.server.main import EDITOR_SECONDS
from lexls.server.main import make_server
body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                   "params": {"processId": None, "rootUri": None, "capabilities": {}}}).encode()
out = io.BytesIO()
out.close = lambda: None
server = make_server()
server.start_io(io.BytesIO(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body), out)
assert b'"id": 1' in out.getvalue() or b'"id":1' in out.getvalue(), out.getvalue()
heavy = ("torch", "sentence_transformers", "llama_cpp", "onnxruntime", "onnx", "tokenizers", "numpy", "apsw",
         "lxml", "pypdfium2", "httpx2", "filelock")
print(json.dumps([name for name in heavy if name in sys.modules]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == []


def _children(pid: int) -> list[int]:
    """The running indexer processes that a server started."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if int(stat[1]) == pid and stat[0] != "Z" and b"lexls.index.process" in command:
            found.append(int(entry.name))
    return found


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _eventually(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def test_what_requests_need_is_imported_before_a_thread_takes_one() -> None:
    code = """
import pkgutil, sys
from lexls.server.main import make_server
server = make_server()
missing = lambda: [
    module.name
    for name in ("lexls.features", "lexls.assessing.rules")
    for module in pkgutil.iter_modules(__import__(name, fromlist=["__path__"]).__path__)
    if not module.name.startswith("_") and f"{name}.{module.name}" not in sys.modules
]
assert missing()
assert server._requests.submit(missing).result() == []
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)
