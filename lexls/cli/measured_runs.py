"""Print, compare, save and plot benchmark runs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexls.cli.output import FINE, emit, show_progress
from lexls.evaluation.asking import SHOWN, Benchmark, evaluate
from lexls.evaluation.plots import choose_measures, plot_runs
from lexls.evaluation.runs import Run, save_run
from lexls.evaluation.stage_comparison import StageRow
from lexls.evaluation.statistics import summarize_run
from lexls.retrieval.model import Filters
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken


def ask_benchmark(
    options: argparse.Namespace, benchmark: Benchmark, search: Searcher, filters: Filters, what: str
) -> Run:
    """Run the benchmark with the options on the command line and return the run. ``what`` is the title of the
    progress bar.
    """
    corpus, shown = options.corpus, options.k or SHOWN
    with show_progress(what) as on_question:
        return evaluate(
            benchmark,
            search,
            CancelToken(),
            corpus=corpus,
            filters=filters,
            shown=shown,
            on_question=on_question,
        )


def report_run(options: argparse.Namespace, run: Run) -> int:
    """Print, save and plot one run."""
    keep(options, [("", run)])
    told = summarize_run(run)
    emit(options, told, write_report(told))
    return FINE


def report_stages(options: argparse.Namespace, benchmark: Benchmark, rows: Sequence[StageRow]) -> int:
    """Print, save and plot one run for each retrieval stage."""
    keep(options, [(row.name, row.run) for row in rows])
    shown = ("figures", "intervals", "latency_ms")
    reports = [summarize_run(row.run) for row in rows]
    told = {
        "benchmark": benchmark.path.name,
        "queries": len(benchmark.questions),
        "stages": [
            {"stage": row.name, "unchanged": row.unchanged, **{name: found[name] for name in shown}}
            for row, found in zip(rows, reports, strict=True)
        ],
    }
    lines = write_side_by_side(
        [(row.name, row.run, "changes nothing" if row.unchanged else "") for row in rows],
        f"{told['benchmark']}: {told['queries']} queries",
    )
    emit(options, told, lines)
    return FINE


def write_side_by_side(runs: Sequence[tuple[str, Run, str]], title: str) -> Iterator[str]:
    """Yield the lines of a table that compares runs by their main measures. Each run comes with a name and a
    remark.
    """
    yield title
    reports = [summarize_run(each) for _, each, _ in runs]
    measures = choose_measures(dict.fromkeys(name for each in reports for name in each["figures"]))
    rows = []
    for (name, _, remark), each in zip(runs, reports, strict=True):
        latency = {f"{key} ms": f"{value:.1f}" for key, value in each["latency_ms"].items()}
        rows.append(TableRow(name, {**each["figures"], **latency}, remark))
    yield from write_table(rows, [*measures, "p50 ms", "p95 ms"])


def keep(options: argparse.Namespace, runs: Sequence[tuple[str, Run]]) -> None:
    """Save and plot runs if requested. A run's name, if it has one, is part of its file name."""
    for name, found in runs if options.save else ():
        save_run(_file_of(options.save, name), found)
    if options.plot:
        plot(options.plot, [(name or found.header.benchmark, found) for name, found in runs])


def name_runs(paths: Sequence[Path]) -> list[str]:
    """Return the runs' names: their file names or, if two files have the same name, all paths."""
    names = [path.name for path in paths]
    return names if len(set(names)) == len(names) else [str(path) for path in paths]


def _file_of(path: Path, name: str) -> Path:
    safe = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in name)
    return path.with_name(f"{path.stem}.{safe}{path.suffix}") if safe else path


def plot(path: Path, runs: Sequence[tuple[str, Run]]) -> None:
    """Plot the figures of named runs to a file. Raises ``PlotError`` and ``ExtraMissing``."""
    plot_runs(path, runs, runs[0][1].header.benchmark)


_NUMBER = 7
"""Minimum width of a table column: ``0.1234`` and a space."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: its name, its values by column, and a remark at the end."""

    name: str
    values: Mapping[str, float | str]
    remark: str = ""


def write_report(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the report on one run: one line per measure, with its interval."""
    yield f"{report['benchmark']}: {report['queries']} queries, 95% intervals"
    for name, value in report["figures"].items():
        low, high = report["intervals"][name]
        yield f"  {name:<22}{value:.4f}  [{low:.4f}, {high:.4f}]"
    latency = report["latency_ms"]
    yield f"  {'latency':<22}{latency['p50']:.1f} ms (p95 {latency['p95']:.1f} ms)"


def write_table(rows: Sequence[TableRow], columns: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a table, with a header. A cell without a value is empty."""
    names = max(len(row.name) for row in rows)
    widths = [max(_NUMBER, len(column) + 1) for column in columns]
    head = "".join(f"{column:>{width}}" for column, width in zip(columns, widths, strict=True))
    yield f"{'':<{names}}{head}"
    for row in rows:
        cells = (_cell(row.values.get(column, "")) for column in columns)
        line = "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        yield f"{row.name:<{names}}{line}" + (f"  {row.remark}" if row.remark else "")


def _cell(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) else f"{value:.4f}"


def shorten_number(value: float) -> str:
    """Format a p-value with four decimals, or as "<0.0001"."""
    return f"{value:.4f}" if value >= 0.0001 else "<0.0001"
