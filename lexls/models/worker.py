"""Run the model process: ``python -m lexls.models.worker MODULE…``, each a module of handlers (see
``messages``).

It reads requests from standard input and exits as soon as that is closed, even in the middle of work, so it
never outlives its parent. Standard input and output are reserved for messages: anything that a library prints
goes to standard error. Exit status: 0 if standard input ends or contains an invalid message, 1 if a module of
handlers cannot be loaded.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO, Any

from lexls.models.messages import BrokenStream, Handler, Job, JobRefused, Message, read_message, unpack_texts
from lexls.text.cancel import Cancelled, CancelToken


class Worker:
    """Passes each request to the thread of its handler's module, until ``requests`` ends. The requests of one
    module are processed in order.
    """

    def __init__(self, modules: list[Mapping[str, Handler]], answers: IO[bytes]) -> None:
        self._answers = answers
        self._lock = threading.Lock()
        self._asked: dict[int, tuple[Future[None], CancelToken]] = {}
        self._handlers: dict[str, tuple[ThreadPoolExecutor, Handler]] = {}
        for handlers in modules:
            thread = ThreadPoolExecutor(1, "lexls-models")
            self._handlers |= {name: (thread, handler) for name, handler in handlers.items()}

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
            self._send(id, "failed", reason=f"the model process cannot do {operation!r}")
            return
        texts = unpack_texts(message.header.get("lengths", []), message.payload)
        token = CancelToken()
        thread, handler = found
        work = thread.submit(self._work, id, handler, Job(message.header.get("with", {}), texts, token))
        self._asked[id] = work, token
        work.add_done_callback(lambda _: self._asked.pop(id, None))

    def _cancel(self, id: int) -> None:
        """Cancel a request. A waiting request is answered at once; a running one stops at its next step."""
        if (asked := self._asked.get(id)) is not None:
            work, token = asked
            if work.cancel():
                self._send(id, "cancelled")
            token.cancel()

    def _work(self, id: int, handler: Handler, job: Job) -> None:
        try:
            for answer in handler(job):
                self._send(id, "part", answer.payload, fields=dict(answer.fields))
                job.token.raise_if_cancelled()
        except Cancelled:
            self._send(id, "cancelled")
        except JobRefused as refused:
            self._send(id, "failed", reason=str(refused))
        except Exception as error:
            # Libraries may raise anything, and their messages may quote the texts they were given.
            self._send(id, "failed", reason=f"the model failed ({type(error).__name__})")
        else:
            self._send(id, "end")

    def _send(self, id: int, kind: str, payload: bytes = b"", **more: Any) -> None:
        """Write one complete message; safe from any thread."""
        encoded = Message({"id": id, "is": kind, **more}, payload).encode()
        try:
            with self._lock:
                self._answers.write(encoded)
                self._answers.flush()
        except OSError:
            os._exit(0)  # nobody is reading any more


def main(names: list[str]) -> None:
    """Serve requests with the handlers of the modules ``names``; does not return."""
    requests, answers = _take_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles an interrupt at the terminal
    with contextlib.suppress(BrokenStream):
        Worker([importlib.import_module(name).open_handlers() for name in names], answers).serve(requests)
    # Not ``sys.exit``, which would wait for a native library that is still computing.
    os._exit(0)


def _take_streams() -> tuple[IO[bytes], IO[bytes]]:
    """Return standard input and output for messages only, and redirect everything else that uses them."""
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
