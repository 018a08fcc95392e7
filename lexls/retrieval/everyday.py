"""Find the words of law for what a question asks in everyday words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from lexls.retrieval.relevance import Tokens, find_terms
from lexls.text.phrases import compile_pattern, load_phrases


@cache
def _load_law() -> tuple[tuple[re.Pattern[str], str], ...]:
    table = load_phrases(__package__, "data/everyday.toml")["law"]
    return tuple((compile_pattern(pattern, {}), words) for pattern, words in table.items())


def find_words_of_law(question: str) -> str:
    """Return the words that stand in law for everyday words of ``question``, in one line; "" for none."""
    line = " ".join(question.split())
    found = (words for pattern, words in _load_law() if pattern.search(line))
    return " ".join(dict.fromkeys(word for words in found for word in words.split()))


def find_alternatives(question: str, tokens: Tokens) -> Mapping[str, frozenset[str]]:
    """Return the terms of ``question`` that are everyday words, each with the terms that stand for it in
    law."""
    line = " ".join(question.split())
    found: dict[str, frozenset[str]] = {}
    for pattern, words in _load_law():
        if match := pattern.search(line):
            law = frozenset(tokens(words))
            for term in find_terms(match[0], tokens):
                found[term] = found.get(term, frozenset()) | law
    return found
