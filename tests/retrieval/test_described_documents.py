"""Contracts that a question describes in place of their names."""

from __future__ import annotations

import pytest

from lexls.retrieval.named_documents import find_description


@pytest.mark.parametrize(
    ("text", "words", "noun", "rest"),
    [
        ("How long is the term of the mill lease?", "mill ", "lease", "How long is the term ?"),
        ("When does our ferry services agreement end?", "ferry services ", "agreement", "When does end?"),
        ("Under the Barley Licence, who pays?", "Barley ", "Licence", ", who pays?"),
        ("How much is due under this deed?", "", "deed", "How much is due ?"),
    ],
)
def test_a_contract_is_described_as_one_that_is_known(text: str, words: str, noun: str, rest: str) -> None:
    found = find_description(text)
    assert found is not None
    assert (found.words, found.noun, found.rest) == (words, noun, rest)


@pytest.mark.parametrize(
    "text",
    [
        "How long may a lease run?",
        "Which law governs an agreement for the hire of a barge?",
        "What is the lessee to pay?",
        "Was the license-holder heard?",
        "The breach of any contract is a wrong.",
    ],
)
def test_what_is_said_of_any_contract_describes_none(text: str) -> None:
    assert find_description(text) is None
