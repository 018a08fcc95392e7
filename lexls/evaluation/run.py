"""Asking a library the questions of a benchmark."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from lexls.evaluation.benchmark import (
    BenchmarkError,
    DocumentQuestion,
    Question,
    SpanQuestion,
    TermQuestion,
    read_benchmark,
)
from lexls.evaluation.measures import (
    average_precision,
    hit,
    ndcg,
    percentile,
    precision,
    recall,
    reciprocal_rank,
)
from lexls.evaluation.spans import span_figures
from lexls.retrieval.model import Filters
from lexls.retrieval.search import Searcher

if TYPE_CHECKING:
    from lexls.index.library import Library
    from lexls.text.cancel import CancelToken

DEPTH = 1000
"""So many documents of a ranking are measured, as is usual with trec_eval."""
SHOWN = 10
"""So many hits are fetched with their texts, as for a person: the latency holds for these."""

Figures = dict[str, float]


def evaluate(
    benchmark: Path,
    library: Library,
    searcher: Searcher,
    *,
    corpus: bool = False,
    token: CancelToken,
    filters: Filters | None = None,
    shown: int = SHOWN,
    on_question: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Ask every question of ``benchmark`` and measure the answers.

    ``corpus``: search the whole library where a line names a file. ``filters`` hold for every question.
    ``shown`` hits of a ranking of documents are fetched with their texts. ``on_question`` is told how many of
    how many questions are done. The figures are means over questions:

    - documents: ``map`` and ``mrr`` over the first 1,000, ``ndcg@10``, ``p@10``, ``recall@1``, ``@5``,
      ``@10``, ``@100``, ``hit@5``;
    - spans, over passages: ``mrr`` (the first passage that holds a span whole), ``hit@1``, ``hit@5``,
      ``recall@10`` (the share of spans that one of ten passages holds whole), ``fully_covered`` (all spans
      lie in the first ten passages taken together), ``partly_covered`` (a character of a span does),
      ``char_recall@10``, ``char_precision@10``;
    - terms: ``ndcg@10``, ``ndcg@100`` over the graded sentences.

    ``latency_ms`` is the time from a question to ``shown`` hits with their texts (or to the ranking of the
    sentences). Raises ``BenchmarkError`` for a malformed line, a ``file`` that is not in the library, or a
    benchmark of documents of which the library has none; ``Cancelled``.
    """
    questions = read_benchmark(benchmark)
    names = _names(library)
    ask = _Ask(benchmark, searcher, names, corpus, filters or Filters(), shown, token)
    _check(benchmark, questions, names)
    figures: list[Figures] = []
    times: list[float] = []
    for done, question in enumerate(questions, 1):
        token.raise_if_cancelled()
        measured, seconds = ask.question(question)
        figures.append(measured)
        times.append(1000 * seconds)
        on_question(done, len(questions))
    return {
        "benchmark": benchmark.name,
        "queries": len(questions),
        "figures": {name: round(_mean(each[name] for each in figures), 4) for name in figures[0]},
        "latency_ms": {"p50": round(percentile(times, 50), 1), "p95": round(percentile(times, 95), 1)},
    }


class _Ask:
    """Asks one question after the other."""

    def __init__(
        self,
        benchmark: Path,
        searcher: Searcher,
        names: dict[str, int],
        corpus: bool,
        filters: Filters,
        shown: int,
        token: CancelToken,
    ) -> None:
        self._benchmark = benchmark
        self._searcher = searcher
        self._names = names
        self._corpus = corpus
        self._filters = filters
        self._shown = shown
        self._token = token

    def question(self, question: Question) -> tuple[Figures, float]:
        """The figures of one question and the seconds it took."""
        if isinstance(question, DocumentQuestion):
            return self._documents(question)
        if isinstance(question, SpanQuestion):
            return self._spans(question)
        return self._term(question)

    def _documents(self, question: DocumentQuestion) -> tuple[Figures, float]:
        filters = self._filters
        citing = self._names.get(question.citing)
        authority = self._searcher.library.authority(citing) if citing is not None else None
        if authority is not None:
            filters = replace(filters, excluded=(*filters.excluded, authority.path))
        start = time.perf_counter()
        query = self._searcher.query(question.text)
        ranked = self._searcher.rank(query, DEPTH, filters, self._token)
        self._searcher.hits(ranked[: self._shown], query, self._token)
        seconds = time.perf_counter() - start
        # A document that the library does not have keeps its name: it counts, and cannot be found.
        gold: set[int | str] = {self._names.get(name, name) for name in question.gold}
        return document_figures([each.document for each in ranked], gold), seconds

    def _spans(self, question: SpanQuestion) -> tuple[Figures, float]:
        file = self._names.get(question.file)
        if file is None:
            raise BenchmarkError(f"{self._benchmark}:{question.line}: {question.file} is not in the library")
        filters = self._filters if self._corpus else replace(self._filters, within=frozenset({file}))
        start = time.perf_counter()
        hits = self._searcher.search_passages(question.text, SHOWN, filters, self._token)
        seconds = time.perf_counter() - start
        found = [(each.authority.id, each.passage.start, each.passage.end) for each in hits]
        text = self._searcher.library.text(file)
        return span_figures(found, file, question.spans, text), seconds

    def _term(self, question: TermQuestion) -> tuple[Figures, float]:
        start = time.perf_counter()
        ranking = self._searcher.rank_sentences(
            question.term, [sentence.text for sentence in question.sentences]
        )
        seconds = time.perf_counter() - start
        gains = {number: float(each.grade) for number, each in enumerate(question.sentences)}
        return {"ndcg@10": ndcg(ranking, gains, 10), "ndcg@100": ndcg(ranking, gains, 100)}, seconds


def document_figures(ranking: Sequence[int | str], gold: set[int | str]) -> Figures:
    """The measures of one ranking of documents."""
    return {
        "map": average_precision(ranking, gold),
        "mrr": reciprocal_rank(ranking, gold),
        "ndcg@10": ndcg(ranking, dict.fromkeys(gold, 1.0), 10),
        "p@10": precision(ranking, gold, 10),
        "recall@1": recall(ranking, gold, 1),
        "recall@5": recall(ranking, gold, 5),
        "recall@10": recall(ranking, gold, 10),
        "recall@100": recall(ranking, gold, 100),
        "hit@5": hit(ranking, gold, 5),
    }


def _names(library: Library) -> dict[str, int]:
    """What benchmarks call each document: its path in the library, its file name, and that without suffix."""
    names: dict[str, int] = {}
    for authority in library.authorities():
        path = PurePosixPath(authority.relative)
        for name in (authority.relative, path.name, path.stem):
            names.setdefault(name, authority.id)
    return names


def _check(benchmark: Path, questions: Sequence[Question], names: dict[str, int]) -> None:
    gold = [name for each in questions if isinstance(each, DocumentQuestion) for name in each.gold]
    if gold and not any(name in names for name in gold):
        raise BenchmarkError(f"{benchmark}: the library has none of its documents, such as {gold[0]}")


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)
