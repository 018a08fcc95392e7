"""Tell whose words a clause is: whether what stands around it says so itself, or that somebody said it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from lexls.grounding.verification.vocabulary import (
    ASSERTING,
    EMBEDDING,
    OTHERS,
    PARTIES,
)

_OWN = frozenset(("we", "i"))
_SAYING = ASSERTING - {"trite", "clear", "settled", "established", "true", "known"}
_LONGEST = 8
"""Words of an aside that says who says so."""


def names_another(said: Collection[str]) -> bool:
    """Whether folded words name another court or a party, and not the one that speaks: those may be wrong."""
    if not _OWN.isdisjoint(said):
        return False
    return not (OTHERS.isdisjoint(said) and PARTIES.isdisjoint(said))


def is_attribution(aside: Sequence[str]) -> bool:
    """Whether an aside, as folded words, says who says it: ", the defendant argues,", ", it was held,"."""
    words = [each for each in aside if each.isalnum()]
    if words[:2] == ["according", "to"]:
        return True
    if not 1 < len(words) <= _LONGEST or not _OWN.isdisjoint(words) or ("this", "court") in pairwise(words):
        return False
    if words[0] in ("which", "who", "and", "but"):
        return False
    told = words[0] == "it" and "was" in words
    return words[-1] in EMBEDDING or (words[-1] in _SAYING and (told or names_another(frozenset(words))))
