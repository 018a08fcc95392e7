"""Measure how much a sentence of an authority says about a proposition, from its words alone."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from lexls.text.lexicon import split_words
from lexls.text.phrases import load_phrases

Tokens = Callable[[str], Sequence[str]]
"""Cuts text into comparable terms: folded and stemmed; ``lexls.index.tokens`` has the one the index uses."""

COMMON = split_words(load_phrases(__package__, "data/relevance.toml")["common"])
"""Function words of English: they say nothing about whether a passage bears on a sentence."""

_WORD = re.compile(r"[^\W_](?:[^\W_]|[’'])*")
_B = 0.75


def find_terms(text: str, tokens: Tokens) -> dict[str, str]:
    """The distinct terms of ``text`` that carry meaning, each with the word it was first written as.

    A word counts when it is not a function word and has two letters or a digit.
    """
    found: dict[str, str] = {}
    for written in _WORD.findall(text):
        word = written.rstrip("’'")
        folded = word.casefold()
        if folded in COMMON or (len(folded) < 2 and not folded.isdigit()):
            continue
        for term in tokens(word):
            found.setdefault(term, word)
    return found


@dataclass(frozen=True, slots=True)
class Weights:
    """What each term of one proposition weighs: its inverse document frequency among the texts given."""

    terms: dict[str, float]

    def coverage(self, present: Iterable[str]) -> float:
        """The share of the proposition's weight that ``present`` terms have, from 0 to 1."""
        total = sum(self.terms.values())
        return sum(self.terms.get(term, 0.0) for term in set(present)) / total if total else 0.0


def weigh(terms: Iterable[str], texts: Sequence[Counter[str]]) -> Weights:
    """Weights of ``terms`` by how few of ``texts`` (term counts) have them.

    ``log(1 + (n - df + 0.5) / (df + 0.5))``: the inverse document frequency of BM25 in the form that is
    never negative (as in Lucene), so that a term that every text has still weighs a little.
    """
    count = len(texts)
    having = {term: sum(term in text for text in texts) for term in terms}
    return Weights({term: math.log(1 + (count - few + 0.5) / (few + 0.5)) for term, few in having.items()})


def score_by_bm25(weights: Weights, texts: Sequence[Counter[str]], k1: float = 1.2) -> list[float]:
    """The BM25 score (b = 0.75) of each text for the weighted terms."""
    lengths = [text.total() for text in texts]
    average = sum(lengths) / len(lengths) if lengths else 0.0
    scores: list[float] = []
    for text, length in zip(texts, lengths, strict=True):
        scale = k1 * (1 - _B + _B * length / average) if average else k1
        held = ((weight, text[term]) for term, weight in weights.terms.items() if term in text)
        scores.append(sum(weight * count * (k1 + 1) / (count + scale) for weight, count in held))
    return scores
