"""Tell words of which one says the contrary of the other."""

from __future__ import annotations

import re

from lexls.quotations.vocabulary import TURNING_PREFIXES, normalize
from lexls.retrieval.relevance import COMMON
from lexls.text.phrases import load_phrases

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_OPPOSITES: list[tuple[str, str]] = [
    tuple(pair.split()) for pair in load_phrases(__package__, "phrases.toml")["opposition"]["opposites"]
]
"""Words of which one says the contrary of the other."""
_SHORTEST_STEM = 4


def list_words(text: str) -> frozenset[str]:
    """The words of a text as they are compared."""
    return frozenset(normalize(each) for each in _WORD.findall(text))


def find_opposite(text: str, evidence: str) -> str:
    """A word of ``text`` in whose place ``evidence`` has only its opposite, "" if there is none."""
    plain = frozenset(each for each in list_words(text) if each not in COMMON)
    said = list_words(evidence)
    for one, other in _OPPOSITES:
        for left, right in ((one, other), (other, one)):
            turned = _begins(plain, left) and _begins(said, right)
            if turned and not _begins(plain, right) and not _begins(said, left):
                return left
    if not (_prefixed(plain, said) or _prefixed(said, plain)):
        return ""
    lone = (frozenset((each,)) for each in sorted(plain))
    return next((min(each) for each in lone if _prefixed(each, said) or _prefixed(said, each)), "")


def has_opposite(said: frozenset[str], plain: frozenset[str]) -> bool:
    """Whether a text with the words ``said`` has the opposite of one of the words ``plain``, and not it."""
    opposed = any(
        _begins(plain, left)
        and not _begins(plain, right)
        and _begins(said, right)
        and not _begins(said, left)
        for one, other in _OPPOSITES
        for left, right in ((one, other), (other, one))
    )
    return opposed or _prefixed(plain, said) or _prefixed(said, plain)


def _begins(texts: frozenset[str], stem: str) -> bool:
    return any(each.startswith(stem) for each in texts)


def _prefixed(plain: frozenset[str], turned: frozenset[str]) -> bool:
    """Whether ``turned`` has a word of ``plain`` with a prefix that turns it, without the word itself."""
    for word in turned:
        for prefix in TURNING_PREFIXES:
            rest = word[len(prefix) :]
            if (
                word.startswith(prefix)
                and len(rest) >= _SHORTEST_STEM
                and rest in plain
                and rest not in turned
            ):
                return word not in plain
    return False
