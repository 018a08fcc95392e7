"""Lay a sentence beside its quotation: the words that both have in one order, and the gaps between them.

What the quotation alone has in a gap was left out; what the sentence alone has there was brought in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lexls.grounding.verification.clauses import Reading, Word, align_words
from lexls.grounding.verification.vocabulary import IRREGULAR, LIMITING, NAMELESS
from lexls.quotations.speakers import EMBEDDING, PARTIES
from lexls.text.lexicon import STOPPED, split_words

ENDS = frozenset((*".;?!", "\n\n"))
"""Stops at which a sentence ends, or a part of one that can stand alone."""
ASIDE = frozenset(",()[]—–")
"""Stops around an aside."""
JOINING = frozenset(("and", "but", "so", "yet"))
"""Words with which a further clause begins."""
RELATIVE = frozenset(("who", "which", "that", "whom", "whose"))
"""Words with which a clause begins that describes what stands before it."""
CUES = LIMITING | EMBEDDING
"""Words that limit what is said, or say that somebody says, asks or denies it."""
PRESENT = frozenset(("is", "are", "be", "has", "have", "does", "do"))
"""Verbs of what is so, and not of what happened once."""
_STOPPED = frozenset(STOPPED.casefold().split("|")) | {"rs", "jr", "sr", "cf"}
_ABBREVIATING = "·"
"""What is read for a stop that ends nothing."""
_PAST = frozenset(("was", "were", "had", "did"))
_BEHIND_NUMBERS = frozenset(("per", "cent", "percent", "st", "nd", "rd", "th"))
"""What stands behind a number and is compared with it."""
_OFFICES = split_words(
    "act code court courts high supreme district appeals agreement contract party parties section state"
)
"""Words with a capital that name nobody who does anything."""


@dataclass(frozen=True, slots=True)
class Gap:
    """What stands between two aligned words: the first place and the one behind the last, in the pieces of
    the sentence (``said``) and in those of the quotation (``there``)."""

    said: tuple[int, int]
    there: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Alignment:
    """A sentence beside its quotation, and the question that was ``asked``.

    ``said_at`` has the word of the sentence for each place of the quotation that is aligned, ``extra`` the
    words that the sentence alone has, ``left`` those that it leaves out, by their places in the quotation.
    ``gaps`` are in order: the first stands before all aligned words, the last behind them. ``terms`` are
    those of the question, ``known`` those of them that stand around the quotation too. ``tells`` says that
    the sentence tells what happened once; ``moves``, that it is then passive and its quotation is not, or
    the other way round.
    """

    sentence: Reading
    quotation: Reading
    asked: Reading
    said_at: Mapping[int, str]
    extra: Sequence[Word]
    left: Mapping[int, Word]
    gaps: Sequence[Gap]
    terms: frozenset[str]
    known: frozenset[str]
    tells: bool
    moves: bool

    def read_said(self, gap: Gap) -> tuple[str, ...]:
        """What the sentence has in a gap, words and stops."""
        return self.sentence.pieces[slice(*gap.said)]

    def read_there(self, gap: Gap) -> tuple[str, ...]:
        """What the quotation has in a gap, words and stops."""
        return self.quotation.pieces[slice(*gap.there)]

    def list_left(self, low: int, high: int) -> list[int]:
        """The places of the quotation from ``low`` up to ``high`` at which a word is left out."""
        return [place for place in range(low, high) if place in self.left]


def lay_beside(sentence: Reading, quotation: Reading, asked: Reading, around: frozenset[str]) -> Alignment:
    """``sentence`` beside ``quotation``; ``around`` are the terms of what the quotation stands in."""
    sentence, quotation = _join_initials(sentence), _join_initials(quotation)
    pairs = align_words(sentence, quotation)
    said_at = {other.place: sentence.pieces[one.place] for one, other in pairs}
    placed = {one.place for one, _ in pairs}
    extra = [word for word in sentence.words if word.place not in placed]
    tells = _tells(sentence, quotation)
    moves = tells and ("by" in sentence.said) != ("by" in quotation.said)
    moved = {word.term for word in extra if tells and (moves or word.written[:1].isupper())}
    left = {
        word.place: word
        for word in quotation.words
        if word.place not in said_at
        and quotation.pieces[word.place] not in _BEHIND_NUMBERS
        and word.term not in moved
    }
    edges = [(-1, -1), *((one.place, other.place) for one, other in pairs)]
    edges.append((len(sentence.pieces), len(quotation.pieces)))
    gaps = [Gap((low[0] + 1, high[0]), (low[1] + 1, high[1])) for low, high in pairwise(edges)]
    terms = frozenset(word.term for word in asked.words)
    return Alignment(
        sentence, quotation, asked, said_at, extra, left, gaps, terms, terms & around, tells, moves
    )


def _join_initials(reading: Reading) -> Reading:
    """``reading`` with no stop behind an initial or an abbreviation: "J.R.S. must …" is one sentence."""
    pieces = (
        _ABBREVIATING
        if each == "." and (before in _STOPPED or (len(before) == 1 and before.isalpha()))
        else each
        for before, each in pairwise(("", *reading.pieces))
    )
    return replace(reading, pieces=tuple(pieces))


def find_beginning(pieces: Sequence[str], place: int) -> int:
    """The place at which the sentence begins that goes on at ``place``."""
    return max((at + 1 for at in range(place) if pieces[at] in ENDS), default=0)


def is_name(word: Word, reading: Reading) -> bool:
    """Whether a word of a text names somebody: it has a capital, and not because a sentence begins there."""
    inside = word.place and reading.pieces[word.place - 1] not in ENDS
    folded = word.written.casefold()
    return bool(inside) and word.written[:1].isupper() and folded not in NAMELESS | PARTIES | _OFFICES


def _tells(sentence: Reading, quotation: Reading) -> bool:
    """Whether a sentence tells what somebody with a name did, rather than what is so of all of a kind."""
    past = any(each in IRREGULAR or each in _PAST or each.endswith("ed") for each in sentence.said)
    general = sentence.modals or sentence.negations or sentence.said & PRESENT
    return bool(past and not general and any(is_name(word, quotation) for word in quotation.words))
