"""Run the indexer's worker processes, each with its own pipe and memory limit.

A failure affects only the current task. The limit is set by the user or derived from the machine's memory.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

_SPAWN = multiprocessing.get_context("spawn")
_FROM_OUTSIDE = frozenset(
    -getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)
)
"""Exit codes of a process that was killed by a person or by the system (out of memory), rather than
crashed.
"""


_STARTS = 3
"""Number of attempts to start a process if it ends before it is ready, for which its task cannot be the
cause.
"""


class WorkerEnded(Exception):
    """Raised if a process ended before its task was done.

    ``killed`` means it was killed from outside and did not crash. ``gave_up`` means it aborted itself, as
    native code does when it runs out of memory.
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
    """At most ``count`` processes, each started when needed; each calls ``begin`` first.

    They share no pipe or lock, so killing one at any time does not affect the others; it is restarted for the
    next task. Safe from several threads.
    """

    def __init__(self, count: int, begin: Callable[[], None]) -> None:
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._workers = [_Worker(self._tasks, begin) for _ in range(count)]

    def submit(self, seconds: float, function: Callable[..., T], *args: Any) -> Future[T]:
        """Run a function in a process, with a time limit in seconds that excludes the process's start.

        The future raises the function's error, ``TimeoutError``, ``WorkerEnded``, or ``OSError`` if no
        process can be started.
        """
        future: Future[T] = Future()
        self._tasks.put(_Task(future, seconds, (function, args)))
        return future

    def stop(self) -> None:
        """Stop the processes at once and cancel waiting tasks."""
        with contextlib.suppress(queue.Empty):
            while (task := self._tasks.get_nowait()) is not None:
                task.future.cancel()
        for worker in self._workers:
            worker.stop()
            self._tasks.put(None)
        for worker in self._workers:
            worker.thread.join()


class _Worker:
    """A process, and the thread that sends it tasks and waits for the results."""

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
        """Return the pipe to the process, starting the process if necessary."""
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
        """Start a process and return the pipe, on which it reports when it is ready."""
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
        """Stop the process, killing it if it does not end in time. Return its exit code, 0 if there
        was none.
        """
        if self._connection is None:
            return 0
        with self._lock:
            self._connection.close()
            self._connection = None
        self._process.join(grace)
        self._process.kill()
        while (exitcode := self._process.exitcode) is None:
            self._process.join(0.1)  # another thread that starts a process may be polling this one
        return exitcode


def _work(connection: Connection, begin: Callable[[], None]) -> None:
    """Run the functions received from a pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles an interrupt at the terminal
    begin()
    with contextlib.suppress(EOFError, OSError):
        connection.send(None)
        while True:
            function, arguments = connection.recv()
            try:
                connection.send((True, function(*arguments)))
            except Exception as error:
                connection.send((False, error))


MOST = 2**30
"""Default memory limit per file in bytes: enough for 24 MB of plain text, but not for 28 MB."""
SHARE = 8
"""A reader may use the machine's memory divided by this number, up to ``MOST``."""
LEAST = 2**28
"""Bytes that a reader may always use, however small the machine."""
_PROGRAM = 2**29
"""Bytes of address space for the program and its libraries, which need at most half of it."""
_CONTAINER = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Files that contain the memory limit of a Linux container (cgroup version 2, version 1)."""


def find_most_memory(megabytes: int = 0) -> int:
    """Return the bytes a file may use: the user's ``megabytes``, or if 0, a limit that fits the machine."""
    if megabytes:
        return megabytes * 2**20
    total = measure_machine()
    return min(MOST, max(LEAST, total // SHARE)) if total else MOST


def measure_machine() -> int:
    """Return the memory of this machine, or of lexls's container, in bytes; 0 if unknown."""
    found: list[int] = []
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for limit in _CONTAINER:
        with contextlib.suppress(OSError, ValueError):
            found.append(int(limit.read_text()))
    return min(found, default=0)


def limit_memory(most: int) -> None:
    """Make this process raise ``MemoryError`` if it uses more than ``most`` bytes besides the program's own,
    if the platform supports it. Also disables core dumps, which would write texts to the disk.
    """
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if not 0 <= soft <= most + _PROGRAM:
        with contextlib.suppress(OSError, ValueError):  # macOS may refuse it
            resource.setrlimit(resource.RLIMIT_AS, (most + _PROGRAM, hard))


def describe_need(most: int) -> str:
    """Explain that a file needs more than ``most`` bytes, and what to do."""
    allowed = f"{most / 2**30:.1f}".removesuffix(".0") + " GB" if most >= 2**30 else f"{most // 2**20} MB"
    return f"takes more than {allowed} of memory to read; split it, or raise index.readerMegabytes"
