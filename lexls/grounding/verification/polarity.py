"""Read the "yes" or "no" with which an answer begins, and tell whether the rest says so."""

from __future__ import annotations

import re
from collections import Counter

from lexls.grounding.verification.clauses import Reading, read_clauses
from lexls.grounding.verification.vocabulary import AUXILIARIES
from lexls.retrieval.relevance import Tokens
from lexls.text.lexicon import split_words

_ANSWER = re.compile(r"(yes|no)[,.;:—–]\s+", re.IGNORECASE)
_DENIALS = split_words("not no never nor neither none nothing nobody")
_ANSWERED = 0.6
"""The share of the words of a question that its answer says."""


def cut_answer(text: str) -> tuple[str, str]:
    """The "yes" or "no" with which ``text`` begins ("" without), and the rest."""
    match = _ANSWER.match(text)
    if match is None:
        return "", text
    rest = text[match.end() :]
    return match[1].casefold(), rest[:1].upper() + rest[1:]


def is_answer(answer: str, question: str, sentence: Reading, tokens: Tokens) -> bool:
    """Whether what stands behind "yes" or "no" says so of what the question asks."""
    asked = read_clauses(question, tokens)
    if not question.rstrip().endswith("?") or asked.pieces[:1] == () or asked.pieces[0] not in AUXILIARIES:
        return False
    terms = {word.term for word in asked.words}
    shared = terms & {word.term for word in sentence.words}
    mine, theirs = Counter(sentence.negations), Counter(asked.negations)
    denied = sum(mine[each] for each in _DENIALS) % 2 == 1
    same = all(mine[each] == theirs[each] for each in (mine | theirs) if each not in _DENIALS)
    asserted = not any(theirs[each] for each in _DENIALS)
    return same and asserted and denied == (answer == "no") and len(shared) >= _ANSWERED * len(terms)
