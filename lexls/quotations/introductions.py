"""Determine whether the words around a quotation introduce it, and whether they name its speaker."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from lexls.quotations.speakers import ARGUING, LITIGANTS
from lexls.reading.resolve import Resolution
from lexls.text.phrases import compile_pattern, define_parts, load_phrases

_PHRASES = load_phrases(__package__, "attribution.toml")


def _any_of(words: Collection[str], ending: str = "") -> str:
    """Return a pattern that matches any of the words. It begins with a lookahead for their first letters,
    which makes it fast.
    """
    listed = sorted(words)
    return f"(?=[{''.join(sorted({each[0] for each in listed}))}])(?:{'|'.join(listed)}){ending}"


PARTS = define_parts(_PHRASES["parts"], {"litigants": _any_of(LITIGANTS, "s?"), "argued": _any_of(ARGUING)})
PATTERNS = {
    **{name: compile_pattern(pattern, PARTS) for name, pattern in _PHRASES["patterns"].items()},
    **{name: compile_pattern(pattern, PARTS, re.NOFLAG) for name, pattern in _PHRASES["cased"].items()},
}
"""The patterns of ``attribution.toml``, by name."""
FAR = 160
"""Maximum distance, in code points, between a quotation and its citation, unless both are in one sentence."""
_ENACTED = frozenset(("statute", "regulation", "rule", "constitution", "treaty"))


def introduces(words: str) -> bool:
    """Return whether the words end like an introduction to a quotation: "The court said", "It reads:"."""
    return PATTERNS["speaks"].search(words.rstrip()[-FAR:]) is not None


def names_other_speaker(words: str, cited: Sequence[Resolution] = (), pattern: str = "party") -> bool:
    """Return whether the words name a speaker other than the cited authority. An Act counts as the speaker of
    its own words. ``pattern`` is "party", or "party_speaks" if the words must also say that the party
    speaks.
    """
    if cited and cited[0].citation.kind == "record":
        return False  # a party, a witness
    enacted = bool(cited) and cited[0].citation.kind in _ENACTED
    return any(not (enacted and match["enactment"]) for match in PATTERNS[pattern].finditer(words))


def is_of_an_act(words: str) -> bool:
    """Return whether the words between an Act and a quotation say that the Act speaks: " provides that "."""
    return PATTERNS["act_speaks"].search(words) is not None


def refers_back(words: str) -> bool:
    """Return whether an introduction continues from a court named earlier: "It went on:"."""
    return introduces(words) and not names_other_speaker(words)
