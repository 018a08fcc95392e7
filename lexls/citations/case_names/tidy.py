"""Remove from a title everything that does not name the parties: company numbers, notes, representatives."""

from __future__ import annotations

import re

from lexls.citations.tables import load_patterns
from lexls.text.lexicon import BETWEEN_PARTIES
from lexls.text.phrases import load_phrases

_UNWRITTEN = [
    re.compile(each["pattern"], re.IGNORECASE)
    for each in load_phrases(__package__, "equivalences.toml")["removed"]
    if each.get("unwritten")
]
_PATTERNS = load_patterns("case_names/patterns.toml")


def tidy_title(title: str) -> str:
    """Return a title without registration numbers, notes, and the parties' representatives and capacities.

    "Traxon Ltd v Elm" for "Traxon Ltd (ACN 006 123 456) v Elm (dead) by LRs (corrected on 2 May 2006)". If
    nothing would remain, the title is returned unchanged.
    """
    tidied = _PATTERNS["beside_parties"].sub("", title.replace("`", "'"))
    parts = BETWEEN_PARTIES.split(tidied)
    if len(parts) == 3:
        tidied = f"{_tidy_party(parts[0])} {parts[1]} {_tidy_party(parts[2])}"
    return " ".join(tidied.split()).strip(" ,") or title


def _tidy_party(party: str) -> str:
    for pattern in _UNWRITTEN:
        party = pattern.sub("", party) or party
    return party
