"""Keywords of a model: what is asked, what it can write, what of it is searched for."""

from __future__ import annotations

import json
import random

import pytest
from gbnf_walker import Grammar
from hypothesis import given, settings
from hypothesis import strategies as st

from lexls.grounding.generators.llama import (
    KEYWORD_CHARS,
    KEYWORDS,
    KEYWORDS_GRAMMAR,
    fill_keyword_prompt,
    read_keywords,
)
from lexls.grounding.prompts.templates import load_template

QUESTION = "Must Holm Bridge Trust repay tolls under s 14(2) of the Tolls Act 2019 (TA) after the flood?"


def written(*found: object) -> str:
    return json.dumps({"keywords": found})


def test_words_of_the_matter_are_kept() -> None:
    found = read_keywords(
        written("restitution of tolls", "Closed bridge", "Holm Bridge Trust", "s 14(2)"), QUESTION
    )
    assert found == ("restitution of tolls", "Closed bridge", "Holm Bridge Trust", "s 14(2)")


@pytest.mark.parametrize(
    "keyword",
    [
        "s 15",
        "Tolls Act 2018",
        "section 142",
        "case of Merrow",
        "the Ferry Act",
        "BFA",
        "a",
        "...",
        "-- !",
        "one two three four five six",
        "x" * (KEYWORD_CHARS[1] + 1),
    ],
)
def test_what_the_question_has_not_is_no_keyword(keyword: str) -> None:
    assert read_keywords(written(keyword, "flood"), QUESTION) == ("flood",)


def test_numbers_names_and_abbreviations_of_the_question_stay() -> None:
    kept = ("Tolls Act 2019", "TA", "TA 2019", "14(2)")
    assert read_keywords(written(*kept), QUESTION) == tuple(each for each in kept if len(each) > 2)


def test_keywords_are_few_and_distinct() -> None:
    many = [f"toll {chr(97 + number)}x" for number in range(20)]
    assert len(read_keywords(written(*many), QUESTION)) == KEYWORDS
    assert read_keywords(written("Flood", "flood", " flood\n"), QUESTION) == ("Flood",)


@pytest.mark.parametrize("end", [20, 30, 40])
def test_answer_that_was_cut_gives_what_is_whole(end: int) -> None:
    text = written("toll bridge", "flooding", "repayment")
    found = read_keywords(text[:end], QUESTION)
    assert (
        found == ("toll bridge", "flooding", "repayment")[: text[:end].count('",') + text[:end].count('"]')]
    )


@given(st.text() | st.lists(st.sampled_from(['["', '"', ",", "]", "\\", "toll", "{", "9"])).map("".join))
@settings(deadline=None)
def test_no_answer_makes_it_fail(text: str) -> None:
    for each in read_keywords(text, QUESTION):
        assert each
        assert "\n" not in each


def test_grammar_writes_what_is_read() -> None:
    grammar = Grammar(KEYWORDS_GRAMMAR)
    chance = random.Random(3)
    for _ in range(50):
        text = grammar.walk(chance, 'abc "\\/\n\x00')
        value = json.loads(text)
        assert list(value) == ["keywords"]
        assert 1 <= len(value["keywords"]) <= KEYWORDS
        expected = {" ".join(each.split()).casefold() for each in value["keywords"]}
        assert {each.casefold() for each in read_keywords(text, QUESTION)} <= expected
    assert grammar.accepts(written("toll", "flooded bridge").replace(": ", ":").replace(", ", ","))


def test_llama_cpp_reads_the_grammar() -> None:
    llama = pytest.importorskip("lexls.models.llama_cpp_model").llama
    sampler = llama.llama_sampler_init_grammar(None, KEYWORDS_GRAMMAR.encode(), b"root")
    assert sampler
    llama.llama_sampler_free(sampler)


def test_question_is_asked_by_the_template() -> None:
    system, user = fill_keyword_prompt("Who pays?", load_template("keywords"))
    assert f"at most {KEYWORDS} words" in system
    assert user == "The question: Who pays?"
