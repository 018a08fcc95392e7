"""Know the kinds of files in a library, by their suffixes: which of those that nothing reads matter."""

from __future__ import annotations

import os

from lexls.text.phrases import load_words

_WORDS = load_words(__package__, "kinds.toml")
_HELPERS = _WORDS["helpers"]
_HELPER_NAMES = frozenset(name.casefold() for name in _WORDS["helper_names"])
COUNTED = _WORDS["counted"]
"""Suffixes of files that are seldom authorities, and many: pictures, archives, sound."""


def is_worth_telling(path: str) -> bool:
    """Whether a user may want to know that a file is not read: not settings, nor what drafts leave."""
    suffix = find_suffix(path)
    return suffix not in _HELPERS and os.path.basename(path).casefold() not in _HELPER_NAMES


def find_suffix(path: str) -> str:
    """The suffix of a path in lower case, "" if it has none."""
    return os.path.splitext(path)[1].lower()
