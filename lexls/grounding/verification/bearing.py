"""Assess whether sentences of an authority support a proposition fully, weakly or not at all, or contradict
it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lexls.grounding.verification.clauses import (
    NEGATED,
    Reading,
    Word,
    align_words,
    are_nearly_same,
    find_unmatched,
    list_counterparts,
    normalize_forms,
    read_clauses,
)
from lexls.grounding.verification.opposed import find_displaced
from lexls.grounding.verification.particulars import find_numbers, remove_provisions
from lexls.grounding.verification.vocabulary import COMMANDS, QUANTITIES, REPORTING, find_opposite
from lexls.grounding.verification.wording import (
    cut_saying,
    find_swapped,
    find_weighed_terms,
    list_parties,
    measure_entailment,
)
from lexls.quotations.speakers import PARTIES
from lexls.retrieval.relevance import Tokens, Weights, weigh
from lexls.text.dates import remove_dates
from lexls.text.lexicon import ORDINALS
from lexls.text.spans import Span
from lexls.wording.prose import asserts

BearingVerdict = Literal["supported", "weakly", "not-found", "contradicted"]

_MOST_TOGETHER = 2
"""Maximum number of sentences that may jointly support a proposition."""
_EACH_FURTHER = 0.1
"""Score deduction for each sentence after the first."""
_LOOKED_AT = 6
"""Maximum number of pieces (one or two sentences) of the authority that are compared in detail."""
_ENOUGH, _SOME = 0.27, 0.12
"""Minimum shares of a proposition's weighted terms in a piece: to support the proposition, and to mention its
subject at all.
"""
_BEHIND = 0.15
"""Maximum amount by which the share of a supporting piece may be below that of the best piece."""
_ALIKE = 0.5
"""Minimum share of the proposition's terms in a piece that may contradict it."""
_SAME = 0.7
"""Minimum share of words in the same order if two sentences are variants of each other."""
_CLAUSE = re.compile(
    r"[;:]|,\s(?=(?:and|but|which|although|though|while|whereas|because|so|since|as)\b)|\s[—–]\s"
)
_TWICE = re.compile(r"\b(\w+\s\w+)\s(?:and\s)?\1\b")
_SHORTEST, _FEWEST = 30, 6
"""Minimum length of a clause in characters, and minimum number of content words of a proposition, for a
contradiction.
"""
_DENIALS = frozenset(
    (
        *("not", "no", "never", "nor", "neither", "none", "nothing", "nobody", "nowhere", "cannot", "cant"),
        *("dont", "doesnt", "didnt", "wont", "wouldnt", "shouldnt", "couldnt", "isnt", "arent", "wasnt"),
        *("werent", "hasnt", "havent", "hadnt", "mustnt", "neednt"),
    )
)
_LIMITS = frozenset(("unless", "except", "excepting"))


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an authority: its span in the authority's text, and its words without markup."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Bearing:
    """How a piece of an authority relates to a proposition; ``reasons`` are the mismatched words.

    If ``doubted`` is true, the piece supports the proposition except for these words, which it may apply to
    something else.
    """

    verdict: BearingVerdict
    span: Span
    text: str
    share: float
    reasons: tuple[str, ...]
    doubted: bool = False


@dataclass(frozen=True, slots=True)
class _Compared:
    """One or two sentences of an authority compared with a proposition.

    ``faults`` are clear mismatches; ``doubts`` are words that the piece may apply to something else.
    ``contrary`` is true if the piece denies the proposition, and ``said`` if the court itself asserts the
    piece.
    """

    span: Span
    text: str
    share: float
    faults: tuple[str, ...]
    doubts: tuple[str, ...]
    contrary: bool
    said: bool


