"""The figures of one answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from lexls.evaluation.explained.judge import Judge
from lexls.grounding.answer import Answer, Sentence
from lexls.grounding.evidence import Evidence

MEASURES = (
    "citation_recall",
    "citation_precision",
    "gold_cited",
    "faithfulness",
    "groundedness",
    "answer_relevance",
    "context_relevance",
    "context_precision",
    "context_recall",
    "verbatim_quotations",
    "false_abstention",
    "false_answer",
    "bert_score",
    "reference_cosine",
    "first_sentence_seconds",
    "first_token_seconds",
    "tokens_a_second",
)
"""What is measured, in the order of reports; one that has no meaning for an answer is left out of it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What an answer is measured against.

    ``gold`` are the documents (ids) that it should rest on, None where nobody said; ``context`` are the
    sentences of the evidence; ``texts`` the whole texts of the documents it cites, by id.
    """

    answer: Answer
    evidence: tuple[Evidence, ...]
    context: Sequence[str]
    texts: Mapping[int, str]
    answerable: bool
    gold: Collection[int] | None
    reference: Sequence[str]
    """The sentences of the reference answer; none without one."""


def figures_of(judged: Judged, judge: Judge) -> dict[str, float]:
    """The figures that ``judge`` and plain comparison give.

    Citation recall and precision are those of Gao et al., "Enabling Large Language Models to Generate Text
    with Citations" (EMNLP 2023); faithfulness, context relevance, context precision and context recall those
    of RAGAS (Es et al., 2023): each a share of statements, sentences or passages that the judge finds borne
    out or relevant.
    """
    answer = judged.answer
    found: dict[str, float] = {}
    if judged.answerable:
        found["false_abstention"] = float(answer.abstained)
    else:
        found["false_answer"] = float(not answer.abstained)
    found |= _of_context(judged, judge)
    if answer.abstained:
        return found
    sentences = answer.sentences
    recalls = [_borne_out(each, judge) for each in sentences]
    precise = [
        mark for each, borne in zip(sentences, recalls, strict=True) for mark in _precise(each, borne, judge)
    ]
    context = " ".join(each.text for each in judged.evidence)
    pins = [pin for each in sentences for pin in each.pins]
    found["citation_recall"] = _mean([float(each) for each in recalls])
    found["citation_precision"] = _mean(precise)
    found["faithfulness"] = _mean(
        [float(judge.score(context, each.text) >= judge.enough) for each in sentences]
    )
    found["groundedness"] = _mean([judge.score(_pinned(each), each.text) for each in sentences])
    found["verbatim_quotations"] = _mean(
        [float(judged.texts[pin.authority.id][pin.start : pin.end] == pin.text) for pin in pins]
    )
    if judged.gold:
        found["gold_cited"] = float(any(pin.authority.id in judged.gold for pin in pins))
    return found


def _of_context(judged: Judged, judge: Judge) -> dict[str, float]:
    """How good the evidence was, whatever was made of it."""
    found: dict[str, float] = {}
    if judged.context:
        # A sentence may be needed though it answers half of the question.
        bearing = [
            judge.score(sentence, judged.answer.question) >= judge.enough / 2 for sentence in judged.context
        ]
        found["context_relevance"] = _mean([float(each) for each in bearing])
    if judged.gold:
        relevant = [each.authority.id in judged.gold for each in judged.evidence]
        found["context_precision"] = average_precision(relevant)
        cited = {each.authority.id for each in judged.evidence}
        found["context_recall"] = len(cited & set(judged.gold)) / len(set(judged.gold))
    if judged.reference:
        whole = " ".join(each.text for each in judged.evidence)
        found["context_recall"] = _mean(
            [float(judge.score(whole, each) >= judge.enough) for each in judged.reference]
        )
    return found


def average_precision(relevant: Sequence[bool]) -> float:
    """The mean of precision@k over the places k of relevant passages; 0 if there is none."""
    precisions = [
        sum(relevant[: place + 1]) / (place + 1) for place, is_relevant in enumerate(relevant) if is_relevant
    ]
    return _mean(precisions)


def _borne_out(sentence: Sentence, judge: Judge) -> bool:
    """Whether all that a sentence cites together bears it out (citation recall)."""
    return judge.score(_pinned(sentence), sentence.text) >= judge.enough


def _precise(sentence: Sentence, borne: bool, judge: Judge) -> list[float]:
    """For each citation of a sentence whether it is needed: the sentence is borne out, and by this citation
    alone or not without it.
    """
    marks = []
    for number, pin in enumerate(sentence.pins):
        rest = " ".join(other.text for place, other in enumerate(sentence.pins) if place != number)
        alone = judge.score(pin.text, sentence.text) >= judge.enough
        without = bool(rest) and judge.score(rest, sentence.text) >= judge.enough
        marks.append(float(borne and (alone or not without)))
    return marks


def _pinned(sentence: Sentence) -> str:
    return " ".join(pin.text for pin in sentence.pins)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
