"""How the authorities of a sentence are called: names and citations from the index, not from a model."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lexls.grounding.verification.vocabulary import EXCEPTIONS, MODALS, NEGATIONS, QUANTIFIERS
from lexls.index.records import Authority

_SHORTEST = 4
"""Characters of a title that is looked for as a whole."""
_SMALL = re.compile(
    r"(?:v|vs|and|of|the|in|on|for|to|between|ex|parte|re|a|an|by|de|la|van|von|others?|anr|ors)\.?"
)
_TURNING = NEGATIONS | EXCEPTIONS | QUANTIFIERS | (MODALS.keys() - {"will"})
_WORD = re.compile(r"[^\W\d_]+")


def titles_of(authorities: Iterable[Authority]) -> tuple[str, ...]:
    """Titles, citations and courts of ``authorities``, each once, the longest first.

    Only what looks like a name: a document could be called "never", and no sentence may lose that word.
    """
    found: dict[str, None] = {}
    for each in authorities:
        for name in (each.title, each.short_title, *each.citations, each.court):
            if len(name.strip()) >= _SHORTEST and _is_name(name):
                found[" ".join(name.split())] = None
    return tuple(sorted(found, key=lambda name: -len(name)))


def _is_name(title: str) -> bool:
    """Whether it has a figure or two words, all with capitals but for the small ones, and none that turns or
    limits what is said."""
    said = _WORD.findall(title)
    if any(word.casefold() in _TURNING for word in said):
        return False
    plain = [word for word in said if word[0].islower() and not _SMALL.fullmatch(word)]
    return not plain and (len(said) > 1 or any(map(str.isdigit, title)))


def without_titles(text: str, titles: Iterable[str]) -> str:
    """``text`` without the ``titles`` that stand in it as a whole, however they are spaced or capitalised."""
    for title in titles:
        words = r"\.?\s+".join(re.escape(each).replace(r"\.", r"\.?") for each in title.split())
        text = re.sub(rf"(?<!\w){words}(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())
