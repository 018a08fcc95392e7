"""Ask a library questions and measure the answers that a generator gives."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lexls.evaluation.answer_measures import (
    MEASURES,
    EncodeTokens,
    Judge,
    Judged,
    compute_answer_relevance,
    compute_bert_score,
    compute_reference_cosine,
    measure_answer,
)
from lexls.evaluation.asking import DocumentNames
from lexls.evaluation.benchmark import ExplainedQuestion
from lexls.evaluation.statistics import find_mean_intervals, find_percentile
from lexls.grounding.answer import Answer
from lexls.grounding.answering import Gathered
from lexls.grounding.selection import Encode
from lexls.index.library import Library
from lexls.text.cancel import CancelToken
from lexls.wording.prose import find_statements

Ask = Callable[[str, int | None, CancelToken], tuple[Gathered, Iterator[Answer]]]
"""Asks the library a question without what a document (its id; None: none) says."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """With what answers are measured. ``encode`` and ``encode_tokens`` give vectors of texts and of tokens
    (None: what needs them is not measured); ``judge_of`` the judge for the sentences of one context."""

    judge_of: Callable[[Sequence[str]], Judge]
    encode: Encode | None = None
    encode_tokens: EncodeTokens | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """One question with its answer and figures."""

    question: ExplainedQuestion
    answer: Answer
    figures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ExplainedRun:
    """All answers of a run, who judged them, and what wrote them."""

    judge: str
    generator: str
    measured: tuple[Measured, ...] = field(default=())


def measure_answers(
    questions: Sequence[ExplainedQuestion],
    library: Library,
    ask: Ask,
    measuring: Measuring,
    token: CancelToken,
    on_question: Callable[[int, int], None] = lambda done, total: None,
) -> ExplainedRun:
    """Ask every question and measure its answer. Raises ``Cancelled``, and what ``ask`` raises."""
    used = [name for each in questions for name in (*each.gold, each.citing) if name]
    names = DocumentNames(library.catalogue.all(), used)
    measured = []
    judge, generator = "", ""
    for done, question in enumerate(questions, 1):
        token.raise_if_cancelled()
        started = time.perf_counter()
        first = None
        gathered, answers = ask(question.text, names.find(question.citing), token)
        answer = Answer("ask", question.text)
        for answer in answers:
            if first is None and answer.sentences:
                first = time.perf_counter() - started
        figures, judge = _measure(question, gathered, answer, names, library, measuring)
        if first is not None:
            figures["first_sentence_seconds"] = first
        generator = answer.generator
        measured.append(Measured(question, answer, figures))
        on_question(done, len(questions))
    return ExplainedRun(judge, generator, tuple(measured))


def _measure(
    question: ExplainedQuestion,
    gathered: Gathered,
    answer: Answer,
    names: DocumentNames,
    library: Library,
    measuring: Measuring,
) -> tuple[dict[str, float], str]:
    evidence = gathered.request.evidence
    context = [span.of(each.text) for each in evidence for span in find_statements(each.text)]
    judge = measuring.judge_of(context)
    known = [names.find(name) for name in question.gold]
    cited = {pin.authority.id for each in answer.sentences for pin in each.pins}
    reference = [span.of(question.reference) for span in find_statements(question.reference)]
    figures = measure_answer(
        Judged(
            answer,
            evidence,
            context,
            {document: library.contents.text(document) for document in cited},
            question.answerable,
            {document for document in known if document is not None},
            reference or ([question.reference] if question.reference else []),
        ),
        judge,
    )
    if said := [each.text for each in answer.sentences]:
        figures |= _compare(question, said, measuring)
    usage = answer.usage
    if usage is not None and usage.tokens:
        figures["first_token_seconds"] = usage.first_seconds
        writing = usage.seconds - usage.first_seconds
        if writing > 0:
            figures["tokens_a_second"] = usage.tokens / writing
    return figures, judge.name


def _compare(question: ExplainedQuestion, said: Sequence[str], measuring: Measuring) -> dict[str, float]:
    """Return how like the question and its reference an answer is, as far as there are models for that."""
    figures: dict[str, float] = {}
    reference, answer = question.reference, " ".join(said)
    if measuring.encode is not None:
        figures["answer_relevance"] = compute_answer_relevance(question.text, said, measuring.encode)
        if reference:
            figures["reference_cosine"] = compute_reference_cosine(answer, reference, measuring.encode)
    if reference and measuring.encode_tokens is not None:
        figures["bert_score"] = compute_bert_score(answer, reference, measuring.encode_tokens)
    return figures


def summarize_answers(run: ExplainedRun, benchmark: str) -> dict[str, Any]:
    """The run as ``lexls eval --explain --json`` prints it: the mean of each measure with its 95% interval,
    over how many questions it has a meaning for, and the p95 of seconds."""
    figures: dict[str, Any] = {}
    for name in MEASURES:
        values = [each.figures[name] for each in run.measured if name in each.figures]
        if not values:
            continue
        interval = find_mean_intervals(np.array(values, dtype=np.float64).reshape(-1, 1))[0]
        figures[name] = {
            "mean": round(interval.mean, 4),
            "interval": [round(interval.low, 4), round(interval.high, 4)],
            "questions": len(values),
        }
        if name.endswith("_seconds"):
            figures[name]["p95"] = round(find_percentile(values, 95), 4)
    return {
        "benchmark": benchmark,
        "questions": len(run.measured),
        "answered": sum(not each.answer.abstained for each in run.measured),
        "generator": run.generator,
        "judge": run.judge,
        "figures": figures,
    }
