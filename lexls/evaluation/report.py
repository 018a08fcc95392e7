"""What is told of a run: means with their intervals, and latency."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexls.evaluation.answers import Run
from lexls.evaluation.intervals import Interval, mean_intervals
from lexls.evaluation.latency import latency_ms


def values(run: Run) -> NDArray[np.float64]:
    """The figures of a run, questions × measures."""
    return np.array([[each[name] for name in run.measures] for each in run.figures], dtype=np.float64)


def intervals(run: Run) -> dict[str, Interval]:
    """The mean and interval of each measure."""
    return dict(zip(run.measures, mean_intervals(values(run)), strict=True))


def report(run: Run) -> dict[str, Any]:
    """The run as ``lexls eval --json`` prints it."""
    found = intervals(run)
    return {
        "benchmark": run.header.benchmark,
        "queries": len(run.answers),
        "figures": {name: round(each.mean, 4) for name, each in found.items()},
        "intervals": {name: [round(each.low, 4), round(each.high, 4)] for name, each in found.items()},
        "latency_ms": latency_ms([answer.seconds for answer in run.answers]),
    }
