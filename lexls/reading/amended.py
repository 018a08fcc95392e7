"""Detect an opinion that says it was amended, so that it may be cited with a later year."""

from __future__ import annotations

import re

from lexls.index.library import Library
from lexls.index.records import Authority

_AMENDED = re.compile(
    r"\b(?:opinion|order|judgment|decision)\b[^.]{0,60}\bamended\b|\bas amended (?:on )?[A-Z]"
    r"|\b(?:with(?:drew|draw)\w*|supersed(?:ed?|ing)|vacat(?:ed?|ing)) (?:its|our|the)"
    r" (?:prior|previous|earlier|original|former|first) (?:opinion|decision)",
    re.IGNORECASE,
)
_OPENING = 2500
"""Length of an opinion's beginning that is searched for a note of amendment, in code points."""


def is_amended(library: Library, authority: Authority, year: int) -> bool:
    """Return whether a decision says that it was amended and may therefore be cited with ``year``, the year
    after it.
    """
    if authority.year is None or year != authority.year + 1:
        return False
    return _AMENDED.search(library.contents.text(authority.id)[:_OPENING]) is not None
