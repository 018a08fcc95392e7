"""The learnt weights, read from a file that says how they were made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FORMAT = 1
"""The format of a weights file."""


class WeightsError(Exception):
    """A weights file cannot be used; the message names it and the reason."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A linear model: a candidate's score is ``Σ weight · (feature - mean) / scale``.

    One number a feature in each of ``means``, ``scales`` and ``weights``, in the order of ``names``.
    """

    names: tuple[str, ...]
    means: NDArray[np.float64]
    scales: NDArray[np.float64]
    weights: NDArray[np.float64]

    def scores(self, features: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """The score of each candidate. Raises ``KeyError`` if a feature of the model is missing."""
        rows = np.stack([features[name] for name in self.names], axis=1)
        scored: NDArray[np.float64] = ((rows - self.means) / self.scales) @ self.weights
        return scored


@dataclass(frozen=True, slots=True)
class Reranker:
    """What was learnt, for searches with likeness and for those by words alone; ``recipe`` says how."""

    recipe: str
    with_vectors: Weights
    by_words: Weights


def read_weights(path: Path) -> Reranker:
    """The reranker in the file ``path``. Raises ``WeightsError``."""
    try:
        read = json.loads(path.read_text("utf-8"))
        if read["format"] != FORMAT:
            raise WeightsError(f"{path}: format {read['format']}, but this lexls reads format {FORMAT}")
        return Reranker(
            str(read["recipe"]), _weights(path, read["with_vectors"]), _weights(path, read["by_words"])
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsError(f"{path}: not a file of weights: {error!r}") from error


def write_weights(path: Path, reranker: Reranker) -> None:
    """Write ``reranker`` to the file ``path``, a line a feature."""
    written = {
        "format": FORMAT,
        "recipe": reranker.recipe,
        "with_vectors": _listed(reranker.with_vectors),
        "by_words": _listed(reranker.by_words),
    }
    text = json.dumps(written, indent=1)
    path.write_text(text + "\n", "utf-8", newline="\n")


def _listed(weights: Weights) -> dict[str, Sequence[float]]:
    rows = zip(weights.names, weights.means, weights.scales, weights.weights, strict=True)
    return {name: [round(float(each), 6) for each in numbers] for name, *numbers in rows}


def _weights(path: Path, listed: Mapping[str, Sequence[float]]) -> Weights:
    numbers = np.array([[float(each) for each in row] for row in listed.values()])
    if numbers.ndim != 2 or numbers.shape[1] != 3 or not np.isfinite(numbers).all():
        raise WeightsError(f"{path}: each feature needs a mean, a scale and a weight")
    if (numbers[:, 1] <= 0).any():
        raise WeightsError(f"{path}: a scale is not above 0")
    return Weights(tuple(listed), numbers[:, 0], numbers[:, 1], numbers[:, 2])
