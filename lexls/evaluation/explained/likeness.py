"""Likeness of meaning: of an answer to its question, and to a reference answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from lexls.grounding.selection import Encode

EncodeTokens = Callable[[str], NDArray[np.float32]]
"""A text to the unit vectors of its tokens, a row each."""


def answer_relevance(question: str, answer: Sequence[str], encode: Encode) -> float:
    """The mean cosine of the question with the answer's sentences.

    RAGAS takes the mean over questions that a model makes from the answer; without a model the sentences
    themselves stand for them.
    """
    vectors = encode([question, *answer])
    return float(np.mean(vectors[1:] @ vectors[0]))


def reference_cosine(answer: str, reference: str, encode: Encode) -> float:
    """The cosine of an answer with a reference answer."""
    vectors = encode([answer, reference])
    return float(vectors[0] @ vectors[1])


def bert_score(answer: str, reference: str, encode: EncodeTokens) -> float:
    """BERTScore's F1: each token is matched with the most similar one of the other text, without weights
    (Zhang et al., "BERTScore", ICLR 2020). 0 if either text has no token.
    """
    first, second = encode(answer), encode(reference)
    if not len(first) or not len(second):
        return 0.0
    likeness = first @ second.T
    precision, recall = float(likeness.max(axis=1).mean()), float(likeness.max(axis=0).mean())
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
