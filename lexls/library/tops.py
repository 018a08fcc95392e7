"""What may open a section, a clause or a schedule, and which of it does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.library.extract import Piece
from lexls.library.headings import heading_level
from lexls.library.marks import roman_value
from lexls.library.sequences import Numbered, rising

_TOP = re.compile(
    r"""[\#*_>\s]{0,12}
    (?:(?P<word>section|sec\.|s\.|article|art\.|rule|regulation|reg\.|clause|§)\s*)?
    (?:(?P<number>\d{1,4})(?P<suffix>[A-Z]{0,3})|(?P<roman>[IVXL]{1,7}))
    (?P<decimals>(?:\.\d{1,3}){0,4})
    (?P<after>\s?\\?[.):]{1,2}|\s?[—–-]|)[*_]{0,3}
    (?P<gap>\s*)(?P<next>[A-Z"“‘'(\[*_—–-]|$)""",
    re.VERBOSE | re.IGNORECASE,
)
_SCHEDULE = re.compile(
    r"[\#*_\s]*(?:(?:the\s+)?(?P<ordinal>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\s+schedule"
    r"|(?:the\s+)?(?P<word>schedule|annex(?:ure)?|appendix|exhibit)\s*(?P<label>[\dIVXL]{1,5}[A-Z]?\b|[A-Z]\b)?)",
    re.IGNORECASE,
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_STYLE_WEIGHT = {"word": 1.6, "point": 1.0, "bare": 0.9}
_BODY = 60
_SHORT_WEIGHT = 0.6


@dataclass(frozen=True, slots=True)
class Top:
    """A piece that may open a section: its number, how it is written, and the offset after its mark."""

    piece: int
    number: int
    label: str
    decimals: str
    style: str
    after: int
    suffix: str = ""


def top_of(text: str, piece: Piece, position: int) -> Top | None:
    """The number with which a piece opens, if it may be a section's; ``position`` is the piece's own."""
    if piece.quoted:
        return None
    match = _TOP.match(text, piece.start, min(piece.end, piece.start + 60))
    if match is None:
        return None
    word, after, decimals = match["word"], match["after"].strip(), match["decimals"]
    following = match["next"]
    ended = match.end() >= piece.end
    if match["roman"]:
        if not word or match["roman"] != match["roman"].upper():
            return None
        number = roman_value(match["roman"])
        if not number:
            return None
        label, suffix = str(number), ""
    else:
        number, suffix = int(match["number"]), match["suffix"]
        if suffix != suffix.upper():
            return None
        label = match["number"] + suffix
    if following.isalpha() and not following.isupper():
        return None
    if word:
        if not (after or ended or (match["gap"] and following not in "[—–-")):
            return None
        style = "word"
    elif decimals or (after and after[0] in ".):—–-"):
        if not match["gap"] and following.isalpha() and not after:
            return None
        style = "point"
    else:
        if not match["gap"] or not following or following in "—–-":
            return None
        style = "bare"
    return Top(position, number, label, decimals, style, match.end() - len(following), suffix)


def choose(pieces: Sequence[Piece], tops: Sequence[Top], end: int, *, gaps: bool) -> dict[int, Top]:
    """The tops that are the numbering: the heaviest rising sequence of one style, by piece.

    With ``gaps``, numbers may be left out (repealed sections, extracts from an Act).
    """
    best: list[Top] = []
    best_score = 0.0
    whole = [top for top in tops if not top.decimals]
    for style, style_weight in _STYLE_WEIGHT.items():
        candidates = [top for top in whole if top.style == style]
        if not candidates:
            continue
        bodies = _bodies(pieces, candidates, end)
        numbered = [
            Numbered(top.piece, top.number, top.suffix, 1.0 if body >= _BODY else _SHORT_WEIGHT)
            for top, body in zip(candidates, bodies, strict=True)
        ]
        chain = rising(numbered, any_gap=gaps or style == "word")
        score = sum(numbered[index].weight for index in chain) * style_weight
        alone = len(chain) < 2 and style != "word"
        if alone and not (chain and numbered[chain[0]].number == 1 and bodies[chain[0]] >= _BODY):
            continue
        if score > best_score:
            best, best_score = [candidates[index] for index in chain], score
    return {top.piece: top for top in best}


def _bodies(pieces: Sequence[Piece], tops: Sequence[Top], end: int) -> list[int]:
    """How much text, in code points, stands from each top to the next."""
    ends = [top.piece for top in tops[1:]] + [end]
    return [pieces[stop - 1].end - pieces[top.piece].start for top, stop in zip(tops, ends, strict=True)]


def schedules(text: str, pieces: Sequence[Piece], tops: Sequence[Top]) -> list[tuple[int, str]]:
    """The pieces at which schedules begin, with their labels: not those that a table of contents lists."""
    found: list[tuple[int, str]] = []
    for position, piece in enumerate(pieces):
        if piece.quoted or piece.end - piece.start > 110 or not heading_level(text, piece):
            continue
        match = _SCHEDULE.match(text, piece.start, piece.end)
        if match is None:
            continue
        found.append((position, _schedule_label(match)))
    for index, (position, _) in enumerate(found):
        before = [top for top in tops if top.piece < position and not top.decimals]
        if not before:
            continue
        chain = list(choose(pieces, before, position, gaps=True).values())
        if not chain:
            continue
        bodies = _bodies(pieces, chain, position)
        if sum(body >= _BODY for body in bodies) * 2 >= len(bodies):
            return found[index:]
    return []


def _schedule_label(match: re.Match[str]) -> str:
    if match["ordinal"]:
        return f"Sch {_ORDINALS.index(match['ordinal'].lower()) + 1}"
    word = match["word"].lower()
    name = "Sch" if word == "schedule" else word.capitalize()
    return f"{name} {match['label'] or ''}".strip()
