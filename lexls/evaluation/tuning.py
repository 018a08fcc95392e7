"""Search for the best values of the tunable parameters with Optuna and cross-validation.

Each fold has its own study, which sees only the scores of the questions in the other folds. The best values
of that study are then scored on the fold. These scores estimate the benefit of tuning on unseen questions.
The recommended values come from one more study over all questions.
"""

from __future__ import annotations

import hashlib
import json
import random
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lexls.evaluation import TABLES, require_packages
from lexls.evaluation.benchmark import DocumentQuestion, Question, SpanQuestion
from lexls.evaluation.runs import Run
from lexls.evaluation.statistics import SEED
from lexls.retrieval.ranking import RANKINGS, Ranking


def find_group(question: Question) -> str:
    """Return the name of the group of questions that must be in one fold: those of one citing document or of
    one file. Any other question is its own group, named by its id.
    """
    if isinstance(question, DocumentQuestion) and question.citing:
        return f"citing {question.citing}"
    if isinstance(question, SpanQuestion):
        return f"file {question.file}"
    return f"id {question.id}"


def divide(questions: Sequence[Question], count: int) -> list[list[int]]:
    """Return the indices of the questions in ``count`` folds of about the same size. Each group is in a
    single fold.

    The groups are in random order, with a fixed seed; each is added to the fold that is smallest at that
    point. Raises ``ValueError`` if there are fewer groups than folds.
    """
    groups: dict[str, list[int]] = {}
    for number, question in enumerate(questions):
        groups.setdefault(find_group(question), []).append(number)
    if len(groups) < count:
        raise ValueError(
            f"{count} folds need at least {count} groups of questions, but there are {len(groups)}"
        )
    dealt: list[list[int]] = [[] for _ in range(count)]
    order = sorted(groups)
    random.Random(SEED).shuffle(order)
    for group in order:
        min(dealt, key=len).extend(groups[group])
    return [sorted(fold) for fold in dealt]


def draw_sample(questions: Sequence[Question], count: int) -> list[Question]:
    """Return at most ``count`` of ``questions``, drawn with a fixed seed and in their original order."""
    if count >= len(questions):
        return list(questions)
    chosen = sorted(random.Random(SEED).sample(range(len(questions)), count))
    return [questions[number] for number in chosen]


Sampler = Literal["tpe", "random", "grid"]
Scores = NDArray[np.float64]
"""The objective's value for each question."""
ALL = "all questions"


class StudyError(Exception):
    """Raised if a file of studies belongs to another search or cannot be used. The message names the file."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a search varies and how it runs.

    ``start`` has a value for every tuned parameter: these values are tried first, and gains are measured
    against them. ``trials`` is the number of trials per study. ``folds`` are the indices of the questions in
    each fold. ``identity`` describes the source of the scores (benchmark, objective, index); studies with
    another identity are not continued. ``file`` stores the studies, so that a search can be resumed; if it is
    None, they stay in memory.
    """

    start: Values
    sampler: Sampler
    trials: int
    folds: Sequence[Sequence[int]]
    identity: str
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class FoldResult:
    """A fold's result: the values chosen without the fold, their score on the fold, and the score of the
    start values on it.
    """

    values: Values
    tuned: float
    start: float


@dataclass(frozen=True, slots=True)
class Tuned:
    """The result of a search.

    ``best`` are the values with the highest score over all questions. ``best_score`` and ``start_score`` are
    the mean scores of the best and the start values over all questions. ``best_score`` is optimistic, since
    the values were chosen by it. ``cross_validated`` is the mean over the questions, each scored with values
    chosen without its fold. ``study`` is Optuna's study over all questions.
    """

    best: Values
    best_score: float
    start_score: float
    cross_validated: float
    folds: tuple[FoldResult, ...]
    study: Any

    @property
    def flat(self) -> bool:
        """Return whether several values were tried over all questions and all of them had the same score."""
        scores = [each.value for each in _complete(self.study)]
        return len(scores) > 1 and max(scores) - min(scores) < 1e-9

    @property
    def spread(self) -> float:
        """Return the standard deviation of the folds' scores."""
        return float(np.std([each.tuned for each in self.folds], ddof=1)) if len(self.folds) > 1 else 0.0


