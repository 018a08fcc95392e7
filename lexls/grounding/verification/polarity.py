"""Whether a sentence denies, permits, commands and limits what its evidence does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from lexls.grounding.verification.clauses import NEGATED, Reading, Word
from lexls.grounding.verification.vocabulary import QUANTIFIERS, REPORTING

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


def nearly_same(sentence: Reading, evidence: Reading) -> bool:
    """Whether they are one sentence with small changes, of which each is then a change of its sense."""
    most = max(len(sentence.words), len(evidence.words))
    return len(aligned(sentence, evidence)) >= _ALIKE * most


def moved(sentence: Reading, evidence: Reading) -> tuple[str, ...]:
    """The words that a sentence has in another place than its evidence, of which it is otherwise a copy."""
    if not nearly_same(sentence, evidence):
        return ()
    placed = {id(one) for one, _ in aligned(sentence, evidence)}
    there = {word.term for word in evidence.words}
    return tuple(
        word.written
        for word in sentence.words
        if id(word) not in placed and word.term in there and word.written.casefold() not in REPORTING
    )


def turned(sentence: Reading, evidence: Reading) -> tuple[str, ...]:
    """The words at which a sentence says the contrary of its evidence, or says it with another modal verb.

    What a negation or a modal verb governs is compared with the same words on the other side, first those
    that stand in the same order, for a sentence also those that the evidence has elsewhere: one of them must
    be denied in both or in neither, or under a modal verb of the same kind. Exceptions must be the same.
    """
    return tuple(dict.fromkeys([*_denied(sentence, evidence), *_limits(sentence, evidence)]))


def _denied(sentence: Reading, evidence: Reading) -> Iterator[str]:
    pairs = aligned(sentence, evidence)
    if nearly_same(sentence, evidence):
        # Nearly the same words: then each negation and each modal verb of one is one of the other.
        for mine, theirs in (
            (sentence.negations, evidence.negations),
            (sentence.modals, evidence.modals),
        ):
            if Counter(mine) != Counter(theirs):
                yield from (Counter(mine) - Counter(theirs)) + (Counter(theirs) - Counter(mine))
    there = {id(one): [other] for one, other in pairs}
    elsewhere: dict[str, list[Word]] = {}
    for word in evidence.words:
        elsewhere.setdefault(word.term, []).append(word)
    for word in sentence.words:
        there.setdefault(id(word), elsewhere.get(word.term, []))
    yield from _unmatched(sentence, there)
    yield from _unmatched(evidence, {id(other): [one] for one, other in pairs})


def _unmatched(reading: Reading, there: Mapping[int, Sequence[Word]]) -> Iterator[str]:
    """What the negations and modal verbs of one side govern that is not so governed on the other side.

    ``there`` has the words of the other side for those of this one, by identity.
    """
    governs: dict[tuple[str, int], list[Word]] = {}
    for word in reading.words:
        for cue in word.governed:
            governs.setdefault(cue, []).append(word)
    for (kind, _), words in governs.items():
        if kind != NEGATED and kind not in _WEAK:
            continue
        pairs = [(word, other) for word in words for other in there.get(id(word), ())]
        if pairs and not any(
            word.negated == other.negated if kind == NEGATED else kind in other.modals
            for word, other in pairs
        ):
            yield words[0].written


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
