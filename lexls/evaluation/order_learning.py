"""Learn the order of a library's hits from its own citing sentences, and say what that is worth.

Each sentence is asked with its document left out. What is learnt stays near the order that lexls brings, so
that a hundred sentences are enough (``benchmarks/RESULTS.md``, "Across countries"); it is measured on
sentences of documents that it was not learnt from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexls.evaluation.citing_sentences import CitingQuestion
from lexls.evaluation.learning_to_rank import learn
from lexls.evaluation.statistics import is_sure_gain
from lexls.retrieval.model import Filters
from lexls.retrieval.reranking.candidates import Described
from lexls.retrieval.reranking.reranker import RerankerWeights

if TYPE_CHECKING:
    from lexls.retrieval.search import Searcher
    from lexls.text.cancel import CancelToken

RIDGE = 60.0
"""What the distance from the weights that lexls brings costs; 20 did about as well, 5 worse with 100
sentences (``benchmarks/RESULTS.md``)."""
FEWEST_SENTENCES = 50
"""So many tell something."""
FOUND_WITHIN = (1, 5, 10)

Figures = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DescribedSentence:
    """A citing sentence and the hits for it that may change places."""

    question: CitingQuestion
    described: Described

    @property
    def cited(self) -> NDArray[np.bool_]:
        """Which of the hits were cited."""
        return np.array([each in self.question.cites for each in self.described.documents], np.bool_)

    def read(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The features (hits × ``names``)."""
        return np.stack([self.described.features[name] for name in names], axis=1)


@dataclass(frozen=True, slots=True)
class LearntOrder:
    """What ``sentences`` taught: the weights from all of them, and the mean reciprocal rank and recall@10 of
    the order ``before`` and of weights learnt ``after`` that, each on sentences of documents unseen."""

    sentences: int
    before: tuple[float, float]
    after: tuple[float, float]
    weights: RerankerWeights
    helps: bool


def measure_order(scores: Figures, cited: NDArray[np.bool_], wanted: int) -> Figures:
    """The reciprocal rank of the first hit that was ``cited`` in the order of ``scores``, and the recall of
    the ``wanted`` ones among the first ``FOUND_WITHIN``."""
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
    """Ask each question, but those with fewer than two hits that may move. Raises ``Cancelled``."""
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
    """Weights near those ``brought``, learnt from ``sentences``, in so many ``folds`` by citing document.

    They help where the mean reciprocal rank gains over ``FEWEST_SENTENCES`` or more, see ``is_sure_gain``.
    Raises ``ValueError`` where no sentence teaches anything.
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
            continue  # the others teach nothing: what is brought stays
        for number in unseen:
            after[number] = measure(number, model)
    gains, documents = (after - before)[:, 0], [each.question.citing for each in sentences]
    helps = is_sure_gain(gains, documents, FEWEST_SENTENCES)
    return LearntOrder(len(sentences), _means(before), _means(after), weights, helps)


def _means(figures: Figures) -> tuple[float, float]:
    means = figures.mean(axis=0)
    return round(float(means[0]), 4), round(float(means[-1]), 4)
