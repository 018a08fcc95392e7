"""A small invented library about weirs, a draft beside it, and a model that writes slowly."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from raw_client import PATIENCE, RawClient
from scripted_server import Asked, Handler

CASES = {
    "hale.md": """\
---
title: Hale v Ryle
citation: "[2019] ASC 41"
kind: case
jurisdiction: UK
---

[1] The weir at Ennis is kept by the respondent for the mill below it.

[2] The keeper of a weir must open its gates when the river rises above the mark.

[3] A keeper who leaves the gates shut answers to the owners of the flooded meadows for their hay.
""",
    "pell.md": """\
---
title: Pell v Orr
citation: "[2018] ASC 7"
kind: case
jurisdiction: UK
---

[1] This is a dispute between two neighbours over a ferry and its rope.

[2] A ferry that plies for hire must carry every passenger who offers the fare.
""",
}
DRAFT = """\
# Skeleton

The keeper of a weir must open the gates when the river rises above the mark: *Hale v Ryle* [2019] ASC 41 \
at [2].

The keeper of a weir must open the gates when the river rises.

So it was held in *Nobody v Known* [1999] ASC 999 at [1].
"""
QUESTION = "When must the keeper of a weir open the gates?"
HELD = "The keeper of a weir must open its gates when the river rises above the mark."
CITING, BARE, UNKNOWN = 2, 4, 6
"""Lines of the draft: a sentence with a citation, one without, and one that cites what is not there."""


def workspace(root: Path) -> Path:
    """The library with its settings and the draft, in ``root``."""
    (root / "library").mkdir(parents=True)
    for name, text in CASES.items():
        (root / "library" / name).write_text(text, encoding="utf-8")
    (root / "lexls.toml").write_text('jurisdiction = "UK"\nembeddings.model = ""\n', encoding="utf-8")
    (root / "draft.md").write_text(DRAFT, encoding="utf-8")
    return root


def opened(client: RawClient, root: Path, **capabilities: Any) -> str:
    """Start the client on the workspace, open the draft and wait until the library is read."""
    client.initialize(root, **capabilities)
    uri = client.open(root / "draft.md", DRAFT)
    indexed(client)
    return uri


@contextmanager
def draft_of_its_own(client: RawClient, path: Path, text: str = DRAFT) -> Iterator[str]:
    """Opens a draft for one test of several that share a client, and has the settings as they were after it.

    Nothing was heard of the server before, and no thread of a workspace was kept.
    """
    client.forget()
    shutil.rmtree(client.home / "data/lexls/threads", ignore_errors=True)
    uri = client.open(path, text)
    yield uri
    client.notify("workspace/didChangeConfiguration", {"settings": {"lexls": {}}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    eventually(lambda: _progressing(client) == set())


def _progressing(client: RawClient) -> set[str | int]:
    """The tokens of what is still being done."""
    said = notified(client, "$/progress")
    begun, ended = (
        {each["token"] for each in said if each["value"]["kind"] == kind} for kind in ("begin", "end")
    )
    return begun - ended


def indexed(client: RawClient) -> None:
    """Wait until the library is read, and the server answers from all of it."""
    until = time.monotonic() + PATIENCE
    while True:
        libraries = client.result("workspace/executeCommand", {"command": "lexls.status"})["libraries"]
        if libraries and libraries[0]["phase"] in ("ready", "lexical"):
            known = {each["name"] for each in client.result("workspace/symbol", {"query": " v "}) or ()}
            if len([name for name in known if name.startswith(("Hale v Ryle", "Pell v Orr"))]) == len(CASES):
                return
        assert time.monotonic() < until, "the library was not read"
        time.sleep(0.05)


def ask(client: RawClient, command: str, **argument: Any) -> int:
    """Send a command; the number of the request."""
    return client.request("workspace/executeCommand", {"command": command, "arguments": [argument]})


def told(client: RawClient, command: str, **argument: Any) -> Any:
    """The result of a command."""
    answer = client.answer(ask(client, command, **argument))
    assert "error" not in answer, answer
    return answer["result"]


def place(line: int, character: int) -> dict[str, Any]:
    """An empty range."""
    at = {"line": line, "character": character}
    return {"start": at, "end": at}


def use_model(client: RawClient, url: str, **more: Any) -> None:
    """Settings of the editor: a model behind ``url`` answers."""
    settings = {"explain": {"generator": "openai"}, "openai": {"baseUrl": url, "model": "slow"}, **more}
    client.notify("workspace/didChangeConfiguration", {"settings": {"lexls": settings}})


def notified(client: RawClient, method: str, most: int = 1000) -> list[dict[str, Any]]:
    """The parameters of the notifications of one method that came so far."""
    found: list[dict[str, Any]] = []
    while not client.notifications.empty() and len(found) < most:
        message = client.notifications.get()
        client.passed_over.append(message)
    for message in client.passed_over:
        if message["method"] == method:
            found.append(message["params"])
    return found


def eventually(condition: Callable[[], Any]) -> Any:
    """What ``condition`` gives as soon as it is true."""
    until = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)
    return found


class SlowModel:
    """A script that streams an answer sentence by sentence, and waits before each until it is let go on.

    ``begun`` is set when a request came, ``left`` when the client hung up.
    """

    def __init__(self, claims: Sequence[tuple[str, str]], *, waits: bool = True) -> None:
        self._claims = claims
        self._waits = waits
        self.begun = threading.Event()
        self.left = threading.Event()
        self.go_on = threading.Semaphore(0)
        self.asked: list[Any] = []

    def __call__(self, handler: Handler, asked: Asked) -> None:
        self.asked.append(asked.json)
        handler.begin()
        self.begun.set()
        parts = ['{"answer":[']
        for number, (quotation, sentence) in enumerate(self._claims):
            claim = {"evidence": [{"passage": "P1", "quotation": quotation}], "sentence": sentence}
            parts.append(("," if number else "") + json.dumps(claim))
        parts.append("]}")
        for part in parts:
            try:
                handler.chunk(_event({"choices": [{"index": 0, "delta": {"content": part}}]}))
            except ConnectionError:  # it hung up before it was looked at
                self.left.set()
                return
            while self._waits and not self.go_on.acquire(timeout=0.02):
                if handler.client_left(0.02):
                    self.left.set()
                    return
        handler.chunk(_event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}))
        handler.chunk(b"data: [DONE]\n\n")
        handler.end()


def _event(data: Any) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"
