"""A model of llama.cpp behind the server: killed, cancelled, loaded with progress; the next request works."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient
from weir_workspace import QUESTION, ask, eventually, notified, opened, told, workspace

pytest.importorskip("lexls.models.llama_conversation")
pytest.importorskip("gguf")
Start = Callable[[], RawClient]
REQUEST_CANCELLED = -32800
pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="finds the model process in /proc")


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that needs seconds for a prompt."""
    from random_gguf import write_random_model

    path = tmp_path_factory.mktemp("models") / "slow.gguf"
    return write_random_model(path, width=512, inner=1408, layers=6, heads=8, key_heads=8, context=4096)


def use(client: RawClient, model: Path, **more: Any) -> None:
    settings = {
        "explain": {"generator": "llama", **more},
        "llama": {"model": str(model), "contextTokens": 4096},
    }
    client.notify("workspace/didChangeConfiguration", {"settings": {"lexls": settings}})


def model_process(server: int) -> int:
    """The process of models that a server started, 0 if there is none."""
    for entry in Path("/proc").iterdir():
        try:
            parent = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes()
        except (OSError, NotADirectoryError):
            continue
        if entry.name.isdigit() and int(parent[1]) == server and b"lexls.models.worker" in command:
            return int(entry.name) if parent[0] != "Z" else 0
    return 0


def messages(client: RawClient) -> list[str]:
    """What the progress said."""
    return [each["value"].get("message", "") for each in notified(client, "$/progress")]


def titles(client: RawClient) -> list[str]:
    """What was begun with progress."""
    return [each["value"].get("title", "") for each in notified(client, "$/progress")]


def test_a_killed_model_costs_one_answer_and_says_so(start: Start, tmp_path: Path, slow: Path) -> None:
    client = start()
    root = workspace(tmp_path / "work")
    uri = opened(client, root, experimental={"lexls": {"answers": True}}, window={"workDoneProgress": True})
    use(client, slow)
    number = ask(client, "lexls.ask", question=QUESTION, uri=uri)
    eventually(lambda: "Writing the answer" in messages(client))
    # Whether it had to wait for the model depends on which was longer, the search or the loading.
    said = [each for each in messages(client) if each != "Loading the model"]
    assert said.index("Searching the library") < said.index("Writing the answer")
    pid = model_process(client.process.pid)
    os.kill(pid, signal.SIGKILL)
    found = client.answer(number)["result"]
    assert found["failed"]
    assert any(found["failed"] in each["message"] for each in notified(client, "window/showMessage"))
    assert found["failed"] in notified(client, "lexls/answer")[-1]["markdown"]
    use(client, slow)
    again = told(client, "lexls.ask", question=QUESTION, uri=uri)
    assert again["failed"] == ""
    assert again["sentences"]
    assert model_process(client.process.pid) not in (0, pid)
    assert client.goodbye() == 0


def test_a_cancelled_model_stops_and_answers_again(start: Start, tmp_path: Path, slow: Path) -> None:
    client = start()
    root = workspace(tmp_path / "work")
    uri = opened(client, root, experimental={"lexls": {"answers": True}}, window={"workDoneProgress": True})
    use(client, slow)
    number = ask(client, "lexls.ask", question=QUESTION, uri=uri)
    eventually(lambda: "Writing the answer" in messages(client))
    client.notify("$/cancelRequest", {"id": number})
    assert client.answer(number)["error"]["code"] == REQUEST_CANCELLED
    pid = model_process(client.process.pid)
    use(client, slow)
    again = told(client, "lexls.ask", question=QUESTION, uri=uri)
    assert again["failed"] == ""
    assert model_process(client.process.pid) == pid
    assert len(client.answers[number]) == 1


def test_the_model_ends_with_the_server_while_it_writes(start: Start, tmp_path: Path, slow: Path) -> None:
    client = start()
    root = workspace(tmp_path / "work")
    uri = opened(client, root, window={"workDoneProgress": True})
    use(client, slow)
    ask(client, "lexls.ask", question=QUESTION, uri=uri)
    eventually(lambda: "Writing the answer" in messages(client))
    pid = model_process(client.process.pid)
    assert client.goodbye() == 0
    until = time.monotonic() + 30
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_hovers_never_wait_for_a_model(start: Start, tmp_path: Path, slow: Path) -> None:
    client = start()
    root = workspace(tmp_path / "work")
    opened(client, root, window={"workDoneProgress": True})
    use(client, slow)
    text = "A keeper answers to the owners of flooded meadows: *Hale v Ryle* [2019] ASC 41.\n"
    uri = client.open(root / "note.md", text)
    params = {
        "textDocument": {"uri": uri},
        "position": {"line": 0, "character": text.index("[2019]") + 2},
    }
    assert "Hale" in client.result("textDocument/hover", params)["contents"]["value"]
    pid = eventually(lambda: model_process(client.process.pid))
    eventually(lambda: "Loading the model" in titles(client))
    assert "Hale" in client.result("textDocument/hover", params)["contents"]["value"]
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert model_process(client.process.pid) == pid
    assert client.goodbye() == 0
