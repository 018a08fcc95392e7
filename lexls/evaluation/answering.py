"""Ask a library questions, and measure how well the sources cited in the answers support them."""

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
"""Asks the library a question. The integer is the id of a document to exclude (None: none)."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """The tools that measure answers. ``encode`` returns vectors of texts, ``encode_tokens`` vectors of a
    text's tokens; if either is None, the measures that need it are skipped. ``judge_of`` returns the judge
    for the sentences of a context.
    """

    judge_of: Callable[[Sequence[str]], Judge]
    encode: Encode | None = None
    encode_tokens: EncodeTokens | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """A question with its answer and its measures."""

    question: ExplainedQuestion
    answer: Answer
    figures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ExplainedRun:
    """All answers of a run, with the names of the judge and the generator used."""

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
    """Ask every question and measure its answer. Raises ``Cancelled`` and the errors of ``ask``."""
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
    """Return the similarity of an answer to the question and to the reference answer, for each model that is
    available.
    """
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
    """Return the run as printed by ``lexls eval --explain --json``. For each measure it has the mean, the 95%
    interval and the number of questions to which the measure applies; for times, also the 95th percentile
    in seconds.
    """
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
    """Scores how well a text supports a statement.

    ``name`` is shown in reports. ``score`` is called with a text and a statement, and returns a number from 0
    (no support) to 1 (full support). A statement counts as supported if its score is at least ``enough``.
    """

    name: str
    enough: float
    score: Callable[[str, str], float]


def judge_by_words(tokens: Tokens, texts: Sequence[str]) -> Judge:
    """Return the built-in judge. Its score is the share of the statement's content words, weighted by rarity,
    that occur in the text; 0 for a statement without content words. ``texts`` are used to count how rare
    words are.
    """
    corpus = [Counter(tokens(text)) for text in texts]

    def score(text: str, statement: str) -> float:
        return weigh(find_terms(statement, tokens), corpus).coverage(tokens(text))

    return Judge("built-in entailment score", 0.6, score)


EncodeTokens = Callable[[str], NDArray[np.float32]]
"""Returns the unit vectors of a text's tokens, one row for each token."""


def compute_answer_relevance(question: str, answer: Sequence[str], encode: Encode) -> float:
    """Return the mean cosine of the question with the answer's sentences.

    RAGAS averages over questions that a model generates from the answer. Here the answer's sentences are used
    instead, so no such model is needed.
    """
    vectors = encode([question, *answer])
    return float(np.mean(vectors[1:] @ vectors[0]))


def compute_reference_cosine(answer: str, reference: str, encode: Encode) -> float:
    """Return the cosine between an answer and a reference answer."""
    vectors = encode([answer, reference])
    return float(vectors[0] @ vectors[1])


def compute_bert_score(answer: str, reference: str, encode: EncodeTokens) -> float:
    """Return the F1 of BERTScore, without idf weights. Each token is matched with the most similar token of
    the other text (Zhang et al., "BERTScore", ICLR 2020). Returns 0 if either text has no tokens.
    """
    first, second = encode(answer), encode(reference)
    if not len(first) or not len(second):
        return 0.0
    similarity = first @ second.T
    precision, recall = float(similarity.max(axis=1).mean()), float(similarity.max(axis=0).mean())
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


MEASURES: Sequence[str] = TABLES["answers"]
"""The measures in the order in which reports list them. A measure that does not apply to an answer is omitted
for that answer.
"""


@dataclass(frozen=True, slots=True)
class Judged:
    """The data for measuring an answer: its ``evidence``, the sentences of the evidence (``context``), and
    the ``texts`` of the cited documents by id. ``gold`` are the ids of the documents that should support
    the answer, empty if unknown. ``reference`` are the sentences of the reference answer, empty if there
    is none.
    """

    answer: Answer
    evidence: tuple[Evidence, ...]
    context: Sequence[str]
    texts: Mapping[int, str]
    answerable: bool
    gold: Collection[int]
    reference: Sequence[str]


def measure_answer(judged: Judged, judge: Judge) -> dict[str, float]:
    """Compute the measures of an answer, using ``judge`` and exact comparison.

    Citation recall and precision follow Gao et al., "Enabling Large Language Models to Generate Text with
    Citations" (EMNLP 2023). Faithfulness, context relevance, context precision and context recall follow
    RAGAS (Es et al., 2023). Each is the share of statements, sentences or passages that the judge finds
    supported or relevant.
    """
    answer = judged.answer
    name, false = ("false_abstention", True) if judged.answerable else ("false_answer", False)
    found = {name: float(answer.abstained == false), **_of_context(judged, judge)}
    if answer.abstained:
        return found
    sentences = answer.sentences
    # Whether the citations of a sentence, taken together, support it.
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
    """Return the measures of the evidence, which do not depend on the answer."""
    found: dict[str, float] = {}
    if judged.context:
        # A sentence may be relevant even if it answers only half of the question.
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
    """Return the mean of precision@k over the ranks k of the relevant passages; 0 if none is relevant."""
    precisions = [
        sum(relevant[: place + 1]) / (place + 1) for place, is_relevant in enumerate(relevant) if is_relevant
    ]
    return _mean(precisions)


def _precise(sentence: Sentence, supported: bool, judge: Judge) -> list[float]:
    """Return 1 for each citation that a sentence needs, otherwise 0. A citation is needed if the sentence is
    supported, and either this citation alone supports it or the other citations do not.
    """
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
