from __future__ import annotations

import math
import random

import pytest

from lexls.evaluation.measures import (
    average_precision,
    hit,
    ndcg,
    percentile,
    precision,
    recall,
    reciprocal_rank,
)

RANKING = ["a", "b", "c", "d", "e"]


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
def test_average_precision_by_hand(relevant: set[str], expected: float) -> None:
    assert average_precision(RANKING, relevant) == pytest.approx(expected)


@pytest.mark.parametrize(("relevant", "expected"), [({"a"}, 1.0), ({"c", "e"}, 1 / 3), ({"z"}, 0.0)])
def test_reciprocal_rank_by_hand(relevant: set[str], expected: float) -> None:
    assert reciprocal_rank(RANKING, relevant) == pytest.approx(expected)


def test_precision_recall_and_hit_by_hand() -> None:
    relevant = {"b", "c", "y", "z"}
    assert precision(RANKING, relevant, 2) == 1 / 2
    assert precision(RANKING, relevant, 10) == 2 / 10
    assert recall(RANKING, relevant, 2) == 1 / 4
    assert recall(RANKING, relevant, 5) == 2 / 4
    assert recall(RANKING, set(), 5) == 0.0
    assert hit(RANKING, relevant, 1) == 0.0
    assert hit(RANKING, relevant, 2) == 1.0


def test_ndcg_by_hand() -> None:
    gains = {"a": 1.0, "c": 3.0, "z": 2.0}
    got = 1 / math.log2(2) + 3 / math.log2(4)
    best = 3 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert ndcg(RANKING, gains, 10) == pytest.approx(got / best)
    assert ndcg(RANKING, gains, 1) == pytest.approx(1 / 3)
    assert ndcg(RANKING, {"a": 0.0}, 10) == 0.0


def test_percentiles_are_values_of_the_list() -> None:
    assert percentile([5.0, 1.0, 3.0], 50) == 3.0
    assert percentile([4.0, 1.0, 3.0, 2.0], 50) == 2.0
    assert percentile(list(map(float, range(1, 101))), 95) == 95.0
    assert percentile([7.0], 95) == 7.0
    with pytest.raises(ValueError, match="no values"):
        percentile([], 50)


def test_measures_equal_trec_evals() -> None:
    measures = pytest.importorskip("ir_measures")
    generator = random.Random(7)
    documents = [f"d{number}" for number in range(60)]
    for _ in range(30):
        ranking = generator.sample(documents, 40)
        gains = {name: float(generator.randint(0, 3)) for name in generator.sample(documents, 12)}
        relevant = {name for name, gain in gains.items() if gain > 0}
        if not relevant:
            continue
        judged = [measures.Qrel("q", name, int(gain)) for name, gain in gains.items()]
        run = [measures.ScoredDoc("q", name, float(-rank)) for rank, name in enumerate(ranking)]
        wanted = [measures.AP, measures.RR, measures.P @ 10, measures.R @ 10, measures.nDCG @ 10]
        theirs = measures.calc_aggregate(wanted, judged, run)
        ours = [
            average_precision(ranking, relevant),
            reciprocal_rank(ranking, relevant),
            precision(ranking, relevant, 10),
            recall(ranking, relevant, 10),
            ndcg(ranking, gains, 10),
        ]
        assert ours == pytest.approx([theirs[measure] for measure in wanted])
