"""How many bits weights may have follows from what the kernel computes, here and on other processors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lexls.models.onnx_session import Multiply, choose_weight_bits, find_weight_bits, multiply_here


def multiply_exactly(inputs: NDArray[np.uint8], weights: NDArray[np.int8]) -> NDArray[Any]:
    return inputs.astype(np.int64) @ weights.astype(np.int64)


def multiply_saturating(inputs: NDArray[np.uint8], weights: NDArray[np.int8]) -> NDArray[Any]:
    """What x86-64 without VNNI computes: the sums of two products each end at 16 bits."""
    pairs = [
        multiply_exactly(inputs[:, first : first + 2], weights[first : first + 2])
        for first in range(0, len(weights), 2)
    ]
    return np.clip(pairs, -(2**15), 2**15 - 1).sum(axis=0)


def draw(rows: int, bits: int) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    random, limit = np.random.default_rng(rows), 2 ** (bits - 1) - 1
    weights = random.integers(-limit, limit + 1, (96, 48)).astype(np.int8)
    weights[:, ::3] = limit
    return random.integers(128, 256, (rows, 96)).astype(np.uint8), weights


@pytest.mark.parametrize(("multiply", "bits"), [(multiply_exactly, 8), (multiply_saturating, 7)])
def test_the_bits_follow_from_what_the_kernel_computes(multiply: Multiply, bits: int) -> None:
    assert choose_weight_bits(multiply) == bits


@pytest.mark.parametrize("rows", [1, 3, 40])
def test_products_of_the_bits_found_here_are_exact_here(rows: int) -> None:
    for bits in (find_weight_bits(), 7):
        product = draw(rows, bits)
        assert np.array_equal(multiply_here(*product), multiply_exactly(*product))


@pytest.mark.parametrize("rows", [1, 3, 40])
def test_only_products_of_eight_bits_saturate(rows: int) -> None:
    eight, seven = draw(rows, 8), draw(rows, 7)
    assert not np.array_equal(multiply_saturating(*eight), multiply_exactly(*eight))
    assert np.array_equal(multiply_saturating(*seven), multiply_exactly(*seven))
    here = multiply_exactly if find_weight_bits() == 8 else multiply_saturating
    assert np.array_equal(multiply_here(*eight), here(*eight))


@pytest.mark.parametrize("bits", [8, 7])
def test_the_graphs_tests_assert_nothing_of_bits_that_saturate(bits: int) -> None:
    tests = Path(__file__).with_name("test_model_graph.py")
    listed = subprocess.run(
        [
            *(sys.executable, "-c"),
            "import sys, pytest, lexls.models.onnx_session as found\n"
            f"found.find_weight_bits = lambda: {bits}\n"
            "sys.exit(pytest.main(['--collect-only', '-q', '-p', 'no:cacheprovider', sys.argv[1]]))",
            str(tests),
        ],
        cwd=tests.parents[2],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "[int8-7-" in listed
    assert ("int8-8-" in listed) == (bits == 8)
