"""Find the entities in a sentence by simple rules: names, Acts and sections, courts, sums of money, dates.

There is no model and no list of names. Words capitalised within a sentence are treated as names.
"""

from __future__ import annotations

import re

from lexls.citations.tables import load_patterns
from lexls.text.dates import FULL_MONTH
from lexls.text.lexicon import split_words
from lexls.text.phrases import load_phrases

_SMALL = r"(?:of|the|and|for|in|de|la|du|von|van|&|on|to|v\.?|vs\.?)"
_NAMED = (
    rf"[A-Z][\w’'&-]*\.?(?:[ ]{_SMALL}(?:[ ]the)?(?=[ ][A-Z])|[ ][A-Z][\w’'&-]*\.?|[ ]\d{{4}}(?!\d)){{0,11}}"
)
_PATTERNS = load_patterns("entities.toml")
_DATE = re.compile(rf"\b(?:\d{{1,2}}\s)?(?:{FULL_MONTH})(?:\s\d{{1,2}})?,?\s\d{{4}}\b")
_DIGIT = re.compile(r"\d")
_MONTH = re.compile(FULL_MONTH)
_OPENING_WORDS = split_words(load_phrases(__package__, "entities.toml")["opening"])
MOST = 12
"""Maximum number of entities per sentence."""


def find_entities(text: str) -> tuple[str, ...]:
    """Return the distinct entities of ``text`` in order, at most ``MOST``.

    A capitalised word at the beginning of a sentence or quotation is a name only if another capitalised word
    follows.
    """
    found: list[tuple[int, str]] = []
    if _DIGIT.search(text):
        patterns = [_PATTERNS["section"], _PATTERNS["sum"]]
        if "%" in text or "cent" in text:
            patterns.append(_PATTERNS["share"])
        if _MONTH.search(text):
            patterns.append(_DATE)
        for pattern in patterns:
            found.extend((match.start(), _closed(match.group())) for match in pattern.finditer(text))
    taken = {place for at, words in found for place in range(at, at + len(words))}
    found.extend(name for name in find_names(text) if name[0] not in taken)
    return tuple(dict.fromkeys(words for _, words in sorted(found)))[:MOST]


def find_names(text: str) -> tuple[tuple[int, str], ...]:
    """Return all names in ``text`` in order, including repeated ones, with their offsets in code points.

    As in ``find_entities``, a single capitalised word at the beginning of a sentence is not a name.
    """
    found = _PATTERNS["name"].finditer(text)
    names = ((match.start(), _without_opener(match.group(), text, match.start())) for match in found)
    return tuple((at, name) for at, name in names if name)


def _closed(words: str) -> str:
    """Remove the sentence's punctuation from the end of an entity."""
    words = words.strip().rstrip(".,-")
    while words.endswith(")") and words.count(")") > words.count("("):
        words = words[:-1].rstrip(".,-")
    return words


def _begins(text: str, at: int) -> bool:
    """Return whether a sentence or quotation begins at ``at``."""
    before = text[:at].rstrip(" \t")
    return not before or before[-1] in ".?!:;“‘\"'([" or before[-1].isspace()


def _without_opener(name: str, text: str, at: int) -> str:
    """Remove words from the beginning of a name that are capitalised only because a sentence begins there."""
    words = name.rstrip(".,'’").split()
    count = len(words)
    while words and words[0].lower() in _OPENING_WORDS:
        words = words[1:]
    only = words[0] if len(words) == 1 else ""
    if not words or all(len(word) == 1 for word in words):
        return ""
    if only and count == 1 and not only.isupper() and _begins(text, at):
        return ""
    return " ".join(words)
