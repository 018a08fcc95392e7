"""Learning the weights of a linear model from candidates of which it is known which were cited.

The loss is that of ListNet with the top one (Cao and others, "Learning to Rank: From Pairwise Approach to
Listwise Approach", ICML 2007): the cross-entropy between the softmax of the scores of a query's candidates
and the share of each in what was cited, with a ridge on the weights. It is convex, and Newton's method finds
its minimum in a few steps.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lexls.retrieval.reranking.reranker import RerankerWeights

Matrix = NDArray[np.float64]

STEPS = 12
"""Newton steps; the loss stands still after eight."""


def learn(
    names: Sequence[str],
    lists: Sequence[Matrix],
    cited: Sequence[NDArray[np.bool_]],
    ridge: float,
    prior: RerankerWeights | None = None,
) -> RerankerWeights:
    """The weights that put what was cited first.

    ``lists`` has the features of one query's candidates each (candidates × ``names``), ``cited`` which of
    them were cited. Queries of which no candidate, or each, was cited teach nothing and are passed over.
    ``ridge`` is the weight of the squared weights, or of their squared distance from those of ``prior``,
    which must have the same names, beside the sum of the losses. Raises ``ValueError`` if nothing remains.
    """
    used = [n for n, each in enumerate(cited) if each.any() and not each.all()]
    if not used:
        raise ValueError("there is no query with candidates that were cited and others")
    rows = np.concatenate([lists[n] for n in used]).astype(np.float64)
    if prior is None:
        means, scales = rows.mean(axis=0), rows.std(axis=0)
        scales = np.where(scales > 1e-9, scales, 1.0)
        start = np.zeros(len(names))
    else:
        means, scales, start = prior.means, prior.scales, prior.weights
    rows = (rows - means) / scales
    sizes = np.array([len(lists[n]) for n in used])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    wanted = np.concatenate([cited[n] / cited[n].sum() for n in used])

    def lose(tried: Matrix) -> float:
        away, chance = tried - start, _softmax(rows @ tried, starts, sizes)
        entropy = float(-(wanted * np.log(np.maximum(chance, 1e-300))).sum())
        return entropy + ridge * float(away @ away) / 2

    weights, loss = start, lose(start)
    for _ in range(STEPS):
        chance = _softmax(rows @ weights, starts, sizes)
        gradient = rows.T @ (chance - wanted) + ridge * (weights - start)
        means_of = np.add.reduceat(rows * chance[:, None], starts)
        curvature = (rows * chance[:, None]).T @ rows - means_of.T @ means_of
        step = np.linalg.solve(curvature + ridge * np.eye(len(names)), gradient)
        size = 1.0
        while size > 1e-4:
            tried = weights - size * step
            found = lose(tried)
            if found < loss:
                weights, loss = tried, found
                break
            size /= 2
        else:
            break
    return RerankerWeights(tuple(names), means, scales, weights)


def _softmax(scores: Matrix, starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> Matrix:
    raised = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
    shares: Matrix = raised / np.repeat(np.add.reduceat(raised, starts), sizes)
    return shares
