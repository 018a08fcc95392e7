"""Normal forms of citation keys."""

from __future__ import annotations

import re
import unicodedata

_SPACES = re.compile(r"\s+")
_DROPPED = re.compile(r"[\W_]+")


def fold(key: str) -> str:
    """The key for comparing: case-folded, only its letters and digits ("531 U. S. 98" → "531us98")."""
    return _DROPPED.sub("", unicodedata.normalize("NFKC", key).casefold())


def spaced(text: str) -> str:
    """The text with each run of white space made one space and none around it."""
    return _SPACES.sub(" ", text).strip()
