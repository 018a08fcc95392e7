"""Measure by their words how relevant a passage is to a proposition, and decide whether to show it
unrequested.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from lexls.index.records import Authority, PassageRecord
from lexls.library.speakers import COURTS_OWN
from lexls.retrieval.model import Hit
from lexls.text.lexicon import split_words
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span
from lexls.wording.prose import (
    asserts,
    blank_markup,
    close_brackets,
    find_statements,
    reports_another_court,
)

Tokens = Callable[[str], Sequence[str]]
"""Splits text into comparable terms, folded and stemmed; ``lexls.index.tokens`` has the index's function."""

COMMON = split_words(load_phrases(__package__, "data/relevance.toml")["common"])
"""English function words, which do not affect the relevance of a passage."""

_WORD = re.compile(r"[^\W_](?:[^\W_]|[’'])*")
_B = 0.75


def find_terms(text: str, tokens: Tokens) -> dict[str, str]:
    """Return the distinct content terms of ``text``, each with the word of its first occurrence.

    Function words are skipped, as are words with fewer than two letters unless they are digits.
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
    """The weights of one proposition's terms: their inverse document frequency among the texts given."""

    terms: dict[str, float]

    def coverage(self, present: Iterable[str]) -> float:
        """Return the share of the proposition's total weight that ``present`` terms have, from 0 to 1."""
        total = sum(self.terms.values())
        return sum(self.terms.get(term, 0.0) for term in set(present)) / total if total else 0.0


def weigh(terms: Iterable[str], texts: Sequence[Counter[str]]) -> Weights:
    """Return the weights of ``terms`` by their rarity among ``texts`` (term counts).

    The weight is ``log(1 + (n - df + 0.5) / (df + 0.5))``, BM25's inverse document frequency in its
    non-negative form (as in Lucene), so that a term in every text still has a small weight.
    """
    count = len(texts)
    having = {term: sum(term in text for text in texts) for term in terms}
    return Weights({term: math.log(1 + (count - few + 0.5) / (few + 0.5)) for term, few in having.items()})


def score_by_bm25(weights: Weights, texts: Sequence[Counter[str]], k1: float = 1.2) -> list[float]:
    """Return the BM25 score (b = 0.75) of each text for the weighted terms."""
    lengths = [text.total() for text in texts]
    average = sum(lengths) / len(lengths) if lengths else 0.0
    scores: list[float] = []
    for text, length in zip(texts, lengths, strict=True):
        scale = k1 * (1 - _B + _B * length / average) if average else k1
        held = ((weight, text[term]) for term, weight in weights.terms.items() if term in text)
        scores.append(sum(weight * count * (k1 + 1) / (count + scale) for weight, count in held))
    return scores


@dataclass(frozen=True, slots=True)
class Fit:
    """A relevant hit, with the best sentence of its passage as a span of the passage's text."""

    hit: Hit
    sentence: Span


_PASSAGE, _SENTENCE, _ALONE = 0.55, 0.3, 0.45
"""Minimum shares of a sentence's content terms for a relevant passage: either the first share in the passage
and the second in its best sentence, or the third in that sentence alone.

Measured on 500 American judgments: 101 of 163 propositions from other judgments had a relevant passage (46 of
them from the authority cited there), and so did 6 of 87 sentences about software. With 0.5, 0.3 and 0.4 it
was 128, 58 and 12; with 0.7, 0.4 and 0.6 it was 70, 32 and 0.
"""
_FEWEST_TERMS = 4
"""Minimum number of content terms in a sentence; for a shorter one, no hit is relevant."""
_FEWEST_SHARED = 3


def find_fitting(query: str, hits: Sequence[Hit], tokens: Tokens) -> list[Fit]:
    """Return the hits that are relevant to ``query``, in the given order."""
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
    """Return the hits whose passage has the words of ``phrase`` consecutively in one sentence, in the given
    order.
    """
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
    """Return the span of the sentence of a passage's ``text`` that has most of ``terms``; of equal ones, the
    shorter.

    If the sentence has an open bracket, adjacent sentences are added until it is closed.
    """
    text = blank_markup(authority, text)
    best = max(
        find_statements(text),
        key=lambda each: (len(terms.keys() & set(tokens(each.of(text)))), -len(each)),
        default=Span(0, len(text)),
    )
    return close_brackets(text, best)


MOST_PASSAGES = 3
"""Maximum number of an authority's passages searched for a sentence to quote."""
_QUOTABLE = 0.8
"""Minimum share of the proposition's words in a sentence to quote, relative to the best sentence and weighted
by rarity.
"""
_NO_LAW = ("argument", "facts", "issue", "ruling by lower court")
"""Labels of passages that do not state the court's own view of the law."""


def choose_statement(
    weights: Weights, authority: Authority, passages: Iterable[PassageRecord], tokens: Tokens
) -> tuple[PassageRecord, Span] | None:
    """Return the sentence of an authority to quote for a proposition, as a passage and a span of its text.

    ``passages`` are the authority's best ones, best first; only as many as necessary are read. Of the
    sentences with most of the proposition's words, the one in the first passage that states the law is
    returned. A question, an argument, facts, another court's ruling, and text from a headnote or a separate
    opinion do not state the law. If there is no such sentence, the court's own words are preferred. Returns
    None if the passages have no suitable sentence.
    """
    found: list[tuple[int, float, PassageRecord, Span]] = []
    best = 0.0
    for passage in itertools.islice(passages, MOST_PASSAGES):
        text = blank_markup(authority, passage.text)
        shares = {span: weights.coverage(tokens(span.of(text))) for span in find_statements(text)}
        best = max(best, *shares.values(), 0.0)
        for span in sorted(shares, key=lambda each: (-shares[each], len(each))):
            if shares[span] < _QUOTABLE * best:
                break
            fitness = _rate_statement(authority, passage, span.of(text))
            found.append((fitness, shares[span], passage, span))
            if fitness == 0:
                break
        if any(fitness == 0 and share >= _QUOTABLE * best for fitness, share, *_ in found):
            break
    near = [each for each in found if each[1] >= _QUOTABLE * best]
    if not near:
        return None
    _, _, passage, span = min(near, key=lambda each: each[0])
    return passage, close_brackets(blank_markup(authority, passage.text), span)


def _rate_statement(authority: Authority, passage: PassageRecord, sentence: str) -> int:
    """Return 0 if a sentence states the law, 1 if it does not but is the court's own, and 2 otherwise."""
    if authority.kind != "case":
        return 0
    if passage.speaker not in COURTS_OWN:
        return 2
    law = passage.label not in _NO_LAW and asserts(sentence) and not reports_another_court(sentence)
    return 0 if law else 1


def _coverage(terms: dict[str, str], text: str, tokens: Tokens) -> float:
    return len(terms.keys() & set(tokens(text))) / len(terms)
