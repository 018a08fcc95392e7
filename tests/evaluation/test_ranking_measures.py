"""Measures by trec_eval's code equal what its definitions give by hand."""

from __future__ import annotations

import math

import pytest

from lexls.evaluation.measures import F1_DEPTHS, TERM_MEASURES, measure_f1, measure_rankings

RANKING = ["a", "b", "c", "d", "e"]


def measured(relevant: set[str], ranking: list[str] = RANKING) -> dict[str, float]:
    [figures] = measure_rankings([dict.fromkeys(relevant, 1)], [ranking])
    return dict(figures)


@pytest.mark.parametrize(
    ("relevant", "expected"),
    [
        ({"a"}, 1.0),
        ({"b", "d"}, (1 / 2 + 2 / 4) / 2),
        ({"a", "c", "z"}, (1 / 1 + 2 / 3) / 3),
        ({"z"}, 0.0),
        (set(), 0.0),
    ],
)
def test_average_precision_counts_what_was_not_found(relevant: set[str], expected: float) -> None:
    assert measured(relevant)["map"] == pytest.approx(expected)


@pytest.mark.parametrize(("relevant", "expected"), [({"a"}, 1.0), ({"c", "e"}, 1 / 3), ({"z"}, 0.0)])
def test_reciprocal_rank_is_that_of_the_first_relevant_item(relevant: set[str], expected: float) -> None:
    assert measured(relevant)["mrr"] == pytest.approx(expected)


def test_precision_recall_and_hit_by_hand() -> None:
    figures = measured({"b", "c", "y", "z"})
    assert figures["p@5"] == 2 / 5
    assert figures["p@10"] == 2 / 10, "a short ranking is filled up"
    assert figures["recall@1"] == figures["hit@1"] == 0.0
    assert figures["recall@5"] == 2 / 4
    assert figures["hit@3"] == figures["hit@5"] == figures["hit@10"] == 1.0


def test_bpref_counts_the_judged_items_above() -> None:
    judged = {"b": 1, "d": 1, "a": 0, "c": 0, "x": 0}
    [figures] = measure_rankings([judged], [RANKING])
    # One judged item that is not relevant is above b, two above d; at most min(2 relevant, 3 others) count.
    assert figures["bpref"] == pytest.approx(((1 - 1 / 2) + (1 - 2 / 2)) / 2)


def test_bpref_is_recall_where_only_relevant_items_are_judged() -> None:
    assert measured({"d", "z"})["bpref"] == 1 / 2


def test_ndcg_of_grades_by_hand() -> None:
    [figures] = measure_rankings([{"a": 1, "c": 3, "z": 2}], [RANKING], TERM_MEASURES)
    got = 1 / math.log2(2) + 3 / math.log2(4)
    best = 3 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert figures == {"ndcg@10": pytest.approx(got / best), "ndcg@100": pytest.approx(got / best)}


def test_the_order_of_the_list_decides_and_not_the_names() -> None:
    assert measured({"z"}, ["z", "y", "x"])["mrr"] == 1.0
    assert measured({"x"}, ["z", "y", "x"])["mrr"] == pytest.approx(1 / 3)


def test_questions_keep_their_order_and_those_without_an_answer_are_nothing() -> None:
    judged = [{"a": 1}, {"b": 1}, {"c": 1}]
    figures = measure_rankings(judged, [["x", "a"], [], ["c"]])
    assert [each["mrr"] for each in figures] == [1 / 2, 0.0, 1.0]
    assert all(value == 0.0 for value in figures[1].values())
    assert measure_rankings([{"a": 1}], [[]])[0]["map"] == 0.0


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    [figures] = measure_f1([{"b": 1, "e": 1}], [RANKING])
    assert figures["f1@1"] == 0.0
    assert figures["f1@2"] == pytest.approx(1 / 2), "precision ½, recall ½"
    assert figures["f1@3"] == pytest.approx(2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2))
    assert figures["f1@5"] == pytest.approx(2 * (2 / 5) / (2 / 5 + 1))
    assert figures["f1@37"] == pytest.approx(2 * (2 / 37) / (2 / 37 + 1))
    assert figures["mrr"] == 1 / 2
    primes = [k for k in range(2, 38) if all(k % n for n in range(2, k))]
    assert list(F1_DEPTHS) == [1, *primes]
