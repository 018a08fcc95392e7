"""Whether a sentence denies, permits, commands and limits what its evidence does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from lexls.grounding.verification.clauses import Reading, Word
from lexls.grounding.verification.vocabulary import QUANTIFIERS

_WEAK = frozenset(("power", "advice", "duty"))
_ALIKE = 0.85
"""The share of words in the same order from which on two texts are one sentence with small changes."""
_LONGEST = 600
"""Words of either side that are laid beside each other."""


def aligned(sentence: Reading, evidence: Reading) -> list[tuple[Word, Word]]:
    """The words of a sentence with those of its evidence that stand in the same order."""
    left, right = sentence.words[:_LONGEST], evidence.words[:_LONGEST]
    matcher = SequenceMatcher(
        None, [each.term for each in left], [each.term for each in right], autojunk=False
    )
    return [
        (left[block.a + at], right[block.b + at])
        for block in matcher.get_matching_blocks()
        for at in range(block.size)
    ]


def turned(sentence: Reading, evidence: Reading) -> tuple[str, ...]:
    """The words at which a sentence says the contrary of its evidence, or says it with another modal verb.

    Words that both share are compared one by one, first those that stand in the same order, then those that
    the evidence has elsewhere: each must be denied in both or in neither, and under a modal verb of the same
    kind. A negation or exception that only one of them has counts wherever the clause shares no word.
    """
    return tuple(dict.fromkeys([*_denied(sentence, evidence), *_limits(sentence, evidence)]))


def _denied(sentence: Reading, evidence: Reading) -> Iterator[str]:
    pairs = aligned(sentence, evidence)
    met = {id(one) for one, _ in pairs}
    if len(pairs) >= _ALIKE * max(len(sentence.words), len(evidence.words)):
        # Nearly the same words: then each negation and each modal verb of one is one of the other.
        for mine, theirs in (
            (sentence.negations, evidence.negations),
            (sentence.modals, evidence.modals),
        ):
            if Counter(mine) != Counter(theirs):
                yield from (Counter(mine) - Counter(theirs)) + (Counter(theirs) - Counter(mine))
    for one, other in pairs:
        if one.negated != other.negated or _other_modal(one, other):
            yield one.written
    for word in sentence.words:
        if id(word) in met:
            continue
        same = [each for each in evidence.words if each.term == word.term]
        if same and all(word.negated != each.negated or _other_modal(word, each) for each in same):
            yield word.written


def _other_modal(one: Word, other: Word) -> bool:
    said, meant = one.modals & _WEAK, other.modals & _WEAK
    return said != meant and not (said and meant and said <= meant)


def _limits(sentence: Reading, evidence: Reading) -> Iterator[str]:
    """Exceptions that one of them has alone, and negations and modal verbs that the evidence lacks."""
    mine, theirs = Counter(sentence.exceptions), Counter(evidence.exceptions)
    yield from (mine - theirs) + (theirs - mine)
    if sentence.negations and not evidence.negations:
        yield from sentence.negations
    for kind in sentence.modals:
        if kind in _WEAK and kind not in evidence.modals:
            yield kind


def unborne_quantifiers(sentence: Reading, evidence: Reading) -> tuple[str, ...]:
    """The quantifiers of a sentence ("all", "before", "less") that its evidence has not."""
    return tuple(sorted(each for each in sentence.said & QUANTIFIERS if each not in evidence.said))
