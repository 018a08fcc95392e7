from __future__ import annotations

import numpy as np
import pytest

from lexls.evaluation.statistics import find_mean_intervals


def test_the_interval_of_a_mean_is_near_that_of_the_normal_distribution() -> None:
    values = np.random.default_rng(5).normal(0.5, 0.2, (400, 1))
    [found] = find_mean_intervals(values)
    spread = 1.96 * float(values.std()) / 20
    assert found.mean == pytest.approx(float(values.mean()))
    assert found.low == pytest.approx(found.mean - spread, abs=0.001)
    assert found.high == pytest.approx(found.mean + spread, abs=0.001)


def test_two_questions_give_the_quantiles_of_their_four_draws() -> None:
    # Drawn with replacement from 0 and 1 the mean is 0, ½ or 1 with the chances ¼, ½ and ¼.
    values = np.array([[0.0], [1.0]])
    [wide] = find_mean_intervals(values)
    [narrow] = find_mean_intervals(values, level=0.4)
    assert (wide.low, wide.high) == (0.0, 1.0)
    assert (narrow.low, narrow.high) == (0.5, 0.5)


def test_equal_values_have_no_width_and_draws_repeat() -> None:
    [same] = find_mean_intervals(np.full((7, 1), 0.25))
    assert (same.low, same.mean, same.high) == (0.25, 0.25, 0.25)
    values = np.random.default_rng(1).random((30, 3))
    assert find_mean_intervals(values) == find_mean_intervals(values)
    assert find_mean_intervals(values) != find_mean_intervals(values, seed=1)


def test_columns_are_drawn_together() -> None:
    column = np.random.default_rng(2).random((20, 1))
    first, second = find_mean_intervals(np.hstack([column, column]))
    assert first == second


def test_a_table_larger_than_a_block_is_drawn_in_parts() -> None:
    values = np.random.default_rng(3).random((3000, 1))
    [found] = find_mean_intervals(values, resamples=2000)
    assert found.low < found.mean < found.high
    assert found.high - found.low == pytest.approx(4 * 0.2887 / 3000**0.5, rel=0.1)


def test_no_questions_have_no_mean() -> None:
    with pytest.raises(ValueError, match="no questions"):
        find_mean_intervals(np.empty((0, 2)))
