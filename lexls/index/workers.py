"""Processes that work for the indexer, each with a pipe of its own: what befalls one costs its task alone."""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
import signal
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, TypeVar

T = TypeVar("T")

_SPAWN = multiprocessing.get_context("spawn")
_FROM_OUTSIDE = frozenset(
    -getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)
)
"""How a process exits that did not crash but was killed, by a person or by the system for want of memory."""


_STARTS = 3
"""How often a process is started that ends before it is ready: its task has nothing to do with that."""


class WorkerEnded(Exception):
    """A process ended before its task did.

    ``killed`` says that it was from outside, and did not crash; ``gave_up`` that it ended itself, as native
    code does that gets no memory.
    """

    def __init__(self, exitcode: int) -> None:
        super().__init__(f"exit code {exitcode}")
        self.killed = exitcode in _FROM_OUTSIDE
        self.gave_up = exitcode == -signal.SIGABRT


@dataclass(frozen=True, slots=True)
class _Task:
    future: Future[Any]
    seconds: float
    work: tuple[Callable[..., Any], tuple[Any, ...]]


class Workers:
    """At most ``count`` processes, each started when there is something to do; it calls ``begin`` first.

    They share neither pipe nor lock, so that one that is killed at any moment leaves the others alone; what
    comes next starts it again. Safe from several threads.
    """

    def __init__(self, count: int, begin: Callable[[], None]) -> None:
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._workers = [_Worker(self._tasks, begin) for _ in range(count)]

    def submit(self, seconds: float, function: Callable[..., T], *args: Any) -> Future[T]:
        """Have a process do this within so many seconds, what it takes to start left out.

        The future raises what the function does, ``TimeoutError``, ``WorkerEnded``, or ``OSError`` where no
        process can be started.
        """
        future: Future[T] = Future()
        self._tasks.put(_Task(future, seconds, (function, args)))
        return future

    def stop(self) -> None:
        """End the processes, whatever they do; what waits is cancelled."""
        with contextlib.suppress(queue.Empty):
            while (task := self._tasks.get_nowait()) is not None:
                task.future.cancel()
        for worker in self._workers:
            worker.stop()
            self._tasks.put(None)
        for worker in self._workers:
            worker.thread.join()


class _Worker:
    """A process, and the thread that hands it tasks and waits for it."""

    def __init__(self, tasks: queue.SimpleQueue[_Task | None], begin: Callable[[], None]) -> None:
        self._tasks = tasks
        self._begin = begin
        self._lock = threading.Lock()
        self._stopped = False
        self._process = _SPAWN.Process()
        self._connection: Connection | None = None
        self.thread = threading.Thread(target=self._run, name="lexls-worker", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Kill the process, and start no other."""
        with self._lock:
            self._stopped = True
            if self._connection is not None:
                self._process.kill()

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            if task.future.set_running_or_notify_cancel():
                try:
                    task.future.set_result(self._do(task))
                except Exception as error:
                    task.future.set_exception(error)
        self._end()

    def _do(self, task: _Task) -> Any:
        connection = self._connect()
        try:
            connection.send(task.work)
            in_time = connection.poll(task.seconds)
            done, answer = connection.recv() if in_time else (False, TimeoutError())
        except (EOFError, OSError) as error:
            raise WorkerEnded(self._end()) from error
        if not in_time:
            self._end(0)
        if not done:
            raise answer
        return answer

    def _connect(self) -> Connection:
        """The pipe to the process, which is started if there is none."""
        if self._connection is not None and self._process.is_alive():
            return self._connection
        exitcode = self._end()
        for _ in range(_STARTS):
            connection = self._start()
            try:
                connection.recv()
                return connection
            except (EOFError, OSError):
                exitcode = self._end()
        raise WorkerEnded(exitcode)

    def _start(self) -> Connection:
        """The pipe to a new process, which tells there when it is ready."""
        with self._lock:
            if self._stopped:
                raise CancelledError
            ours, theirs = _SPAWN.Pipe()
            self._process = _SPAWN.Process(target=_work, args=(theirs, self._begin), daemon=True)
            self._process.start()
            theirs.close()
            self._connection = ours
        return ours

    def _end(self, grace: float = 1.0) -> int:
        """The exit code of the process, if there was one, which is killed unless it ends by itself."""
        if self._connection is None:
            return 0
        with self._lock:
            self._connection.close()
            self._connection = None
        self._process.join(grace)
        self._process.kill()
        while (exitcode := self._process.exitcode) is None:
            self._process.join(0.1)  # another thread that starts a process may look after this one meanwhile
        return exitcode


def _work(connection: Connection, begin: Callable[[], None]) -> None:
    """Do what comes out of a pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt at the terminal is the parent's
    begin()
    with contextlib.suppress(EOFError, OSError):
        connection.send(None)
        while True:
            function, arguments = connection.recv()
            try:
                connection.send((True, function(*arguments)))
            except Exception as error:
                connection.send((False, error))
