from __future__ import annotations

import pytest

from lexls.text.phrases import PhraseError, compile_pattern, define_parts


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
