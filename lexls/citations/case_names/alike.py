"""Decide whether a name that differs from a case's title may still be its name, if court and year agree.

Captions and citations differ in more ways than `exact.py` accepts: the parties in another order, one party
alone, words missing from either, a misread letter or figure. None of these similarities identifies a case, so
the caller must check that no other case fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal

from lexls.citations.case_names.compare import (
    are_close,
    is_matter,
    is_office,
    list_sides,
    list_written_words,
    read_party,
    same_name,
)
from lexls.citations.case_names.exact import compare_name
from lexls.citations.case_names.strangers import is_respelt
from lexls.citations.model import fold
from lexls.citations.same_court import identify_court
from lexls.text.phrases import load_phrases

_LONG = 8
"""Minimum number of letters of a word that may be misspelt if nothing else identifies the case."""
_SHORTEST = 3
_PLACES = frozenset(load_phrases(__package__, "equivalences.toml")["places"]["words"].split())
_ORDER = re.compile(
    r"(?:in\sre|in\sthe\smatter\sof)\s(?:(?:the\s)?application\sof\s)?(?:the\s)?(?:united\sstates|u\.\s?s\.)"
    r"(?:\sof\samerica)?(?P<asked>\sfor\s(?:an?\s)?(?:\w+\s)?orders?\b.*)?",
    re.IGNORECASE,
)
_OF_STATE = re.compile(r"\b(?:state|commonwealth|through|of|the|ex rel)\b", re.IGNORECASE)
"""Words by which a caption links a public body to its state: "State of Aldmoor through the Department of
Mines".
"""
_CAPTIONS = ("In re United States", "In re the United States", "In re Application of the United States")
Relation = Literal["same", "more", "slip", ""]
"""How two parties compare: "same", "more" (one has additional words), "slip" (a letter or figure differs),
otherwise "".
"""
Sides = Sequence[str]


@dataclass(frozen=True, slots=True)
class Likeness:
    """A way in which two names of one case may differ. Each name is given as its list of parties."""

    holds: Callable[[Sides, Sides], bool]
    reason: str
    example: tuple[str, str]


def is_alike(name: str, title: str) -> bool:
    """Return whether a name and a title differ only in one of the ways in which two names of one case may."""
    return same_name(name, title) and any(
        each.holds(mine, its)
        for each in LIKENESSES
        for mine, its in product(_list_ways(name), _list_ways(title))
    )


def list_captions(name: str) -> Sequence[str]:
    """Return the captions under which courts file a government's application for an order, if this is the
    name of one. Otherwise return none.
    """
    found = _ORDER.fullmatch(" ".join(name.split()))
    return _CAPTIONS if found is not None and found["asked"] else ()


@lru_cache(maxsize=4096)
def _list_ways(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the parties of a name and, as further readings, the parties of each matter in brackets ("In re
    …").
    """
    inner = (each for each in re.findall(r"[(\[]([^()\[\]]*)[)\]]", name) if is_matter(each))
    return tuple(sides for each in (name, *inner) if (sides := tuple(map(str.strip, list_sides(each)))))


def _are_parties(name: Sides, title: Sides) -> bool:
    if not len(name) == len(title) == 2:
        return False
    relations = [_relate(*each) for each in zip(name, title, strict=True)]
    return (
        all(relations)
        and relations != ["slip", "slip"]
        and all(
            # "State v. James" is not "State v. James Moss".
            relations[at] == "same"
            or _tells(name[1 - at], title[1 - at])
            or (relations[at] == "slip" and _is_long(name[at]))
            for at in (0, 1)
        )
    )


def _are_reversed(name: Sides, title: Sides) -> bool:
    return _are_parties(name, title[::-1])


def _is_alone(name: Sides, title: Sides) -> bool:
    if len(name) == len(title):
        return False
    (alone,), both = sorted((name, title), key=len)
    telling = any(len(word) >= _SHORTEST for word in read_party(alone)) and not is_office(read_party(alone))
    return telling and any(_relate(alone, each) == "same" for each in both)


def _is_misspelt(name: Sides, title: Sides) -> bool:
    return len(name) == len(title) == 1 and _relate(name[0], title[0]) == "slip" and _is_long(name[0])


def _asks_for_order(name: Sides, title: Sides) -> bool:
    found = [_ORDER.fullmatch(" ".join(" ".join(sides).split())) for sides in (name, title)]
    return all(found) and any(each is not None and each["asked"] for each in found)


LIKENESSES = (
    Likeness(
        _are_parties,
        "One name has words that the other leaves out (of a state's body the state), or a letter is wrong.",
        ("Carrow v. Orrin & Wendell", "Carrow v. Wendell"),
    ),
    Likeness(_are_reversed, "The parties change places.", ("Pell v. Orrin", "Orrin v. Pell")),
    Likeness(_is_alone, "A matter is called by one of its parties.", ("In re Orrin", "Kane v. Orrin")),
    Likeness(_is_misspelt, "A long name has a letter wrong.", ("In re Wendelmann", "In re Wendelmarm")),
    Likeness(
        _asks_for_order,
        "What a government asks for is not always in the caption.",
        ("In re Application of the United States for an Order", "In re United States"),
    ),
)
"""The ways in which names of one case may differ, in the order tried."""


def _tells(*written: str) -> bool:
    """Return whether any of these spellings of a party contains a word other than the names of offices and
    places.
    """
    return any(fold(word) not in _PLACES for each in written for word in list_written_words(each))


def _is_long(side: str) -> bool:
    return any(len(word) >= _LONG for word in list_written_words(side))


@lru_cache(maxsize=8192)
def _relate(one: str, other: str) -> Relation:
    """Compare a party in a name with a party in a title, both as written."""
    found, turned = compare_name(one, other), compare_name(other, one)
    if found.outcome == "same" or (turned.outcome == "same" and _share_word(one, other)):
        return "same"
    left_out = [each for each in (*found.written, *found.recorded) if each]
    if found.outcome == "unclear" and left_out and _are_of_one_state(left_out):
        return "more"
    if found.outcome == "unclear" and found.written:
        return "more" if _share_word(one, other) and not _lacks_beginning(other, found.recorded) else ""
    pairs = list(zip(found.written, found.recorded, strict=True))
    return "slip" if pairs and all(_is_slip(fold(mine), fold(its)) for mine, its in pairs) else ""


def _lacks_beginning(title: str, missing: Sequence[str]) -> bool:
    """Return whether a name lacks the first words of the title's party. Such a name is ambiguous: "Weavers"
    could be any brotherhood of weavers.
    """
    return any(each and fold(title).startswith(fold(each.split()[0])) for each in missing)


def _are_of_one_state(words: Sequence[str]) -> bool:
    """Return whether the words only say to which state a body belongs, without naming two different US
    states.
    """
    places = [" ".join(_OF_STATE.sub(" ", each).split()) for each in words]
    named = [identify_court(place) for place in places if place]
    return all(each is not None and each.system == "state" for each in named) and len({*named}) < 2


def _share_word(one: str, other: str) -> bool:
    """Return whether the parties share a distinctive word, or are the same office."""
    words = [{fold(word) for word in list_written_words(party)} for party in (one, other)]
    return not words[0].isdisjoint(words[1]) or read_party(one) == read_party(other)


def _is_slip(one: str, other: str) -> bool:
    """Return whether a word or number may be a misreading or typing error of the other."""
    if not (one and other):
        return False
    if one.isdigit() or other.isdigit():
        return one.isdigit() and other.isdigit() and len(one) == len(other) and are_close(one, other)
    return is_respelt(one, other)
