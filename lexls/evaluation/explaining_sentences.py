"""Rank given sentences by how well they explain a term.

A sentence that explains a term says something *about* it: it defines the term, applies it to facts,
distinguishes it, or reasons about it. A sentence explains little if it only recites the provision that
contains the term, lists the term among others or uses it as a label (Savelka and Ashley, "Legal information
retrieval for understanding statutory terms", Artificial Intelligence and Law 2021). Much of the difference is
in the few words next to the term.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from lexls.evaluation import TABLES
from lexls.index.embedding.protocol import Embedder
from lexls.index.tokens import Tokenizer
from lexls.text.phrases import compile_pattern

WINDOW = 7
"""Number of words and punctuation marks examined on each side of the term."""
_QUOTES = "\"'“”‘’`"
_TOKEN = re.compile(r"[^\W\d_]+|[\"“”]|[,.;:()]")
_REASONING = compile_pattern(TABLES["reasoning"], {})
_FEW_WORDS = 6
_RUN = 4


@dataclass(frozen=True, slots=True)
class TermPatterns:
    """Patterns for a term and the ways it is used in a sentence."""

    term: re.Pattern[str]
    quoted: re.Pattern[str]
    """Matches the term in its own quotation marks."""
    listed: re.Pattern[str]
    """Matches the term as one of several, between commas and *or*."""
    in_other_definition: re.Pattern[str]
    """Matches the term within the definition of another term, which precedes it in quotation marks."""


def compile_patterns(term: str) -> TermPatterns | None:
    """Return the patterns for ``term``, or None if it contains no word."""
    words = re.findall(r"\w+", term)
    if not words:
        return None
    plain = r"\W{1,3}".join(map(re.escape, words)) + r"(?:s|es|ing|d)?"
    other = rf"[{_QUOTES}](?!\W?{plain})[^{_QUOTES}]{{3,60}}[{_QUOTES}]"
    says = r"(?:means?|is defined|are defined|includes?|as)\b"
    patterns = (
        plain,
        rf"[{_QUOTES}]\W?{plain}\W{{0,2}}[{_QUOTES}]",
        rf"(?:,|\bor|\band|/)\s*{plain}\s*(?:,|\bor\b|\band\b|/)|{plain}\s*,\s+\w+\s*,"
        rf"|,\s+\w+\s*,\s+(?:or|and)?\s*{plain}",
        rf"{other}\W+(?:\w+\W+){{0,3}}?{says}.{{0,200}}{plain}"
        rf"|\bdefin\w+\s+(?:an?\s+|the\s+)?{other}.{{0,200}}{plain}",
    )
    return TermPatterns(*(re.compile(pattern, re.IGNORECASE | re.DOTALL) for pattern in patterns))


def find_signs(term: str, sentences: Sequence[str], tokenizer: Tokenizer) -> list[dict[str, float]]:
    """Return the features of each sentence by name, without those whose value is 0.

    ``quoted``, ``listed``, ``in other definition`` and ``few words`` are 1. ``reasoning`` is ln(1 + the
    number of different reasoning words). ``shared`` is how much of the sentence also occurs in other
    sentences, as the words of a provision do: the mean, over the sentence's runs of four stems, of ln(number
    of sentences with the run), standardised over ``sentences``. ``left X`` and ``right X`` are 1 for each
    word or mark X within ``WINDOW`` of the term; ``starts`` and ``ends`` are 1 if the term begins or ends the
    sentence.
    """
    patterns = compile_patterns(term)
    if patterns is None:
        return [{} for _ in sentences]
    stems = [tokenizer.tokenize(sentence) for sentence in sentences]
    shared = standardise(_shared(stems))
    found = []
    for sentence, tokens, share in zip(sentences, stems, shared, strict=True):
        reasons = {match.lower() for match in _REASONING.findall(sentence)}
        each = {
            "quoted": float(patterns.quoted.search(sentence) is not None),
            "listed": float(patterns.listed.search(sentence) is not None),
            "in other definition": float(patterns.in_other_definition.search(sentence) is not None),
            "few words": float(len(tokens) < _FEW_WORDS),
            "reasoning": math.log1p(len(reasons)),
            "shared": share,
        }
        each |= dict.fromkeys(_beside(patterns.term, sentence), 1.0)
        found.append({name: value for name, value in each.items() if value})
    return found


def standardise(values: Sequence[float]) -> list[float]:
    """Return the values scaled to mean 0 and standard deviation 1; zeros if all values are equal."""
    if not values:
        return []
    mean = sum(values) / len(values)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    return [(value - mean) / deviation if deviation > 1e-9 else 0.0 for value in values]


def _shared(stems: Sequence[Sequence[str]]) -> list[float]:
    runs = [{tuple(each[at : at + _RUN]) for at in range(len(each) - _RUN + 1)} for each in stems]
    having = Counter(run for each in runs for run in each)
    return [sum(math.log(having[run]) for run in each) / len(each) if each else 0.0 for each in runs]


def _beside(term: re.Pattern[str], sentence: str) -> set[str]:
    """Return the names of the features for the words next to the term, at each of its occurrences."""
    found = set()
    tokens = [(match.start(), match.end(), _plain(match[0])) for match in _TOKEN.finditer(sentence)]
    for place in term.finditer(sentence):
        before = [token for _, end, token in tokens if end <= place.start()]
        after = [token for start, _, token in tokens if start >= place.end()]
        found |= {f"left {token}" for token in before[-WINDOW:]}
        found |= {f"right {token}" for token in after[:WINDOW]}
        found |= {name for name, beside in (("starts", before), ("ends", after)) if not beside}
    return found


def _plain(token: str) -> str:
    return '"' if token in "“”" else token.lower()


WEIGHTS_FILE = "explaining_sentences.json"
SIMILARITY = "similarity"
"""The name of the feature that the embedder's vectors give."""


@cache
def load_weights() -> Mapping[str, float]:
    """Load the weights of the features, trained by ``benchmarks/train_term_meaning.py``."""
    text = resources.files("lexls.evaluation").joinpath("data", WEIGHTS_FILE).read_text("utf-8")
    weights: Mapping[str, float] = json.loads(text)["weights"]
    return weights


def rank_sentences(
    term: str,
    sentences: Sequence[str],
    tokenizer: Tokenizer,
    embedder: Embedder | None,
    weights: Mapping[str, float] | None = None,
) -> list[int]:
    """Return the indices of ``sentences``, the best explanation of ``term`` first; equally good ones keep
    their order.

    A sentence's score is the weighted sum of its features, without similarity if there is no embedder.
    ``weights`` replace the ones included with lexls.
    """
    counted = weights or load_weights()
    scores = [
        sum(counted.get(name, 0.0) * value for name, value in each.items())
        for each in find_explaining_signs(term, sentences, tokenizer, embedder)
    ]
    return sorted(range(len(sentences)), key=lambda number: -scores[number])


def find_explaining_signs(
    term: str, sentences: Sequence[str], tokenizer: Tokenizer, embedder: Embedder | None
) -> list[dict[str, float]]:
    """Return the features of each sentence. With an embedder they include ``similarity``: the cosine between
    the sentence and the question "what … is and what it includes", standardised over ``sentences``.
    """
    found = find_signs(term, sentences, tokenizer)
    if embedder is not None and sentences:
        prompts = embedder.prompts
        asked = embedder.encode([f"what {term} is and what it includes"], prompts.question)[0]
        read = embedder.encode(sentences, prompts.passage)
        similarity = standardise([float(cosine) for cosine in read @ asked])
        for each, value in zip(found, similarity, strict=True):
            each[SIMILARITY] = value
    return found