def tune(
    plan: Plan,
    score: Callable[[Values], Scores],
    on_trial: Callable[[int, int], None] = lambda done, total: None,
) -> Tuned:
    """Run the search ``plan``; ``score`` asks all questions with the given values.

    ``on_trial`` is called with the number of finished trials and their total. Raises ``StudyError``,
    ``ExtraMissing`` and the errors of ``score``.
    """
    require_packages("optuna")
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    storage = _storage(plan.file)
    scores: dict[str, Scores] = {}

    def scored(values: Values) -> Scores:
        """Return the scores of the values. They are cached because studies often try the same values
        again.
        """
        key = _key(values)
        if key not in scores:
            scores[key] = score(values)
        return scores[key]

    questions = sum(len(fold) for fold in plan.folds)
    everything = list(range(questions))
    studies = [(ALL, everything)] + [
        (f"without fold {number} of {len(plan.folds)}", sorted(set(everything) - set(fold)))
        for number, fold in enumerate(plan.folds, 1)
    ]
    total = plan.trials * len(studies)
    opened = [_study(plan, name, storage, scores) for name, _ in studies]
    # Score once before any trial, so that an impossible objective fails here and not in Optuna.
    start = scored(plan.start)
    for number, (study, (_, seen)) in enumerate(zip(opened, studies, strict=True)):
        before = number * plan.trials
        on_trial(before + len(_complete(study)), total)
        _run(plan, study, seen, scored, lambda done, before=before: on_trial(before + done, total))  # type: ignore[misc]
    on_trial(total, total)
    tested = np.empty(questions)
    results = []
    for fold, study in zip(plan.folds, opened[1:], strict=True):
        values = _values(study.best_trial.params)
        members = list(fold)
        tested[members] = scored(values)[members]
        results.append(FoldResult(values, float(tested[members].mean()), float(start[members].mean())))
    return Tuned(
        best=_values(opened[0].best_trial.params),
        best_score=float(opened[0].best_value),
        start_score=float(start.mean()),
        cross_validated=float(tested.mean()),
        folds=tuple(results),
        study=opened[0],
    )


def _run(
    plan: Plan,
    study: Any,
    seen: Sequence[int],
    score: Callable[[Values], Scores],
    on_trial: Callable[[int], None],
) -> None:
    """Run trials of ``study`` until it has the number of trials planned."""
    members = list(seen)

    def objective(trial: Any) -> float:
        values = {name: _suggest(trial, PARAMETERS[name]) for name in plan.start}
        scores = score(values)
        # Store them with the trial, so that a resumed search can reuse them.
        trial.set_user_attr("scores", [round(float(each), 9) for each in scores])
        return float(scores[members].mean())

    done = len(_complete(study))
    if not done:
        study.enqueue_trial(dict(plan.start))
    with warnings.catch_warnings():
        # Optuna warns if the start is not on a step of a range or on the grid.
        warnings.simplefilter("ignore")
        if done < plan.trials:
            study.optimize(
                objective,
                n_trials=plan.trials - done,
                callbacks=[lambda study, trial: on_trial(len(_complete(study)))],
            )


def _study(plan: Plan, name: str, storage: Any, known: dict[str, Scores]) -> Any:
    import optuna

    content = [plan.identity, dict(plan.start), plan.sampler, [list(fold) for fold in plan.folds]]
    identity = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
    try:
        study = optuna.create_study(
            storage=storage, study_name=f"lexls {name}", direction="maximize", load_if_exists=True
        )
    except Exception as error:
        if plan.file is None:
            raise
        raise _no_studies(plan.file, error) from None
    study.sampler = _sampler(plan, len(study.trials))
    owner = study.user_attrs.get("identity")
    if owner is None:
        study.set_user_attr("identity", identity)
    elif owner != identity:
        raise StudyError(
            f"{plan.file}: keeps another search (other questions, index, objective, parameters, sampler or "
            "folds); give another file"
        )
    for trial in _complete(study):
        if "scores" in trial.user_attrs:
            scores = np.asarray(trial.user_attrs["scores"], dtype=np.float64)
            known.setdefault(_key(_values(trial.params)), scores)
    return study


def _storage(file: Path | None) -> Any:
    if file is None:
        return None
    from optuna.storages import JournalStorage
    from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock

    try:
        file.touch()
        # A lock file opened exclusively works on every platform.
        return JournalStorage(JournalFileBackend(str(file), lock_obj=JournalFileOpenLock(str(file))))
    except OSError as error:
        raise StudyError(f"{file}: cannot be used: {error.strerror or error}") from None
    except Exception as error:
        raise _no_studies(file, error) from None


