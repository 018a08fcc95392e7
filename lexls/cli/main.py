"""Run the command that a command line names."""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys
from collections.abc import Sequence

from lexls.cli.options import parse
from lexls.cli.output import FAILURE, CommandFailed
from lexls.text.terminal import note, say, write_json

_NEW_OBJECTS = 50_000
"""Number of new containers that make a command collect garbage."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code.

    A failure is one line on standard error, and with ``--json`` also ``{"error": …}`` on standard output.
    """
    if arguments is None:
        # Processes that this one starts take no code from the folder it stands in, which is somebody's
        # documents: those of multiprocessing would.
        os.environ["PYTHONSAFEPATH"] = "1"
        # Said before NumPy is loaded. Searches take too little for a second thread: whoever waits for one
        # that the system has not let run yet waits for milliseconds.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        # What is imported and loaded stays: Python would look through it for garbage every 700 objects.
        gc.set_threshold(_NEW_OBJECTS, 20, 100)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Paths may hold bytes that are no text; JSON is UTF-8 whatever the terminal is.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = parse(arguments)
    try:
        # Only the command that was asked for is imported: `lexls serve` must start at once.
        module = importlib.import_module(f"lexls.cli.{options.module}")
        code = getattr(module, f"run_{options.command}")(options)
        if not sys.stdout.closed:  # the server closes it when its client has left
            sys.stdout.flush()
        if arguments is None:
            gc.freeze()  # nor need it be looked through at the end
        return int(code)
    except CommandFailed as error:
        return _fail(str(error), error.code, as_json=getattr(options, "json", False))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has seen enough (`lexls search … | head`); nothing may be written any more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if os.environ.get("LEXLS_DEBUG"):
            raise
        from lexls.index.milvus import MilvusUnavailable

        if isinstance(error, MilvusUnavailable):
            return _fail(str(error), FAILURE, as_json=getattr(options, "json", False))
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        hint = "this is a fault of lexls; LEXLS_DEBUG=1 shows where"
        return _fail(f"{reason} ({hint})", FAILURE, as_json=getattr(options, "json", False))


def _fail(message: str, code: int, *, as_json: bool) -> int:
    if as_json:
        say(write_json({"error": message}))
    note(message)
    return code


def run_serve(options: argparse.Namespace) -> int:
    """Serve one client until it says goodbye."""
    from lexls.server.main import find_client, serve

    try:
        client = find_client(options.client, options.shared) if options.client else None
    except OSError as error:
        raise CommandFailed(f"{error.filename}: {error.strerror or error}") from error
    code = serve(client)
    # Python would wait for threads that read a draft nobody waits for.
    sys.stderr.flush()
    os._exit(code)
