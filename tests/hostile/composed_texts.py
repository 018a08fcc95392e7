"""Texts composed of the grammar's own words: the names, signs and examples of every form, lists, numbers."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeVar

from lexls.citations.grammar import Grammar

Item = TypeVar("Item")


def _listed(text: str) -> tuple[str, ...]:
    """The pieces of a listing that broken bars part; ``{n}`` and ``{a}`` in them count up."""
    return tuple(text.split("¦"))


MARKS = _listed('(¦)¦[¦]¦“¦”¦‘¦’¦"¦§¦§§¦¶¦-¦–¦—¦/¦:¦;¦,¦.¦*¦…¦1.¦(a)¦(i)¦(1)¦[1]¦-- ¦> ¦- ¦[^1]¦&¦__¦#')
NUMBERS = _listed(
    "{n}¦{n}¦{n}{a}¦{a}{n}¦({n})¦[{n}]¦{n}({n})¦{n}-{n}¦{n}.{n}¦{n}/{n}¦{a}¦1¦105¦2014¦[2014]¦(1999)¦1A¦280n¦"
    "ii¦IV¦C-1/90¦2000e-2¦1 January 1990"
)
WORDS = _listed(
    "s¦ss¦s.¦section¦sections¦art¦Article¦para¦paras¦r¦rule¦reg¦Sch¦cl¦Id.¦id. at¦Ibid¦supra¦infra¦n¦note¦at¦"
    "p¦pp¦see¦see also¦cf.¦e.g.,¦v¦v.¦V.¦vs¦In re¦ex parte¦Re¦R¦Fern v Elm¦Fern¦FERN V. ELM¦Elm & Co.¦"
    "the Act¦the said Act¦Act¦Act 1990¦Weirs Act 1990¦of the¦and¦or¦to¦in¦of¦No.¦(“the Act”)¦"
    "(hereinafter “Fern”)¦aff'd¦rev'd¦overruled¦ed.¦2d¦the¦a¦held that¦the oats¦“the oats are good”¦"
    "amended by¦Schedule¦Part¦Chapter¦Order¦Code¦Constitution"
)
JOINTS = ("", "", " ", " ", " ", ", ", "\n", "; ", "-", ". ", "  ")
LONGEST = 7
MOST_PIECES = 9


@dataclass(frozen=True, slots=True)
class ComposedText:
    """A text that goes through ``pieces`` again and again; ``{n}`` and ``{a}`` in them count up."""

    jurisdiction: str
    pieces: tuple[tuple[str, ...], ...]

    def make(self, size: int) -> str:
        """The text with ``size`` code points."""
        made: list[str] = []
        for number in count(1):
            for piece in self.pieces:
                made.append(_count_up("".join(piece), number))
                size -= len(made[-1])
            if size <= 0:
                return "".join(made)[: size or None]
        raise AssertionError("a count has no end")

    def shrink(self, grows: Callable[[ComposedText], bool]) -> ComposedText:
        """Leave out what can be left out while the text still ``grows``."""
        smaller = next(filter(grows, _list_smaller(self)), None)
        return self if smaller is None else smaller.shrink(grows)


def compose(seed: int, places: Sequence[str], vocabularies: Callable[[str], Sequence[str]]) -> ComposedText:
    """The text of a seed: of one piece mostly, of some different ones else."""
    chance = random.Random(seed)
    place = chance.choice(places)
    own = vocabularies(place)
    pieces = 1 if chance.random() < 0.7 else chance.randint(2, MOST_PIECES)
    return ComposedText(place, tuple(_compose_piece(chance, own) for _ in range(pieces)))


def list_vocabulary(grammar: Grammar, jurisdiction: str) -> Sequence[str]:
    """The words of the forms of a place (of all, if it is ""): names, signs, examples."""
    found: dict[str, None] = {}
    for form in grammar.forms:
        if jurisdiction and form.jurisdiction not in ("", jurisdiction):
            continue
        for table in form.names.values():
            for name, variants in table.items():
                found.update(dict.fromkeys((name, *variants)))
        for parts in form.patterns:
            found.update(dict.fromkeys(part.text for part in parts if part.kind in ("word", "sign")))
        for example in form.examples:
            found.update(dict.fromkeys((example.text, *example.text.split())))
    return tuple(found)


def _compose_piece(chance: random.Random, vocabulary: Sequence[str]) -> tuple[str, ...]:
    joint = chance.choice(JOINTS) if chance.random() < 0.5 else None
    piece: list[str] = []
    for _ in range(chance.randint(1, LONGEST)):
        piece.append(chance.choice(chance.choice((MARKS, NUMBERS, NUMBERS, WORDS, vocabulary))))
        piece.append(chance.choice(JOINTS) if joint is None else joint)
    return tuple(piece)


def _count_up(piece: str, number: int) -> str:
    return piece.replace("{n}", str(number)).replace("{a}", chr(65 + number % 26))


def _list_smaller(text: ComposedText) -> list[ComposedText]:
    """The text without one of its pieces, or without one part of its only piece."""
    if len(text.pieces) > 1:
        return [replace(text, pieces=_without(text.pieces, at)) for at in range(len(text.pieces))]
    (piece,) = text.pieces
    smaller = (_without(piece, at) for at in range(len(piece)))
    return [replace(text, pieces=(each,)) for each in smaller if any(each)]


def _without(items: tuple[Item, ...], at: int) -> tuple[Item, ...]:
    return (*items[:at], *items[at + 1 :])
