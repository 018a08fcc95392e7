"""Putting the first candidates of a search into the order that was learnt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.retrieval.reranking.candidates import Asked, Candidates
from lexls.retrieval.reranking.features import features
from lexls.retrieval.reranking.model import Reranker, read_weights
from lexls.retrieval.stages import Stages

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex
    from lexls.text.cancel import CancelToken

DEPTH = 100
"""So many of the first documents are put in order; those after them stay where they are."""
LEAST_SHARE = 0.95
"""The part of the passages with a vector from which on likeness takes part: while vectors are still being
made, a document must not win by having them."""
LEARNT_FOR = frozenset({"case"})
"""The kinds of documents that the weights were learnt on. Others keep their places among the hits."""

_WEIGHTS = Path(__file__).with_name("weights.json")


@cache
def learnt() -> Reranker:
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
    found = features(library, asked, stages, candidates_of(first, best), token)
    likeness = asked.vector is not None and stages.vector_share >= LEAST_SHARE
    model = learnt().with_vectors if likeness else learnt().by_words
    scores = model.scores(found)
    order = sorted(rows, key=lambda row: -scores[row])
    reranked = list(fused)
    for row, taken in zip(rows, order, strict=True):
        reranked[row] = (first[taken][0], first[row][1])
    return reranked


def candidates_of(first: Sequence[tuple[int, float]], best: Mapping[int, int]) -> Candidates:
    """The candidates that a fused ranking begins with."""
    return Candidates(tuple(document for document, _ in first), tuple(score for _, score in first), best)