def find_bearing(proposition: str, statements: Sequence[Statement], tokens: Tokens) -> Bearing | None:
    """Return how the authority relates to ``proposition``, or None if no statement shares a term with it.
    ``statements`` are in the order of the authority's text.

    The result describes the piece that supports the proposition best, or else the one closest to it.
    """
    terms = find_weighed_terms(proposition, tokens)
    counted = [Counter(tokens(each.text)) for each in statements]
    weights = weigh(terms, counted)
    proposition = normalize_forms(_TWICE.sub(r"\1", cut_saying(proposition, tokens)))
    mine = read_clauses(remove_dates(proposition), tokens)
    pieces = [
        _compare(proposition, mine, statements[first : last + 1], weights, tokens)
        for first, last in _choose(terms, counted, weights)
    ]
    if not pieces:
        return None
    best = max(pieces, key=lambda each: each.share)
    least = max(_ENOUGH, best.share - _BEHIND)
    sound = [each for each in pieces if each.said and not each.faults and each.share >= least]
    if sound:
        borne = max(sound, key=lambda each: (not each.doubts, each.share))
        verdict: BearingVerdict = "weakly" if borne.doubts else "supported"
        return Bearing(verdict, borne.span, borne.text, borne.share, borne.doubts, bool(borne.doubts))
    verdict = "weakly"
    if best.share < _SOME:
        verdict = "not-found"
    elif best.contrary:
        verdict = "contradicted"
    return Bearing(verdict, best.span, best.text, best.share, best.faults)


def _choose(terms: Sequence[str], counted: Sequence[Counter[str]], weights: Weights) -> list[tuple[int, int]]:
    """Return the first and last statements of the pieces with the highest weighted share of the terms, best
    first.
    """
    found: list[tuple[float, int, int]] = []
    wanted = frozenset(terms)
    having = [wanted & each.keys() for each in counted]
    for first in range(len(counted)):
        present: frozenset[str] = frozenset()
        for last in range(first, min(first + _MOST_TOGETHER, len(counted))):
            if last > first and not having[last] - present:
                break
            present |= having[last]
            if present:
                found.append((weights.coverage(present) - _EACH_FURTHER * (last - first), first, last))
    found.sort(key=lambda each: (-each[0], each[1:]))
    return [(first, last) for _, first, last in found[:_LOOKED_AT]]


def _compare(
    proposition: str, mine: Reading, together: Sequence[Statement], weights: Weights, tokens: Tokens
) -> _Compared:
    span = Span(together[0].span.start, together[-1].span.end)
    written = " ".join(each.text for each in together)
    text = normalize_forms(written)
    theirs = read_clauses(remove_dates(text), tokens)
    share = measure_entailment(proposition, mine, theirs, weights, tokens)
    near = are_nearly_same(mine, theirs)
    pairs = align_words(mine, theirs)
    there = list_counterparts(mine, theirs, pairs)
    back = {id(other): [one] for one, other in pairs}
    faults = list(find_unmatched(mine, there, frozenset((NEGATED,))))
    faults += find_unmatched(theirs, back, frozenset((NEGATED,)))
    faults += filter(None, (find_opposite(proposition, text),))
    faults += _find_changed_modals(mine, there, theirs)
    faults += _find_others(proposition, text, mine, theirs, near)
    said = all(asserts(each.text) for each in together)
    if said and share >= _ALIKE and len(together) == 1:
        faults += _find_replaced(mine, theirs, pairs)
    lone = said and len(together) == 1
    contrary = lone and share >= _ALIKE and _is_contrary(proposition, mine, text, tokens)
    doubts: dict[str, None] = {}
    if said and not faults and share >= _ENOUGH:
        doubts = dict.fromkeys(find_displaced(mine, theirs, pairs, share, tokens))
        doubts |= dict.fromkeys(find_swapped(proposition, text, mine, theirs))
    return _Compared(span, written, share, tuple(dict.fromkeys(faults)), tuple(doubts), contrary, said)


def _find_replaced(mine: Reading, theirs: Reading, pairs: Sequence[tuple[Word, Word]]) -> Iterator[str]:
    """Yield the proposition's words that replace words of a nearly identical sentence."""
    most = max(len(mine.words), len(theirs.words))
    if len(pairs) < _SAME * most:
        return
    placed = {id(one): place for place, (one, _) in enumerate(pairs)}
    across = {id(other) for _, other in pairs}
    before: dict[int, int] = {}
    gap = -1
    for word in theirs.words:
        gap = gap + 1 if id(word) in across else gap
        if id(word) not in across:
            before[gap] = before.get(gap, 0) + 1
    has = {word.term for word in theirs.words}
    gap = -1
    for word in mine.words:
        gap = placed.get(id(word), gap)
        replaced = id(word) not in placed and before.get(gap) and word.term not in has
        if replaced and word.written.casefold() not in REPORTING:
            yield word.written


