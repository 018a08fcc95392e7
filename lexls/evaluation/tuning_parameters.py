"""The parameters that can be tuned, and the objectives they are tuned for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lexls.evaluation import TABLES
from lexls.evaluation.runs import Run
from lexls.retrieval.ranking import RANKINGS, Ranking

Value = int | float
Values = Mapping[str, Value]
"""Parameter → value."""
Where = Literal["index", "ranking"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that may be chosen from ``low`` to ``high`` in steps of ``step``; ``grid`` are the points
    that a grid has of it. ``index``: passages are cut anew for it; ``ranking``: a field of ``Ranking``."""

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
"""Every parameter by its name: length and overlap of passages in characters, how deep each stage looks, what
each counts (by the stage's name), the constant of reciprocal rank fusion, k1 and b of BM25 over documents."""
USUAL = ("rrf_k", *RANKINGS)
"""The parameters that are tuned unless others are named."""


def find_defaults(names: Sequence[str], ranking: Ranking, max_chars: int, overlap: int) -> dict[str, Value]:
    """The values in force of these parameters, moved into their ranges."""
    index = {"max_chars": max_chars, "overlap": overlap}
    found = {name: index[name] if name in index else getattr(ranking, name) for name in names}
    return {
        name: min(PARAMETERS[name].high, max(PARAMETERS[name].low, value)) for name, value in found.items()
    }


def change_ranking(ranking: Ranking, values: Values) -> Ranking:
    """``ranking`` with those of ``values`` that are fields of it."""
    known = {each.name for each in fields(ranking)}
    return replace(ranking, **{name: value for name, value in values.items() if name in known})  # type: ignore[arg-type]


QUALITY: Mapping[str, float] = TABLES["quality"]
"""The weights of the quality score, by which PowerLLM's retrieval over contracts was tuned: it prefers what
covers the answer to what puts it first."""


class NoObjective(Exception):
    """The benchmark's questions have no such figure; the message says which there are."""


def compute_objective(run: Run, objective: str) -> NDArray[np.float64]:
    """The objective of each question: a measure by its name, or ``quality``. Raises ``NoObjective``."""
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
