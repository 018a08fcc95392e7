"""The grammar of answers: what it lets a model write, and what not."""

from __future__ import annotations

import json
import random

import pytest
from gbnf_walker import Grammar
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_samples import BRIDGE, FERRY, NASTY, request

from lexls.grounding.decoding import AnswerReader
from lexls.grounding.generator import Claim, Insufficient
from lexls.grounding.grammar import write_grammar
from lexls.grounding.prompts.templates import clean_text
from lexls.grounding.request import Request

ALPHABET = "aetn rs.,'\"\\/{}[]:\n\t\x00\x1f\x7f\x85\u2028é€\U0001f600"
LONG = " ".join(f"word{number}, and" if number % 9 == 0 else f"word{number}" for number in range(400))


def answer(*items: tuple[list[tuple[str, str]], str]) -> str:
    written = [
        {"evidence": [{"passage": who, "quotation": what} for who, what in quoted], "sentence": sentence}
        for quoted, sentence in items
    ]
    return json.dumps({"answer": written}, separators=(",", ":"), ensure_ascii=False)


def quoting(identifier: str, quotation: str) -> str:
    return answer(([(identifier, quotation)], "The keeper must keep it sound."))


@pytest.mark.parametrize("verbatim", [False, True])
@pytest.mark.parametrize("texts", [(BRIDGE, FERRY), (NASTY, BRIDGE), (LONG,)])
def test_all_that_can_be_written_is_an_answer_of_known_identifiers(
    texts: tuple[str, ...], verbatim: bool
) -> None:
    asked = request(*texts, sentences=3)
    grammar = Grammar(write_grammar(asked, verbatim))
    chance = random.Random(4)
    kinds = set()
    for _ in range(60):
        text = grammar.walk(chance, ALPHABET)
        value = json.loads(text)  # strict: no control characters inside strings
        [kind] = value
        kinds.add(kind)
        if kind == "insufficient":
            assert 1 <= len(value[kind]) <= 3
            continue
        assert 1 <= len(value[kind]) <= asked.sentences
        for item in value[kind]:
            assert list(item) == ["evidence", "sentence"]
            assert 12 <= len(item["sentence"]) <= 500
            assert item["sentence"][0] > " "
            assert 1 <= len(item["evidence"]) <= 3
            for each in item["evidence"]:
                found = asked.find(each["passage"])
                assert found is not None
                if verbatim:
                    assert_in_a_row(each["quotation"], found.text)
    assert kinds == {"answer", "insufficient"}


def assert_in_a_row(quotation: str, text: str) -> None:
    whole = clean_text(text).split()
    words = quotation.split(" ")
    assert min(5, len(whole)) <= len(words) <= 80
    assert any(whole[at : at + len(words)] == words for at in range(len(whole)))


@pytest.mark.parametrize("verbatim", [False, True])
def test_what_the_grammar_writes_is_read_as_it_was_written(verbatim: bool) -> None:
    asked = request(BRIDGE, NASTY)
    grammar = Grammar(write_grammar(asked, verbatim))
    chance = random.Random(5)
    for _ in range(40):
        text = grammar.walk(chance, 'ab \\"/')
        value = json.loads(text)
        read = AnswerReader().feed(text)
        if "insufficient" in value:
            kept = tuple(line for each in value["insufficient"] if (line := " ".join(each.split())))
            assert read == [Insufficient(kept)]
            continue
        items = [each for each in value["answer"] if each["sentence"].split()]
        assert all(isinstance(each, Claim) for each in read)
        assert [each.text for each in read] == [" ".join(each["sentence"].split()) for each in items]
        for claim, item in zip(read, items, strict=True):
            if verbatim:
                written = [(each["passage"], each["quotation"]) for each in item["evidence"]]
                assert [(each.identifier, each.quotation) for each in claim.quoted] == written


