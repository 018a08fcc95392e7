from __future__ import annotations

import pytest

from lexls.text.phrases import Patterns, PhraseError, compile_pattern, define_parts


def test_a_pattern_is_joined_and_its_parts_are_put_in() -> None:
    parts = define_parts({"noun": "(?:judgment|order)", "object": ["the ", "«noun»"]}, {"sign": "¤"})
    pattern = compile_pattern(["«sign» overruled ", "«object»"], parts)
    assert pattern.search("In ¤ OVERRULED THE ORDER of 1990")
    assert not pattern.search("¤ overruled it")


def test_an_unknown_part_is_named() -> None:
    with pytest.raises(PhraseError, match="no part 'verb'"):
        define_parts({"object": "«verb»", "verb": "overrules?"})


def test_what_is_no_regular_expression_is_named() -> None:
    with pytest.raises(PhraseError, match=r"over\(rules"):
        compile_pattern("over(rules", {})


def test_a_pattern_is_compiled_when_it_is_asked_for_and_once() -> None:
    patterns = Patterns({"wrong": "over(rules", "noun": "order", "cased": "Order"}, folded=("noun",))
    assert patterns["noun"].search("THE ORDER")
    assert not patterns["cased"].search("THE ORDER")
    assert patterns["noun"] is patterns["noun"]
    assert list(patterns.sources) == ["wrong", "noun", "cased"]
    with pytest.raises(PhraseError, match=r"over\(rules"):
        patterns["wrong"]
