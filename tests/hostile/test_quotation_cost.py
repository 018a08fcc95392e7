"""What a quotation costs that stands nowhere in an authority, and that looking less finds as much."""

from __future__ import annotations

import random

import pytest
from growth import count_calls

from lexls.quotations import alignment
from lexls.quotations.alignment import align
from lexls.quotations.authority_text import AuthorityText
from lexls.quotations.compare import compare
from lexls.quotations.quotation import read_items

COMMON = (
    "the",
    "of",
    "to",
    "and",
    "in",
    "that",
    "a",
    "is",
    "was",
    "it",
    "for",
    "on",
    "by",
    "as",
    "be",
    "this",
    "not",
)
LENGTH = 6_000


def make_words(chance: random.Random, length: int) -> list[str]:
    rare = ["".join(chance.choices("abcdefghilmnoprstu", k=chance.randint(4, 10))) for _ in range(900)]
    return [chance.choice(COMMON if chance.random() < 0.5 else rare) for _ in range(length)]


def change(chance: random.Random, words: list[str], share: float) -> str:
    """The words, a share of them others, spelt otherwise, left out or run together."""
    made: list[str] = []
    for word in words:
        if chance.random() >= share:
            made.append(word)
            continue
        kind = chance.randrange(4)
        if kind == 0:
            made.append(chance.choice(COMMON))
        elif kind == 1:
            made.append(word[:-1] + "x")
        elif kind == 2 and made:
            made[-1] += word
    return " ".join(made) or words[0]


def test_a_place_that_cannot_have_enough_of_the_words_is_found_out_cheaply() -> None:
    chance = random.Random(7)
    authority = AuthorityText(" ".join(make_words(chance, LENGTH)))
    quotations = [" ".join(make_words(chance, 30)) for _ in range(12)]
    for each in quotations:
        compare(authority, each)  # what is remembered of words is no part of the cost
        compare(authority, each, closely=True)
    cheap = count_calls(lambda: [compare(authority, each) for each in quotations])
    full = count_calls(lambda: [compare(authority, each, closely=True) for each in quotations])
    assert cheap * 3 < full


def test_what_stands_there_is_found_with_and_without_the_short_cut() -> None:
    chance = random.Random(8)
    words = make_words(chance, LENGTH)
    authority = AuthorityText(" ".join(words))
    verdicts: set[bool] = set()
    for number in range(150):
        start = chance.randrange(LENGTH - 40)
        quotation = change(chance, words[start : start + chance.randint(8, 36)], number % 10 / 10)
        closely = compare(authority, quotation, closely=True)
        found = compare(authority, quotation)
        assert (found.verdict == "absent") == (closely.verdict == "absent"), quotation
        if found.verdict != "absent":
            assert found == closely
        verdicts.add(found.verdict == "absent")
    assert verdicts == {True, False}


def test_words_divided_otherwise_are_missed_nowhere_that_is_not_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(9)
    words = make_words(chance, 400)
    pairs = []
    for number in range(120):
        start = chance.randrange(len(words) - 40)
        quotation = change(chance, words[start : start + 24], 0.2 + number % 5 / 10)
        if number % 3 == 0:
            quotation = quotation.replace(" the ", " [the said] ", 1)
        pairs.append((read_items(quotation), words[start : start + 40]))
    gated = [align(items, near, lambda at: at % 7 == 0) for items, near in pairs]
    joined = sum(step.kind == "joined" for steps in gated for step in steps)
    monkeypatch.setattr(alignment._Joins, "list_columns", lambda self, row: [True] * len(self._edges))
    assert gated == [align(items, near, lambda at: at % 7 == 0) for items, near in pairs]
    assert joined > 50