def test_whole_clauses_can_be_quoted() -> None:
    grammar = Grammar(write_grammar(request(BRIDGE, FERRY), True))
    for identifier, clause in (
        ("P1", "The keeper of a toll bridge must keep its planks sound."),
        ("P1", "a carrier who crosses against the notice"),
        (
            "P1",
            "if he gives notice at both ends; a carrier who crosses against the notice does so at his own",
        ),
        ("P1", "who knew of the rot and did nothing."),
        ("P1", BRIDGE),
        ("P2", "where the charter says so, and he must refuse animals that are not led."),
    ):
        assert grammar.accepts(quoting(identifier, clause)), clause


def test_nothing_but_the_words_of_that_passage_can_be_quoted() -> None:
    grammar = Grammar(write_grammar(request(BRIDGE, FERRY), True))
    for identifier, quotation in (
        ("P1", "The keeper of a toll bridge may keep its planks sound."),
        ("P1", "The keeper of a toll bridge must keep planks sound."),
        ("P1", "The keeper of a toll bridge must keep its plank"),
        ("P1", "The keeper of"),
        ("P1", "A ferry is not a bridge."),
        ("P2", "The keeper of a toll bridge must keep its planks sound."),
        ("P3", "A ferry is not a bridge."),
        ("P2", "A ferry is not a bridge. The keeper of a toll bridge"),
        ("P2", ""),
    ):
        assert not grammar.accepts(quoting(identifier, quotation)), quotation
    free = Grammar(write_grammar(request(BRIDGE, FERRY), False))
    assert free.accepts(quoting("P1", "The keeper of a toll bridge may keep its planks sound."))
    assert not free.accepts(quoting("P3", "A ferry is not a bridge."))


def test_quotation_comes_before_its_sentence_and_counts_are_bounded() -> None:
    grammar = Grammar(write_grammar(request(BRIDGE, sentences=2), False))
    item = ([("P1", "must keep its planks sound")], "The keeper must keep it sound.")
    assert grammar.accepts(answer(item, item))
    assert not grammar.accepts(answer(item, item, item))
    assert not grammar.accepts(answer())
    assert not grammar.accepts(answer((item[0] * 4, item[1])))
    assert not grammar.accepts(answer(([], item[1])))
    assert not grammar.accepts(answer((item[0], "x" * 501)))
    swapped = (
        '{"answer":[{"sentence":"The keeper must.","evidence":[{"passage":"P1","quotation":"must keep"}]}]}'
    )
    assert not grammar.accepts(swapped)
    assert grammar.accepts('{"insufficient":["who pays for the planks"]}')
    assert not grammar.accepts('{"insufficient":[]}')


@pytest.mark.parametrize("verbatim", [False, True])
def test_without_evidence_it_can_only_be_said_that_something_is_missing(verbatim: bool) -> None:
    grammar = Grammar(write_grammar(Request("ask", "Who?", ()), verbatim))
    assert grammar.accepts('{"insufficient":["anything at all"]}')
    assert not grammar.accepts(quoting("P1", "must keep its planks sound"))


def test_passage_without_a_word_cannot_be_quoted_verbatim() -> None:
    grammar = Grammar(write_grammar(request(BRIDGE, " \n\u2028 "), True))
    assert grammar.accepts(quoting("P1", "The keeper of a toll bridge"))
    assert not grammar.accepts(quoting("P2", ""))


def test_quotation_keeps_to_a_paragraph_and_does_not_begin_with_its_number() -> None:
    text = "The crew left the lock at dawn.\n8\nAfter the flood, the lock was shut for good.\n\n"
    text += "[9] It stood empty for years."
    grammar = Grammar(write_grammar(request(text), True))
    assert grammar.accepts(quoting("P1", "The crew left the lock at dawn."))
    assert grammar.accepts(quoting("P1", "After the flood, the lock was shut"))
    assert grammar.accepts(quoting("P1", "It stood empty for years."))
    for quotation in (
        "8 After the flood, the lock was shut",
        "The crew left the lock at dawn. 8 After the flood,",
        "The crew left the lock at dawn. After the flood,",
        "the lock was shut for good. [9] It stood",
        "[9] It stood empty for years.",
    ):
        assert not grammar.accepts(quoting("P1", quotation)), quotation


