from __future__ import annotations

import pytest

from lexls.retrieval.model import fuse


def test_scores_are_reciprocal_ranks_shifted_by_k() -> None:
    assert fuse([["a", "b"], ["b", "c"]]) == [
        ("b", 1 / 62 + 1 / 61),
        ("a", 1 / 61),
        ("c", 1 / 62),
    ]


def test_weights_multiply_a_rankings_share() -> None:
    assert dict(fuse([["a"], ["b"]], [1.0, 2.0])) == {"a": 1 / 61, "b": 2 / 61}


def test_a_ranking_of_weight_zero_brings_nothing() -> None:
    assert fuse([["a"], ["b"]], [1.0, 0.0]) == [("a", 1 / 61)]


def test_equal_scores_keep_the_order_of_the_rankings() -> None:
    assert [item for item, _ in fuse([["x"], ["a"], ["m"]])] == ["x", "a", "m"]


def test_k_can_be_chosen() -> None:
    assert fuse([["a"]], k=0) == [("a", 1.0)]


def test_no_rankings_give_nothing() -> None:
    assert fuse([]) == []


@pytest.mark.parametrize(
    ("rankings", "weights", "k", "reason"),
    [
        ([["a"]], [1.0, 2.0], 60, "1 rankings but 2 weights"),
        ([["a"]], None, -1, "negative"),
        ([["a", "a"]], None, 60, "twice"),
    ],
)
def test_wrong_arguments_are_named(
    rankings: list[list[str]], weights: list[float] | None, k: int, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        fuse(rankings, weights, k)
