"""Asking a library one question of a benchmark after the other."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.evaluation.answers import Answer, Figures, RankedItem
from lexls.evaluation.benchmark import (
    BenchmarkError,
    DocumentQuestion,
    Question,
    SpanQuestion,
    TermQuestion,
)
from lexls.evaluation.document_names import DocumentNames
from lexls.evaluation.spans import span_figures
from lexls.retrieval.model import Filters
from lexls.retrieval.search import Searcher

if TYPE_CHECKING:
    from lexls.text.cancel import CancelToken

DOCUMENTS = 1000
"""So many documents of a ranking are measured, as is usual with trec_eval."""
PASSAGES = 64
"""So many passages of a ranking are measured."""
SHOWN = 10
"""So many hits are fetched with their texts, as for a person: the latency holds for these."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer, with what is known of the right one.

    ``judged`` are the grades of the judged items; ``figures`` are the measures where items cannot be judged
    one by one (spans), and then ``judged`` is empty.
    """

    answer: Answer
    judged: Mapping[str, int]
    figures: Figures


class Asker:
    """Asks a library the questions of ``benchmark`` (a file, for messages).

    ``corpus``: search the whole library where a question names a file. ``filters`` hold for every question;
    ``shown`` hits are fetched with their texts.
    """

    def __init__(
        self,
        benchmark: Path,
        searcher: Searcher,
        names: DocumentNames,
        token: CancelToken,
        *,
        corpus: bool = False,
        filters: Filters | None = None,
        shown: int = SHOWN,
    ) -> None:
        self._benchmark = benchmark
        self._searcher = searcher
        self._names = names
        self._token = token
        self._corpus = corpus
        self._filters = filters or Filters()
        self._shown = shown

    def ask(self, question: Question) -> Asked:
        """Raises ``BenchmarkError`` for a file that is not in the library; ``Cancelled``."""
        self._token.raise_if_cancelled()
        if isinstance(question, DocumentQuestion):
            return self._documents(question)
        if isinstance(question, SpanQuestion):
            return self._spans(question)
        if isinstance(question, TermQuestion):
            return self._term(question)
        raise BenchmarkError(f"{self._benchmark}:{question.line}: a question for a case base")

    def _documents(self, question: DocumentQuestion) -> Asked:
        filters = self._filters
        citing = self._names.find(question.citing)
        authority = self._searcher.library.authority(citing) if citing is not None else None
        if authority is not None:
            filters = replace(filters, excluded=(*filters.excluded, authority.path))
        start = time.perf_counter()
        query = self._searcher.query(question.text)
        ranked = self._searcher.rank(query, DOCUMENTS, filters, self._token)
        self._searcher.hits(ranked[: self._shown], query, self._token)
        seconds = time.perf_counter() - start
        items = tuple(RankedItem(self._names.called(each.document), each.score) for each in ranked)
        judged = dict.fromkeys((self._names.same(name) for name in question.gold), 1)
        return Asked(Answer(question.id, items, seconds), judged, {})

    def _spans(self, question: SpanQuestion) -> Asked:
        file = self._names.find(question.file)
        if file is None:
            raise BenchmarkError(f"{self._benchmark}:{question.line}: {question.file} is not in the library")
        filters = self._filters if self._corpus else replace(self._filters, within=frozenset({file}))
        start = time.perf_counter()
        query = self._searcher.query(question.text)
        ranked = self._searcher.rank_passages(query, PASSAGES, filters, self._token)
        hits = self._searcher.hits(ranked[: self._shown], query, self._token)
        seconds = time.perf_counter() - start
        hits += self._searcher.hits(ranked[self._shown :], query, self._token)
        found = [(each.authority.id, each.passage.start, each.passage.end) for each in hits]
        text = self._searcher.library.text(file)
        items = tuple(
            RankedItem(
                self._names.called(each.authority.id), each.score, each.passage.start, each.passage.end
            )
            for each in hits
        )
        figures = span_figures(found, file, question.spans, text)
        return Asked(Answer(question.id, items, seconds), {}, figures)

    def _term(self, question: TermQuestion) -> Asked:
        start = time.perf_counter()
        ranking = self._searcher.rank_sentences(question.term, [each.text for each in question.sentences])
        seconds = time.perf_counter() - start
        items = tuple(RankedItem(str(number), -float(rank)) for rank, number in enumerate(ranking, 1))
        judged = {str(number): each.grade for number, each in enumerate(question.sentences)}
        return Asked(Answer(question.id, items, seconds), judged, {})
