from __future__ import annotations

import pytest

from lexls.evaluation.benchmark import DocumentQuestion, Question, SpanQuestion
from lexls.evaluation.tuning import divide, draw_sample, find_group
from lexls.text.spans import Span


def cited(number: int, citing: str) -> DocumentQuestion:
    return DocumentQuestion(number, f"q{number}", "text", ("a",), citing)


def test_questions_of_one_citing_document_or_contract_stay_together() -> None:
    questions: list[Question] = [cited(n, f"case {n % 4}") for n in range(20)]
    divided = divide(questions, 3)
    assert sorted(number for fold in divided for number in fold) == list(range(20))
    for fold in divided:
        inside = {find_group(questions[number]) for number in fold}
        outside = {find_group(questions[n]) for n in range(20) if n not in fold}
        assert not inside & outside
    assert sorted(map(len, divided)) == [5, 5, 10]
    spans = [SpanQuestion(n, f"s{n}", "text", f"lease {n // 2}", (Span(0, 1),)) for n in range(4)]
    assert sorted(map(sorted, divide(spans, 2))) == [[0, 1], [2, 3]]


def test_questions_without_a_citing_document_stand_alone_and_folds_repeat() -> None:
    questions = [cited(n, "") for n in range(10)]
    divided = divide(questions, 5)
    assert [len(fold) for fold in divided] == [2] * 5
    assert divided == divide(questions, 5)


def test_too_few_groups_are_refused() -> None:
    with pytest.raises(ValueError, match="3 folds need at least 3 groups of questions, but there are 2"):
        divide([cited(0, "a"), cited(1, "b"), cited(2, "a")], 3)


def test_a_sample_keeps_the_order() -> None:
    questions = [cited(n, "") for n in range(30)]
    chosen = [each.line for each in draw_sample(questions, 8)]
    assert len(chosen) == 8
    assert chosen == sorted(chosen)
    assert chosen != list(range(8))
    assert draw_sample(questions, 99) == questions
