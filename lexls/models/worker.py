"""The model process: ``python -m lexls.models.worker MODULE…``, each a module of handlers (``job``).

It reads requests from standard input and ends when that does, in the middle of whatever it does, so that it
never outlives who started it. Both standard streams are taken away first: what a library prints goes to
standard error and cannot be taken for an answer. Exit status: 0 when standard input ends or says what is no
message, 1 when a module of handlers cannot be had.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO, Any

from lexls.models.messages import BrokenStream, Handler, Job, JobRefused, Message, read_message, unpack_texts
from lexls.text.cancel import Cancelled, CancelToken


@dataclass(frozen=True, slots=True)
class _Waiting:
    id: int
    handler: Handler
    job: Job


class _Answers:
    """Writes messages whole, from any thread, to whoever asked."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def send(self, id: int, kind: str, payload: bytes = b"", **more: Any) -> None:
        encoded = Message({"id": id, "is": kind, **more}, payload).encode()
        try:
            with self._lock:
                self._stream.write(encoded)
                self._stream.flush()
        except OSError:
            os._exit(0)  # nobody reads any more


class _Lane:
    """Works through the requests of one module's handlers, in order, on a thread of its own."""

    def __init__(self, answers: _Answers, begin: Callable[[int], bool], done: Callable[[int], None]) -> None:
        self._answers = answers
        self._begin = begin
        self._done = done
        self.waiting: queue.SimpleQueue[_Waiting] = queue.SimpleQueue()
        """Done one after the other."""
        threading.Thread(target=self._run, name="lexls-models", daemon=True).start()

    def _run(self) -> None:
        while True:
            waiting = self.waiting.get()
            if self._begin(waiting.id):
                self._work(waiting)
                self._done(waiting.id)

    def _work(self, waiting: _Waiting) -> None:
        token = waiting.job.token
        try:
            for answer in waiting.handler(waiting.job):
                self._answers.send(waiting.id, "part", answer.payload, fields=dict(answer.fields))
                token.raise_if_cancelled()
        except Cancelled:
            self._answers.send(waiting.id, "cancelled")
        except JobRefused as refused:
            self._answers.send(waiting.id, "failed", reason=str(refused))
        except Exception as error:
            # Libraries raise anything, and their messages may quote the text they were given.
            self._answers.send(waiting.id, "failed", reason=f"the model failed ({type(error).__name__})")
        else:
            self._answers.send(waiting.id, "end")


class Worker:
    """Hands each request to its handler's lane, until ``requests`` ends."""

    def __init__(self, modules: list[Mapping[str, Handler]], answers: IO[bytes]) -> None:
        self._answers = _Answers(answers)
        self._lock = threading.Lock()
        self._waiting: set[int] = set()
        self._tokens: dict[int, CancelToken] = {}
        self._handlers: dict[str, tuple[_Lane, Handler]] = {}
        for handlers in modules:
            lane = _Lane(self._answers, self._begin, self._finish)
            self._handlers.update({name: (lane, handler) for name, handler in handlers.items()})

    def serve(self, requests: IO[bytes]) -> None:
        """Read requests until there are no more. Raises ``BrokenStream``."""
        while (message := read_message(requests)) is not None:
            self._take(message)

    def _take(self, message: Message) -> None:
        id, operation = message.header["id"], message.header.get("do")
        if operation == "cancel":
            self._cancel(id)
            return
        found = self._handlers.get(operation) if isinstance(operation, str) else None
        if found is None:
            self._answers.send(id, "failed", reason=f"the model process cannot do {operation!r}")
            return
        token = CancelToken()
        with self._lock:
            self._tokens[id] = token
            self._waiting.add(id)
        texts = unpack_texts(message.header.get("lengths", []), message.payload)
        lane, handler = found
        lane.waiting.put(_Waiting(id, handler, Job(message.header.get("with", {}), texts, token)))

    def _cancel(self, id: int) -> None:
        """What waits is answered at once; what runs stops at its next step."""
        with self._lock:
            token = self._tokens.get(id)
            waits = id in self._waiting
            self._waiting.discard(id)
        if waits:
            self._finish(id)
            self._answers.send(id, "cancelled")
        elif token is not None:
            token.cancel()

    def _begin(self, id: int) -> bool:
        """Whether a request is still to be done."""
        with self._lock:
            waits = id in self._waiting
            self._waiting.discard(id)
        return waits

    def _finish(self, id: int) -> None:
        with self._lock:
            self._tokens.pop(id, None)


def main(names: list[str]) -> None:
    """Serve with the handlers of the modules called ``names``; does not return."""
    requests, answers = _take_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt at the terminal is the parent's
    with contextlib.suppress(BrokenStream):
        Worker([importlib.import_module(name).open_handlers() for name in names], answers).serve(requests)
    # Not ``sys.exit``: a native library that still computes must not be waited for.
    os._exit(0)


def _take_streams() -> tuple[IO[bytes], IO[bytes]]:
    """Standard input and output for messages alone; those that anybody else uses lead elsewhere."""
    requests, answers = os.dup(0), os.dup(1)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (requests, answers):
            msvcrt.setmode(descriptor, os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(requests, "rb"), os.fdopen(answers, "wb")


if __name__ == "__main__":
    main(sys.argv[1:])
