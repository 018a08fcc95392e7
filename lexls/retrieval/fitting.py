"""Which passages found for a sentence are worth showing unasked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexls.index.records import Authority
from lexls.retrieval.model import Hit
from lexls.retrieval.relevance import Tokens, find_terms
from lexls.text.spans import Span
from lexls.wording.prose import blank_markup, close_brackets, find_statements


@dataclass(frozen=True, slots=True)
class Fit:
    """A hit that fits, with the sentence of its passage that fits best, as a span of the passage's text."""

    hit: Hit
    sentence: Span


_PASSAGE, _SENTENCE, _ALONE = 0.55, 0.3, 0.45
"""Shares of a sentence's content terms: either a passage has the first and its best sentence the second, or
that sentence alone the third. Measured: against 500 American judgments, 101 of 163 propositions of other
judgments found something that fits (46 of them the very authority cited there), and 6 of 87 sentences about
software did. With 0.5, 0.3 and 0.4 it was 128, 58 and 12; with 0.7, 0.4 and 0.6 it was 70, 32 and 0."""
_FEWEST_TERMS = 4
"""A sentence of fewer content terms fits nothing."""
_FEWEST_SHARED = 3


def find_fitting(query: str, hits: Sequence[Hit], tokens: Tokens) -> list[Fit]:
    """The hits that fit ``query``, in their order."""
    terms = find_terms(query, tokens)
    if len(terms) < _FEWEST_TERMS:
        return []
    found = []
    for hit in hits:
        whole = _coverage(terms, hit.passage.text, tokens)
        if whole < _ALONE or whole * len(terms) < _FEWEST_SHARED:
            continue
        sentence = find_best_sentence(terms, hit.authority, hit.passage.text, tokens)
        own = _coverage(terms, sentence.of(hit.passage.text), tokens)
        if own >= _ALONE or (whole >= _PASSAGE and own >= _SENTENCE):
            found.append(Fit(hit, sentence))
    return found


def find_containing(phrase: str, hits: Sequence[Hit], tokens: Tokens) -> list[Fit]:
    """The hits whose passage has the words of ``phrase`` next to each other in a sentence, in their order."""
    wanted = list(tokens(phrase))
    if not wanted:
        return []
    found = []
    for hit in hits:
        text = blank_markup(hit.authority, hit.passage.text)
        for sentence in find_statements(text):
            words = list(tokens(sentence.of(text)))
            if any(words[start : start + len(wanted)] == wanted for start in range(len(words))):
                found.append(Fit(hit, sentence))
                break
    return found


def find_best_sentence(terms: dict[str, str], authority: Authority, text: str, tokens: Tokens) -> Span:
    """The sentence of a passage's ``text`` with most of ``terms``; of equals the shorter.

    Its brackets are closed, if need be with the sentences beside it.
    """
    text = blank_markup(authority, text)
    best = max(
        find_statements(text),
        key=lambda each: (len(terms.keys() & set(tokens(each.of(text)))), -len(each)),
        default=Span(0, len(text)),
    )
    return close_brackets(text, best)


def _coverage(terms: dict[str, str], text: str, tokens: Tokens) -> float:
    return len(terms.keys() & set(tokens(text))) / len(terms)
