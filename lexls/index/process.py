"""Run the indexer as a process: ``python -m lexls.index.process``, with its configuration on stdin.

The first line of standard input is an ``IndexerConfig`` as JSON. The process ends when standard input is
closed, so it never outlives the server that started it. It prints an empty line whenever it may have changed
the index. It prints errors, but never a file's text.

Exit status: 0 if asked to end, 3 if another indexer is using the index, and after a failure a status that
``lexls.index.soundness.describe_exit`` explains.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from lexls.index.config import IndexerConfig
from lexls.text.cancel import CancelToken
from lexls.text.terminal import note

EXIT_BUSY = 3
_STEP_SECONDS = 0.1
"""Seconds between checks for an answer or a cancellation."""


def start_indexer(
    config: IndexerConfig, on_change: Callable[[], None] | None = None
) -> subprocess.Popen[str]:
    """Start an indexer process for ``config``; close its ``stdin`` to end it.

    ``on_change`` is called on a separate thread whenever the indexer may have changed the index.
    """
    process = subprocess.Popen(
        make_command("lexls.index.process"),
        env=make_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE if on_change else subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    if on_change:
        threading.Thread(target=_hear, args=(process, on_change), name="lexls-hear", daemon=True).start()
    process.stdin.write(config.to_json() + "\n")
    process.stdin.flush()
    return process


def _hear(process: subprocess.Popen[str], on_change: Callable[[], None]) -> None:
    assert process.stdout is not None
    with process.stdout as changes:
        for _ in changes:
            on_change()


def make_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of lexls as a process, for use with ``make_environment``."""
    # -P: the current folder may contain someone's documents, and must not be searched for code.
    return [sys.executable, "-P", "-m", module, *arguments]


def ask_process(module: str, request: Mapping[str, Any], seconds: float, token: CancelToken) -> bytes:
    """Run a module of lexls as a process that answers one JSON request on its standard input.

    Return its output; empty if it failed or took longer than ``seconds``. Raises ``Cancelled``.
    """
    process = subprocess.Popen(
        make_command(module),
        env=make_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    given: bytes | None = json.dumps(request).encode()
    until = time.monotonic() + seconds
    try:
        while time.monotonic() < until:
            token.raise_if_cancelled()
            try:
                answer = process.communicate(given, timeout=_STEP_SECONDS)[0]
                return b"" if process.returncode else answer
            except subprocess.TimeoutExpired:
                given = None  # already being sent
    finally:
        process.kill()
        process.wait()
    return b""


def make_environment() -> dict[str, str]:
    """Return a copy of this process's environment in which Python finds this lexls."""
    package = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH", "")]))
    return os.environ | {"PYTHONPATH": path}


def main() -> int:
    """Run one indexer until standard input ends."""
    from lexls.index.beside import IndexBusy, lock_index
    from lexls.index.indexer import Indexer
    from lexls.index.mirror import following_index
    from lexls.index.renewal import renew_if_damaged
    from lexls.index.siblings import seed_index
    from lexls.index.soundness import choose_exit_status, describe_failure
    from lexls.index.wanted import is_paused
    from lexls.index.worker import lower_priority

    lower_priority()
    config = IndexerConfig.from_json(sys.stdin.readline())
    try:
        with lock_index(config.index):
            stopped = CancelToken()

            def stop_at_end() -> None:
                sys.stdin.read()
                stopped.cancel()

            def announce_change() -> None:
                with contextlib.suppress(OSError):  # the parent is gone, and this process will end
                    print(flush=True)

            def follow() -> None:
                paused = partial(is_paused, config.index)
                indexer = Indexer(config, paused=paused, on_change=announce_change)
                with contextlib.closing(indexer), following_index(config.index, config.milvus):
                    forget = stopped.on_cancel(indexer.stop)
                    indexer.follow()
                    forget()

            threading.Thread(target=stop_at_end, daemon=True).start()
            signal.signal(
                signal.SIGTERM, lambda number, frame: threading.Thread(target=stopped.cancel).start()
            )
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles an interrupt at the terminal
            seed_index(config)
            renew_if_damaged(config.index, follow)
    except IndexBusy:
        return EXIT_BUSY
    except Exception as error:
        words = describe_failure(error, config.index)
        if not words:
            raise
        note(words)
        return choose_exit_status(error, config.index)
    return 0


if __name__ == "__main__":
    sys.exit(main())
