"""What embedding models expect before a text."""

from __future__ import annotations

import pytest

from lexls.models.messages import NO_PROMPTS, Prompts, find_prompts

SEARCHING = Prompts("Represent this sentence for searching relevant passages: ")
E5 = Prompts("query: ", "passage: ")
NOMIC = Prompts("search_query: ", "search_document: ")


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("all-MiniLM-L6-v2", NO_PROMPTS),
        ("thenlper/gte-small", NO_PROMPTS),
        ("/models/own", NO_PROMPTS),
        ("BAAI/bge-small-en-v1.5", SEARCHING),
        ("WhereIsAI/UAE-Large-V1", SEARCHING),
        ("Snowflake/snowflake-arctic-embed-m", SEARCHING),
        ("intfloat/e5-small-v2", E5),
        ("intfloat/e5-large", E5),
        ("intfloat/multilingual-e5-base", E5),
        ("/models/multilingual-e5-small-own", E5),
        ("intfloat/multilingual-e5-large-instruct", NO_PROMPTS),
        ("intfloat/e5-mistral-7b-instruct", NO_PROMPTS),
        ("nomic-ai/nomic-embed-text-v1", NOMIC),
        ("/models/nomic-embed-text-v1.5", NOMIC),
    ],
)
def test_models_have_the_prompts_of_their_cards(model: str, expected: Prompts) -> None:
    assert find_prompts(model) == expected


def test_what_a_model_brings_goes_before_what_is_known_and_the_users_own_before_both() -> None:
    brought = Prompts("ask: ")
    assert find_prompts("intfloat/e5-small-v2", brought) == brought
    assert find_prompts("intfloat/e5-small-v2", brought, Prompts("", "told:")) == Prompts("ask: ", "told: ")
    assert find_prompts("intfloat/e5-small-v2", chosen=Prompts("Find:\n")) == Prompts("Find:\n", "passage: ")
    assert find_prompts("all-MiniLM-L6-v2", chosen=Prompts(" ", "told:")) == Prompts(" ", "told: ")


def test_vectors_are_known_by_what_they_depend_on() -> None:
    assert SEARCHING.identify("bge") == "bge", "passages and sentences are bare: any question finds them"
    assert E5.identify("e5") == 'e5 ("query: ", "passage: ")'
    names = [each.identify("e5") for each in (E5, Prompts("ask: ", "passage: "), Prompts("", "passage: "))]
    assert len({*names, "e5"}) == 4
    assert (E5.sentence, SEARCHING.sentence) == ("query: ", "")
