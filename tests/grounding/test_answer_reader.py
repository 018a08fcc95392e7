"""Reading what models write, whole or in pieces, well-formed or not."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexls.grounding.answer import Claim, Insufficient, Quoted
from lexls.grounding.decoding import CLAIMS, AnswerReader

FIRST = {
    "evidence": [{"passage": "P1", "quotation": 'must keep its "planks" sound'}],
    "sentence": "The keeper must keep them sound.",
}
SECOND = {
    "evidence": [
        {"passage": "P2", "quotation": "a ferry }] is"},
        {"passage": "P1", "quotation": "by \\ day"},
    ],
    "sentence": "A ferry [is] not {a bridge}.",
}
CLAIMED = [
    Claim("The keeper must keep them sound.", (Quoted("P1", 'must keep its "planks" sound'),)),
    Claim("A ferry [is] not {a bridge}.", (Quoted("P2", "a ferry }] is"), Quoted("P1", "by \\ day"))),
]
ANSWER = json.dumps({"answer": [FIRST, SECOND]})


def read(text: str) -> list[Claim | Insufficient]:
    reader = AnswerReader()
    return [*reader.feed(text), *reader.finish()]


def item(**changes: Any) -> str:
    return json.dumps({"answer": [FIRST | changes]})


def test_claims_are_read() -> None:
    assert read(ANSWER) == CLAIMED
    assert read(json.dumps({"answer": [FIRST, SECOND]}, indent=4)) == CLAIMED


def test_each_claim_is_given_as_soon_as_it_is_whole() -> None:
    reader = AnswerReader()
    given_at = {}
    for at, character in enumerate(ANSWER):
        for each in reader.feed(character):
            given_at[each] = at
    assert given_at[CLAIMED[0]] == ANSWER.index("}, {", ANSWER.index("sound."))
    assert given_at[CLAIMED[1]] == len(ANSWER) - 3


def test_what_is_missing_is_read() -> None:
    assert read('{"insufficient":["who paid","  when\\n it was "]}') == [
        Insufficient(("who paid", "when it was"))
    ]
    assert read(json.dumps({"answer": [FIRST], "insufficient": ["the date"]})) == [
        CLAIMED[0],
        Insufficient(("the date",)),
    ]


@pytest.mark.parametrize("end", range(0, len(ANSWER), 3))
def test_cut_answer_gives_its_whole_claims(end: int) -> None:
    found = read(ANSWER[:end])
    assert found == CLAIMED[: len(found)]
    assert len(found) == (end > ANSWER.index("}, {", ANSWER.index("sound."))) + (end > len(ANSWER) - 3)


def test_list_of_what_is_missing_that_was_cut_gives_what_is_whole() -> None:
    assert read('{"insufficient":["who paid","when i') == [Insufficient(("who paid",))]


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{ANSWER}\n```",
        f"Here {{is}} [the] answer:\n\n{ANSWER}\nI hope this helps! {{}}]]",
        f'<think>I could say {{"answer":[{json.dumps(FIRST)}]}} but wait</think>\n{ANSWER}',
        f"\ufeff{ANSWER}",
        ANSWER.replace("[{", "[ null, 5, nonsense, {", 1),
    ],
)
def test_what_stands_around_the_answer_is_passed_over(text: str) -> None:
    assert read(text) == CLAIMED


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The passages do not say.",
        "null",
        '{"answer":"The keeper must."}',
        '{"answer":[1, true, null, "sentence", [], {}]}',
        item(sentence=5),
        item(sentence="  \n "),
        item(sentence="x" * 2001),
        item(evidence="P1"),
        item(evidence=None),
        '{"answer":[{"evidence":[{"passage":"P1","quotation":"x"}],"sentence":"half\\u12"}]}',
        '{"answer":[' + "[" * 30_000 + "]" * 30_000 + "]}",
        '{"answer":[{"a":"' + "x" * 50_000 + '"}]}',
    ],
)
def test_what_is_no_claim_gives_none(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "quoted",
    [
        {"passage": 1, "quotation": "must keep"},
        {"passage": "P1", "quotation": ["must keep"]},
        {"passage": "P1"},
        {"passage": "", "quotation": "must keep"},
        {"passage": "P" * 30, "quotation": "must keep"},
        {"passage": "P1", "quotation": "x" * 9000},
        "P1",
        None,
    ],
)
def test_quotation_that_is_none_is_left_out(quoted: Any) -> None:
    assert read(item(evidence=[quoted])) == [Claim(FIRST["sentence"], ())]
    assert read(item(evidence=[quoted, *FIRST["evidence"]])) == [CLAIMED[0]]


@pytest.mark.parametrize("passage", ["[P1]", " P1 ", "(P1)"])
def test_brackets_around_an_identifier_are_none_of_it(passage: str) -> None:
    quoted = {"passage": passage, "quotation": 'must keep its "planks" sound'}
    assert read(item(evidence=[quoted])) == [CLAIMED[0]]


def test_sentence_is_one_line_of_visible_characters() -> None:
    [claim] = read(item(sentence="One\nline\u2028only \x00 with\u202e no \U000e0041tricks \ud800."))
    assert claim == Claim("One line only with no tricks .", CLAIMED[0].quoted)


def test_raw_line_breaks_inside_strings_are_tolerated() -> None:
    assert read(ANSWER.replace("must keep", "must\nkeep")) == CLAIMED


def test_endless_answer_gives_a_bounded_number_of_claims() -> None:
    text = json.dumps({"answer": [FIRST] * (CLAIMS + 30)})
    assert read(text) == [CLAIMED[0]] * CLAIMS


def test_reader_says_whether_there_was_an_answer_at_all() -> None:
    for text, found in (("I cannot help.", False), (ANSWER[:15], True), ('{"insufficient":[', True)):
        reader = AnswerReader()
        reader.feed(text)
        assert reader.found is found


PIECES = """
{"answer":[ "insufficient" [ ] } { , " \\ : <think> </think> P1 ```json "evidence" "sentence":" é
"""
WORDS = st.sampled_from([*PIECES.split(), "\n", "\ud800", json.dumps(FIRST), json.dumps(SECOND)])
PROSE = st.lists(WORDS | st.text(max_size=8), max_size=30).map("".join)


@given(PROSE)
@settings(deadline=None)
def test_no_text_makes_it_fail(text: str) -> None:
    for each in read(text):
        assert isinstance(each, Claim | Insufficient)


@given(PROSE, st.lists(st.integers(min_value=0, max_value=400), max_size=12))
@settings(deadline=None)
def test_how_the_text_is_cut_changes_nothing(text: str, cuts: list[int]) -> None:
    reader = AnswerReader()
    found: list[Claim | Insufficient] = []
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    for start, end in pairwise(edges):
        found += reader.feed(text[start:end])
    assert [*found, *reader.finish()] == read(text)


SENTENCES = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=40)


NAMES = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20)


@given(st.lists(st.tuples(SENTENCES, st.lists(st.tuples(NAMES, SENTENCES), max_size=3)), max_size=5))
@settings(deadline=None)
def test_every_well_formed_answer_is_read_whole(items: list[tuple[str, list[tuple[str, str]]]]) -> None:
    written = [
        {"evidence": [{"passage": who, "quotation": what} for who, what in quoted], "sentence": sentence}
        for sentence, quoted in items
    ]
    expected = [
        Claim(sentence, tuple(Quoted(who, what) for who, what in quoted)) for sentence, quoted in items
    ]
    assert read(json.dumps({"answer": written})) == expected
    assert read(json.dumps({"answer": written}, ensure_ascii=False)) == expected
