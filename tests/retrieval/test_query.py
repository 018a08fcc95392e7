from __future__ import annotations

import pytest

from lexls.citations.grammar import Grammar
from lexls.index.tokens import Tokenizer
from lexls.retrieval.query import Query, build_query

GRAMMAR = Grammar.load()
TOKENIZER = Tokenizer()


def query(text: str, jurisdiction: str = "") -> Query:
    return build_query(text, TOKENIZER, GRAMMAR.find(text, jurisdiction))


def test_cited_cases_are_not_searched_for() -> None:
    asked = query(
        "A carrier that deviates is liable, Marsh v. Tolley, 531 U.S. 98, 104 (2000), whatever the weather.",
        "US",
    )
    assert "531" not in asked.terms
    assert "tolley" not in " ".join(asked.terms)
    assert {"carrier", "weather", "liabl"} <= set(asked.terms)
    assert asked.keys == ()


def test_statutes_are_part_of_the_matter() -> None:
    asked = query("The debtor may redeem the property under 11 U.S.C. § 722.", "US")
    assert "722" in asked.terms


def test_a_query_of_nothing_but_a_citation_asks_for_that() -> None:
    asked = query("531 U.S. 98", "US")
    assert asked.keys == ("531 U.S. 98",)
    assert "531" in asked.terms


def test_a_repeated_word_is_one_term() -> None:
    asked = build_query("Cargo, cargo and more cargo", TOKENIZER)
    assert asked.terms.count("cargo") == 1


def test_white_space_is_made_single() -> None:
    assert build_query("  a\n  long \t voyage ", TOKENIZER).text == "a long voyage"


@pytest.mark.parametrize("text", ["", "  \n", "—…!"])
def test_a_query_without_words_is_empty(text: str) -> None:
    assert build_query(text, TOKENIZER).empty
