"""Find where a sentence cuts what joins the clauses of its quotation, or joins what that keeps apart.

All of its words stand in the quotation; what is gone is small: "who", a stop, "and it", "would".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lexls.grounding.verification.gaps import RELATIVE, Alignment
from lexls.grounding.verification.vocabulary import ADVERBS, AUXILIARIES, PREPOSITIONS
from lexls.text.lexicon import split_words

_DETERMINERS = split_words("the a an any every each no some such this these those his her its their all")
_SUBJECTS = _DETERMINERS | split_words(
    "he she it they we i you one there if when where in on at by for to of as"
)
"""Words with which a clause behind "that" or "which" begins if it has a subject of its own."""
_BEING = split_words("is are was were be being been")
_STOPS = frozenset(";?!")
_JOINING = frozenset((*";?!.:,—–()", "and", "but", "or", "so", "yet", "nor", "while", "whereas"))
_PRONOUNS = split_words("it he she they this that these those")
_FACT = split_words("is are will shall must was were")
"""Verbs by which something is so, in the place of "would", by which it only may be."""
_SHORTEST_END = 4
"""Letters of a word behind which a full stop ends a sentence: a shorter one may be an abbreviation."""


def find_lost_joints(alignment: Alignment) -> Iterator[str]:
    """The small words and stops of the quotation without which the sentence says something else."""
    quotation = alignment.quotation
    alone = {word.place for word in quotation.words if word.place not in alignment.said_at}
    for gap in alignment.gaps[:-1]:
        low, high = gap.there
        said, there = alignment.read_said(gap), alignment.read_there(gap)
        left = [place for place in range(low, high) if place in alone]
        if RELATIVE.isdisjoint(said):
            verb = alignment.sentence.pieces[gap.said[1]]
            yield from _find_lost_relative(quotation.pieces, low, high, left, verb, said)
        if low and _JOINING.isdisjoint(said) and RELATIVE.isdisjoint(said):
            yield from _find_welded(quotation.pieces, low, high, bool(left))
        if "would" in there and not _FACT.isdisjoint(said) and not {"would", "should"}.intersection(said):
            yield "would"


def _find_lost_relative(
    pieces: Sequence[str], low: int, high: int, left: Sequence[int], verb: str, said: Sequence[str]
) -> Iterator[str]:
    """The "who" or "which" before ``verb``, which is then said of what the quotation only describes."""
    for place in range(max(low, 1), high):
        relative, before = pieces[place], pieces[place - 1]
        if relative not in RELATIVE or not ADVERBS.issuperset(pieces[each] for each in left if place < each):
            continue
        if before in PREPOSITIONS and relative != "that":
            yield relative
            continue
        behind = [each for each in pieces[place + 1 : high] if each not in ADVERBS]
        if before == "," or not _SUBJECTS.isdisjoint(behind[:1]) or relative in ("whom", "whose"):
            continue
        helping = [each for each in behind if each in AUXILIARIES]
        described = helping or not _DETERMINERS.isdisjoint(pieces[max(place - 4, 0) : place])
        if relative == "that" and (not described or min(left, default=place) < place):
            continue
        if not _is_reduced(verb, helping, said):
            yield relative


def _is_reduced(verb: str, helping: Sequence[str], said: Sequence[str]) -> bool:
    """Return whether the verb still describes without its relative: "the bales [that were] lost"."""
    return (not _BEING.isdisjoint(helping) and AUXILIARIES.isdisjoint(said)) or (
        verb.endswith("ing") and not helping
    )


def _find_welded(pieces: Sequence[str], low: int, high: int, left: bool) -> Iterator[str]:
    """What keeps two clauses apart: a stop, or, if no word is ``left`` out, "and" with another subject."""
    for place in range(low, high):
        piece = pieces[place]
        full = piece == "." and len(pieces[place - 1]) >= _SHORTEST_END and pieces[place - 1].isalpha()
        if piece in _STOPS or full:
            yield piece
        apart = pieces[place - 1] == "," or pieces[place + 1] in _PRONOUNS
        if apart and piece in ("and", "but") and not left:
            yield piece
