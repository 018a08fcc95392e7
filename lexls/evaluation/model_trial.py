"""Measure how much a cross-encoder would improve searches of a library before it is used.

The questions are sentences in the library that cite authorities. Each is used as a search that excludes its
own document. The questions are split into two halves by document. The weight chosen on one half is measured
on the other, and vice versa.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexls.evaluation.stage_comparison import rank_by
from lexls.evaluation.statistics import SEED, is_sure_gain, summarize_latency
from lexls.index.tokens import Tokenizer
from lexls.retrieval.model import Filters
from lexls.retrieval.refinements import weigh_scores
from lexls.retrieval.reranking.kept_with_library import MOST

if TYPE_CHECKING:
    from lexls.index.library import Library
    from lexls.models.encoder_clients import CrossEncoderClient
    from lexls.retrieval.search import Searcher
    from lexls.text.cancel import CancelToken


WEIGHTS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5, 2.0, MOST)
FEWEST_QUESTIONS = 20
"""Minimum number of questions for a meaningful result."""
RANKED = 50
"""Number of documents ranked per question; a document ranked lower counts as not found."""
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TriedQuestion:
    """The hits for a question, in the order without the model: for each whether the question's sentence cites
    it, and the model's ``scores`` of the first hits, which were computed in ``seconds``.
    """

    question: CitingQuestion
    cited: tuple[bool, ...]
    scores: tuple[float, ...]
    seconds: float

    def measure(self, weight: float) -> tuple[float, float]:
        """Return the reciprocal rank of the first cited hit (0 if none), and 1 if it ranks first, otherwise
        0, when the model has this ``weight``.
        """
        order = [*weigh_scores(self.scores, weight), *range(len(self.scores), len(self.cited))]
        rank = next((rank for rank, place in enumerate(order, 1) if self.cited[place]), None)
        return (1 / rank if rank else 0.0), float(rank == 1)


@dataclass(frozen=True, slots=True)
class Trial:
    """The benefit of a model, measured on ``questions`` questions.

    ``without`` and ``with_it`` are the mean reciprocal rank and recall@1 without and with the model;
    ``with_it`` uses weights chosen on other questions. ``weight`` is the recommended weight, 0 if the model
    does not help. ``milliseconds`` (p50, p95) is the model's time per question.
    """

    questions: int
    without: tuple[float, float]
    with_it: tuple[float, float]
    weight: float
    milliseconds: dict[str, float]


def ask(
    searcher: Searcher,
    client: CrossEncoderClient,
    questions: Sequence[CitingQuestion],
    depth: int,
    token: CancelToken,
    on_question: Callable[[int, int], None] = lambda done, total: None,
) -> list[TriedQuestion]:
    """Ask every question without the model, then let the model score the first ``depth`` hits.

    Raises ``ModelUnavailable`` and ``Cancelled``.
    """
    library, tried = searcher.library, []
    for done, question in enumerate(questions, 1):
        authority = library.catalogue.get(question.citing)
        filters = Filters(excluded=(authority.own_path,)) if authority is not None else Filters()
        query = searcher.query(question.text)
        with rank_by(searcher, searcher.ranking.without("cross_encoder")):
            ranked = searcher.rank(query, RANKED, filters, token)
        first = searcher.fetch_hits(ranked[:depth], query, token)
        started = time.perf_counter()
        scores = client.scores(query.gist, [hit.passage.text for hit in first], token)
        seconds = time.perf_counter() - started
        documents = [*(hit.authority.id for hit in first), *(each.document for each in ranked[depth:])]
        cited = tuple(document in question.cites for document in documents)
        tried.append(TriedQuestion(question, cited, tuple(scores), seconds))
        on_question(done, len(questions))
    return tried


def judge(tried: Sequence[TriedQuestion]) -> Trial:
    """Return the benefit of the model. It helps if the mean reciprocal rank rises reliably over at least
    ``FEWEST_QUESTIONS`` questions (see ``is_sure_gain``).
    """
    table = np.array([[each.measure(weight) for each in tried] for weight in WEIGHTS]).reshape(
        len(WEIGHTS), len(tried), 2
    )
    halves = {
        citing: number % 2 for number, citing in enumerate(sorted({each.question.citing for each in tried}))
    }
    second = np.array([halves[each.question.citing] for each in tried], dtype=bool)
    unseen = table[0].copy()
    for half in (second, ~second):
        unseen[half] = table[_choose(table[:, ~half])][half]
    gains = unseen[:, 0] - table[0, :, 0]
    # Questions for the same authority are not independent: others often cite it in the same words.
    helps = is_sure_gain(gains, [each.question.cites for each in tried], FEWEST_QUESTIONS)
    return Trial(
        len(tried),
        _means(table[0]),
        _means(unseen),
        WEIGHTS[_choose(table)] if helps else 0.0,
        summarize_latency([each.seconds for each in tried]) if tried else {"p50": 0.0, "p95": 0.0},
    )


def _choose(table: Scores) -> int:
    """Return the index of the weight with the highest mean reciprocal rank; the smallest such weight if there
    are several.
    """
    return int(np.argmax(table[:, :, 0].mean(axis=1))) if table.shape[1] else 0


def _means(figures: Scores) -> tuple[float, float]:
    means = figures.mean(axis=0) if len(figures) else np.zeros(2)
    return round(float(means[0]), 4), round(float(means[1]), 4)


FEWEST_TERMS = 8
"""Minimum number of distinct terms in a sentence; a shorter one does not state what it cites an authority
for.
"""
NAMING = 5.0
"""The idf above which a word of a title identifies the authority."""


@dataclass(frozen=True, slots=True)
class CitingQuestion:
    """A sentence in the document ``citing``, without its citations, and the authorities that it ``cites``."""

    citing: int
    text: str
    cites: frozenset[int]


def draw_questions(
    library: Library,
    tokenizer: Tokenizer,
    count: int,
    token: CancelToken,
    kinds: Collection[str] | None = None,
) -> list[CitingQuestion]:
    """Return at most ``count`` citing sentences, drawn at random with a fixed seed from as many documents as
    possible.

    Sentences with few terms, and sentences that name the authority they cite, are skipped. Only authorities
    of these ``kinds`` count (None: all). Raises ``Cancelled``.
    """
    documents = [each.id for each in library.catalogue.all() if kinds is None or each.kind in kinds]
    pairs = library.precedents.find_citing(documents, token=token)
    cites: defaultdict[int, set[int]] = defaultdict(set)
    for precedent, authority in zip(*(column.tolist() for column in pairs), strict=True):
        cites[precedent].add(authority)
    waiting: defaultdict[int, list[CitingQuestion]] = defaultdict(list)
    texts: set[str] = set()
    for record in library.precedents.records(sorted(cites), token):
        terms = frozenset(tokenizer.tokenize(record.proposition))
        if len(terms) < FEWEST_TERMS or record.proposition in texts:
            continue
        if not _names(library, terms, cites[record.id]):
            texts.add(record.proposition)
            question = CitingQuestion(record.citing, record.proposition, frozenset(cites[record.id]))
            waiting[record.citing].append(question)
    chance = random.Random(SEED)
    by_document = [chance.sample(each, len(each)) for _, each in sorted(waiting.items())]
    chance.shuffle(by_document)
    turns = max(map(len, by_document), default=0)
    drawn = [each[turn] for turn in range(turns) for each in by_document if turn < len(each)]
    return drawn[:count]


def _names(library: Library, terms: frozenset[str], authorities: set[int]) -> bool:
    """Return whether one of ``terms`` identifies one of ``authorities``."""
    shared = sorted(terms & library.title_terms(authorities))
    return any(idf > NAMING for idf in library.rarity(shared))
