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
        ("When must a claim be brought?", "It fails after six years.", "It is treated as brought then."),
        ("By when must an appeal be lodged?", "It lies within 28 days.", "It lies to the Moot."),
        ("When is a suit on a bond barred?", "It is barred in twelve years.", "It is barred for good."),
        ("When is it too late to sue?", "Nobody may sue after ten years.", "Nobody may sue twice."),
        ("What is the deadline for a toll claim?", "Two months.", "It must be in writing."),
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


VERBS = ("grant", "refuse", "revoke", "renew", "transfer")


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    "opening", ["When may", "When must", "In what cases can", "Under what conditions will"]
)
def test_a_question_asks_for_the_condition_of_a_rule(opening: str, verb: str) -> None:
    sought = find_sought(f"{opening} the Board {verb} a permit?", measured=False)
    assert sought is not None
    for said in (
        f"The Board may {verb} a permit if the weir is sound.",
        f"The Board must not {verb} a permit unless the owner agrees.",
        f"A permit may not be touched, and the Board cannot {verb} it, except in a drought.",
    ):
        assert sought.says.search(said)
    for said in (
        f"If the Board decides to {verb} a permit it must give reasons.",
        f"The Board will {verb} permits on Tuesdays.",
    ):
        assert sought.says.search(said) is None


@pytest.mark.parametrize("opening", ["Who must pay", "Who is liable for", "Who may claim"])
def test_a_question_asks_whom_a_rule_binds(opening: str) -> None:
    sought = find_sought(f"{opening} the toll?", measured=False)
    assert sought is not None
    assert sought.says.search("The owner and the hirer are each liable for the toll.")
    assert sought.says.search("Whoever passes must pay the toll.")
    assert sought.says.search("The toll was paid by the miller.") is None


@pytest.mark.parametrize("burden", ["burden of proof", "onus", "duty to inspect"])
@pytest.mark.parametrize(
    "question", ["Who bears the {}?", "Who has the {}?", "On whom does the {} lie?", "Whose is the {}?"]
)
def test_a_question_asks_on_whom_a_burden_lies(question: str, burden: str) -> None:
    sought = find_sought(question.format(burden), measured=False)
    assert sought is not None
    for lies in ("lies on", "rests upon", "falls squarely on", "is on", "rests with", "is borne by"):
        assert sought.says.search(f"The {burden} {lies} the carrier.")
    for bears in ("bears the", "carries the", "has the"):
        assert sought.says.search(f"The carrier {bears} {burden}.")
    assert sought.says.search(f"The {burden} was considered below.") is None
