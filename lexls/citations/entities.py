"""The entities of a sentence by light rules: names, Acts and sections, courts, sums of money, dates.

No model and no word lists of names: what is written with capitals in the middle of a sentence is a name.
"""

from __future__ import annotations

import re
from functools import lru_cache

_SMALL = r"(?:of|the|and|for|in|de|la|du|von|van|&|on|to|v\.?|vs\.?)"
_NAMED = (
    rf"[A-Z][\w’'&-]*\.?(?:[ ]{_SMALL}(?:[ ]the)?(?=[ ][A-Z])|[ ][A-Z][\w’'&-]*\.?|[ ]\d{{4}}(?!\d)){{0,11}}"
)
_NAME = re.compile(rf"(?<![\w.’'-]){_NAMED}")
_SECTION = re.compile(
    r"(?:§§?|\b(?:[Ss]ections?|[Aa]rticles?|[Rr]ules?|[Rr]egulations?|[Cc]hapters?|[Ss]s?\.))\s?\d[\w.()-]{0,20}"
)
_SUM = re.compile(
    r"(?:[$£€₹]|\b(?:Rs\.?|USD|US\$|INR|EUR|GBP))\s?\d[\d,.]{0,20}(?:\s(?:million|billion|lakhs?|crores?))?"
)
_SHARE = re.compile(r"\b\d{1,3}(?:\.\d{1,3})?\s?(?:%|per\s?cent)")
_DATE = re.compile(
    r"\b(?:\d{1,2}\s)?(?:January|February|March|April|May|June|July|August|September|October|November|"
    r"December)(?:\s\d{1,2})?,?\s\d{4}\b"
)
_OPENING_WORDS = """
    a an the this that these those it he she they we i in on at by for from to of as and or but if when
    where while although though because since unless until after before under thus therefore however
    moreover further furthermore accordingly here there such any every each no not only both either
    neither all some most many one two three first second third finally next also even so then what
    which who whose how why whether with without within upon our its their his her my your see compare
    cf contra accord id ibid supra infra once again indeed rather instead similarly likewise conversely
    additionally nor yet still given pursuant according based absent assuming consequently hence
    nonetheless nevertheless otherwise notably specifically generally ordinarily following during
    """
"""Words that begin sentences with a capital and name nothing."""
MOST = 12
"""Entities kept of one sentence."""


def entities(text: str) -> tuple[str, ...]:
    """The entities of ``text`` in order, each once, at most ``MOST``.

    A capital at the beginning of a sentence or quotation is a name only if another capital follows.
    """
    found: list[tuple[int, str]] = []
    for pattern in (_SECTION, _SUM, _SHARE, _DATE):
        found.extend((match.start(), _closed(match.group())) for match in pattern.finditer(text))
    taken = [(at, at + len(words)) for at, words in found]
    for match in _NAME.finditer(text):
        if any(start <= match.start() < end for start, end in taken):
            continue
        name = _without_opener(match.group(), _begins(text, match.start()))
        if name:
            found.append((match.start(), name))
    return tuple(dict.fromkeys(words for _, words in sorted(found)))[:MOST]


def names(text: str) -> tuple[tuple[int, str], ...]:
    """The names in ``text``, each with the code point it is read from, in order and as often as they occur.

    Rules as in ``entities``: a single capital at the beginning of a sentence names nothing by itself.
    """
    found = []
    for match in _NAME.finditer(text):
        name = _without_opener(match.group(), _begins(text, match.start()))
        if name:
            found.append((match.start(), name))
    return tuple(found)


@lru_cache(maxsize=1)
def _openers() -> frozenset[str]:
    return frozenset(_OPENING_WORDS.split())


def _closed(words: str) -> str:
    """Without the signs of the sentence behind it."""
    words = words.strip().rstrip(".,-")
    while words.endswith(")") and words.count(")") > words.count("("):
        words = words[:-1].rstrip(".,-")
    return words


def _begins(text: str, at: int) -> bool:
    """Whether a sentence or quotation begins at ``at``."""
    before = text[:at].rstrip(" \t“‘\"'([")
    return not before or before[-1] in ".?!:;" or before != text[:at].rstrip()


def _without_opener(name: str, begins: bool) -> str:
    """A name without the words before it that are capitals only because something begins there."""
    words = name.rstrip(".,'’").split()
    while words and words[0].lower() in _openers():
        words = words[1:]
        begins = False
    only = words[0] if len(words) == 1 else ""
    if (
        not words
        or (begins and only and not (only.isupper() and len(only) > 1))
        or all(len(word) == 1 for word in words)
    ):
        return ""
    return " ".join(words)
