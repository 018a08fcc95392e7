"""Other words for the same duty, leave, ban or condition are one form to whoever compares two sentences."""

from __future__ import annotations

import itertools

import pytest

from lexls.grounding.opposition import Proposition, denies, says_the_same
from lexls.grounding.verification.bearing import Statement, find_bearing
from lexls.grounding.verification.clauses import normalize_forms
from lexls.index.tokens import Tokenizer
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span

TOKENS = Tokenizer().tokenize
FORMS = load_phrases("lexls.grounding.verification", "vocabulary.toml")["forms"]

MUST = (
    "A carrier must give notice of the loss to the owner.",
    "A carrier is required to give notice of the loss to the owner.",
    "A carrier is under an obligation to give notice of the loss to the owner.",
    "The Act requires a carrier to give notice of the loss to the owner.",
)
NEED_NOT = (
    "A carrier need not give notice of the loss to the owner.",
    "A carrier is not obliged to give notice of the loss to the owner.",
    "A carrier is not required to give notice of the loss to the owner.",
    "A carrier is under no duty to give notice of the loss to the owner.",
    "A carrier does not have to give notice of the loss to the owner.",
    "A carrier is excluded from the obligation to give notice of the loss to the owner.",
    "A carrier is exempt from the requirement to give notice of the loss to the owner.",
    "The Act does not require a carrier to give notice of the loss to the owner.",
)
MAY = (
    "An appellant may rely on fresh evidence in the appeal.",
    "An appellant is entitled to rely on fresh evidence in the appeal.",
    "An appellant is permitted to rely on fresh evidence in the appeal.",
    "The rule permits an appellant to rely on fresh evidence in the appeal.",
)
MAY_NOT = (
    "An appellant may not rely on fresh evidence in the appeal.",
    "An appellant is not allowed to rely on fresh evidence in the appeal.",
    "The rule does not permit an appellant to rely on fresh evidence in the appeal.",
    "The rule forbids an appellant to rely on fresh evidence in the appeal.",
)
ONLY_IF = (
    "Leave will only be granted if the appeal has a real prospect of success.",
    "Leave will only be granted where the appeal has a real prospect of success.",
    "Leave will not be granted unless the appeal has a real prospect of success.",
    "No leave will be granted unless the appeal has a real prospect of success.",
    "Leave will not be granted except where the appeal has a real prospect of success.",
)
SAME = (NEED_NOT, MAY, MAY_NOT, ONLY_IF)


def _weigh(terms: list[str]) -> list[float]:
    return [1.0] * len(terms)


def _pairs(groups: tuple[tuple[str, ...], ...]) -> list[tuple[str, str]]:
    return [pair for group in groups for pair in itertools.permutations(group, 2)]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form["reason"])
def test_every_form_is_what_its_example_says(form: dict) -> None:
    before, after = form["example"]
    assert normalize_forms(before) == after
    assert normalize_forms(after) == after


@pytest.mark.parametrize(("proposition", "sentence"), _pairs((MUST, *SAME)))
def test_the_same_in_other_words_is_not_contrary(proposition: str, sentence: str) -> None:
    assert not denies(sentence, proposition, TOKENS, _weigh)
    found = find_bearing(proposition, [Statement(Span(0, len(sentence)), sentence)], TOKENS)
    assert found is not None
    assert found.verdict == "supported"
    assert found.text == sentence


CONTRARIES = [
    pair
    for one, other in ((MUST, NEED_NOT), (MAY, MAY_NOT))
    for first, second in itertools.product(one, other)
    for pair in ((first, second), (second, first))
]


@pytest.mark.parametrize(("proposition", "sentence"), CONTRARIES)
def test_what_denies_is_contrary_in_whatever_words(proposition: str, sentence: str) -> None:
    assert denies(sentence, proposition, TOKENS, _weigh)
    assert not says_the_same(sentence, Proposition.of(proposition, TOKENS), TOKENS)
    found = find_bearing(proposition, [Statement(Span(0, len(sentence)), sentence)], TOKENS)
    assert found is not None
    assert found.verdict != "supported"


@pytest.mark.parametrize(
    "text",
    [
        "The owner did not say whether notice was due unless he was asked.",
        "The only question is where the loss happened.",
        "The Act requires notice of the loss.",
        "No man is bound to accuse himself.",
    ],
)
def test_what_is_no_such_form_stays(text: str) -> None:
    assert normalize_forms(text).count(" not ") == text.count(" not ")
