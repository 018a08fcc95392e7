"""One life of the model process: from its start until it ends, is ended, or crashes."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from lexls.models.messages import BrokenStream, Message, read_message

_ENDING_SECONDS = 3.0
if sys.platform == "win32":
    _FLAGS = subprocess.CREATE_NO_WINDOW | subprocess.NORMAL_PRIORITY_CLASS
else:
    _FLAGS = 0


class Child:
    """A running model process. ``idle_seconds`` after its last request it is ended (0: never).

    ``on_end`` is called once, on a thread of this object, when it has ended and before those who wait for
    answers hear of it. Raises ``OSError`` when it cannot be started.
    """

    def __init__(
        self,
        handlers: Sequence[str],
        environment: Mapping[str, str],
        *,
        idle_seconds: float,
        on_end: Callable[[Child], None],
    ) -> None:
        self._lock = threading.Lock()
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._pending: dict[int, queue.SimpleQueue[Message | None]] = {}
        self._idle_seconds = idle_seconds
        self._used_at: float | None = None
        self._on_end = on_end
        self.asked_to_end = False
        """Whether its end is no crash."""
        self.answered = False
        """Whether it ever brought a request to its end."""
        self.end_reason = ""
        """How it ended, in words; "" while it runs."""
        self._process = subprocess.Popen(
            # -P: the folder lexls was started in is somebody's documents, not a place for code.
            [sys.executable, "-P", "-m", "lexls.models.worker", *handlers],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # What libraries print there may quote what they read.
            stderr=None if "LEXLS_DEBUG" in environment else subprocess.DEVNULL,
            env=dict(environment),
            creationflags=_FLAGS,
        )
        for name, work in (("write", self._write), ("read", self._read)):
            threading.Thread(target=work, name=f"lexls-models-{name}", daemon=True).start()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def ask(self, id: int, request: Message) -> queue.SimpleQueue[Message | None] | None:
        """Send a request; its answers come in the queue, and None when the process ends before the last.

        Returns None when the process is ending and takes no more. Raises ``ValueError`` for a request that is
        too long.
        """
        encoded = request.encode()
        with self._lock:
            if self.asked_to_end or self.end_reason:
                return None
            answers = self._pending[id] = queue.SimpleQueue()
            self._used_at = time.monotonic()
            self._outbox.put(encoded)
        return answers

    def cancel(self, id: int) -> None:
        """Take a request back."""
        self._outbox.put(Message({"id": id, "do": "cancel"}).encode())

    def forget(self, id: int) -> None:
        """Nobody waits for answers to this request any more."""
        with self._lock:
            self._pending.pop(id, None)
            self._used_at = time.monotonic()

    def end(self) -> None:
        """End it without waiting for what it does."""
        with self._lock:
            self.asked_to_end = True
        self._outbox.put(None)

    def wait(self) -> None:
        """Wait until it has ended after ``end``, and kill it if it does not."""
        try:
            self._process.wait(_ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()

    def kill(self) -> None:
        """End it at once, whatever it does; it takes no more requests."""
        with self._lock:
            self.asked_to_end = True
        self._process.kill()

    def _write(self) -> None:
        assert self._process.stdin is not None
        try:
            while (rest := self._find_rest()) != 0:
                try:
                    encoded = self._outbox.get(timeout=rest)
                except queue.Empty:
                    continue
                if encoded is None:
                    break
                self._process.stdin.write(encoded)
                self._process.stdin.flush()
            self._process.stdin.close()
        except OSError:
            pass  # it has ended, and the reading thread tells everybody

    def _find_rest(self) -> float | None:
        """Seconds until it has been idle long enough (None: it may be for ever); 0 once it has been, and then
        it takes no more requests."""
        with self._lock:
            if not self._idle_seconds or self._used_at is None:
                return None  # the request it was started for is about to come
            since = time.monotonic() if self._pending else self._used_at
            rest = max(0.0, since + self._idle_seconds - time.monotonic())
            self.asked_to_end = self.asked_to_end or not rest
        return rest

    def _read(self) -> None:
        assert self._process.stdout is not None
        reason = ""
        try:
            while (message := read_message(self._process.stdout)) is not None:
                with self._lock:
                    answers = self._pending.get(message.header["id"])
                    self.answered = self.answered or message.header.get("is") != "part"
                if answers is not None:
                    answers.put(message)
        except BrokenStream as error:
            reason = f"sent what is no answer ({error})"
        except OSError as error:
            reason = f"could not be read ({error})"
        if reason:
            self._process.kill()
        code = self._process.wait()
        with self._lock:
            self.end_reason = reason or ("was stopped" if self.asked_to_end else _in_words(code))
            pending, self._pending = list(self._pending.values()), {}
        self._outbox.put(None)
        self._process.stdout.close()
        self._on_end(self)
        for waiting in pending:
            waiting.put(None)


def make_environment(network: bool) -> dict[str, str]:
    """Return the environment of a model process: this lexls, and no network unless asked for."""
    found = dict(os.environ)
    package = str(Path(__file__).resolve().parents[2])
    found["PYTHONPATH"] = os.pathsep.join(filter(None, [package, found.get("PYTHONPATH", "")]))
    found |= {
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "TOKENIZERS_PARALLELISM": "false",
    }
    if not network:
        found |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    return found


def _in_words(code: int) -> str:
    if code >= 0:
        return f"ended with status {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    memory = ", perhaps for want of memory" if name == "SIGKILL" else ""
    return f"was ended by {name}{memory}"
