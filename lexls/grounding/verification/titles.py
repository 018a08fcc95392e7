"""Find what a sentence calls the authorities of its quotation: their names need not stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lexls.grounding.verification.vocabulary import (
    EXCEPTIONS,
    INSTRUMENTS,
    MODALS,
    NEGATIONS,
    QUANTIFIERS,
)
from lexls.index.records import Authority
from lexls.text.lexicon import PARTICLES, SMALL_WORDS, split_words

Readings = Sequence[tuple[re.Pattern[str], str]]
"""Patterns, each with what is read in its place."""
_SHORTEST = 4
"""Characters of a title that is looked for as a whole."""
_SMALL = SMALL_WORDS | PARTICLES | split_words("v vs between ex parte re a an by other others anr ors")
_TITLE_TURNING = NEGATIONS | EXCEPTIONS | QUANTIFIERS | (MODALS.keys() - {"will"})
_WORD = re.compile(r"[^\W\d_]+")
_TITLE_WORD = re.compile(r"[\w’'-]+")
_ACCORDING = "according to|pursuant to|by virtue of"


def collect_titles(authorities: Iterable[Authority]) -> tuple[str, ...]:
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
    """Whether a title has a figure or two words, all of them with capitals but for the small ones, and none
    that turns or limits what is said."""
    said = _WORD.findall(title)
    if any(word.casefold() in _TITLE_TURNING for word in said):
        return False
    plain = [word for word in said if word[0].islower() and word not in _SMALL]
    return not plain and (len(said) > 1 or any(map(str.isdigit, title)))


def remove_titles(text: str, titles: Iterable[str]) -> str:
    """``text`` without the ``titles`` that stand in it as a whole, however they are spaced or capitalised."""
    for title in titles:
        words = r"\.?\s+".join(re.escape(each).replace(r"\.", r"\.?") for each in title.split())
        text = re.sub(rf"(?<!\w){words}(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())


def find_own_names(authorities: Iterable[Authority], quotation: str) -> Readings:
    """How the one authority of a ``quotation`` is named: "this lease" is read for what its title calls the
    instrument that the quotation calls "this Lease", and nothing for "under the lease," at the beginning."""
    found: list[tuple[re.Pattern[str], str]] = []
    own = {each.id: each for each in authorities}
    folded = " ".join(quotation.split()).casefold()
    for title in (name for each in own.values() if len(own) == 1 for name in (each.title, each.short_title)):
        words = _TITLE_WORD.findall(title.casefold())
        known = "|".join(re.escape(each) for each in sorted({*words, "and", "of"}))
        year = "|".join(each for each in words if each.isdigit()) or "(?!)"
        for noun in sorted(INSTRUMENTS.intersection(words)):
            named = rf"(?:the|this)\s(?:(?:{known})\s){{0,12}}{noun}(?:,?\s(?:of\s)?(?:{year}))?(?!\w)"
            if not re.search(rf"\b(?:under|in|to) this {noun}", folded):
                found.append((re.compile(rf"\A(?:under|in|{_ACCORDING}) {named},\s", re.IGNORECASE), ""))
            if f"this {noun}" in folded:
                found.append((re.compile(rf"\b{named}", re.IGNORECASE), f"this {noun}"))
    return found


def read_as(text: str, readings: Readings) -> str:
    """``text`` with what is to be read in place of its phrases."""
    for pattern, said in readings:
        text = pattern.sub(said, text)
    return text
