"""What becomes of measured runs: told side by side, saved, drawn."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexls.cli.evaluation_tables import TableRow, table_lines
from lexls.cli.failure import FINE
from lexls.cli.output import emit, progress_bar

if TYPE_CHECKING:
    from lexls.evaluation.answers import Run
    from lexls.evaluation.run import Benchmark
    from lexls.evaluation.stage_comparison import StageRow


@contextmanager
def counted(what: str = "asking", of: str = "questions") -> Iterator[Callable[[int, int], None]]:
    """A progress bar over what is done (``of``) on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    with progress_bar(what, of) as bar:

        def show(done: int, total: int) -> None:
            """Draw one state."""
            bar.total = total
            bar.update(done - bar.n)

        yield show


def tell_stages(options: argparse.Namespace, benchmark: Benchmark, rows: Sequence[StageRow]) -> int:
    """Print, save and draw the runs of stages."""
    from lexls.evaluation.report import report

    keep(options, [(row.name, row.run) for row in rows])
    told = {
        "benchmark": benchmark.path.name,
        "queries": len(benchmark.questions),
        "stages": [
            {"stage": row.name, "unchanged": row.unchanged, **_figures(report(row.run))} for row in rows
        ],
    }
    lines = side_by_side(
        [(row.name, row.run, "changes nothing" if row.unchanged else "") for row in rows],
        f"{told['benchmark']}: {told['queries']} queries",
    )
    emit(options, told, lines)
    return FINE


def side_by_side(runs: Sequence[tuple[str, Run, str]], title: str) -> Iterator[str]:
    """Runs (name, run, remark) as the lines of a table of their main measures."""
    from lexls.evaluation.figure_plots import main_measures
    from lexls.evaluation.report import report

    yield title
    reports = [report(each) for _, each, _ in runs]
    measures = main_measures(dict.fromkeys(name for each in reports for name in each["figures"]))
    rows = [
        TableRow(
            name,
            {
                **each["figures"],
                "p50 ms": f"{each['latency_ms']['p50']:.1f}",
                "p95 ms": f"{each['latency_ms']['p95']:.1f}",
            },
            remark,
        )
        for (name, _, remark), each in zip(runs, reports, strict=True)
    ]
    yield from table_lines(rows, [*measures, "p50 ms", "p95 ms"])


def keep(options: argparse.Namespace, runs: Sequence[tuple[str, Run]]) -> None:
    """Save and draw what was asked for. Of several runs each goes into a file with its name in it."""
    from lexls.evaluation.saved_runs import save_run

    for name, found in runs if options.save else ():
        save_run(_file_of(options.save, name), found)
    if options.plot:
        plot(options.plot, [(name or found.header.benchmark, found) for name, found in runs])


def run_names(paths: Sequence[Path]) -> list[str]:
    """What to call the runs of these files: their names, with their folders where those are the same."""
    names = [path.name for path in paths]
    return names if len(set(names)) == len(names) else [str(path) for path in paths]


def _file_of(path: Path, name: str) -> Path:
    safe = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in name)
    return path.with_name(f"{path.stem}.{safe}{path.suffix}") if safe else path


def plot(path: Path, runs: Sequence[tuple[str, Run]]) -> None:
    """Draw the figures of runs, each with its name, into a file. Raises ``PlotError``, ``ExtraMissing``."""
    from lexls.evaluation.figure_plots import plot_runs

    plot_runs(path, runs, runs[0][1].header.benchmark)


def _figures(told: dict[str, Any]) -> dict[str, Any]:
    return {name: told[name] for name in ("figures", "intervals", "latency_ms")}
