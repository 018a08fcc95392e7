from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from lexls.evaluation.runs import RankedAnswer, Run, RunHeader
from lexls.evaluation.statistics import NotComparable, compare, compute_randomization_p, compute_t_p

HEADER = RunHeader("1", "eels.jsonl", "abc", "documents", "index", {"corpus": False})


def run(values: list[float], header: RunHeader = HEADER, measure: str = "map") -> Run:
    answers = tuple(RankedAnswer(f"q{n}", (), 0.001) for n in range(len(values)))
    return Run(header, answers, tuple({measure: value, "mrr": 0.5} for value in values))


def test_difference_is_that_of_the_means_with_exact_p() -> None:
    first, second = run([0.1, 0.2, 0.3]), run([0.2, 0.4, 0.6])
    map_difference, mrr = compare(first, second)
    assert map_difference.measure == "map"
    assert map_difference.difference == pytest.approx(0.2)
    assert map_difference.first == pytest.approx(0.2)
    assert map_difference.second == pytest.approx(0.4)
    assert map_difference.low <= 0.2 <= map_difference.high
    # Of the 8 assignments of signs only all plus and all minus are as far from 0.
    assert map_difference.p_randomization == 2 / 8
    assert (mrr.difference, mrr.p_randomization, mrr.p_t) == (0.0, 1.0, 1.0)


def test_t_test_equals_scipys() -> None:
    generator = np.random.default_rng(3)
    a, b = generator.random(40), generator.random(40)
    assert compute_t_p(b - a) == pytest.approx(stats.ttest_rel(b, a).pvalue)


def test_t_test_where_nothing_or_everything_differs_alike() -> None:
    assert compute_t_p(np.zeros(5)) == 1.0
    assert compute_t_p(np.array([0.3])) == 1.0
    assert compute_t_p(np.full(5, 0.1)) == 0.0


def test_randomization_by_chance_is_near_the_exact_one() -> None:
    generator = np.random.default_rng(11)
    differences = generator.normal(0.15, 0.5, 14)
    exact = compute_randomization_p(differences)
    # A pair of opposite differences makes 16, which are tried by chance; the sums spread a little more.
    more = compute_randomization_p(np.concatenate([differences, [1e-9, -1e-9]]))
    assert more == pytest.approx(exact, abs=0.01)
    assert 0.05 < exact < 0.95


def test_randomization_is_never_nought_and_small_where_all_agree() -> None:
    assert 0 < compute_randomization_p(np.full(60, 0.1)) < 0.001
    assert compute_randomization_p(np.zeros(4)) == 1.0


def test_runs_of_other_benchmarks_or_questions_are_refused() -> None:
    other = replace(HEADER, benchmark="bells.jsonl", benchmark_hash="def")
    with pytest.raises(NotComparable, match=r"different benchmarks: eels.jsonl and bells.jsonl"):
        compare(run([1.0]), run([1.0], other))
    with pytest.raises(NotComparable, match=r"different versions of eels.jsonl"):
        compare(run([1.0]), run([1.0], replace(HEADER, benchmark_hash="def")))
    with pytest.raises(NotComparable, match="same questions"):
        compare(run([1.0]), run([1.0, 0.0]))
    with pytest.raises(NotComparable, match="the whole library"):
        compare(run([1.0]), run([1.0], replace(HEADER, settings={"corpus": True})))


def test_only_measures_of_both_runs_are_compared() -> None:
    assert [each.measure for each in compare(run([1.0]), run([1.0], measure="recall@7"))] == ["mrr"]
