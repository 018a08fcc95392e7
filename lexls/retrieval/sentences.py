"""Ranking given sentences by how well they explain a term."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lexls.index.embedding.protocol import Embedder
from lexls.index.tokens import Tokenizer
from lexls.retrieval.among import bm25_among
from lexls.retrieval.fusion import rrf

_EXPLAINS = (
    r"(?:means?|meant|is|are|was|were|includes?|included|refers?|covers?|denotes?|applies|shall|does|do)"
)
_QUOTES = "\"'“”‘’"


def rank_sentences(
    term: str, sentences: Sequence[str], tokenizer: Tokenizer, embedder: Embedder | None
) -> list[int]:
    """The indexes of ``sentences``, the one that explains ``term`` best first.

    Three rankings are fused with equal weight: what is said of the term (it stands in quotation marks, or a
    verb that explains follows it); likeness to the term (needs an embedder); BM25 among the sentences.
    """
    numbers = range(len(sentences))
    counted = [Counter(tokenizer.tokenize(sentence)) for sentence in sentences]
    lexical = bm25_among(tokenizer.tokenize(term), counted)
    liking = lexical
    if embedder is not None and sentences:
        liking = [float(cosine) for cosine in embedder.encode(sentences) @ embedder.encode([term])[0]]
    said = [said_of(term, sentence) for sentence in sentences]
    # What is said of the term comes first: of equal scores it decides.
    rankings = [
        sorted(numbers, key=lambda n: (-said[n], -liking[n])),
        sorted(numbers, key=lambda n: -lexical[n]),
    ]
    if liking is not lexical:
        rankings.append(sorted(numbers, key=lambda n: -liking[n]))
    return [number for number, _ in rrf(rankings)]


def said_of(term: str, sentence: str) -> int:
    """How many signs of speaking about ``term`` itself ``sentence`` gives: 0, 1 or 2."""
    words = r"\W+".join(re.escape(word) for word in term.split())
    quoted = re.search(rf"[{_QUOTES}]\W*{words}", sentence, re.IGNORECASE)
    explained = re.search(rf"{words}\w*[{_QUOTES},]*\s+{_EXPLAINS}\b", sentence, re.IGNORECASE)
    return int(quoted is not None) + int(explained is not None)
