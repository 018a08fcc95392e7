"""Ask a library questions, and measure whether what the answers cite supports them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexls.evaluation import TABLES
from lexls.evaluation.asking import DocumentNames
from lexls.evaluation.benchmark import ExplainedQuestion
from lexls.evaluation.statistics import find_mean_intervals, find_percentile
from lexls.grounding.answer import Answer, Sentence
from lexls.grounding.answering import Gathered
from lexls.grounding.evidence import Evidence
from lexls.grounding.selection import Encode
from lexls.index.library import Library
from lexls.retrieval.relevance import Tokens, find_terms, weigh
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


@dataclass(frozen=True, slots=True)
class Judge:
    """Says how much of a statement a text supports.

    ``name`` is what it is, for the report; ``score`` gives for a text and a statement a number from 0 (not at
    all) to 1 (wholly), and from ``enough`` on the statement counts as supported.
    """

    name: str
    enough: float
    score: Callable[[str, str], float]


def judge_by_words(tokens: Tokens, texts: Sequence[str]) -> Judge:
    """The built-in judge: the share of the weight of the statement's content words, rare ones weighing more,
    that the text has; 0 for a statement without such words. In ``texts`` words are counted as rare or
    frequent."""
    corpus = [Counter(tokens(text)) for text in texts]

    def score(text: str, statement: str) -> float:
        return weigh(find_terms(statement, tokens), corpus).coverage(tokens(text))

    return Judge("built-in entailment score", 0.6, score)


EncodeTokens = Callable[[str], NDArray[np.float32]]
"""A text to the unit vectors of its tokens, a row each."""


def compute_answer_relevance(question: str, answer: Sequence[str], encode: Encode) -> float:
    """The mean cosine of the question with the answer's sentences.

    RAGAS takes the mean over questions that a model makes from the answer; without a model the sentences
    themselves stand for them.
    """
    vectors = encode([question, *answer])
    return float(np.mean(vectors[1:] @ vectors[0]))


def compute_reference_cosine(answer: str, reference: str, encode: Encode) -> float:
    """The cosine of an answer with a reference answer."""
    vectors = encode([answer, reference])
    return float(vectors[0] @ vectors[1])


def compute_bert_score(answer: str, reference: str, encode: EncodeTokens) -> float:
    """BERTScore's F1: each token is matched with the most similar one of the other text, without weights
    (Zhang et al., "BERTScore", ICLR 2020). 0 if either text has no token."""
    first, second = encode(answer), encode(reference)
    if not len(first) or not len(second):
        return 0.0
    similarity = first @ second.T
    precision, recall = float(similarity.max(axis=1).mean()), float(similarity.max(axis=0).mean())
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


MEASURES: Sequence[str] = TABLES["answers"]
"""What is measured, in the order of reports; one that has no meaning for an answer is left out of it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What an answer is measured against: the ``evidence`` with its sentences (``context``), the whole
    ``texts`` of the documents it cites, by id, the documents (ids) that it should rest on (``gold``; none
    where nobody said), and the sentences of the ``reference`` answer (none without one)."""

    answer: Answer
    evidence: tuple[Evidence, ...]
    context: Sequence[str]
    texts: Mapping[int, str]
    answerable: bool
    gold: Collection[int]
    reference: Sequence[str]


def measure_answer(judged: Judged, judge: Judge) -> dict[str, float]:
    """The figures that ``judge`` and plain comparison give.

    Citation recall and precision are those of Gao et al., "Enabling Large Language Models to Generate Text
    with Citations" (EMNLP 2023); faithfulness, context relevance, context precision and context recall those
    of RAGAS (Es et al., 2023): each a share of statements, sentences or passages that the judge finds
    supported or relevant.
    """
    answer = judged.answer
    name, false = ("false_abstention", True) if judged.answerable else ("false_answer", False)
    found = {name: float(answer.abstained == false), **_of_context(judged, judge)}
    if answer.abstained:
        return found
    sentences = answer.sentences
    # Whether all that a sentence cites together supports it.
    recalls = [judge.score(_pinned(each), each.text) >= judge.enough for each in sentences]
    precise = [
        mark
        for each, supported in zip(sentences, recalls, strict=True)
        for mark in _precise(each, supported, judge)
    ]
    context = " ".join(each.text for each in judged.evidence)
    pins = [pin for each in sentences for pin in each.pins]
    found["citation_recall"] = _mean(recalls)
    found["citation_precision"] = _mean(precise)
    found["faithfulness"] = _mean([judge.score(context, each.text) >= judge.enough for each in sentences])
    found["groundedness"] = _mean([judge.score(_pinned(each), each.text) for each in sentences])
    texts = [judged.texts[pin.authority.id][pin.start : pin.end] for pin in pins]
    found["verbatim_quotations"] = _mean([text == pin.text for text, pin in zip(texts, pins, strict=True)])
    if judged.gold:
        found["gold_cited"] = float(any(pin.authority.id in judged.gold for pin in pins))
    return found


def _of_context(judged: Judged, judge: Judge) -> dict[str, float]:
    """Return how good the evidence was, whatever was made of it."""
    found: dict[str, float] = {}
    if judged.context:
        # A sentence may be needed though it answers half of the question.
        question, enough = judged.answer.question, judge.enough / 2
        bearing = [judge.score(sentence, question) >= enough for sentence in judged.context]
        found["context_relevance"] = _mean(bearing)
    if judged.gold:
        relevant = [each.authority.id in judged.gold for each in judged.evidence]
        found["context_precision"] = compute_average_precision(relevant)
        cited = {each.authority.id for each in judged.evidence}
        found["context_recall"] = len(cited & set(judged.gold)) / len(set(judged.gold))
    if judged.reference:
        whole = " ".join(each.text for each in judged.evidence)
        found["context_recall"] = _mean(
            [judge.score(whole, each) >= judge.enough for each in judged.reference]
        )
    return found


def compute_average_precision(relevant: Sequence[bool]) -> float:
    """The mean of precision@k over the places k of relevant passages; 0 if there is none."""
    precisions = [
        sum(relevant[: place + 1]) / (place + 1) for place, is_relevant in enumerate(relevant) if is_relevant
    ]
    return _mean(precisions)


def _precise(sentence: Sentence, supported: bool, judge: Judge) -> list[float]:
    """For each citation of a sentence whether it is needed: the sentence is supported, and by this citation
    alone or not without it."""
    marks = []
    for number, pin in enumerate(sentence.pins):
        rest = " ".join(other.text for place, other in enumerate(sentence.pins) if place != number)
        alone = judge.score(pin.text, sentence.text) >= judge.enough
        without = bool(rest) and judge.score(rest, sentence.text) >= judge.enough
        marks.append(float(supported and (alone or not without)))
    return marks


def _pinned(sentence: Sentence) -> str:
    return " ".join(pin.text for pin in sentence.pins)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
