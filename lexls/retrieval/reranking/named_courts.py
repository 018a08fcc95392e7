"""Find the courts that a proposition names, and which candidates are of them.

No list of courts is needed: a name fits a court whose own name, as the library has it, holds all its words,
in whatever order ("Delhi High Court", "High Court of Delhi"). How much that tells depends on how many courts
it fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from lexls.retrieval.reranking.candidates import Column
from lexls.text.lexicon import ORDINALS, split_words
from lexls.text.phrases import load_patterns, load_phrases

_ORDINALS = tuple(word for word, number in ORDINALS.items() if number <= 13)
_FILE = "named_courts.toml"
_PATTERNS = load_patterns(__package__, _FILE, {"ordinals": "|".join(_ORDINALS)})
_WORDS = load_phrases(__package__, _FILE)["words"]
_NOISE = split_words(_WORDS["noise"])
_SHORT: Mapping[str, Sequence[str]] = _WORDS["short"]

Name = frozenset[str]
"""The words that tell a court from others."""

_NATIONS: frozenset[Name] = frozenset(split_words(nation) for nation in _WORDS["nations"])


def find_courts(text: str) -> list[tuple[Name, ...]]:
    """The courts that ``text`` names, in order: of each the words that may be its name, most of them first.

    "This Court", "the court below" and the like name none, nor does the object of a reversal.
    """
    found: dict[tuple[Name, ...], None] = {}
    for several in _PATTERNS["several"].finditer(text):
        for ordinal in _PATTERNS["ordinal"].findall(several["all"]):
            found[(_name(f"{ordinal} Circuit"),)] = None
    for match in _PATTERNS["name"].finditer(text):
        if _PATTERNS["below"].search(text[max(0, match.start() - 30) : match.start()]):
            continue
        after = match["after"]
        ends = (len(after), *(apart.start() for apart in reversed(list(_PATTERNS["apart"].finditer(after)))))
        names = dict.fromkeys(_name(match["name"] + after[:end]) for end in ends)
        if names := {name: None for name in names if name}:
            found[tuple(names)] = None
    return list(found)


def match_courts(named: Sequence[tuple[Name, ...]], courts: Sequence[str]) -> Column:
    """How surely each of ``courts`` is one of those ``named``: 1, or the share of one court among those that
    a name fits as well; 0 for a court of another name, and for "".

    A name fits better where a court has no further words but those of a nation.
    """
    found = dict.fromkeys(courts, 0.0)
    held = {court: _name(court) for court in found} if named else {}
    for names in named:
        for name in names:
            fitting = [court for court, own in held.items() if name <= own]
            whole = [court for court in fitting if held[court] - name in _NATIONS]
            for court in whole or fitting:
                found[court] = max(found[court], 1 / len(whole or fitting))
            if fitting:
                break
    return np.array([found[court] for court in courts], np.float64)


def _name(phrase: str) -> Name:
    """The telling words of a court's name; none if it has only such as all courts have."""
    found = {word for each in _words(phrase) for word in _SHORT.get(each, (each,))}
    if "circuit" in found:
        # A federal circuit is its court of appeals.
        found -= {"appeal"}
    return frozenset(found - _NOISE)


def _words(phrase: str) -> Iterator[str]:
    whole = re.sub(r"(?<=\b[A-Za-z])\.(?:\s?(?=[A-Za-z]\.))?", "", phrase)
    for word in re.findall(r"[^\W_]+", re.sub(r"[’'](?=\w)", "", whole).lower()):
        ordinal = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|d)", word)
        if ordinal and 0 < int(ordinal[1]) <= len(_ORDINALS):
            yield _ORDINALS[int(ordinal[1]) - 1]
        else:
            yield word
