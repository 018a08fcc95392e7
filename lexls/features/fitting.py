"""Which passages found for a sentence are worth showing unasked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexls.grounding.reading import prose, statements_in
from lexls.grounding.relevance import Tokens, content_terms
from lexls.index.records import Authority
from lexls.retrieval.model import Hit
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Fit:
    """A hit with how well it fits: ``coverage`` is the share of the query's content terms in its passage.

    ``sentence`` is the passage's sentence that has most of them, as a span of the passage's text.
    """

    hit: Hit
    coverage: float
    sentence: Span


@dataclass(frozen=True, slots=True)
class Threshold:
    """When a passage fits a sentence, in shares of the sentence's content terms.

    Either the passage has ``passage`` of them and its best sentence ``sentence``, or that sentence alone has
    ``alone``; at least ``fewest_shared`` terms must be shared. A sentence of fewer than ``fewest_terms``
    terms fits nothing.

    The defaults are measured: against 500 American judgments, 101 of 163 propositions of other judgments
    found something that fits (46 of them the very authority cited there), and 6 of 87 sentences about
    software did. With 0.5, 0.3 and 0.4 it was 128, 58 and 12; with 0.7, 0.4 and 0.6 it was 70, 32 and 0.
    """

    passage: float = 0.55
    sentence: float = 0.3
    alone: float = 0.45
    fewest_terms: int = 4
    fewest_shared: int = 3


def fitting(query: str, hits: Sequence[Hit], tokens: Tokens, threshold: Threshold | None = None) -> list[Fit]:
    """The hits that fit ``query``, in their order."""
    threshold = threshold or Threshold()
    terms = content_terms(query, tokens)
    if len(terms) < threshold.fewest_terms:
        return []
    found = []
    for hit in hits:
        whole = _coverage(terms, hit.passage.text, tokens)
        if whole < min(threshold.passage, threshold.alone) or whole * len(terms) < threshold.fewest_shared:
            continue
        sentence = best_sentence(terms, hit.authority, hit.passage.text, tokens)
        own = _coverage(terms, sentence.of(hit.passage.text), tokens)
        if own >= threshold.alone or (whole >= threshold.passage and own >= threshold.sentence):
            found.append(Fit(hit, whole, sentence))
    return found


def containing_phrase(phrase: str, hits: Sequence[Hit], tokens: Tokens) -> list[Fit]:
    """The hits whose passage has the words of ``phrase`` next to each other in a sentence, in their order."""
    wanted = list(tokens(phrase))
    if not wanted:
        return []
    found = []
    for hit in hits:
        text = prose(hit.authority, hit.passage.text)
        for sentence in statements_in(text):
            words = list(tokens(sentence.of(text)))
            if any(words[start : start + len(wanted)] == wanted for start in range(len(words))):
                found.append(Fit(hit, 1.0, sentence))
                break
    return found


def best_sentence(terms: dict[str, str], authority: Authority, text: str, tokens: Tokens) -> Span:
    """The sentence of a passage's ``text`` with most of ``terms``; of equals the shorter."""
    text = prose(authority, text)
    return max(
        statements_in(text),
        key=lambda each: (len(terms.keys() & set(tokens(each.of(text)))), -len(each)),
        default=Span(0, len(text)),
    )


def _coverage(terms: dict[str, str], text: str, tokens: Tokens) -> float:
    return len(terms.keys() & set(tokens(text))) / len(terms)
