"""``lexls index``: make the index of a library, or bring it up to date."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import NoReturn

from lexls.cli.context import find_workspace, run_with_index, update_index
from lexls.cli.output import FINE, CommandFailed, emit
from lexls.index.config import IndexerConfig
from lexls.index.diagnosis import describe_exit
from lexls.index.process import EXIT_BUSY, start_indexer
from lexls.index.session import IndexReport
from lexls.index.unread import describe_kinds

BUSY_SECONDS = 5.0
"""How often it is tried to become the indexer of a library that has another one."""


def run_index(options: argparse.Namespace) -> int:
    """Index, and report what was done and which files failed; or keep the index up to date until the end."""
    place = find_workspace(options, folders=options.folders)
    # What exists is a path from here; anything else is a pattern for paths below the library folders.
    excluded = [os.path.abspath(name) if os.path.exists(name) else name for name in options.exclude]
    if options.follow:
        return run_with_index(place, lambda config, _: follow(config), excluded)
    report, _ = update_index(place, lexical_only=options.lexical, excluded=excluded)
    counted = ("documents", "passages", "added", "changed", "removed")
    data = {name: getattr(report, name) for name in counted} | {
        "failed": [{"path": str(each.path), "reason": each.reason} for each in report.failed],
        "unread": [asdict(kind) for kind in report.unread],
        "seconds": round(report.seconds, 3),
    }
    emit(options, data, _index_lines(report, lexical=options.lexical))
    return FINE


def follow(config: IndexerConfig) -> NoReturn:
    """Be the indexer that an editor's server would start, or wait to become it; ends by an exception alone.

    Raises ``CommandFailed`` where the indexer ends by itself.
    """
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(FINE))
    while True:
        indexer = start_indexer(config)
        assert indexer.stdin is not None
        try:
            code = indexer.wait()
        finally:
            with contextlib.suppress(OSError):
                indexer.stdin.close()  # which ends it
            indexer.wait()
        if code != EXIT_BUSY:
            raise CommandFailed(describe_exit(code, config.index) or f"the indexer ended with status {code}")
        time.sleep(BUSY_SECONDS)


def _index_lines(report: IndexReport, *, lexical: bool) -> Iterator[str]:
    yield (
        f"{report.documents} documents, {report.passages} passages in {report.seconds:.1f} s "
        f"({report.added} added, {report.changed} changed, {report.removed} removed)"
    )
    if report.no_vectors and not lexical:
        yield f"No vectors: {report.no_vectors}"
    if report.failed:
        yield f"{len(report.failed)} could not be read:"
        for each in report.failed:
            yield f"  {each.path}: {each.reason}"
    if report.unread:
        kinds = describe_kinds(report.unread)
        yield f"Not read, as lexls has no reader for them or they hold no authority: {kinds}"
        for kind in report.unread:
            yield from (f"  {path}" for path in kind.paths)
