"""Opening a graph of ours under onnxruntime."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

import onnxruntime

_MAX_THREADS = 4
Session: TypeAlias = onnxruntime.InferenceSession


def open_session(graph: Path | bytes) -> Session:
    """A session for a graph of ours: one thread, and no fusion beyond our own (see ``graph``)."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = 4
    source = graph if isinstance(graph, bytes) else str(graph)
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def choose_batch() -> int:
    """On how many threads texts are run: one for each processor this process may use, at most 4."""
    if hasattr(os, "sched_getaffinity"):
        return min(_MAX_THREADS, len(os.sched_getaffinity(0)))
    return min(_MAX_THREADS, os.cpu_count() or 1)


def run_longest_first(run: Callable[[int], None], sizes: Sequence[int], threads: int) -> None:
    """Run each row on ``threads`` threads, the largest first, so that no thread ends with one."""
    order = sorted(range(len(sizes)), key=lambda row: -sizes[row])
    if threads == 1 or len(order) < 2:
        for row in order:
            run(row)
        return
    with ThreadPoolExecutor(min(threads, len(order))) as pool:
        list(pool.map(run, order))
