"""What tuning strives for: one number a question."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from lexls.evaluation.answers import Figures, Run

QUALITY: Mapping[str, float] = MappingProxyType(
    {
        "recall@10": 0.34,
        "partly_covered": 0.22,
        "fully_covered": 0.18,
        "mrr": 0.10,
        "hit@5": 0.08,
        "overlap": 0.08,
    }
)
"""The weights of the quality score, by which PowerLLM's retrieval over contracts was tuned: it prefers what
covers the answer to what puts it first."""


class NoObjective(Exception):
    """The benchmark's questions have no such figure; the message says which there are."""


def objective_values(run: Run, objective: str) -> NDArray[np.float64]:
    """The objective of each question: a measure by its name, or ``quality``. Raises ``NoObjective``."""
    wanted = QUALITY if objective == "quality" else {objective: 1.0}
    missing = [name for name in wanted if name not in run.measures]
    if missing:
        if objective == "quality":
            raise NoObjective(
                f"{run.header.benchmark}: quality is a score of passages against spans (it needs "
                f"{', '.join(missing)}), and this benchmark asks for {run.header.kind}"
            )
        raise NoObjective(f"{run.header.benchmark}: has no {objective}, only {', '.join(run.measures)}")
    return np.array([_sum(each, wanted) for each in run.figures], dtype=np.float64)


def _sum(figures: Figures, weights: Mapping[str, float]) -> float:
    return sum(weight * figures[name] for name, weight in weights.items())
