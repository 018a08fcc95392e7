"""BM25 among a few texts, counted here and now."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

K1 = 1.5
B = 0.75


def bm25_among(terms: Sequence[str], texts: Sequence[Counter[str]]) -> list[float]:
    """The BM25 score of each of ``texts``, given as the number of times each term occurs in it.

    The idf is ``ln(1 + (N − n + ½) / (n + ½))`` over ``texts``, which is never negative, so that a term that
    all of them hold still counts a little; a term asked for twice counts once.
    """
    lengths = [counts.total() for counts in texts]
    mean = sum(lengths) / len(texts) if texts else 0.0
    norms = [K1 * (1 - B + B * length / mean) if mean else 0.0 for length in lengths]
    scores = [0.0] * len(texts)
    for term in dict.fromkeys(terms):
        holding = sum(1 for counts in texts if term in counts)
        idf = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        for number, counts in enumerate(texts):
            if frequency := counts[term]:
                scores[number] += idf * frequency * (K1 + 1) / (frequency + norms[number])
    return scores
