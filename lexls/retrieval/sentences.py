"""Ranking given sentences by how well they explain a term."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

from lexls.index.embedding.protocol import Embedder
from lexls.index.tokens import Tokenizer
from lexls.retrieval.explaining_signs import signs, standardised

WEIGHTS_FILE = "explaining_sentences.json"
LIKENESS = "likeness"
"""The name of the sign that the vectors give."""


@dataclass(frozen=True, slots=True)
class ExplainingWeights:
    """What each sign of ``explaining_signs`` counts, and ``likeness`` with it; made by
    ``benchmarks/train_term_meaning.py``."""

    weights: Mapping[str, float]


@cache
def explaining_weights() -> ExplainingWeights:
    """The weights that come with lexls."""
    text = resources.files("lexls.retrieval").joinpath("data", WEIGHTS_FILE).read_text("utf-8")
    return ExplainingWeights(MappingProxyType(json.loads(text)["weights"]))


def rank_sentences(
    term: str,
    sentences: Sequence[str],
    tokenizer: Tokenizer,
    embedder: Embedder | None,
    weights: ExplainingWeights | None = None,
) -> list[int]:
    """The indexes of ``sentences``, the one that explains ``term`` best first; of equal ones the first.

    A sentence's score is the weighted sum of its signs; without an embedder likeness is left out. ``weights``
    are those that come with lexls unless others are given.
    """
    counted = (weights or explaining_weights()).weights
    scores = [
        sum(counted.get(name, 0.0) * value for name, value in each.items())
        for each in explaining_signs(term, sentences, tokenizer, embedder)
    ]
    return sorted(range(len(sentences)), key=lambda number: -scores[number])


def explaining_signs(
    term: str, sentences: Sequence[str], tokenizer: Tokenizer, embedder: Embedder | None
) -> list[dict[str, float]]:
    """The signs of each sentence, ``likeness`` with them if there is an embedder: the cosine between the
    sentence and the question what the term is, standardised over ``sentences``."""
    found = signs(term, sentences, tokenizer)
    if embedder is not None and sentences:
        asked = embedder.encode([f"what {term} is and what it includes"])[0]
        likeness = standardised([float(cosine) for cosine in embedder.encode(sentences) @ asked])
        for each, like in zip(found, likeness, strict=True):
            each[LIKENESS] = like
    return found
