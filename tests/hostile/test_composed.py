"""Texts composed of the grammar's own words are read in calls that grow as their length does.

Calls are counted, not seconds; benchmarks/bench_growth_composed.py measures thousands of such texts by time.
"""

from __future__ import annotations

from functools import cache

import pytest
from composed_texts import ComposedText, compose, list_vocabulary
from growth import count_calls

from lexls.citations.grammar import Grammar

SHORT, LONG = 2_000, 8_000
STEEPEST = 4**1.3
"""Growth of the calls from the short text to the long one, four times as long."""
NOTICED = 4_000
"""Calls that a short text counts for at least: so few are mostly those that any text takes."""
TEXTS = 25
PIECES = ("105C82(1)", "s 1", "280n 1", "{n}A, {n}B, {n}C, ", "{n}{a}", "§ {n}{a}–{n}{a}")
"""Lists of sections that once took a time that grew with its square."""


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar.load()


def is_steep(grammar: Grammar, text: ComposedText) -> bool:
    def count(size: int) -> int:
        made = text.make(size)
        grammar.find(made, text.jurisdiction)  # compiles what the text needs
        return max(NOTICED, count_calls(lambda: grammar.find(made, text.jurisdiction)))

    return count(LONG) > STEEPEST * count(SHORT)


def test_composed_texts_are_read_in_calls_that_grow_as_they_do(grammar: Grammar) -> None:
    places = [*sorted(grammar.jurisdictions), ""]
    vocabulary = cache(lambda place: list_vocabulary(grammar, place))
    texts = (compose(seed, places, vocabulary) for seed in range(TEXTS))
    assert [text for text in texts if is_steep(grammar, text)] == []


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("place", ["IN", "UK", "US", ""])
def test_lists_of_numbered_sections_are_read_in_calls_that_grow_as_they_do(
    grammar: Grammar, place: str, piece: str
) -> None:
    assert not is_steep(grammar, ComposedText(place, ((piece,),)))


def test_calls_that_grow_with_the_square_are_noticed() -> None:
    def read(size: int) -> int:
        return count_calls(lambda: [ord(letter) for at in range(size) for letter in "a" * at])

    assert read(400) > STEEPEST * read(100)
