"""``lexls eval --explain`` end to end on a small library, with extracts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

Run = Any
"""``Run`` of conftest.py."""
QUESTIONS = (
    {
        "id": "pontoon",
        "text": "Is a harbour board liable that knew of a sunken pontoon in its channel?",
        "gold": ["ash-mooring"],
        "reference": "The board is liable for the loss, since it did nothing.",
    },
    {"id": "expert", "text": "Does an expert witness owe a duty to the court?", "gold": ["lorne"]},
    {"id": "bread", "text": "How long must sourdough rise before it is baked?", "answerable": False},
)


@pytest.fixture
def questions(matter: Path) -> str:
    path = matter / "questions.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in QUESTIONS), encoding="utf-8")
    return path.name


def test_answers_are_measured_with_who_wrote_and_who_judged(lexls: Run, questions: str) -> None:
    told = lexls("eval", questions, "--explain", "--json").json
    assert (told["questions"], told["answered"]) == (3, 2)
    assert "extractive" in told["generator"]
    assert told["judge"] == "built-in entailment score"
    means = {name: figure["mean"] for name, figure in told["figures"].items()}
    assert means["verbatim_quotations"] == means["gold_cited"] == 1.0
    assert means["citation_recall"] == means["faithfulness"] == 1.0, "an extract says what it cites"
    assert means["false_answer"] == means["false_abstention"] == 0.0
    assert told["figures"]["false_answer"]["questions"] == 1
    assert told["figures"]["false_abstention"]["questions"] == 2
    assert 0 < means["context_precision"] <= 1
    assert "tokens_a_second" not in means, "no model wrote"
    assert "bert_score" not in means, "no model was named for it"


def test_the_figures_are_told_to_people(lexls: Run, questions: str) -> None:
    text = lexls("eval", questions, "--explain").out
    assert "questions.jsonl: 3 questions, 2 answered" in text
    assert "judged by the built-in entailment score" in text
    assert "verbatim_quotations     1.0000  [1.0000, 1.0000]  over 2 questions" in text


def test_what_is_saved_says_where_and_no_words(lexls: Run, questions: str, matter: Path) -> None:
    lexls("eval", questions, "--explain", "--save", "answers.jsonl")
    text = (matter / "answers.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["answered"] for line in lines] == [True, True, False]
    assert lines[1]["pins"][0][0].endswith("lorne.md")
    assert "expert witness" not in text


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--explain", "--stages"), "--explain goes with"),
        (("--generator", "extractive"), "go with --explain"),
        (("--explain", "--generator", "openai"), "openai.baseUrl"),
    ],
)
def test_what_cannot_be_measured_is_said(
    lexls: Run, questions: str, options: tuple[str, ...], reason: str
) -> None:
    failed = lexls("eval", questions, *options)
    assert failed.code != 0
    assert reason in failed.err
