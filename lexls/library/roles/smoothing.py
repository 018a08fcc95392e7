"""Letting neighbouring sentences agree: roles come in runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]

ROUNDS = 3


def softmax(scores: Scores) -> Scores:
    """Each row as probabilities."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Scores = raised / raised.sum(axis=1, keepdims=True)
    return shares


def smooth(scores: Scores, transitions: Scores, weight: float, rounds: int = ROUNDS) -> Scores:
    """The probabilities of roles given those of the sentences before and after.

    ``scores`` are logits, a row a sentence; ``transitions[a, b]`` is how much ``b`` after ``a`` is favoured,
    as a logit. Mean field: each round adds what the neighbours' present probabilities speak for, all rows at
    once, which for long judgments is far cheaper than a Viterbi pass in Python.
    """
    shares = softmax(scores)
    for _ in range(rounds):
        moved = scores.copy()
        moved[1:] += weight * (shares[:-1] @ transitions)
        moved[:-1] += weight * (shares[1:] @ transitions.T)
        shares = softmax(moved)
    return shares
