"""Find how many bits quantised weights may have on this processor.

A kernel without instructions for 8-bit dot products (x86-64 before VNNI) adds the products of two unsigned
inputs and two signed weights in 16 bits. Two products of 255 × 127 do not fit: their sum becomes the largest
number that does. Products of 7-bit weights always fit, as 2 × 255 × 63 is 32,130.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from lexls.models.onnx_session import open_session

Multiply = Callable[[NDArray[np.uint8], NDArray[np.int8]], NDArray[Any]]
"""Returns the matrix product of 8-bit inputs and weights."""


def choose_weight_bits(multiply: Multiply) -> int:
    """Return 8 if ``multiply`` computes the largest products of 8-bit weights exactly, or 7."""
    inputs, weights = np.full((4, 64), 255, np.uint8), np.full((64, 32), 127, np.int8)
    return 8 if (multiply(inputs, weights) == 64 * 255 * 127).all() else 7


def find_weight_bits() -> int:
    """Return how many bits weights may have with the kernel that this processor runs."""
    return choose_weight_bits(multiply_here)


def multiply_here(inputs: NDArray[np.uint8], weights: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return the product by the operator of ``lexls.models.graph``, whose weights are constants too."""
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
