"""What questions ask for, and which sentences say it."""

from __future__ import annotations

import pytest

from lexls.grounding.sought import find_sought


@pytest.mark.parametrize(
    ("question", "says", "says_not"),
    [
        ("How long is the term of the licence?", "It runs for three (3) years.", "The term is in clause 4."),
        ("Within what time must a toll be paid?", "He must pay in fourteen days.", "He must pay in coin."),
        ("What is the notice period?", "Six months’ notice is needed.", "Notice must be in writing."),
        ("How long does the mill right last?", "It is granted in perpetuity.", "It lasts, as all things do."),
        ("How much is the toll?", "The toll is 40 crowns for a barge.", "The toll is due at the gate."),
        ("What interest rate runs on arrears?", "They bear 4.5 % a year.", "They bear interest."),
        ("How many jurors must agree?", "Nine jurors must agree.", "The jurors must agree."),
        ("When does the lease expire?", "It ends on 24 June 2031.", "It ends as it began."),
        ("On what date was the deed made?", "It was made on 3rd of May.", "It was made in haste."),
    ],
)
def test_a_question_asks_for_a_time_an_amount_or_a_number(question: str, says: str, says_not: str) -> None:
    sought = find_sought(question)
    assert sought is not None
    assert sought.says.search(says) is not None
    assert sought.says.search(says_not) is None


@pytest.mark.parametrize(
    "question",
    [
        "What is a penalty clause?",
        "Who bears the burden of proving that the flood was foreseen?",
        "What is the effect of the term?",
        "When may the court set the sale aside?",
        "What must be shown for compensation?",
    ],
)
def test_other_questions_ask_for_none(question: str) -> None:
    assert find_sought(question) is None
