"""``lexls eval``: measure retrieval on a benchmark."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from lexls.cli.context import filters, open_for_search, searcher, workspace
from lexls.cli.failure import FINE, CommandFailed
from lexls.cli.output import emit, progress_bar


def run(options: argparse.Namespace) -> int:
    """Ask every question of the benchmark and print the figures."""
    from lexls.evaluation.benchmark import BenchmarkError
    from lexls.evaluation.run import SHOWN, evaluate
    from lexls.text.cancel import CancelToken

    if not options.benchmark.is_file():
        raise CommandFailed(f"{options.benchmark}: there is no such file")
    place = workspace(options)
    chosen = filters(options, place)
    library = open_for_search(place, lexical=options.lexical)
    try:
        with _counted() as on_question:
            report = evaluate(
                options.benchmark,
                library,
                searcher(library, place, lexical=options.lexical),
                corpus=options.corpus,
                token=CancelToken(),
                filters=chosen,
                shown=options.k or SHOWN,
                on_question=on_question,
            )
    except BenchmarkError as error:
        raise CommandFailed(str(error)) from error
    finally:
        library.close()
    emit(options, report, _lines(report))
    return FINE


@contextmanager
def _counted() -> Iterator[Callable[[int, int], None]]:
    """A progress bar over the questions on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    with progress_bar("asking", "questions") as bar:

        def show(done: int, total: int) -> None:
            """Draw one state."""
            bar.total = total
            bar.update(done - bar.n)

        yield show


def _lines(report: dict[str, Any]) -> Iterator[str]:
    yield f"{report['benchmark']}: {report['queries']} queries"
    for name, value in report["figures"].items():
        yield f"  {name:<18}{value:.4f}"
    latency = report["latency_ms"]
    yield f"  {'latency':<18}{latency['p50']:.1f} ms (p95 {latency['p95']:.1f} ms)"
