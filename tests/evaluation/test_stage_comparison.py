from __future__ import annotations

from dataclasses import replace

import pytest

from lexls.evaluation.runs import RankedAnswer, RankedItem, Run, RunHeader
from lexls.evaluation.stage_comparison import SWITCHED_ON, compare_stages, list_rankings
from lexls.retrieval.ranking import RANKINGS, STAGES, Ranking


class Ranks:
    """What ``compare_stages`` needs of a searcher: its ranking."""

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking


def test_each_stage_stands_alone_and_is_left_out() -> None:
    ranking = replace(Ranking(), citing=0.25, vectors=0.5)
    rankings = list_rankings(ranking)
    assert next(iter(rankings.items())) == ("all", ranking)
    assert {f"only {stage}" for stage in RANKINGS} <= set(rankings)
    alone = rankings["only citing"]
    assert (alone.citing, alone.passages, alone.documents, alone.vectors) == (0.25, 0, 0, 0)
    left_out = rankings["without citing"]
    assert (left_out.citing, left_out.passages, left_out.vectors) == (0, ranking.passages, 0.5)
    for stage in STAGES:
        assert (f"without {stage}" in rankings) != (f"with {stage}" in rankings)


def test_a_stage_that_is_off_is_shown_switched_on() -> None:
    ranking = replace(Ranking(), vectors=0.0, diversity=0.0)
    rankings = list_rankings(ranking)
    assert rankings["only vectors"].vectors == 1.0
    assert rankings["only vectors"].passages == 0
    assert rankings["with vectors"] == replace(ranking, vectors=SWITCHED_ON)
    assert rankings["with diversity"].diversity == SWITCHED_ON
    assert "without vectors" not in rankings


def test_rows_are_asked_with_their_ranking_and_the_searcher_is_as_before() -> None:
    before = Ranking()
    searcher = Ranks(before)

    def run(name: str) -> Run:
        # A search that returns "b" first where passages do not count.
        first = "a" if searcher.ranking.passages else "b"
        header = RunHeader("1", "x.jsonl", "ab", "documents", "cd", {})
        return Run(header, (RankedAnswer("q", (RankedItem(first, 1.0),), 0.0),), ({"map": 1.0},))

    rankings = {
        "all": before,
        "without vectors": before.without("vectors"),
        "without passages": before.without("passages"),
    }
    rows = compare_stages(searcher, rankings, run)  # type: ignore[arg-type]
    assert [(row.name, row.unchanged) for row in rows] == [
        ("all", False),
        ("without vectors", True),
        ("without passages", False),
    ]
    assert searcher.ranking is before

    def fails(name: str) -> Run:
        raise RuntimeError(name)

    with pytest.raises(RuntimeError, match="without vectors"):
        compare_stages(searcher, {"without vectors": before.without("vectors")}, fails)  # type: ignore[arg-type]
    assert searcher.ranking is before
