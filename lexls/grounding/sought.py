"""Tell what a question asks for, a time, an amount or a number, and which sentences say one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from lexls.retrieval.relevance import Tokens
from lexls.text.lexicon import split_words
from lexls.text.phrases import compile_pattern, define_parts, load_phrases


@dataclass(frozen=True, slots=True)
class Sought:
    """Something that questions ask for: ``asks`` finds such a question, ``says`` a sentence that says it.

    ``words`` only ask for it ("how long", "what is the term"): who says "three years" need not have them, and
    who has them need not say how long.
    """

    asks: re.Pattern[str]
    words: frozenset[str]
    says: re.Pattern[str]

    def find_asking(self, tokens: Tokens) -> frozenset[str]:
        """The terms of ``words``."""
        return frozenset(term for word in self.words for term in tokens(word))


@cache
def _load() -> Sequence[Sought]:
    data = load_phrases(__package__, "sought.toml")
    parts = define_parts(data.pop("parts"))
    return tuple(
        Sought(
            compile_pattern(kind["asks"], parts),
            split_words(kind["words"]),
            compile_pattern(kind["says"], parts),
        )
        for kind in data.values()
    )


def find_sought(question: str) -> Sought | None:
    """What ``question`` asks for, None where it is no time, amount or number."""
    line = " ".join(question.split())
    return next((each for each in _load() if each.asks.search(line)), None)
