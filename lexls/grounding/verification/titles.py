"""How the authorities of a sentence are called: names and citations from the index, not from a model."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lexls.index.records import Authority

_SHORTEST = 4
"""Characters of a title that is looked for as a whole."""


def titles_of(authorities: Iterable[Authority]) -> tuple[str, ...]:
    """Titles, citations and courts of ``authorities``, each once, the longest first."""
    found: dict[str, None] = {}
    for each in authorities:
        for name in (each.title, each.short_title, *each.citations, each.court):
            if len(name.strip()) >= _SHORTEST:
                found[" ".join(name.split())] = None
    return tuple(sorted(found, key=lambda name: -len(name)))


def without_titles(text: str, titles: Iterable[str]) -> str:
    """``text`` without the ``titles`` that stand in it as a whole, however they are spaced or capitalised."""
    for title in titles:
        words = r"\s+".join(re.escape(each).replace(r"\.", r"\.?") for each in title.split())
        text = re.sub(rf"(?<!\w){words}(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())
