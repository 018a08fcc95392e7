"""Compare the stages of a search. Each stage is run alone, and all stages are run without it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from lexls.evaluation.asking import Benchmark
from lexls.evaluation.benchmark import TermQuestion
from lexls.evaluation.measures import TERM_MEASURES, measure_rankings
from lexls.evaluation.runs import Figures, RankedAnswer, RankedItem, Run
from lexls.evaluation.statistics import SEED
from lexls.index.tokens import Tokenizer
from lexls.retrieval.passage_search import score_by_bm25
from lexls.retrieval.ranking import RANKINGS, STAGES, Ranking
from lexls.retrieval.search import Searcher

SWITCHED_ON = 0.5
"""Weight given to a stage that is off by default, in the row that shows the effect of switching it on."""
SHUFFLES = 100
ALL = "all"


@dataclass(frozen=True, slots=True)
class StageRow:
    """A ranking configuration and its run. ``unchanged`` is true if every ranked list equals the
    corresponding list of the run ``all``.
    """

    name: str
    run: Run
    unchanged: bool


def list_rankings(ranking: Ranking) -> dict[str, Ranking]:
    """Return the rankings to compare, by name: all stages as configured, each stage alone, and all stages
    without each.

    A stage that is off in ``ranking`` is also ranked alone. Since it cannot be removed, it gets a row
    ``with`` it instead of a row ``without`` it.
    """
    rankings = {ALL: ranking}
    for stage in STAGES:
        alone = ranking.only(stage)
        if stage in RANKINGS:
            rankings[f"only {stage}"] = alone if getattr(alone, stage) else _on(alone, stage, 1.0)
    for stage in STAGES:
        if getattr(ranking, stage):
            rankings[f"without {stage}"] = ranking.without(stage)
        else:
            rankings[f"with {stage}"] = _on(ranking, stage, SWITCHED_ON)
    return rankings


def compare_stages(
    searcher: Searcher,
    rankings: dict[str, Ranking],
    run: Callable[[str], Run],
) -> list[StageRow]:
    """Return a row for each of ``rankings``; the first must use all stages. ``run`` is called with the row's
    name while ``searcher`` uses that ranking, and runs the benchmark.
    """
    rows: list[StageRow] = []
    for name, ranking in rankings.items():
        with rank_by(searcher, ranking):
            found = run(name)
        rows.append(make_row(name, found, rows[0].run if rows else None))
    return rows


def make_row(name: str, run: Run, beside: Run | None = None) -> StageRow:
    """Return the row of a run. ``beside`` is the run of all stages with which it is compared, or None if it
    is that run.
    """
    return StageRow(name, run, beside is not None and _lists(run) == _lists(beside))


def measure_baselines(benchmark: Benchmark, like: Run) -> list[StageRow]:
    """Return rows for two baselines on a benchmark of terms: a random order (the mean of 100) and BM25 over
    the sentences.

    ``like`` is a run of the same benchmark, whose header is reused.
    """
    questions = [each for each in benchmark.questions if isinstance(each, TermQuestion)]
    judged = [{str(n): s.grade for n, s in enumerate(each.sentences)} for each in questions]
    generator = random.Random(SEED)
    tried: list[list[Figures]] = []
    orders: list[list[str]] = []
    for _ in range(SHUFFLES):
        orders = [generator.sample(list(grades), len(grades)) for grades in judged]
        tried.append(measure_rankings(judged, orders, TERM_MEASURES))
    means = [
        {name: sum(each[n][name] for each in tried) / SHUFFLES for name in TERM_MEASURES}
        for n in range(len(questions))
    ]
    by_words = [_by_bm25(each) for each in questions]
    figures = measure_rankings(judged, by_words, TERM_MEASURES)
    return [
        StageRow("random order", _run(like, questions, orders, means), False),
        StageRow("BM25", _run(like, questions, by_words, figures), False),
    ]


def _by_bm25(question: TermQuestion) -> list[str]:
    tokenizer = Tokenizer()
    counted = [Counter(tokenizer.tokenize(sentence.text)) for sentence in question.sentences]
    scores = score_by_bm25(tokenizer.tokenize(question.term), counted)
    return [str(n) for n in sorted(range(len(scores)), key=lambda n: -scores[n])]


def _run(
    like: Run, questions: Sequence[TermQuestion], orders: Sequence[Sequence[str]], figures: Sequence[Figures]
) -> Run:
    ranked = [tuple(RankedItem(name, -float(rank)) for rank, name in enumerate(order, 1)) for order in orders]
    answers = [RankedAnswer(each.id, items, 0.0) for each, items in zip(questions, ranked, strict=True)]
    return Run(replace(like.header, settings={}), tuple(answers), tuple(figures))


def _on(ranking: Ranking, stage: str, weight: float) -> Ranking:
    off = getattr(ranking, stage)
    return replace(ranking, **{stage: True if isinstance(off, bool) else weight})  # type: ignore[arg-type]


@contextmanager
def rank_by(searcher: Searcher, ranking: Ranking) -> Iterator[None]:
    """Make ``searcher`` use ``ranking`` inside a ``with`` block; afterwards it uses its previous ranking."""
    before = searcher.ranking
    searcher.ranking = ranking
    try:
        yield
    finally:
        searcher.ranking = before


def _lists(run: Run) -> list[list[tuple[str, int, int]]]:
    return [[(item.name, item.start, item.end) for item in answer.items] for answer in run.answers]
