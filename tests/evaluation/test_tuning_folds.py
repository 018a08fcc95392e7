from __future__ import annotations

import pytest

from lexls.evaluation.benchmark import DocumentQuestion, Question, SpanQuestion
from lexls.evaluation.tuning import folds, group_of, sample_of
from lexls.text.spans import Span


def cited(number: int, citing: str) -> DocumentQuestion:
    return DocumentQuestion(number, f"q{number}", "text", ("a",), citing)


def test_questions_of_one_citing_document_or_contract_stay_together() -> None:
    questions: list[Question] = [cited(n, f"case {n % 4}") for n in range(20)]
    divided = folds(questions, 3)
    assert sorted(number for fold in divided for number in fold) == list(range(20))
    for fold in divided:
        inside = {group_of(questions[number]) for number in fold}
        outside = {group_of(questions[n]) for n in range(20) if n not in fold}
        assert not inside & outside
    assert sorted(map(len, divided)) == [5, 5, 10]
    spans = [SpanQuestion(n, f"s{n}", "text", f"lease {n // 2}", (Span(0, 1),)) for n in range(4)]
    assert sorted(map(sorted, folds(spans, 2))) == [[0, 1], [2, 3]]


def test_questions_without_a_citing_document_stand_alone_and_folds_repeat() -> None:
    questions = [cited(n, "") for n in range(10)]
    divided = folds(questions, 5)
    assert [len(fold) for fold in divided] == [2] * 5
    assert divided == folds(questions, 5)


def test_too_few_groups_are_refused() -> None:
    with pytest.raises(ValueError, match="3 folds need at least 3 groups of questions, but there are 2"):
        folds([cited(0, "a"), cited(1, "b"), cited(2, "a")], 3)


def test_a_sample_keeps_the_order() -> None:
    questions = [cited(n, "") for n in range(30)]
    chosen = [each.line for each in sample_of(questions, 8)]
    assert len(chosen) == 8
    assert chosen == sorted(chosen)
    assert chosen != list(range(8))
    assert sample_of(questions, 99) == questions
