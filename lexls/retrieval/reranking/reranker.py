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

from lexls.retrieval.reranking.candidates import Asked, Candidates, Described
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


def read_weights(path: Path, brought: Reranker | None = None) -> Reranker:
    """The reranker in the file ``path``: for each feature its mean, its scale and its weight. What the file
    leaves out is that of ``brought``."""
    read = json.loads(path.read_text("utf-8"))
    with_vectors, by_words = (
        getattr(brought, way) if brought is not None and way not in read else _weights(read[way])
        for way in _WAYS
    )
    return Reranker(read["recipe"], with_vectors, by_words)


def write_weights(reranker: Reranker, brought: Reranker | None = None) -> str:
    """``reranker`` as ``read_weights`` reads it, a line a number, without what is that of ``brought``."""
    ways = {way: getattr(reranker, way) for way in _WAYS}
    written = {
        way: _listed(weights) for way, weights in ways.items() if weights is not getattr(brought, way, None)
    }
    return json.dumps({"format": 1, "recipe": reranker.recipe, **written}, indent=1) + "\n"


def _listed(weights: RerankerWeights) -> dict[str, list[float]]:
    rows = zip(weights.names, weights.means, weights.scales, weights.weights, strict=True)
    return {name: [round(float(each), 6) for each in numbers] for name, *numbers in rows}


def _weights(listed: Mapping[str, Sequence[float]]) -> RerankerWeights:
    return RerankerWeights(tuple(listed), *np.array(list(listed.values())).T)


DEPTH = 100
"""So many of the first documents are put in order; those after them stay where they are."""
LEAST_SHARE = 0.95
"""The part of the passages with a vector from which on similarity takes part: while vectors are still being
made, a document must not win by having them."""
LEARNT_FOR = frozenset({"case"})
"""The kinds of documents that the weights were learnt on. Others keep their places among the hits."""

_WAYS = ("with_vectors", "by_words")
_WEIGHTS = Path(__file__).parent.parent / "data/reranking_weights.json"


@cache
def load_learnt() -> Reranker:
    """The weights that lexls brings with it; read at the first search."""
    return read_weights(_WEIGHTS)


def describe(
    library: SearchableIndex,
    asked: Asked,
    stages: Stages,
    fused: Sequence[tuple[int, float]],
    best: Mapping[int, int],
    kind_of: Callable[[int], str],
    token: CancelToken,
) -> Described:
    """The first ``DEPTH`` of ``fused`` (documents with their scores, best first) as a model orders them.

    ``best`` has the passage that fits a document best, ``kind_of`` tells a document's kind. Only documents of
    the kinds that were learnt change places, and where there are fewer than two nothing is told. Raises
    ``Cancelled``.
    """
    first = fused[:DEPTH]
    places = [place for place, (document, _) in enumerate(first) if kind_of(document) in LEARNT_FOR]
    if len(places) < 2:
        return Described()
    found = compute_features(library, asked, stages, take_candidates(first, best), token)
    return Described(
        tuple(places),
        tuple(first[place][0] for place in places),
        {name: column[places] for name, column in found.items()},
        asked.vector is not None and stages.vector_share >= LEAST_SHARE,
    )


def rerank(
    fused: Sequence[tuple[int, float]], described: Described, learnt: Reranker
) -> list[tuple[int, float]]:
    """``fused`` with what is ``described`` in the order ``learnt``; the scores stay with the places, so that
    they still fall from hit to hit."""
    reranked = list(fused)
    if described.places:
        model = learnt.with_vectors if described.with_vectors else learnt.by_words
        order = np.argsort(-model.scores(described.features), kind="stable")
        for place, taken in zip(described.places, order.tolist(), strict=True):
            reranked[place] = (described.documents[taken], fused[place][1])
    return reranked


def take_candidates(first: Sequence[tuple[int, float]], best: Mapping[int, int]) -> Candidates:
    """The candidates that a fused ranking begins with."""
    return Candidates(tuple(document for document, _ in first), tuple(score for _, score in first), best)
