"""Figures as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_NUMBER = 7
"""The least width of a column: ``0.1234`` and a space."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a table: its name, its values by column, and a remark behind them."""

    name: str
    values: Mapping[str, float | str]
    remark: str = ""


def report_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """One run: a line a measure, with its interval."""
    yield f"{report['benchmark']}: {report['queries']} queries, 95% intervals"
    for name, value in report["figures"].items():
        low, high = report["intervals"][name]
        yield f"  {name:<22}{value:.4f}  [{low:.4f}, {high:.4f}]"
    latency = report["latency_ms"]
    yield f"  {'latency':<22}{latency['p50']:.1f} ms (p95 {latency['p95']:.1f} ms)"


def table_lines(rows: Sequence[TableRow], columns: Sequence[str]) -> Iterator[str]:
    """Rows below each other under a head; a column that a row has no value for stays empty."""
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


def short_number(value: float) -> str:
    """A p value or time in few digits."""
    return f"{value:.4f}" if value >= 0.0001 else "<0.0001"
