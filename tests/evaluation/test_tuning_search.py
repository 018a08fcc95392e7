from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lexls.evaluation.plots import PlotError, plot_study
from lexls.evaluation.runs import RankedAnswer, Run, RunHeader
from lexls.evaluation.tuning import (
    PARAMETERS,
    QUALITY,
    NoObjective,
    Plan,
    Sampler,
    Scores,
    StudyError,
    change_ranking,
    compute_objective,
    count_points,
    find_defaults,
    tune,
)
from lexls.retrieval.ranking import RANKINGS, Ranking

START = {"rrf_k": 60, "documents": 1.0}
FOLDS = ((0, 1), (2, 3), (4, 5))


def plan(sampler: Sampler = "tpe", trials: int = 16, file: Path | None = None, identity: str = "x") -> Plan:
    return Plan(START, sampler, trials, FOLDS, identity, file)


def towards_thirty(values: object) -> Scores:
    """Best for all questions at rrf_k 30 and documents 0.5, by more or less."""
    assert isinstance(values, dict)
    lost = abs(values["rrf_k"] - 30) / 100 + abs(values["documents"] - 0.5) / 10
    return np.array([1.0 - lost * (1 + n / 10) for n in range(6)])


def at_odds(values: object) -> Scores:
    """What helps the first fold harms the others, and the other way round."""
    assert isinstance(values, dict)
    gain = (60 - values["rrf_k"]) / 100
    return np.array([0.5 + gain] * 2 + [0.5 - gain] * 4)


@pytest.mark.parametrize("sampler", ["tpe", "random", "grid"])
def test_search_finds_what_scores_best(sampler: Sampler) -> None:
    found = tune(plan(sampler), towards_thirty)
    assert found.best_score > found.start_score == pytest.approx(float(towards_thirty(START).mean()))
    assert found.cross_validated > found.start_score
    assert found.best_score == pytest.approx(float(towards_thirty(dict(found.best)).mean()))
    assert len(found.study.trials) <= 17


def test_whole_grid_is_tried_and_its_best_point_found() -> None:
    found = tune(plan("grid", 17), towards_thirty)
    assert count_points(list(START)) == 16
    assert found.best == {"rrf_k": 30, "documents": 0.5}
    assert found.spread == pytest.approx(0.0, abs=1e-9), "nothing is lost at the best point"


def test_a_fold_is_scored_by_values_chosen_without_it() -> None:
    found = tune(plan("grid", 17), at_odds)
    # The others outvote each fold: without the first one a high k wins, which harms it.
    assert found.folds[0].values["rrf_k"] == 100
    first = found.folds[0]
    assert first.tuned == pytest.approx(0.1)
    assert first.start == pytest.approx(0.5)
    assert found.best_score > found.cross_validated, "the score on seen questions is optimistic"
    assert found.cross_validated == pytest.approx(sum(each.tuned for each in found.folds) / 3), (
        "folds of the same size"
    )


def test_a_search_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "search.study"
    first = tune(plan(trials=4, file=file), towards_thirty)
    tried = 0

    def counted(values: object) -> Scores:
        nonlocal tried
        tried += 1
        return towards_thirty(values)

    again = tune(plan(trials=4, file=file), counted)
    assert tried == 0
    assert (again.best, again.cross_validated) == (first.best, pytest.approx(first.cross_validated))
    more = tune(plan(trials=6, file=file), counted)
    assert tried > 0
    assert len(more.study.trials) == 6
    assert more.best_score >= first.best_score


def test_the_study_of_another_search_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "search.study"
    tune(plan(trials=2, file=file), towards_thirty)
    with pytest.raises(StudyError, match=r"search.study: keeps another search"):
        tune(plan(trials=2, file=file, identity="y"), towards_thirty)
    for content in ("no study\n", '{"id": "a", "text": "a benchmark\'s line"}\n'):
        file.write_text(content, encoding="utf-8")
        with pytest.raises(StudyError, match=r"search.study: is no file of studies"):
            tune(plan(trials=2, file=file), towards_thirty)
    with pytest.raises(StudyError, match="cannot be used"):
        tune(plan(trials=2, file=tmp_path / "gone" / "search.study"), towards_thirty)


def test_parameters_that_change_nothing_are_noticed() -> None:
    assert tune(plan("random", 3), lambda values: np.full(6, 0.25)).flat
    assert not tune(plan("random", 3), towards_thirty).flat


def test_trials_are_told() -> None:
    seen: list[tuple[int, int]] = []
    tune(plan(trials=3), towards_thirty, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (12, 12)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


@pytest.mark.parametrize("name", ["contour.png", "contour.svg"])
def test_contour_is_drawn(tmp_path: Path, name: str) -> None:
    found = tune(plan(trials=8), towards_thirty)
    plot_study(tmp_path / name, found.study, list(START), "map")
    magic = b"\x89PNG" if name.endswith("png") else b"<?xml"
    assert (tmp_path / name).read_bytes().startswith(magic)
    if name.endswith("svg"):
        drawn = (tmp_path / name).read_text(encoding="utf-8")
        assert "<!-- rrf_k -->" in drawn
        assert "<!-- documents -->" in drawn
    plot_study(tmp_path / name, found.study, ["rrf_k"], "map")
    with pytest.raises(PlotError, match=r"ends in \.png"):
        plot_study(tmp_path / "contour.bmp", found.study, list(START), "map")


def test_every_stage_has_a_weight_to_tune_and_every_default_lies_in_its_range() -> None:
    assert set(RANKINGS) <= set(PARAMETERS)
    found = find_defaults(list(PARAMETERS), Ranking(), 1500, 0)
    for name, parameter in PARAMETERS.items():
        assert parameter.low <= found[name] <= parameter.high
        assert all(parameter.low <= point <= parameter.high for point in parameter.grid)
        if parameter.where == "ranking":
            assert found[name] == getattr(Ranking(), name), f"{name}'s default is out of its range"
    changed = change_ranking(Ranking(), {"rrf_k": 10, "documents": 0.2, "max_chars": 900})
    assert (changed.rrf_k, changed.documents, changed.b) == (10, 0.2, Ranking().b)


def run_of(kind: str, **figures: float) -> Run:
    header = RunHeader("1", "leases.jsonl", "ab", kind, "cd", {})
    return Run(header, (RankedAnswer("a", (), 0.0),), (figures,))


def test_quality_is_the_weighted_sum_of_its_parts() -> None:
    assert sum(QUALITY.values()) == pytest.approx(1.0)
    parts = {
        "recall@10": 0.5,
        "partly_covered": 1.0,
        "fully_covered": 0.0,
        "mrr": 0.25,
        "hit@5": 1.0,
        "overlap": 0.75,
    }
    [value] = compute_objective(run_of("spans", **parts), "quality")
    assert value == pytest.approx(0.34 * 0.5 + 0.22 + 0.10 * 0.25 + 0.08 + 0.08 * 0.75)
    assert list(compute_objective(run_of("documents", map=0.5), "map")) == [0.5]


def test_an_objective_that_the_questions_do_not_have_is_refused() -> None:
    with pytest.raises(NoObjective, match=r"leases.jsonl: quality is a score of passages"):
        compute_objective(run_of("documents", map=0.5), "quality")
    with pytest.raises(NoObjective, match=r"leases.jsonl: has no map, only mrr"):
        compute_objective(run_of("spans", mrr=0.5), "map")