def test_quotation_runs_on_over_the_ends_of_lines() -> None:
    grammar = Grammar(write_grammar(request("The crew\n left the\tlock\r\nat\u2028dawn."), True))
    assert grammar.accepts(quoting("P1", "The crew left the lock at dawn."))


def test_short_passage_can_be_quoted_whole() -> None:
    grammar = Grammar(write_grammar(request("Tolls double."), True))
    assert grammar.accepts(quoting("P1", "Tolls double."))


def test_quotation_reaches_over_two_segments_but_not_further() -> None:
    words = [f"w{number}" for number in range(200)]
    grammar = Grammar(write_grammar(request(" ".join(words)), True))
    assert grammar.accepts(quoting("P1", " ".join(words[:80])))
    assert not grammar.accepts(quoting("P1", " ".join(words[:81])))
    assert grammar.accepts(quoting("P1", " ".join(words[32:64])))


def test_rules_grow_with_the_text_and_not_with_its_square() -> None:
    short, long = (len(write_grammar(request(LONG * times), True)) for times in (1, 10))
    assert long < 13 * short


def test_token_without_spaces_is_never_part_of_a_quotation() -> None:
    blob = "x" * 5000
    source = write_grammar(request(f"The seal reads {blob} and the keeper signed below it."), True)
    assert len(source) < 3000
    assert Grammar(source).accepts(quoting("P1", "and the keeper signed below it."))


WORDS = st.sampled_from(
    [*NASTY.split(" "), "\n", "\n\n", "12.", "[3]", "(a)", "x" * 90, "that", "end.", "é,"]
)


@given(st.text(max_size=200) | st.lists(WORDS, max_size=120).map(" ".join), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_any_text_can_be_evidence(text: str, seed: int) -> None:
    asked = request(text, BRIDGE)
    source = write_grammar(asked, True)
    source.encode("utf-8")
    grammar, chance = Grammar(source), random.Random(seed)
    for _ in range(3):
        for item in json.loads(grammar.walk(chance, 'ab "\\/')).get("answer", ()):
            for each in item["evidence"]:
                found = asked.find(each["passage"])
                assert found is not None
                words = each["quotation"].split(" ")
                whole = clean_text(found.text).split()
                assert any(whole[at : at + len(words)] == words for at in range(len(whole)))


@given(st.text(max_size=200) | st.lists(WORDS, max_size=120).map(" ".join))
@settings(max_examples=40, deadline=None)
def test_llama_cpp_reads_the_grammar_of_any_text(text: str) -> None:
    llama = pytest.importorskip("lexls.models.llama_cpp_model").llama
    sampler = llama.llama_sampler_init_grammar(
        None, write_grammar(request(text), True).encode("utf-8"), b"root"
    )
    assert sampler
    llama.llama_sampler_free(sampler)


@pytest.mark.parametrize("verbatim", [False, True])
@pytest.mark.parametrize(
    "texts", [(BRIDGE, FERRY), (NASTY,), (), (LONG * 40,), ("Tolls double.",), tuple([BRIDGE] * 50)]
)
def test_llama_cpp_reads_the_grammar(texts: tuple[str, ...], verbatim: bool) -> None:
    llama = pytest.importorskip("lexls.models.llama_cpp_model").llama
    source = write_grammar(request(*texts, sentences=20), verbatim).encode()
    sampler = llama.llama_sampler_init_grammar(None, source, b"root")
    assert sampler, "llama.cpp refuses the grammar"
    llama.llama_sampler_free(sampler)
    assert not llama.llama_sampler_init_grammar(None, source + b"root-", b"root")