def _no_studies(file: Path, error: Exception) -> StudyError:
    """Return the error for a file that is not a study file. Optuna's own errors are replaced, since they vary
    widely.
    """
    return StudyError(f"{file}: is no file of studies ({type(error).__name__})")


def _sampler(plan: Plan, tried: int) -> Any:
    """Return a sampler that continues after ``tried`` trials without repeating their sequence of random
    values.
    """
    import optuna

    if plan.sampler == "grid":
        grid = {name: list(PARAMETERS[name].grid) for name in plan.start}
        return optuna.samplers.GridSampler(grid, seed=SEED)
    if plan.sampler == "random":
        return optuna.samplers.RandomSampler(seed=SEED + tried)
    return optuna.samplers.TPESampler(seed=SEED + tried)


def _suggest(trial: Any, parameter: Parameter) -> Value:
    name, low, high, step = parameter.name, parameter.low, parameter.high, parameter.step
    if isinstance(step, int):
        return int(trial.suggest_int(name, low, high, step=step))
    return round(float(trial.suggest_float(name, low, high, step=step)), 6)


def _values(params: Values) -> dict[str, Value]:
    return {name: value if isinstance(value, int) else round(value, 6) for name, value in params.items()}


def _key(values: Values) -> str:
    return json.dumps(dict(values), sort_keys=True)


def _complete(study: Any) -> list[Any]:
    from optuna.trial import TrialState

    return list(study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)))


def count_points(names: Sequence[str]) -> int:
    """Return the number of points in the grid of these parameters."""
    return int(np.prod([len(PARAMETERS[name].grid) for name in names], dtype=np.int64))


Value = int | float
Values = Mapping[str, Value]
"""The value of each parameter."""
Where = Literal["index", "ranking"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A tunable number from ``low`` to ``high`` in steps of ``step``; ``grid`` has its values in a grid
    search. ``where`` is ``index`` if a change requires new passages, or ``ranking`` if the parameter is a
    field of ``Ranking``.
    """

    name: str
    low: Value
    high: Value
    step: Value
    grid: Sequence[Value]
    where: Where = "ranking"


def _read() -> Iterator[Parameter]:
    for name, table in TABLES["parameters"].items():
        for each in RANKINGS if name == "stages" else [name]:
            yield Parameter(each, **table)


PARAMETERS: Mapping[str, Parameter] = {each.name: each for each in _read()}
"""Every parameter by name: the length and overlap of passages in characters, the depth of each stage, the
weight of each stage (under the stage's name), the constant of reciprocal rank fusion, and k1 and b of BM25
over documents.
"""
USUAL = ("rrf_k", *RANKINGS)
"""The parameters tuned by default."""


def find_defaults(names: Sequence[str], ranking: Ranking, max_chars: int, overlap: int) -> dict[str, Value]:
    """Return the current values of these parameters, limited to their ranges."""
    index = {"max_chars": max_chars, "overlap": overlap}
    found = {name: index[name] if name in index else getattr(ranking, name) for name in names}
    return {
        name: min(PARAMETERS[name].high, max(PARAMETERS[name].low, value)) for name, value in found.items()
    }


def change_ranking(ranking: Ranking, values: Values) -> Ranking:
    """Return ``ranking`` changed by those of ``values`` that are named like its fields."""
    known = {each.name for each in fields(ranking)}
    return replace(ranking, **{name: value for name, value in values.items() if name in known})  # type: ignore[arg-type]


QUALITY: Mapping[str, float] = TABLES["quality"]
"""The weights of the quality score with which PowerLLM's retrieval over contracts was tuned. The score
favours covering the answer over ranking it first.
"""


class NoObjective(Exception):
    """Raised if the benchmark's questions do not have a measure. The message lists the measures available."""


def compute_objective(run: Run, objective: str) -> NDArray[np.float64]:
    """Return the value of the objective for each question. The objective is a measure, given by its name, or
    ``quality``. Raises ``NoObjective``.
    """
    wanted = QUALITY if objective == "quality" else {objective: 1.0}
    missing = [name for name in wanted if name not in run.measures]
    if missing and objective == "quality":
        raise NoObjective(
            f"{run.header.benchmark}: quality is a score of passages against spans (it needs "
            f"{', '.join(missing)}), and this benchmark asks for {run.header.kind}"
        )
    if missing:
        raise NoObjective(f"{run.header.benchmark}: has no {objective}, only {', '.join(run.measures)}")
    return np.array([sum(weight * each[name] for name, weight in wanted.items()) for each in run.figures])
