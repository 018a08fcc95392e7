"""Whether the words before the cursor begin the name or the citation of an authority.

Most capitalised words in a legal draft begin no case name. So outside emphasis a name is only seen where one
may begin (not inside a run of capitalised words), where its words are capitalised, and where something in it
tells it from "the High Court" and "Counsel for the State".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lexls.features.authority_names import VERSUS, AuthorityNames, name_words
from lexls.features.draft import Draft
from lexls.grounding.relevance import COMMON
from lexls.text.words import words

Strength = Literal["emphasis", "signal", "bare"]
"""What speaks for a name: emphasis opened right before it, a signal ("see", "in", a colon), or nothing."""

_WORD_START = re.compile(r"(?<![\w'’.&-])(?=[\w(\[])")
_SIGNAL = re.compile(
    r"(?:\b(?:see|also|cf\.?|in|per|following|applying|by|with|under|of the)\s+|[:;(\[—–]\s*)$", re.IGNORECASE
)
_LAST_WORD = re.compile(r"(\S+)\s*$")
_ENDS_PHRASE = tuple(',;:—–"”’)!?([')
_SMALL = words(
    "a al an and by d da de del der des di du et ex for in la le of on parte re rel s the to v van von vs y"
)
"""What may be written small inside a name."""
_GENERIC = words(
    """
    act acts administration administrator admiralty agency appellant appellants appellate april
    article assembly association attorney august authority bench board body cabinet case central
    centre chairman chapter chief city civil claimant claimants clause code collector college
    commission commissioner commissioners committee commonwealth company congress constitution
    corporation corporations council counsel county court courts criminal crown defendant defendants
    department director directors district division eastern executive february federal federation
    first france general government governor heirs her high his home honourable house inc india
    inspector institute international january judge judges judgment judicial july june jurisdiction
    justice justices king labour law laws learned limited local lord lords magistrate management
    manager march master may member minister ministry municipal municipality national new northern
    november october officer officers order other others owner owners paragraph parliament part
    people petitioner petitioners plaintiff plaintiffs police president prime principal private
    privy province public queen realm registrar regulation regulations republic respondent
    respondents revenue rule rules schedule second secretary section senate senior september service
    sessions society solicitor southern special state states statute sub superintendent supreme tax
    territory third town trade trial tribunal trust trustee trustees uk union united university us
    usa vice village west western works
    """
)
"""Words that begin or make up names of many parties, and stand everywhere in drafts."""
_MOST_WORDS = 14
_LEAST: dict[Strength, float] = {"emphasis": 0.5, "signal": 0.75, "bare": 0.85}
_FEWEST_LETTERS: dict[Strength, int] = {"emphasis": 1, "signal": 3, "bare": 4}


@dataclass(frozen=True, slots=True)
class TypedName:
    """The beginning of a name or citation: where it starts in the source, and its words on one line."""

    kind: Literal["name", "citation"]
    start: int
    typed: str


def typed_name(
    draft: Draft, names: AuthorityNames, line: int, offset: int, emphasis: int | None
) -> TypedName | None:
    """The longest beginning of a name or citation that ends at ``offset`` and starts behind ``line``.

    ``emphasis`` is where words begin that emphasis was opened for, None if there is none.
    """
    for start in _starts(draft, line, offset):
        typed = " ".join(draft.masked[start:offset].split())
        if not typed:
            continue
        if draft.masked[offset - 1].isspace():
            typed += " "
        before = draft.masked[line:start]
        opened = start == emphasis
        if _is_citation(names, typed.strip(), opened or before.endswith(("(", "["))):
            return TypedName("citation", start, typed)
        strength: Strength = "emphasis" if opened else "signal" if _SIGNAL.search(before) else "bare"
        if (opened or _may_begin(before)) and _is_name(names, typed, strength):
            return TypedName("name", start, typed)
    return None


def _starts(draft: Draft, line: int, offset: int) -> Iterator[int]:
    """Where the name or citation may begin, the longest first; never inside a finished citation."""
    floor = line
    for citation in draft.citations:
        if citation.span.start > offset:
            break
        if citation.span.end < offset and citation.core.end > floor:
            floor = citation.core.end
    paragraph = draft.paragraph_at(offset)
    if paragraph is not None:
        floor = max(floor, min(paragraph.start, offset))
    found = [
        match.start() for match in _WORD_START.finditer(draft.masked, floor, offset) if match.start() < offset
    ]
    yield from found[-_MOST_WORDS:]


def _is_citation(names: AuthorityNames, typed: str, opened: bool) -> bool:
    """Whether the words begin a citation: more of one than a number that stands in prose."""
    first = typed[0]
    if first not in "[(0123456789" or not any(char.isdigit() for char in typed):
        return False
    if opened or first in "[(":
        enough = sum(char.isdigit() for char in typed) >= 2
    else:
        enough = " " in typed and any(char.isalpha() for char in typed)
    return enough and bool(names.by_citation(typed, 1))


def _may_begin(before: str) -> bool:
    """Whether a name may begin behind ``before``: not behind "v", a number, or within a run of capitals."""
    match = _LAST_WORD.search(before)
    if match is None or match[1].endswith(_ENDS_PHRASE):
        return True
    last = match[1]
    bare = last.strip(".").casefold()
    if bare in VERSUS or last == "&" or last.isdigit():
        return False
    if bare == "of":
        earlier = _LAST_WORD.search(before[: match.start()])
        return earlier is None or not earlier[1][:1].isupper()
    return last.endswith(".") or not last[0].isupper() or bare in COMMON or bare in _SMALL or bare == "see"


def _is_name(names: AuthorityNames, typed: str, strength: Strength) -> bool:
    found = name_words(typed)
    if not found or not (found[0][0].isupper() or (strength == "emphasis" and found[0][0].isalnum())):
        return False
    folded = [word.casefold() for word in found]
    telling = [word for word in folded if word not in _SMALL and word not in VERSUS]
    if not telling or sum(len(word) for word in telling) < _FEWEST_LETTERS[strength]:
        return False
    unfinished = typed[-1].isalnum()
    if strength != "emphasis":
        if any(word[0].islower() and word not in _SMALL for word in found):
            return False
        if not VERSUS.intersection(folded) and all(
            _is_generic(word, unfinished and word == telling[-1]) for word in telling
        ):
            return False
        if unfinished and found[-1].islower():
            return names.begins(typed)
    if folded[0] in _SMALL or folded[0] in COMMON:
        return len(found) > 1 and names.begins(typed)
    if len(folded) == 1 and folded[0] in COMMON:
        return False
    matches = names.by_name(typed, 1)
    return bool(matches) and matches[0].quality >= _LEAST[strength]


def _is_generic(word: str, unfinished: bool) -> bool:
    if unfinished:
        return any(generic.startswith(word) for generic in _GENERIC)
    return word in _GENERIC or word in COMMON