def _is_contrary(proposition: str, mine: Reading, text: str, tokens: Tokens) -> bool:
    """Return whether a sentence, or its clause nearest to the proposition, matches the proposition but
    reverses its meaning.

    Only the nearest one is compared: if the proposition repeats one clause in full, the negations of the
    other clauses would count as differences.
    """
    clauses = dict.fromkeys([text, *(each for each in _CLAUSE.split(text) if len(each) >= _SHORTEST)])
    read = {each: read_clauses(remove_dates(each), tokens) for each in clauses}
    alike = {
        each: len(align_words(mine, theirs)) / max(len(mine.words), len(theirs.words), 1)
        for each, theirs in read.items()
    }
    nearest = max(alike, key=lambda each: alike[each])
    theirs = read[nearest]
    if len(mine.words) < _FEWEST or alike[nearest] < _SAME or nearest.rstrip().endswith("?"):
        return False
    opposite = find_opposite(proposition, nearest)
    pairs = align_words(mine, theirs)
    cues = frozenset((NEGATED,))
    denied = [*find_unmatched(mine, {id(one): [other] for one, other in pairs}, cues)]
    denied += find_unmatched(theirs, {id(other): [one] for one, other in pairs}, cues)
    # Negating verbs ("prohibits") are often paraphrased, so both must have the same number.
    if _count_verbs(mine) != _count_verbs(theirs) and not opposite:
        return False
    # Two reversals may cancel out.
    if _denies(mine) != _denies(theirs):
        return bool(denied) and not opposite
    if opposite:
        return not denied
    commands = {kind for kind in mine.modals if kind in ("duty", "power")}
    commanded = {kind for kind in theirs.modals if kind in ("duty", "power")}
    return len(commands) == len(commanded) == 1 and commands != commanded


def _denies(reading: Reading) -> bool:
    """Return whether a text has an odd number of plain negations."""
    return sum(each in _DENIALS for each in reading.negations) % 2 == 1


def _count_verbs(reading: Reading) -> int:
    """Return the number of negating words in a text that are verbs: "fails", "prohibits"."""
    return sum(each not in _DENIALS for each in reading.negations)


def _find_changed_modals(
    mine: Reading, there: Mapping[int, Sequence[Word]], theirs: Reading
) -> Iterator[str]:
    """Yield the proposition's words governed by a modal verb (duty, power or advice) for which the evidence
    has only other kinds or, for a duty, none at all.

    ``there`` maps the proposition's words to those of the evidence (``list_counterparts``).
    """
    for word in mine.words:
        others = there.get(id(word), ())
        kinds = word.modals & {"duty", "power", "advice"}
        if not kinds or not others:
            continue
        governing = frozenset[str]().union(*(each.modals for each in others)) - {"will"}
        weaker = "duty" in kinds and not theirs.said & COMMANDS and "duty" not in theirs.modals
        if not kinds & governing if governing else weaker:
            yield word.written


def _find_others(proposition: str, text: str, mine: Reading, theirs: Reading, near: bool) -> Iterator[str]:
    """Yield the negations, exceptions, quantities, numbers and parties on which a proposition and its
    evidence differ.
    """
    if mine.negations and not theirs.negations:
        yield mine.negations[0]
    yield from (each for each in theirs.exceptions if each in _LIMITS and each not in mine.exceptions)
    for words in QUANTITIES.values():
        said, there = mine.said & words, theirs.said & words
        if bool(said) != bool(there) and (said or near):
            yield min(said or there)
    bare, counted = remove_provisions(remove_dates(proposition)), find_numbers(text)
    for number in find_numbers(bare):
        written = number.span.of(bare).strip()
        ordinal = written.casefold() in ORDINALS or written[-2:].casefold() in ("st", "nd", "rd", "th")
        if not ordinal and not any(number.is_supported_by(other) for other in counted):
            yield written
    yield from sorted(list_parties(mine) - list_parties(theirs))
    swapped = find_swapped(proposition, text, mine, theirs)
    if near or any(each in PARTIES for each in swapped):
        yield from swapped
