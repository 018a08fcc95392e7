"""Choose a small part of a library that is still hard for a benchmark."""

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
"""So many of the first documents of each question may be taken."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Documents of a library: ``relevant`` of them are asked for, ``mistaken`` rank high by words though they
    are not, the others are drawn by lot."""

    documents: frozenset[int]
    relevant: int
    mistaken: int


def draw_documents(benchmark: Benchmark, searcher: Searcher, count: int, token: CancelToken) -> Sample:
    """About ``count`` documents of the searcher's library: all that ``benchmark`` asks for (even if they are
    more), then those that BM25 takes for an answer, the first of each question before the second of any,
    then others by lot. Raises ``BenchmarkError``, ``Cancelled``."""
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
    """The documents that a search by words puts first, without those that are right and the citing one."""
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
