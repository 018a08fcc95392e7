"""Bootstrap intervals of means over questions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
LEVEL = 0.95
SEED = 20190217
_CELLS = 4_000_000
"""So many numbers of a table of draws are held at a time."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with the percentile bootstrap interval around it."""

    mean: float
    low: float
    high: float


def mean_intervals(
    values: NDArray[np.float64], resamples: int = RESAMPLES, level: float = LEVEL, seed: int = SEED
) -> list[Interval]:
    """The mean of each column of ``values`` (questions × measures) with its interval.

    The percentile bootstrap (Efron 1979): questions are drawn with replacement ``resamples`` times, as many
    as there are, the same draws for all columns; the interval holds the middle ``level`` of the means. The
    draws depend on ``seed`` alone, so a run has the same intervals whenever it is measured. Raises
    ``ValueError`` without a question.
    """
    questions, columns = values.shape
    if not questions:
        raise ValueError("no questions")
    generator = np.random.default_rng(seed)
    means = np.empty((resamples, columns))
    block = max(1, _CELLS // questions)
    for start in range(0, resamples, block):
        count = min(block, resamples - start)
        drawn = generator.integers(0, questions, (count, questions))
        # How often each question was drawn: a matrix product is then the sum over the draw.
        flat = drawn + np.arange(count)[:, None] * questions
        counts = np.bincount(flat.ravel(), minlength=count * questions).reshape(count, questions)
        means[start : start + count] = counts @ values / questions
    tail = 100 * (1 - level) / 2
    low, high = np.percentile(means, [tail, 100 - tail], axis=0)
    return [
        Interval(float(mean), float(below), float(above))
        for mean, below, above in zip(values.mean(axis=0), low, high, strict=True)
    ]
