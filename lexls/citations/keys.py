"""Write citation keys in their normal form."""

from __future__ import annotations

import re
import unicodedata
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


def join_spaces(text: str) -> str:
    """The text with each run of white space made one space and none around it."""
    return " ".join(text.split())


def make_section_key(key: str, label: str) -> str:
    """The key of one section of a code, by which a file is known that holds no more of it."""
    return f"{key} § {label}"
