"""Learn to order a library's hits from its own citing sentences, and measure the benefit.

Each sentence is used as a search that excludes its own document. The learnt weights stay close to the
built-in ones, so that a hundred sentences are enough (``benchmarks/RESULTS.md``, "Across countries"). They
are measured on sentences of documents that were not used for learning.

The model is linear. Its loss is the top-one loss of ListNet (Cao and others, "Learning to Rank: From Pairwise
Approach to Listwise Approach", ICML 2007): the cross-entropy between the softmax of the scores of a query's
candidates and each candidate's share of the cited ones, with a ridge penalty on the weights. The loss is
convex, and Newton's method finds its minimum in a few steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexls.evaluation.model_trial import CitingQuestion
from lexls.evaluation.statistics import is_sure_gain
from lexls.retrieval.model import Filters
from lexls.retrieval.reranking.candidates import Described
from lexls.retrieval.reranking.reranker import RerankerWeights

if TYPE_CHECKING:
    from lexls.retrieval.search import Searcher
    from lexls.text.cancel import CancelToken


RIDGE = 60.0
"""Penalty on the distance from the built-in weights. A penalty of 20 worked about as well; 5 worked worse
with 100 sentences (``benchmarks/RESULTS.md``).
"""
FEWEST_SENTENCES = 50
"""Minimum number of sentences for a meaningful result."""
FOUND_WITHIN = (1, 5, 10)

Figures = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DescribedSentence:
    """A citing sentence and its hits that may be reordered."""

    question: CitingQuestion
    described: Described

    @property
    def cited(self) -> NDArray[np.bool_]:
        """Return for each hit whether the sentence cites it."""
        return np.array([each in self.question.cites for each in self.described.documents], np.bool_)

    def read(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Return the features ``names`` as an array of hits × features."""
        return np.stack([self.described.features[name] for name in names], axis=1)


@dataclass(frozen=True, slots=True)
class LearntOrder:
    """The result of learning from ``sentences`` sentences: the weights learnt from all of them, and the mean
    reciprocal rank and recall@10 ``before`` and ``after`` learning, measured on sentences of unseen
    documents.
    """

    sentences: int
    before: tuple[float, float]
    after: tuple[float, float]
    weights: RerankerWeights
    helps: bool


def measure_order(scores: Figures, cited: NDArray[np.bool_], wanted: int) -> Figures:
    """Return the reciprocal rank of the first hit that is ``cited``, with hits ordered by ``scores``, and the
    share of the ``wanted`` documents found among the first k hits, for each k in ``FOUND_WITHIN``.
    """
    ordered = cited[np.argsort(-scores, kind="stable")]
    first = np.flatnonzero(ordered)
    recalls = [ordered[:k].sum() / wanted for k in FOUND_WITHIN]
    return np.array([1 / (first[0] + 1) if len(first) else 0.0, *recalls])


def describe_sentences(
    searcher: Searcher,
    questions: Sequence[CitingQuestion],
    token: CancelToken,
    on_question: Callable[[int, int], None] = lambda done, total: None,
) -> list[DescribedSentence]:
    """Return the results of a search for each question, except those with fewer than two hits that may be
    reordered. Raises ``Cancelled``.
    """
    found = []
    for done, question in enumerate(questions, 1):
        authority = searcher.library.catalogue.get(question.citing)
        filters = Filters(excluded=(authority.own_path,)) if authority is not None else Filters()
        described = searcher.describe(searcher.query(question.text), filters, token)
        if described.places:
            found.append(DescribedSentence(question, described))
        on_question(done, len(questions))
    return found


def learn_order(sentences: Sequence[DescribedSentence], brought: RerankerWeights, folds: int) -> LearntOrder:
    """Learn weights close to the built-in ones (``brought``) from ``sentences``, and cross-validate them in
    ``folds`` by citing document.

    The learnt weights help if the mean reciprocal rank rises reliably over at least ``FEWEST_SENTENCES``
    sentences (see ``is_sure_gain``). Raises ``ValueError`` if no sentence can be learnt from.
    """
    names = brought.names
    rows = [each.read(names) for each in sentences]
    cited = [each.cited for each in sentences]
    citing = sorted({each.question.citing for each in sentences})
    fold_of = {document: number % folds for number, document in enumerate(citing)}
    fold = np.array([fold_of[each.question.citing] for each in sentences])

    def learn_from(chosen: Sequence[int]) -> RerankerWeights:
        return learn(names, [rows[n] for n in chosen], [cited[n] for n in chosen], RIDGE, brought)

    def measure(number: int, model: RerankerWeights) -> Figures:
        scores = model.scores(sentences[number].described.features)
        return measure_order(scores, cited[number], len(sentences[number].question.cites))

    weights = learn_from(range(len(sentences)))
    before = np.stack([measure(number, brought) for number in range(len(sentences))])
    after = before.copy()
    for held in range(folds):
        unseen = np.flatnonzero(fold == held).tolist()
        try:
            model = learn_from(np.flatnonzero(fold != held).tolist())
        except ValueError:
            continue  # nothing can be learnt from the others: keep the built-in weights
        for number in unseen:
            after[number] = measure(number, model)
    gains, documents = (after - before)[:, 0], [each.question.citing for each in sentences]
    helps = is_sure_gain(gains, documents, FEWEST_SENTENCES)
    return LearntOrder(len(sentences), _means(before), _means(after), weights, helps)


def _means(figures: Figures) -> tuple[float, float]:
    means = figures.mean(axis=0)
    return round(float(means[0]), 4), round(float(means[-1]), 4)


Matrix = NDArray[np.float64]

STEPS = 12
"""Maximum number of Newton steps; after eight steps the loss no longer changes."""


def learn(
    names: Sequence[str],
    lists: Sequence[Matrix],
    cited: Sequence[NDArray[np.bool_]],
    ridge: float,
    prior: RerankerWeights | None = None,
) -> RerankerWeights:
    """Return the weights that rank the cited candidates first.

    Each of ``lists`` has the features of one query's candidates (candidates × ``names``); ``cited`` marks
    those that were cited. Queries with none or all of their candidates cited are skipped. ``ridge``
    multiplies the squared weights, or their squared distance from the weights of ``prior``, which must have
    the same names; the result is added to the sum of the losses. Raises ``ValueError`` if no query remains.
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
