"""Which sentence of an authority is quoted for a proposition."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from lexls.index.records import Authority, PassageRecord
from lexls.index.tokens import Tokenizer
from lexls.library.speakers import COURTS_OWN, SpeakerKind
from lexls.retrieval.relevance import Weights, choose_statement, find_terms

TOKENS = Tokenizer().tokenize
PROPOSITION = "A carrier must give the owner notice of the loss."
LAW = "A carrier must give the owner of the cargo notice of the loss within a day."
OTHERS = [
    "We consider whether a carrier must give the owner notice of the loss.",
    "Must a carrier give the owner notice of the loss?",
    "The question is whether a carrier must give the owner notice of the loss.",
    "The appellant contends that a carrier must give the owner notice of the loss.",
    "It was submitted that a carrier must give the owner notice of the loss.",
    "The trial court held that a carrier must give the owner notice of the loss.",
]


def _authority(kind: str = "case") -> Authority:
    return Authority(
        id=1,
        path=Path("alder.txt"),
        library=Path(),
        relative="alder.txt",
        title="Alder v Weir",
        short_title="",
        citations=(),
        court="",
        date="",
        kind=kind,
        jurisdiction="Aldmoor",
        is_text=True,
    )


def _passage(number: int, text: str, speaker: SpeakerKind = "", label: str = "") -> PassageRecord:
    return PassageRecord(number, 1, 0, len(text), "", 0, "", text, "", speaker, label)


def _quote(*passages: PassageRecord, kind: str = "case") -> str:
    weights = Weights(dict.fromkeys(find_terms(PROPOSITION, TOKENS), 1.0))
    found = choose_statement(weights, _authority(kind), passages, TOKENS)
    return found[1].of(found[0].text) if found is not None else ""


@pytest.mark.parametrize("other", OTHERS)
def test_what_states_no_law_is_quoted_only_if_nothing_else_says_it(other: str) -> None:
    assert _quote(_passage(1, other)) == other
    assert _quote(_passage(1, other), _passage(2, LAW)) == LAW
    assert _quote(_passage(1, f"{other} {LAW}")) == LAW


@pytest.mark.parametrize("kind", [each for each in get_args(SpeakerKind) if each not in COURTS_OWN])
def test_the_courts_own_words_come_before_others(kind: SpeakerKind) -> None:
    separate = _passage(1, "A carrier must give the owner notice of the loss.", kind)
    assert _quote(separate, _passage(2, LAW, "majority")) == LAW
    assert _quote(separate, _passage(2, OTHERS[0])) == OTHERS[0]
    assert _quote(separate) == separate.text


@pytest.mark.parametrize("label", ["facts", "argument", "issue", "ruling by lower court"])
def test_a_passage_that_states_no_law_is_not_quoted_before_one_that_does(label: str) -> None:
    told = _passage(1, "The carrier gave the owner notice of the loss, as he must.", label=label)
    assert _quote(told, _passage(2, LAW)) == LAW


def test_a_sentence_with_few_of_the_words_is_not_quoted_because_it_states_law() -> None:
    law = "A carrier must be careful."
    assert _quote(_passage(1, OTHERS[0]), _passage(2, law)) == OTHERS[0]


def test_statutes_and_contracts_are_quoted_by_their_words_alone() -> None:
    assert _quote(_passage(1, OTHERS[0]), _passage(2, LAW), kind="contract") == OTHERS[0]


def test_nothing_is_quoted_of_what_states_nothing() -> None:
    assert _quote(_passage(1, "Notice")) == ""


def test_no_more_passages_are_read_than_needed() -> None:
    def passages():
        yield _passage(1, LAW)
        raise AssertionError("a second passage was read")

    weights = Weights(dict.fromkeys(find_terms(PROPOSITION, TOKENS), 1.0))
    assert choose_statement(weights, _authority(), passages(), TOKENS) is not None
