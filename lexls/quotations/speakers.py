"""Determine whose opinion a passage belongs to, and who speaks in a clause, judging by its words."""

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
"""Words for litigants, in the singular."""
ARGUING = _WORDS["arguing"]
"""Verbs that introduce a statement of a party, not of the court."""
EMBEDDING = ARGUING | _WORDS["embedding"]
"""Words that introduce a question, reported speech or a denial."""
ASSERTING = _WORDS["asserting"]
"""Words before "that" which assert the statement after it."""
OTHERS = _WORDS["others"]
"""Words for courts and officers other than the deciding court."""
PARTIES = LITIGANTS | _WORDS["parties"]
"""Nouns for parties and their roles. Replacing one by another changes the meaning."""
_OWN = frozenset(("we", "i"))
_SAYING = ASSERTING - {"trite", "clear", "settled", "established", "true", "known"}
_LONGEST_ASIDE = 8
"""Maximum number of words of a parenthetical clause that names the speaker."""
_TITLE = 600
"""Maximum length of a copy's title before its first opinion, in code points."""


def find_opinion(library: SearchableIndex, authority: int, offset: int) -> SpeakerKind:
    """Return whose opinion contains the text at ``offset`` of an authority, or "" if unknown."""
    passage = library.contents.find_passage(authority, offset)
    return passage.speaker if passage is not None and passage.speaker in OPINIONS else ""


def lacks_majority(library: SearchableIndex, authority: int) -> bool:
    """Return whether a copy has only separate opinions, and therefore lacks the majority opinion."""
    passages = library.contents.passages(authority)
    opinions = [each for each in passages if each.speaker in OPINIONS]
    return (
        bool(opinions) and opinions[0].start < _TITLE and all(each.speaker != "majority" for each in opinions)
    )


def names_another(said: Collection[str]) -> bool:
    """Return whether case-folded words name another court or a party, and the speaker is not "I" or "we"."""
    if not _OWN.isdisjoint(said):
        return False
    return not (OTHERS.isdisjoint(said) and PARTIES.isdisjoint(said))


def names_speaker(aside: Sequence[str]) -> bool:
    """Return whether the case-folded words of a parenthetical clause name the speaker: ", he argues,", ", it
    was held,".
    """
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
