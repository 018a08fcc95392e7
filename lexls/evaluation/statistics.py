"""Compute means of runs with bootstrap intervals, latencies, and paired tests between runs."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexls.evaluation.runs import Run

RESAMPLES = 10_000
LEVEL = 0.95
SEED = 20190217
_CELLS = 4_000_000
"""Maximum number of resampled values in memory at a time."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its percentile bootstrap interval."""

    mean: float
    low: float
    high: float


def find_mean_intervals(
    values: NDArray[np.float64], resamples: int = RESAMPLES, level: float = LEVEL, seed: int = SEED
) -> list[Interval]:
    """Return the mean of each column of ``values`` (questions × measures) with its interval.

    The percentile bootstrap (Efron 1979) draws as many questions as there are, with replacement,
    ``resamples`` times; all columns use the same draws. The interval contains the middle ``level`` of the
    means. The draws depend only on ``seed``, so the same run always has the same intervals. Raises
    ``ValueError`` if there are no questions.
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
        # Count how often each question was drawn; a matrix product then sums each draw.
        flat = drawn + np.arange(count)[:, None] * questions
        counts = np.bincount(flat.ravel(), minlength=count * questions).reshape(count, questions)
        means[start : start + count] = counts @ values / questions
    tail = 100 * (1 - level) / 2
    low, high = np.percentile(means, [tail, 100 - tail], axis=0)
    return [
        Interval(float(mean), float(below), float(above))
        for mean, below, above in zip(values.mean(axis=0), low, high, strict=True)
    ]


def find_percentile(values: Collection[float], percent: float) -> float:
    """Return the smallest of ``values`` such that at least ``percent`` per cent of them are not larger
    (nearest rank).

    Raises ``ValueError`` if there are no values.
    """
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)]


def summarize_latency(seconds: Collection[float]) -> dict[str, float]:
    """Return the median and the 95th percentile of ``seconds``, in milliseconds, as ``p50`` and ``p95``."""
    return {name: round(1000 * find_percentile(seconds, p), 1) for name, p in (("p50", 50), ("p95", 95))}


def stack_figures(run: Run) -> NDArray[np.float64]:
    """Return the measures of a run as an array of questions × measures."""
    return np.array([[each[name] for name in run.measures] for each in run.figures], dtype=np.float64)


def find_intervals(run: Run) -> dict[str, Interval]:
    """Return the mean and interval of each measure."""
    return dict(zip(run.measures, find_mean_intervals(stack_figures(run)), strict=True))


def summarize_run(run: Run) -> dict[str, Any]:
    """Return the run as printed by ``lexls eval --json``."""
    found = find_intervals(run)
    return {
        "benchmark": run.header.benchmark,
        "queries": len(run.answers),
        "figures": {name: round(each.mean, 4) for name, each in found.items()},
        "intervals": {name: [round(each.low, 4), round(each.high, 4)] for name, each in found.items()},
        "latency_ms": summarize_latency([answer.seconds for answer in run.answers]),
    }


ASSIGNMENTS = 100_000
"""Number of random sign assignments tried if there are too many assignments to try all of them."""
_EXACT = 14
"""Maximum number of non-zero differences for which all 2^n sign assignments are tried."""


class NotComparable(Exception):
    """Raised if two runs cannot be compared. The message says how they differ."""


@dataclass(frozen=True, slots=True)
class MeasureDifference:
    """The values of a measure in two runs.

    ``difference`` is ``second`` − ``first``, with its bootstrap interval. ``p_randomization`` and ``p_t`` are
    two-sided.
    """

    measure: str
    first: float
    second: float
    difference: float
    low: float
    high: float
    p_randomization: float
    p_t: float


def compare(first: Run, second: Run) -> list[MeasureDifference]:
    """Return the differences between two runs, question by question, in each measure that both have.

    Raises ``NotComparable`` unless both asked the same questions of the same benchmark.
    """
    _check(first, second)
    shared = [name for name in first.measures if name in second.measures]
    columns = [[run.measures.index(name) for name in shared] for run in (first, second)]
    a, b = (stack_figures(run)[:, chosen] for run, chosen in zip((first, second), columns, strict=True))
    differences = b - a
    spans = find_mean_intervals(differences)
    return [
        MeasureDifference(
            name,
            float(a[:, n].mean()),
            float(b[:, n].mean()),
            spans[n].mean,
            spans[n].low,
            spans[n].high,
            compute_randomization_p(differences[:, n]),
            compute_t_p(differences[:, n]),
        )
        for n, name in enumerate(shared)
    ]


def compute_randomization_p(differences: NDArray[np.float64]) -> float:
    """Return the two-sided p of Fisher's randomization test: the probability of a mean at least as far from 0
    if the sign of each difference is random.

    If at most 14 differences are not 0, all sign assignments are tried. Otherwise 100,000 random ones are
    tried and the observed one is added, so that p is never 0 (Smucker, Allan and Carterette, CIKM 2007,
    compare the tests).
    """
    real = differences[differences != 0]
    if not real.size:
        return 1.0
    observed = abs(float(real.sum())) * (1 - 1e-12)
    if real.size <= _EXACT:
        signs = np.array(list(itertools.product((-1.0, 1.0), repeat=real.size)))
        return float(np.mean(np.abs(signs @ real) >= observed))
    generator = np.random.default_rng(SEED)
    as_far = 0
    block = max(1, _CELLS // real.size)
    for start in range(0, ASSIGNMENTS, block):
        count = min(block, ASSIGNMENTS - start)
        # A sum with random signs is the total minus twice the sum of a random half.
        flipped = generator.integers(0, 2, (count, real.size), dtype=np.int8)
        sums = real.sum() - 2 * (flipped.astype(np.float64) @ real)
        as_far += int(np.count_nonzero(np.abs(sums) >= observed))
    return (as_far + 1) / (ASSIGNMENTS + 1)


MOST_CHANCE = 0.1
"""Maximum two-sided p at which a gain is considered reliable."""


def is_sure_gain(gains: NDArray[np.float64], groups: Sequence[Hashable], fewest: int) -> bool:
    """Return whether there are at least ``fewest`` gains and their sum is above 0 and unlikely to be due to
    chance.

    Gains in the same group are not independent, so their sum counts as one gain.
    """
    together: defaultdict[Hashable, float] = defaultdict(float)
    for group, gain in zip(groups, gains.tolist(), strict=True):
        together[group] += gain
    gained = len(gains) >= fewest and sum(together.values()) > 0
    return gained and compute_randomization_p(np.array(list(together.values()))) <= MOST_CHANCE


def compute_t_p(differences: NDArray[np.float64]) -> float:
    """Return the two-sided p of Student's paired t test; 1 if no values differ or there is only one
    question.
    """
    if differences.size < 2 or not np.any(differences):
        return 1.0
    spread = float(differences.std(ddof=1))
    if spread <= 1e-12 * float(np.abs(differences).max()):
        return 0.0
    from scipy import stats

    return float(stats.ttest_1samp(differences, 0).pvalue)


def _check(first: Run, second: Run) -> None:
    one, other = first.header, second.header
    if one.benchmark_hash != other.benchmark_hash:
        if one.benchmark != other.benchmark:
            raise NotComparable(
                f"the runs are of different benchmarks: {one.benchmark} and {other.benchmark}"
            )
        raise NotComparable(f"the runs are of different versions of {one.benchmark}")
    if [each.id for each in first.answers] != [each.id for each in second.answers]:
        raise NotComparable("the runs did not ask the same questions")
    if one.settings.get("corpus") != other.settings.get("corpus"):
        raise NotComparable("one run searched inside the named files, the other the whole library")
