"""Open lexls's own graphs with onnxruntime, and find how many bits quantised weights may have on this
processor.

A kernel without instructions for 8-bit dot products (x86-64 before VNNI) adds the products of two unsigned
inputs and two signed weights in 16 bits. Two products of 255 × 127 do not fit: their sum becomes the largest
number that does. Products of 7-bit weights always fit, as 2 × 255 × 63 is 32,130.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import helper, numpy_helper

_MAX_THREADS = 4
Session: TypeAlias = onnxruntime.InferenceSession


def open_session(graph: Path | bytes) -> Session:
    """Open a session for one of lexls's graphs, with one thread and with no fusion beyond the graph's own
    (see ``graph``).
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = 4
    source = graph if isinstance(graph, bytes) else str(graph)
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def choose_batch() -> int:
    """Return how many texts to run in parallel: one for each processor this process may use, at most 4."""
    if hasattr(os, "sched_getaffinity"):
        return min(_MAX_THREADS, len(os.sched_getaffinity(0)))
    return min(_MAX_THREADS, os.cpu_count() or 1)


def run_longest_first(run: Callable[[int], None], sizes: Sequence[int], threads: int) -> None:
    """Call ``run`` for each row on ``threads`` threads, the largest rows first, so that no large row runs
    alone at the end.
    """
    order = sorted(range(len(sizes)), key=lambda row: -sizes[row])
    if threads == 1 or len(order) < 2:
        for row in order:
            run(row)
        return
    with ThreadPoolExecutor(min(threads, len(order))) as pool:
        list(pool.map(run, order))


Multiply = Callable[[NDArray[np.uint8], NDArray[np.int8]], NDArray[Any]]
"""A function that returns the matrix product of 8-bit inputs and weights."""


def choose_weight_bits(multiply: Multiply) -> int:
    """Return 8 if ``multiply`` computes the largest products of 8-bit weights exactly, otherwise 7."""
    inputs, weights = np.full((4, 64), 255, np.uint8), np.full((64, 32), 127, np.int8)
    return 8 if (multiply(inputs, weights) == 64 * 255 * 127).all() else 7


def find_weight_bits() -> int:
    """Return how many bits weights may have with the kernel used on this processor."""
    return choose_weight_bits(multiply_here)


def multiply_here(inputs: NDArray[np.uint8], weights: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return the product as computed by the operator that ``lexls.models.graph`` uses. The weights are
    constants of the graph.
    """
    constants = {"weights": weights, "one": np.float32(1), "scales": np.ones(weights.shape[1], np.float32)}
    node = helper.make_node(
        "MatMulIntegerToFloat", ["inputs", "weights", "one", "scales"], ["product"], domain="com.microsoft"
    )
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        [node],
        "product",
        [info("inputs", onnx.TensorProto.UINT8, inputs.shape)],
        [info("product", onnx.TensorProto.FLOAT, [len(inputs), weights.shape[1]])],
        [numpy_helper.from_array(np.asarray(each), name) for name, each in constants.items()],
    )
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
    product: NDArray[np.float32] = open_session(model.SerializeToString()).run(None, {"inputs": inputs})[0]
    return product
