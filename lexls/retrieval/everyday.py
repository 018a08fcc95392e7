"""Find the legal terms for what a question says in everyday words."""

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
    """Return the legal terms for everyday words of ``question``, as one line of text, or an empty string."""
    line = " ".join(question.split())
    found = (words for pattern, words in _load_law() if pattern.search(line))
    return " ".join(dict.fromkeys(word for words in found for word in words.split()))


def find_alternatives(question: str, tokens: Tokens) -> Mapping[str, frozenset[str]]:
    """Return the everyday terms of ``question``, each with the corresponding legal terms."""
    line = " ".join(question.split())
    found: dict[str, frozenset[str]] = {}
    for pattern, words in _load_law():
        if match := pattern.search(line):
            law = frozenset(tokens(words))
            for term in find_terms(match[0], tokens):
                found[term] = found.get(term, frozenset()) | law
    return found
