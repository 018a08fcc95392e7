"""A client that speaks the wire format itself, for what well-behaved clients never do."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PATIENCE = 60.0
"""Seconds to wait for an answer before a test fails; a slow machine needs some."""
DRAFT = "drafts/skeleton-argument.md"
"""A draft of the sample."""
SERVE = (sys.executable, "-m", "lexls", "serve")


class RawClient:
    """Starts ``lexls serve`` and exchanges messages with it."""

    def __init__(self, home: Path, *, stderr: Any = subprocess.PIPE, command: Sequence[str] = SERVE) -> None:
        self.home = home
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=environment(home),
        )
        self.answers: dict[int | str | None, list[dict[str, Any]]] = {}
        self.notifications: queue.Queue[dict[str, Any]] = queue.Queue()
        self.passed_over: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.unanswered: set[str] = set()
        """The requests of the server that a test answers itself."""
        self.ended = threading.Event()
        self._arrived = threading.Condition()
        self._reading = threading.Event()
        self._reading.set()
        self._next = 0
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def write(self, sent: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(sent)
        self.process.stdin.flush()

    def pause(self) -> None:
        """Read nothing more until ``resume``; one message may still be taken."""
        self._reading.clear()

    def resume(self) -> None:
        self._reading.set()

    def request(self, method: str, params: Any = None) -> int:
        self._next += 1
        self.send({"id": self._next, "method": method, "params": params})
        return self._next

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"method": method, "params": params})

    def answer(self, number: int | str | None, place: int = 0) -> dict[str, Any]:
        """The answer to a request, or, where it was sent more than once, the one at this place (from 0)."""
        with self._arrived:
            came = self._arrived.wait_for(lambda: len(self.answers.get(number, ())) > place, PATIENCE)
            assert came, "no answer"
            return self.answers[number][place]

    def result(self, method: str, params: Any = None) -> Any:
        answer = self.answer(self.request(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def initialize(self, *folders: Path, editor: int | None = None, **capabilities: Any) -> dict[str, Any]:
        result: dict[str, Any] = self.result(
            "initialize",
            {
                "processId": editor if editor is not None else os.getpid(),
                "rootUri": folders[0].as_uri() if folders else None,
                "workspaceFolders": [{"uri": f.as_uri(), "name": f.name} for f in folders] or None,
                "capabilities": capabilities,
            },
        )
        self.notify("initialized", {})
        return result

    def open(self, path: Path, text: str, language: str = "markdown") -> str:
        uri = path.as_uri()
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def open_sample(self, sample: Path) -> str:
        """Open the sample's draft, and wait until its library is there."""
        self.initialize(sample)
        uri = self.open(sample / DRAFT, (sample / DRAFT).read_text(encoding="utf-8"))
        while not self.diagnostics(uri):
            pass
        return uri

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """The next diagnostics of a document."""
        while True:
            message = self.notifications.get(timeout=PATIENCE)
            if message["method"] == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                found: list[dict[str, Any]] = message["params"]["diagnostics"]
                return found
            self.passed_over.append(message)

    def forget(self) -> None:
        """What the server has said of itself so far is not looked at any more."""
        while not self.notifications.empty():
            self.notifications.get()
        self.passed_over.clear()
        self.asked.clear()

    def goodbye(self) -> int:
        self.result("shutdown")
        self.notify("exit")
        return self.process.wait(timeout=PATIENCE)

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while self._reading.wait():
            length = 0
            while (line := stream.readline().strip()) != b"":
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                self.ended.set()
                return
            message = json.loads(stream.read(length))
            if "method" not in message:
                with self._arrived:
                    self.answers.setdefault(message["id"], []).append(message)
                    self._arrived.notify_all()
            elif "id" in message:
                self.asked.append(message)
                if message["method"] not in self.unanswered:
                    self.send({"id": message["id"], "result": None})
            else:
                self.notifications.put(message)


def environment(home: Path) -> dict[str, str]:
    """The environment of a server whose settings, data and caches lie below ``home``."""
    return {
        **os.environ,
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CACHE_HOME": str(home / "cache"),
    }


def memory(server: subprocess.Popen[Any]) -> int:
    """Bytes of a server in memory."""
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
