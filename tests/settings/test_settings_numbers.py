"""Settings that are numbers, or lists of a fixed number of them."""

from __future__ import annotations

from typing import Any

import pytest

from lexls.settings.declaration import Setting
from lexls.settings.values import BadValue, check_value

SHARE = Setting("search.share", "number", 0.5, "resource", "A share.", minimum=0, maximum=1)
WEIGHTS = Setting("search.parts", "numbers", [0.2, 0.3, 0.5], "resource", "Three weights.", minimum=0)


@pytest.mark.parametrize(("raw", "value"), [(0.25, 0.25), (1, 1.0), (0, 0.0)])
def test_a_number_may_be_whole_or_not(raw: Any, value: float) -> None:
    found = check_value(SHARE, raw, lenient=False)
    assert found == value
    assert isinstance(found, float)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("0.5", 'must be a number, not the string "0.5"'),
        (True, "must be a number, not true"),
        (float("nan"), "must be a number, not nan"),
        (1.5, "must be at most 1, not 1.5"),
        (-0.1, "must be at least 0, not -0.1"),
    ],
)
def test_what_is_no_number_within_the_limits_is_refused(raw: Any, reason: str) -> None:
    with pytest.raises(BadValue) as refused:
        check_value(SHARE, raw, lenient=False)
    assert str(refused.value) == reason


def test_a_list_of_numbers_has_as_many_as_its_default() -> None:
    assert check_value(WEIGHTS, [1, 0, 0.5], lenient=False) == (1.0, 0.0, 0.5)
    for raw, reason in [
        ([1, 2], "must be 3 numbers, not 2"),
        (0.5, "must be a list of numbers, not 0.5"),
        ([1, 2, "3"], 'must be a number, not the string "3"'),
        ([1, 2, -3], "must be at least 0, not -3"),
    ]:
        with pytest.raises(BadValue) as refused:
            check_value(WEIGHTS, raw, lenient=False)
        assert str(refused.value) == reason
