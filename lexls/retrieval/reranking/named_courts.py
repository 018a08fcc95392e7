"""Find the courts that a proposition names, and which candidates are of them.

No list of courts is needed: a name fits a court whose own name, as the library has it, holds all its words,
in whatever order ("Delhi High Court", "High Court of Delhi"). How much that tells depends on how many courts
it fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from lexls.retrieval.reranking.candidates import Column
from lexls.text.lexicon import ORDINALS

_ORDINALS = tuple(word for word, number in ORDINALS.items() if number <= 13)
_ORDINAL = rf"(?:{'|'.join(_ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th|d))"
_SEVERAL = re.compile(
    rf"\b(?P<all>{_ORDINAL}(?:(?:,|\s+and\b|\s+or\b){{1,2}}\s+(?:the\s+)?{_ORDINAL}){{1,8}})\s+(?:Circuits|Cirs\b)",
    re.IGNORECASE,
)
"""Several circuits named at once."""
_WORD = r"(?:[A-Z][\w’']{1,24}(?![\w’'])|(?:[A-Z]\.){1,4}|\d{1,2}(?:st|nd|rd|th|d)\b)"
_HEAD = r"(?:Courts?|Circuit|Cir|Tribunal|Commission|Bench|Board|House\s+of\s+Lords|Privy\s+Council)"
_NAME = re.compile(
    rf"(?<![\w.’'-])(?P<name>(?:{_WORD}\s+(?:of\s+)?){{0,6}}{_HEAD}\b)"
    rf"(?P<after>(?:(?:\s+(?:of|for|at)(?:\s+the)?|,)?\s+{_WORD}){{0,9}})"
)
"""Words with capitals around the one that makes them the name of a court, and what joins them."""
_APART = re.compile(r",|^\s+(?!of\s|for\s|at\s)")
"""Where what follows a court's name may be another matter: "the Ninth Circuit, Congress"."""
_BELOW = re.compile(
    r"\b(?:revers|affirm|vacat|overturn|quash|remand)\w{0,4}\s+(?:by\s+|to\s+)?(?:the\s+)?$"
    r"|\b(?:appeal(?:ed|s)?\s+(?:from|to)|courts?\s+(?:in|of|within)|set(?:ting)?\s+aside)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
"""What stands before the name of a court whose decision is looked at by another one."""
_SHORT = {
    "cir": ("circuit",),
    "dc": ("district", "columbia"),
    "us": ("united", "states"),
    "uk": ("united", "kingdom"),
    "apex": ("supreme",),
    "appeals": ("appeal",),
    "queens": ("queen",),
    "kings": ("king",),
}
_NOISE = frozenset(
    {"court", "courts", "the", "of", "for", "at", "and", "in", "judicature", "justice", "full"}
    | {"hon", "honble", "honourable", "honorable", "learned", "a", "an", "our", "this", "that"}
    | {"although", "as", "because", "before", "but", "citing", "cf", "following", "however", "if", "joining"}
    | {"see", "since", "under", "unlike", "when", "where", "while"}
)
"""Words that tell no court from another, and those that may stand with a capital before the name of one."""

Name = frozenset[str]
"""The words that tell a court from others."""

_NATIONS: frozenset[Name] = frozenset(
    frozenset(nation.split())
    for nation in (
        *("", "united states", "united kingdom", "england", "england wales", "great britain", "ireland"),
        *("india", "pakistan", "bangladesh", "sri lanka", "nepal", "singapore", "malaysia", "hong kong"),
        *("australia", "new zealand", "canada", "south africa", "kenya", "nigeria", "ghana", "israel"),
    )
)
"""What a nation's court may have in its name beyond "the Supreme Court", and a state's may not."""


def find_courts(text: str) -> list[tuple[Name, ...]]:
    """The courts that ``text`` names, in order: of each the words that may be its name, most of them first.

    "This Court", "the court below" and the like name none, nor does the object of a reversal.
    """
    found: dict[tuple[Name, ...], None] = {}
    for several in _SEVERAL.finditer(text):
        for ordinal in re.findall(_ORDINAL, several["all"], re.IGNORECASE):
            found[(_name(f"{ordinal} Circuit"),)] = None
    for match in _NAME.finditer(text):
        if _BELOW.search(text[max(0, match.start() - 30) : match.start()]):
            continue
        after = match["after"]
        ends = (len(after), *(apart.start() for apart in reversed(list(_APART.finditer(after)))))
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
    words = {court: _name(court) for court in found} if named else {}
    for names in named:
        for name in names:
            fitting = [court for court, held in words.items() if name <= held]
            whole = [court for court in fitting if words[court] - name in _NATIONS]
            for court in whole or fitting:
                found[court] = max(found[court], 1 / len(whole or fitting))
            if fitting:
                break
    return np.array([found[court] for court in courts], np.float64)


def _name(phrase: str) -> Name:
    """The telling words of a court's name; none if it has only such as all courts have."""
    words = {word for each in _words(phrase) for word in _SHORT.get(each, (each,))}
    if "circuit" in words:
        # A federal circuit is its court of appeals.
        words -= {"appeal"}
    return frozenset(words - _NOISE)


def _words(phrase: str) -> Iterator[str]:
    whole = re.sub(r"(?<=\b[A-Za-z])\.(?:\s?(?=[A-Za-z]\.))?", "", phrase)
    for word in re.findall(r"[^\W_]+", re.sub(r"[’'](?=\w)", "", whole).lower()):
        ordinal = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|d)", word)
        if ordinal and 0 < int(ordinal[1]) <= len(_ORDINALS):
            yield _ORDINALS[int(ordinal[1]) - 1]
        else:
            yield word
