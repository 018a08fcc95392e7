"""Say whose opinion a place of an authority is in, and who speaks by the words of a clause."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from lexls.library.speakers import OPINIONS
from lexls.text.phrases import load_words

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex
    from lexls.library.speakers import SpeakerKind

_WORDS = load_words(__package__, "speakers.toml")
LITIGANTS = _WORDS["litigants"]
"""Who argues in court, in the singular."""
ARGUING = _WORDS["arguing"]
"""Words by which a party says something that the court does not."""
EMBEDDING = ARGUING | _WORDS["embedding"]
"""Words after which something is asked, said by somebody or denied."""
ASSERTING = _WORDS["asserting"]
"""Words before "that" which say that what follows is so."""
OTHERS = _WORDS["others"]
"""Words for courts and officers other than the one that decides."""
PARTIES = LITIGANTS | _WORDS["parties"]
"""Nouns for who is on which side: it matters who does what to whom."""
_OWN = frozenset(("we", "i"))
_SAYING = ASSERTING - {"trite", "clear", "settled", "established", "true", "known"}
_LONGEST_ASIDE = 8
"""Maximum number of words of an aside that says who speaks."""
_TITLE = 600
"""Code points before the first opinion of a copy that has nothing but a title there."""


def find_opinion(library: SearchableIndex, authority: int, offset: int) -> SpeakerKind:
    """Return whose opinion ``offset`` of an authority's text is in, "" if nothing says."""
    passage = library.contents.find_passage(authority, offset)
    return passage.speaker if passage is not None and passage.speaker in OPINIONS else ""


def lacks_majority(library: SearchableIndex, authority: int) -> bool:
    """Return whether a copy has separate opinions only, and so not all that the court said."""
    passages = library.contents.passages(authority)
    opinions = [each for each in passages if each.speaker in OPINIONS]
    return (
        bool(opinions) and opinions[0].start < _TITLE and all(each.speaker != "majority" for each in opinions)
    )


def names_another(said: Collection[str]) -> bool:
    """Return whether folded words name another court or a party, and not the one that speaks."""
    if not _OWN.isdisjoint(said):
        return False
    return not (OTHERS.isdisjoint(said) and PARTIES.isdisjoint(said))


def names_speaker(aside: Sequence[str]) -> bool:
    """Return whether folded words of an aside say who speaks: ", he argues,", ", it was held,"."""
    words = [each for each in aside if each.isalnum()]
    if words[:2] == ["according", "to"]:
        return True
    if (
        not 1 < len(words) <= _LONGEST_ASIDE
        or not _OWN.isdisjoint(words)
        or ("this", "court") in pairwise(words)
    ):
        return False
    if words[0] in ("which", "who", "and", "but"):
        return False
    told = words[0] == "it" and "was" in words
    return words[-1] in EMBEDDING or (words[-1] in _SAYING and (told or names_another(frozenset(words))))
