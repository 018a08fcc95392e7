"""Put the first candidates of a search into the order that was learnt from citing sentences."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexls.retrieval.reranking.candidates import Asked, Candidates
from lexls.retrieval.reranking.features import compute_features
from lexls.retrieval.stages import Stages

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex
    from lexls.text.cancel import CancelToken


@dataclass(frozen=True, slots=True)
class RerankerWeights:
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
    """What was learnt, for searches with similarity and for those by words alone; ``recipe`` says how."""

    recipe: str
    with_vectors: RerankerWeights
    by_words: RerankerWeights


def read_weights(path: Path) -> Reranker:
    """The reranker in the file ``path``: for each feature its mean, its scale and its weight."""
    read = json.loads(path.read_text("utf-8"))
    return Reranker(read["recipe"], _weights(read["with_vectors"]), _weights(read["by_words"]))


def _weights(listed: Mapping[str, Sequence[float]]) -> RerankerWeights:
    return RerankerWeights(tuple(listed), *np.array(list(listed.values())).T)


DEPTH = 100
"""So many of the first documents are put in order; those after them stay where they are."""
LEAST_SHARE = 0.95
"""The part of the passages with a vector from which on similarity takes part: while vectors are still being
made, a document must not win by having them."""
LEARNT_FOR = frozenset({"case"})
"""The kinds of documents that the weights were learnt on. Others keep their places among the hits."""

_WEIGHTS = Path(__file__).parent.parent / "data/reranking_weights.json"


@cache
def load_learnt() -> Reranker:
    """The weights that lexls brings with it; read at the first search."""
    return read_weights(_WEIGHTS)


def rerank(
    library: SearchableIndex,
    asked: Asked,
    stages: Stages,
    fused: Sequence[tuple[int, float]],
    best: Mapping[int, int],
    kind_of: Callable[[int], str],
    token: CancelToken,
) -> list[tuple[int, float]]:
    """The documents of ``fused`` (with their scores, best first), the first ``DEPTH`` in the order learnt.

    ``best`` has the passage that fits a document best, ``kind_of`` tells a document's kind. Only documents of
    the kinds that were learnt change places, with one another; the scores stay with the places, so that they
    still fall from hit to hit. Raises ``Cancelled``.
    """
    first = fused[:DEPTH]
    rows = [row for row, (document, _) in enumerate(first) if kind_of(document) in LEARNT_FOR]
    if len(rows) < 2:
        return list(fused)
    found = compute_features(library, asked, stages, take_candidates(first, best), token)
    similarity = asked.vector is not None and stages.vector_share >= LEAST_SHARE
    model = load_learnt().with_vectors if similarity else load_learnt().by_words
    scores = model.scores(found)
    order = sorted(rows, key=lambda row: -scores[row])
    reranked = list(fused)
    for row, taken in zip(rows, order, strict=True):
        reranked[row] = (first[taken][0], first[row][1])
    return reranked


def take_candidates(first: Sequence[tuple[int, float]], best: Mapping[int, int]) -> Candidates:
    """The candidates that a fused ranking begins with."""
    return Candidates(tuple(document for document, _ in first), tuple(score for _, score in first), best)
