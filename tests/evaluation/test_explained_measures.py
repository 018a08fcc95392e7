"""The figures of one answer, by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lexls.evaluation.answering import (
    Judged,
    compute_answer_relevance,
    compute_average_precision,
    compute_bert_score,
    judge_by_words,
    measure_answer,
)
from lexls.evaluation.benchmark import BenchmarkError, read_explained
from lexls.grounding.answer import Answer, Sentence
from lexls.grounding.evidence import Evidence, Pin, TextSegment
from lexls.index.records import Authority
from lexls.index.tokens import Tokenizer

TEXT = "A carrier who leaves the route answers for every loss. Wool soaked with water is a loss of the goods."
HERON = Authority(
    id=7,
    path=Path("/library/heron.md"),
    library=Path("/library"),
    relative="heron.md",
    title="Carrow v Luff",
    short_title="",
    citations=("[2014] ASC 12",),
    court="",
    date="2014-03-09",
    kind="case",
    jurisdiction="Aldmoor",
    is_text=True,
)
EVIDENCE = Evidence("P1", HERON, 0, len(TEXT), TEXT, (TextSegment(0, "3"),), (0, len(TEXT)))
ROUTE, WOOL = "A carrier who leaves the route answers for every loss.", "Wool soaked with water is a loss"


def pin(words: str) -> Pin:
    start = TEXT.index(words)
    return EVIDENCE.pin(start, start + len(words))


def measured(
    *sentences: Sentence, answerable: bool = True, gold: frozenset[int] = frozenset()
) -> dict[str, float]:
    answer = Answer(
        "ask", "Does a carrier answer for loss off the route?", sentences=sentences, complete=True
    )
    context = [ROUTE, "Wool soaked with water is a loss of the goods."]
    judged = Judged(answer, (EVIDENCE,), context, {7: TEXT}, answerable, gold, ())
    return measure_answer(judged, judge_by_words(Tokenizer().tokenize, context))


def test_a_sentence_that_its_citation_bears_out_is_recalled_and_precise() -> None:
    found = measured(Sentence("The carrier answers for every loss.", (pin(ROUTE),), False, 1.0))
    assert found["citation_recall"] == found["citation_precision"] == found["faithfulness"] == 1.0
    assert found["groundedness"] == 1.0
    assert found["verbatim_quotations"] == 1.0


def test_a_sentence_that_its_citation_does_not_bear_out_is_neither() -> None:
    found = measured(Sentence("The insurer was wound up in bankruptcy.", (pin(ROUTE),), False, 1.0))
    assert found["citation_recall"] == found["citation_precision"] == found["faithfulness"] == 0.0


def test_a_citation_that_adds_nothing_costs_precision_only() -> None:
    found = measured(Sentence("The carrier answers for every loss.", (pin(ROUTE), pin(WOOL)), False, 1.0))
    assert found["citation_recall"] == 1.0
    assert found["citation_precision"] == 0.5


def test_a_pin_that_is_not_the_authoritys_words_is_not_verbatim() -> None:
    changed = Pin("P1", HERON, 0, 9, "A captain", "3", 0, False)
    found = measured(Sentence("The carrier answers.", (changed,), False, 1.0))
    assert found["verbatim_quotations"] == 0.0


def test_rates_of_answers_that_should_not_be_and_that_should() -> None:
    said = Sentence(ROUTE, (pin(ROUTE),), True, 1.0)
    assert measured(said, answerable=False)["false_answer"] == 1.0
    assert measured(answerable=False)["false_answer"] == 0.0
    assert measured(answerable=True)["false_abstention"] == 1.0
    assert "false_answer" not in measured(said)


def test_context_is_measured_against_the_documents_that_should_be_in_it() -> None:
    assert measured(gold=frozenset({7}))["context_precision"] == 1.0
    assert measured(gold=frozenset({7, 8}))["context_recall"] == 0.5
    assert measured(gold=frozenset({8}))["context_precision"] == 0.0


def test_average_precision_looks_at_the_places_of_what_is_relevant() -> None:
    assert compute_average_precision([True, False, True]) == pytest.approx((1 + 2 / 3) / 2)
    assert compute_average_precision([False, False]) == 0.0


def test_likeness_is_of_the_sentences_with_the_question() -> None:
    vectors = {"q": [1.0, 0.0], "near": [0.8, 0.6], "far": [0.0, 1.0]}

    def encode(texts: object) -> np.ndarray:
        return np.array([vectors[text] for text in texts], np.float32)  # type: ignore[attr-defined]

    assert compute_answer_relevance("q", ["near", "far"], encode) == pytest.approx(0.4)


def test_bert_score_matches_each_token_with_its_nearest() -> None:
    vectors = {
        "two": np.array([[1.0, 0.0], [0.0, 1.0]], np.float32),
        "one": np.array([[1.0, 0.0]], np.float32),
        "": np.empty((0, 2), np.float32),
    }
    assert compute_bert_score("two", "two", vectors.__getitem__) == pytest.approx(1.0)
    assert compute_bert_score("two", "one", vectors.__getitem__) == pytest.approx(2 * 0.5 * 1 / 1.5)
    assert compute_bert_score("", "one", vectors.__getitem__) == 0.0


def test_questions_are_read_with_what_is_known_of_their_answers(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(
        '{"id": "a", "text": "Who pays?", "gold": ["heron"], "reference": "The carrier."}\n\n'
        '{"question": "Who fishes?", "answerable": false}\n',
        encoding="utf-8",
    )
    first, second = read_explained(file)
    assert (first.id, first.gold, first.reference, first.answerable) == (
        "a",
        ("heron",),
        "The carrier.",
        True,
    )
    assert (second.id, second.line, second.text, second.answerable) == ("3", 3, "Who fishes?", False)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[]", "not a JSON object"),
        ('{"id": "a"}', "`text`"),
        ('{"text": "Who?", "gold": "heron"}', "`gold`"),
        ('{"text": "Who?", "answerable": "no"}', "`answerable`"),
        ('{"text": ', "not JSON"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: str, reason: str) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text('{"text": "Fine?"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(BenchmarkError, match=reason) as raised:
        read_explained(file)
    assert f"{file}:2:" in str(raised.value)
