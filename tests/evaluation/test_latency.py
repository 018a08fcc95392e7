from __future__ import annotations

import pytest

from lexls.evaluation.statistics import find_percentile, summarize_latency


def test_percentiles_are_values_of_the_list() -> None:
    assert find_percentile([5.0, 1.0, 3.0], 50) == 3.0
    assert find_percentile([4.0, 1.0, 3.0, 2.0], 50) == 2.0
    assert find_percentile(list(map(float, range(1, 101))), 95) == 95.0
    assert find_percentile([7.0], 95) == 7.0
    with pytest.raises(ValueError, match="no values"):
        find_percentile([], 50)


def test_latency_is_in_milliseconds() -> None:
    assert summarize_latency([0.002, 0.004, 0.0301]) == {"p50": 4.0, "p95": 30.1}
