"""Write citation keys in their normal form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

_DROPPED = re.compile(r"[\W_]+")
DASHES = {ord(dash): "-" for dash in "‐‑‒–—−"}
"""All that is written for a hyphen in a number, for ``str.translate``."""


@lru_cache(maxsize=8192)
def fold(key: str) -> str:
    """The key for comparing: case-folded, only its letters and digits ("531 U. S. 98" → "531us98")."""
    if key.isascii():
        return "".join(filter(str.isalnum, key.lower()))
    return _DROPPED.sub("", unicodedata.normalize("NFKC", key).casefold())


_DIVIDED: Mapping[str, Sequence[str]] = {"C.C.P.A.": (" (Customs)", " (Patents)")}
"""Reports in divisions with volumes of the same numbers, which are cited with or without the division."""


def list_divisions(key: str) -> list[str]:
    """Return the same volume and page without the division of the report, or with each that it has.

    "24 C.C.P.A. (Customs) 74" is cited "24 C.C.P.A. 74" too. Only a name tells which of them is meant.
    """
    found = []
    for report, divisions in _DIVIDED.items():
        begin, named, rest = key.partition(report)
        if not named:
            continue
        division = next((each for each in divisions if rest.startswith(each)), "")
        others = ("",) if division else divisions
        found += [f"{begin}{report}{each}{rest.removeprefix(division)}" for each in others]
    return found


def join_spaces(text: str) -> str:
    """The text with each run of white space made one space and none around it."""
    return " ".join(text.split())


def make_section_key(key: str, label: str) -> str:
    """The key of one section of a code, by which a file is known that holds no more of it."""
    return f"{key} § {label}"
