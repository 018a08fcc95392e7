"""Sentences as runs of comparable words: which carry meaning, which turn it, and in which clause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.grounding.quotations.vocabulary import NUMBER_WORDS
from lexls.grounding.relevance import COMMON, Tokens
from lexls.grounding.verification.vocabulary import (
    EXCEPTION_PHRASES,
    EXCEPTIONS,
    HARMLESS,
    IRREGULAR,
    MODALS,
    NEGATIONS,
)

_PIECE = re.compile(r"\d+(?:[.,]\d+)*|[^\W_]+(?:['’][^\W_]+)*|[.,;:!?()\[\]—–]|\n[ \t]*\n")
_BREAKS = frozenset(".;:!?()[]—–,")
_BREAKING = frozenset(("but", "however", "although", "though", "whereas", "while", "because"))
_REACH = 3
"""Words that carry meaning, up to which a negation or a modal verb governs what follows in its clause."""
_NEAR = {"without": 1, "lack": 1, "lacks": 1, "lacked": 1, "lacking": 1}
"""Those that govern less."""
NEGATED = "-"
"""What a negation is called among what governs a word."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word that carries meaning: its term, as it is written, and what governs it in its clause.

    ``governed`` are the negations (``NEGATED``) and modal verbs (by kind) before it, each with its number
    in the text.
    """

    term: str
    written: str
    governed: tuple[tuple[str, int], ...]

    @property
    def negated(self) -> bool:
        """Whether an odd number of negations stands before it."""
        return sum(kind == NEGATED for kind, _ in self.governed) % 2 == 1

    @property
    def modals(self) -> frozenset[str]:
        """The kinds of modal verbs before it."""
        return frozenset(kind for kind, _ in self.governed if kind != NEGATED)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as the checks of sense see it.

    ``exceptions`` are its words that limit a statement (harmless phrases apart), ``negations`` those that
    turn one, ``modals`` the kinds of its modal verbs, ``said`` all its words, folded.
    """

    words: tuple[Word, ...]
    exceptions: tuple[str, ...]
    negations: tuple[str, ...]
    modals: tuple[str, ...]
    said: frozenset[str]


def read_clauses(text: str, tokens: Tokens) -> Reading:
    """``text`` read; commas and conjunctions end what a negation governs."""
    pieces = [_folded(each) for each in _PIECE.findall(text)]
    written = _PIECE.findall(text)
    harmless = _harmless(pieces)
    found: list[Word] = []
    exceptions: list[str] = []
    negations: list[str] = []
    modals: list[str] = []
    governing: list[tuple[str, int, int, int]] = []
    """Negations and modal verbs of this clause: kind, place, how far each reaches, and how many words that
    carry meaning stand before it."""
    held: list[tuple[str, int, int, int]] = []
    """Those that a comma follows at once: "may, in its discretion, extend"."""
    count = 0
    for place, piece in enumerate(pieces):
        if piece in _BREAKS or not piece.strip() or piece in _BREAKING:
            before, governing = governing, []
            if piece == ",":
                governing = [(kind, cue, reach, count) for kind, cue, reach, _ in held]
                held = [each for each in before if each[3] == count]
            else:
                held = []
            continue
        if piece in NEGATIONS:
            negations.append(piece)
        if piece in NEGATIONS and place not in harmless:
            governing.append((NEGATED, place, _NEAR.get(piece, _REACH), count))
        if piece in MODALS and _is_modal(pieces, written, place):
            modals.append(MODALS[piece])
            governing.append((MODALS[piece], place, _REACH, count))
        if place not in harmless and _is_exception(pieces, place):
            exceptions.append(piece)
        if piece[0].isdigit() or piece in NUMBER_WORDS:
            continue  # numbers are compared by themselves
        if (
            piece in NEGATIONS
            or piece in MODALS
            or piece in COMMON
            or (len(piece) < 2 and not piece.isdigit())
        ):
            continue
        for term in tokens(IRREGULAR.get(piece, piece))[:1]:
            near = tuple((kind, cue) for kind, cue, reach, at in governing if count - at < reach)
            found.append(Word(term, written[place], near))
        count += 1
    return Reading(
        tuple(found), tuple(exceptions), tuple(negations), tuple(modals), frozenset(pieces) - _BREAKS
    )


def _folded(piece: str) -> str:
    piece = piece.casefold().replace("’", "'")
    if piece.endswith("n't"):
        return piece.replace("'", "")
    return piece.removesuffix("'s")


def _harmless(pieces: Sequence[str]) -> set[int]:
    """The places of words in phrases that turn nothing."""
    found: set[int] = set()
    for place in range(len(pieces)):
        for phrase in HARMLESS:
            if tuple(pieces[place : place + len(phrase)]) == phrase:
                found.update(range(place, place + len(phrase)))
    return found


def _is_exception(pieces: Sequence[str], place: int) -> bool:
    piece = pieces[place]
    if piece not in EXCEPTIONS:
        return False
    needs = EXCEPTION_PHRASES.get(piece)
    following = pieces[place + 1] if place + 1 < len(pieces) else ""
    return needs is None or following in needs


def _is_modal(pieces: Sequence[str], written: Sequence[str], place: int) -> bool:
    """Not the month of May, nor somebody's will."""
    piece = pieces[place]
    before = pieces[place - 1] if place else ""
    following = pieces[place + 1] if place + 1 < len(pieces) else ""
    if piece == "may" and written[place][0].isupper() and (before.isdigit() or following.isdigit()):
        return False
    return not (piece == "will" and before in ("a", "the", "his", "her", "their", "testator", "free", "at"))
