"""Select a small part of a library on which a benchmark is still difficult."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.evaluation.asking import Benchmark, DocumentNames, name_documents
from lexls.evaluation.benchmark import DocumentQuestion, Question, SpanQuestion
from lexls.evaluation.stage_comparison import rank_by
from lexls.evaluation.statistics import SEED
from lexls.retrieval.model import Filters
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken

MISTAKEN = 20
"""Number of top-ranked documents per question that may be included."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of a library's documents: ``relevant`` is the number of those that are answers, ``mistaken``
    the number of those that rank high in a keyword search although they are not. The others are drawn at
    random.
    """

    documents: frozenset[int]
    relevant: int
    mistaken: int


def draw_documents(benchmark: Benchmark, searcher: Searcher, count: int, token: CancelToken) -> Sample:
    """Draw about ``count`` documents from the searcher's library. All documents that ``benchmark`` asks for
    come first, even if there are more than ``count``. Then come documents that BM25 ranks high by mistake
    (the best for every question before the second best for any), then random ones. Raises
    ``BenchmarkError``, ``Cancelled``.
    """
    library = searcher.library
    names = name_documents(benchmark, library)
    relevant: dict[int, None] = {}
    for question in benchmark.questions:
        relevant.update(dict.fromkeys(_relevant(question, names)))
    mistaken: dict[int, None] = {}
    if count > len(relevant):
        rankings = [_by_words(question, names, searcher, token) for question in benchmark.questions]
        for place in range(MISTAKEN):
            found = (ranking[place] for ranking in rankings if len(ranking) > place)
            mistaken.update(dict.fromkeys(document for document in found if document not in relevant))
    chosen = list(mistaken)[: max(0, count - len(relevant))]
    kept = {*relevant, *chosen}
    others = sorted(each.id for each in library.catalogue.all() if each.id not in kept)
    drawn = random.Random(SEED).sample(others, min(len(others), max(0, count - len(kept))))
    return Sample(frozenset({*kept, *drawn}), len(relevant), len(chosen))


def _relevant(question: Question, names: DocumentNames) -> Sequence[int]:
    wanted = question.gold if isinstance(question, DocumentQuestion) else [getattr(question, "file", "")]
    return [document for name in wanted if (document := names.find(name)) is not None]


def _by_words(question: Question, names: DocumentNames, searcher: Searcher, token: CancelToken) -> list[int]:
    """Return the top documents of a keyword search, except the correct ones and the citing document."""
    if not isinstance(question, DocumentQuestion | SpanQuestion):
        return []
    left_out = set(_relevant(question, names))
    if isinstance(question, DocumentQuestion):
        citing = names.find(question.citing)
        left_out |= {citing} if citing is not None else set()
    with rank_by(searcher, searcher.ranking.only("passages")):
        query = searcher.query(question.text)
        ranked = searcher.rank(query, MISTAKEN + len(left_out), Filters(), token)
    return [each.document for each in ranked if each.document not in left_out][:MISTAKEN]
