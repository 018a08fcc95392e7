"""A running ``lexls serve`` with a client that has one draft open, as benchmarks ask it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SERVE = (sys.executable, "-P", "-m", "lexls", "serve")


class Server:
    """The server of ``environment``, for a folder ``matter`` with a draft ``draft.md`` of the given text.

    ``capabilities`` are the client's, ``patience`` the seconds after which what is asked counts as never
    answered.
    """

    def __init__(
        self,
        matter: Path,
        text: str,
        environment: Mapping[str, str],
        capabilities: object,
        patience: float,
        command: Sequence[str] = SERVE,
    ) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=matter,
            env=environment,
        )
        self.uri = (matter / "draft.md").as_uri()
        self.phase = ""
        """How the library stands, if ``capabilities`` ask for the status."""
        self.published: set[str] = set()
        """The URIs of the documents that diagnostics were sent for."""
        self._patience = patience
        self._asked = 1
        self._answers: dict[int, Any] = {}
        self._answered = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()
        folder = {"uri": matter.as_uri(), "name": "matter"}
        parameters = {"rootUri": folder["uri"], "capabilities": capabilities, "workspaceFolders": [folder]}
        self._send(id=1, method="initialize", params=parameters)
        self._send(method="initialized", params={})
        self.open(self.uri, text)

    def open(self, uri: str, text: str) -> None:
        """Open a draft in Markdown."""
        draft = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": draft})

    def tell(self, method: str, params: object) -> None:
        """Tell something that has no answer."""
        self._send(method=method, params=params)

    def ask(self, method: str, params: object) -> Any:
        """The answer to what is asked, None where it is an error. Raises ``TimeoutError``."""
        return self.wait(self.begin(method, params))

    def begin(self, method: str, params: object) -> int:
        """Ask something; the number of what was asked, for ``wait``."""
        self._asked += 1
        self._send(id=self._asked, method=method, params=params)
        return self._asked

    def wait(self, asked: int) -> Any:
        """The answer to what was asked, which is given once. Raises ``TimeoutError``."""
        with self._answered:
            if not self._answered.wait_for(lambda: asked in self._answers, self._patience):
                raise TimeoutError(f"no answer to request {asked}")
            return self._answers.pop(asked)

    def spend(self) -> float:
        """The processor time of the server so far, all its threads together, in seconds; NaN but on Linux."""
        tasks = Path(f"/proc/{self.process.pid}/task")
        try:
            spent = [int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()]
        except OSError:
            return float("nan")
        return sum(spent) / 1e9

    def end(self) -> None:
        """End it and its indexer."""
        with contextlib.suppress(TimeoutError):
            self.ask("shutdown", None)
        self._send(method="exit")
        self.process.wait(self._patience)

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while head := stream.readline():
            length = int(head.split(b":")[1]) if head.lower().startswith(b"content-length") else 0
            while head.strip():
                head = stream.readline()
            message = json.loads(stream.read(length))
            if message.get("method") == "lexls/status":
                self.phase = message["params"]["phase"]
            elif message.get("method") == "textDocument/publishDiagnostics":
                self.published.add(message["params"]["uri"])
            elif "method" in message and "id" in message:
                self._send(id=message["id"], result=None)
            elif "method" not in message:
                with self._answered:
                    self._answers[message["id"]] = message.get("result")
                    self._answered.notify_all()

    def _send(self, **message: object) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with contextlib.suppress(OSError):
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()
