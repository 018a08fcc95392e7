"""Manage one model process, from its start until it ends, is stopped or crashes."""

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
    """A running model process. It is stopped ``idle_seconds`` after its last request (0: never).

    ``on_end`` is called once, on a thread of this object, when the process has ended and before waiting
    callers are notified. Raises ``OSError`` if it cannot be started.
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
        """True if it was asked to end, so that its end is not a crash."""
        self.answered = False
        """True if it ever completed a request."""
        self.end_reason = ""
        """How it ended, in words; "" while it runs."""
        self._process = subprocess.Popen(
            # -P: the current folder may contain someone's documents, and must not be searched for code.
            [sys.executable, "-P", "-m", "lexls.models.worker", *handlers],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Libraries' output may quote the texts they read.
            stderr=None if "LEXLS_DEBUG" in environment else subprocess.DEVNULL,
            env=dict(environment),
            creationflags=_FLAGS,
        )
        for name, work in (("write", self._write), ("read", self._read)):
            threading.Thread(target=work, name=f"lexls-models-{name}", daemon=True).start()

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def ask(self, id: int, request: Message) -> queue.SimpleQueue[Message | None] | None:
        """Send a request. Return a queue of its answers, in which None follows if the process ends before the
        last answer.

        Return None instead of a queue if the process is ending and accepts no more requests. Raises
        ``ValueError`` if the request is too long.
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
        """Cancel a request."""
        self._outbox.put(Message({"id": id, "do": "cancel"}).encode())

    def forget(self, id: int) -> None:
        """Stop collecting answers to this request."""
        with self._lock:
            self._pending.pop(id, None)
            self._used_at = time.monotonic()

    def end(self) -> None:
        """Ask the process to end without finishing its work."""
        with self._lock:
            self.asked_to_end = True
        self._outbox.put(None)

    def wait(self) -> None:
        """Wait for the process to end after ``end``, and kill it if it does not."""
        try:
            self._process.wait(_ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()

    def kill(self) -> None:
        """Kill the process at once; it accepts no more requests."""
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
            pass  # it has ended, and the reading thread notifies all callers

    def _find_rest(self) -> float | None:
        """Return the seconds until the process will have been idle long enough to be stopped (None: no
        limit).

        If this is 0, the process accepts no more requests.
        """
        with self._lock:
            if not self._idle_seconds or self._used_at is None:
                return None  # the request it was started for is about to arrive
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
    """Return the environment of a model process. The process can import this lexls, and downloads nothing
    unless ``network`` is true.
    """
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
