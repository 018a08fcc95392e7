"""Whether one run is better than another: paired tests over the questions of both."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexls.evaluation.answers import Run
from lexls.evaluation.intervals import SEED, mean_intervals
from lexls.evaluation.report import values

ASSIGNMENTS = 100_000
"""So many random assignments of signs are tried where trying all is too much."""
_EXACT = 14
"""With so many questions that differ all 2^n assignments of signs are tried."""
_CELLS = 4_000_000


class NotComparable(Exception):
    """Two runs of different questions; the message says in what they differ."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure in two runs.

    ``difference`` is ``second`` − ``first`` with its bootstrap interval; ``p_randomization`` and ``p_t`` are
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


def compare(first: Run, second: Run) -> list[Difference]:
    """Each measure that both runs have, question by question.

    Raises ``NotComparable`` unless both asked the same questions of the same benchmark.
    """
    _check(first, second)
    shared = [name for name in first.measures if name in second.measures]
    columns = [[run.measures.index(name) for name in shared] for run in (first, second)]
    a, b = (values(run)[:, chosen] for run, chosen in zip((first, second), columns, strict=True))
    differences = b - a
    spans = mean_intervals(differences)
    return [
        Difference(
            name,
            float(a[:, n].mean()),
            float(b[:, n].mean()),
            spans[n].mean,
            spans[n].low,
            spans[n].high,
            randomization_p(differences[:, n]),
            t_test_p(differences[:, n]),
        )
        for n, name in enumerate(shared)
    ]


def randomization_p(differences: NDArray[np.float64]) -> float:
    """The two-sided p of Fisher's randomization test: how often a mean at least as far from 0 arises when
    each difference might as well have the other sign.

    All assignments of signs are tried if at most 14 differences are not 0; otherwise 100,000 random ones,
    and the observed one counts as one of them, so that p is never 0 (Smucker, Allan and Carterette, CIKM
    2007, compare the tests).
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
        # A sum with random signs is the sum of all less twice that of a random half.
        flipped = generator.integers(0, 2, (count, real.size), dtype=np.int8)
        sums = real.sum() - 2 * (flipped.astype(np.float64) @ real)
        as_far += int(np.count_nonzero(np.abs(sums) >= observed))
    return (as_far + 1) / (ASSIGNMENTS + 1)


def t_test_p(differences: NDArray[np.float64]) -> float:
    """The two-sided p of Student's paired t test; 1 where nothing differs, or with a single question."""
    if differences.size < 2 or not np.any(differences):
        return 1.0
    spread = float(differences.std(ddof=1))
    if spread <= 1e-12 * float(np.abs(differences).max()):
        return 0.0
    from scipy import stats

    statistic = float(differences.mean()) / (spread / float(np.sqrt(differences.size)))
    return float(2 * stats.t.sf(abs(statistic), differences.size - 1))


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
