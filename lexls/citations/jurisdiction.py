"""Whose citations a text uses, where nobody has said so."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import lru_cache
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexls.citations.grammar import Grammar

# What is looked at of a long text, in code points, in pieces from its beginning, middle and end.
_LOOKED_AT = 30_000
_PIECES = 5
# A winner has this many marks, and this many times those of the next.
_ENOUGH = 2
_CLEAR = 2.0


@lru_cache(maxsize=1)
def _marks() -> tuple[tuple[str, re.Pattern[str], int], ...]:
    data = tomllib.loads(
        (resources.files("lexls.citations") / "jurisdictions.toml").read_text(encoding="utf-8")
    )
    return tuple(
        (mark["jurisdiction"], re.compile(mark["pattern"]), mark["weight"]) for mark in data["marks"]
    )


def guess(text: str, grammar: Grammar) -> str:
    """The code of the jurisdiction that a draft's distinctive citations and courts speak for.

    "" if there is no clear one. ``text`` is the masked draft; of a long one some pieces are looked at.
    Jurisdictions that only forms of the user describe are known by those.
    """
    sample = _sample(text)
    scores: Counter[str] = Counter()
    for place, pattern, weight in _marks():
        found = {match.group() for match in islice(pattern.finditer(sample), 60)}
        scores[place] += weight * min(len(found), 12)
    for place in grammar.jurisdictions - {place for place, _, _ in _marks()}:
        found = {citation.key for citation in grammar.find(sample, place) if citation.jurisdiction == place}
        scores[place] += 3 * min(len(found), 12)
    return _clear(scores)


def _sample(text: str) -> str:
    """The text, or pieces of it at equal distances where it is long."""
    if len(text) <= _LOOKED_AT:
        return text
    size = _LOOKED_AT // _PIECES
    step = (len(text) - size) // (_PIECES - 1)
    return "\n\n".join(text[start : start + size] for start in range(0, step * _PIECES, step))


def _clear(scores: Counter[str]) -> str:
    ranked = scores.most_common(2)
    if not ranked or ranked[0][1] < _ENOUGH:
        return ""
    if len(ranked) > 1 and ranked[0][1] < ranked[1][1] * _CLEAR:
        return ""
    return ranked[0][0]
