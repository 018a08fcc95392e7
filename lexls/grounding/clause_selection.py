"""Rank contract sentences by how well they answer a question about a type of clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lexls.grounding.selection import Candidate, Encode
from lexls.grounding.sought import LIKELY, SURELY, measure_clauses, name_clauses
from lexls.retrieval.relevance import Weights

_LOOKED_AT = 48
"""Maximum number of sentences compared by similarity."""
_LENGTH = 400
"""Maximum number of characters compared per sentence."""
_SAYS, _COVERAGE = 0.3, 0.5
"""Weights of two bonuses added to the clause likelihood and the similarities: for stating the time or amount
asked for, and for the share of the question's words present.

Measured on 40 lawyers' questions about contracts, ranking all sentences of the contract: the right sentence
came first for 30 questions; by likelihood alone for 23, by similarity alone for 11.
"""
ENOUGH = 0.85
"""Minimum score of a sentence recognised as the clause. In contracts without the clause, sentences scored up
to 0.75.
"""
_FEWEST_WORDS, _MOST_WORDS = 3, 0.5
"""Minimum number and share of the question's words in a sentence that answers it, whatever its clause
type.
"""
_ALIKE = 0.6
"""Minimum cosine with the question of a sentence that answers it, whatever its clause type."""


def rank_clauses(
    question: str, found: Sequence[Candidate], weights: Weights, encode: Encode | None
) -> list[Candidate]:
    """Return the candidates scored for the clause types that ``question`` asks for.

    ``clause`` is true for each candidate recognised as the clause. The mean vector of the compared sentences
    is subtracted before similarity is measured, since all of them are from one contract. The question is
    compared both as written and with the names of the clause types, which express it in the language of
    contracts.
    """
    likely = measure_clauses(question, [each.text for each in found])
    first = [
        share + _SAYS * each.says + _COVERAGE * each.coverage
        for each, share in zip(found, likely, strict=True)
    ]
    if encode is None or not found:
        return [
            replace(
                each,
                score=score,
                clause=share >= (LIKELY if each.says else SURELY) or _has_words(each, weights),
            )
            for each, score, share in zip(found, first, likely, strict=True)
        ]
    order = sorted(range(len(found)), key=lambda number: -first[number])
    asked = [question, f"{'; '.join(name_clauses(question))}: {question}"]
    texts = [" ".join(found[number].text.split())[:_LENGTH] for number in order[:_LOOKED_AT]]
    vectors = encode([*asked, *texts])
    queries, sentences = vectors[:2], vectors[2:]
    apart = sentences - sentences.mean(axis=0)
    apart /= np.maximum(np.linalg.norm(apart, axis=1, keepdims=True), 1e-9)
    near = (apart @ queries.T).sum(axis=1)
    cosines = sentences @ queries[0]
    ranked = []
    for number, alike, cosine in zip(order, near.tolist(), cosines.tolist(), strict=False):
        each, score = found[number], first[number] + alike
        clause = score >= ENOUGH or cosine >= _ALIKE or _has_words(each, weights)
        ranked.append(replace(each, score=score, similarity=cosine, clause=clause))
    return ranked


def _has_words(candidate: Candidate, weights: Weights) -> bool:
    """Return whether a sentence has enough of the question's words to answer it, whatever its clause type."""
    shared = sum(term in candidate.terms for term in weights.terms)
    return shared >= _FEWEST_WORDS and candidate.coverage >= _MOST_WORDS
