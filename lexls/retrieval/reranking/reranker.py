"""Reorder the first candidates of a search with a model learned from citing sentences."""

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

    ``means``, ``scales`` and ``weights`` have one number per feature, in the order of ``names``.
    """

    names: tuple[str, ...]
    means: NDArray[np.float64]
    scales: NDArray[np.float64]
    weights: NDArray[np.float64]

    def scores(self, features: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the score of each candidate. Raises ``KeyError`` if a feature of the model is missing."""
        rows = np.stack([features[name] for name in self.names], axis=1)
        scored: NDArray[np.float64] = ((rows - self.means) / self.scales) @ self.weights
        return scored


@dataclass(frozen=True, slots=True)
class Reranker:
    """The learned models: one for searches with similarity and one for searches by words only. ``recipe``
    describes how they were made.
    """

    recipe: str
    with_vectors: RerankerWeights
    by_words: RerankerWeights


def read_weights(path: Path, brought: Reranker | None = None) -> Reranker:
    """Read the reranker from the file ``path``, with the mean, scale and weight of each feature. For parts
    missing from the file, those of ``brought`` are used.
    """
    read = json.loads(path.read_text("utf-8"))
    with_vectors, by_words = (
        getattr(brought, way) if brought is not None and way not in read else _weights(read[way])
        for way in _WAYS
    )
    return Reranker(read["recipe"], with_vectors, by_words)


def write_weights(reranker: Reranker, brought: Reranker | None = None) -> str:
    """Return ``reranker`` in the format of ``read_weights``, one number per line, without parts identical to
    ``brought``.
    """
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
"""Number of first documents that are reordered; the others keep their places."""
LEAST_SHARE = 0.95
"""Minimum share of passages with a vector at which similarity is used. While vectors are still being
computed, a document must not rank higher merely because it already has them.
"""
LEARNT_FOR = frozenset({"case"})
"""Kinds of documents on which the weights were learned. Documents of other kinds keep their places."""

_WAYS = ("with_vectors", "by_words")
_WEIGHTS = Path(__file__).parent.parent / "data/reranking_weights.json"


@cache
def load_learnt() -> Reranker:
    """Return the built-in weights, loaded on first use."""
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
    """Describe the first ``DEPTH`` of ``fused`` (documents with their scores, best first) for a model.

    ``best`` maps documents to their best passages, and ``kind_of`` returns a document's kind. Only documents
    of the kinds learned on are described; if there are fewer than two, the result is empty. Raises
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
    """Return ``fused`` with the ``described`` documents reordered by ``learnt``. The scores are not moved
    with the documents, so that they still decrease.
    """
    reranked = list(fused)
    if described.places:
        model = learnt.with_vectors if described.with_vectors else learnt.by_words
        order = np.argsort(-model.scores(described.features), kind="stable")
        for place, taken in zip(described.places, order.tolist(), strict=True):
            reranked[place] = (described.documents[taken], fused[place][1])
    return reranked


def take_candidates(first: Sequence[tuple[int, float]], best: Mapping[int, int]) -> Candidates:
    """Return the first documents of a fused ranking as candidates."""
    return Candidates(tuple(document for document, _ in first), tuple(score for _, score in first), best)
