"""How two words that are not the same may differ without harm."""

from __future__ import annotations

import re
from typing import Literal

from lexls.grounding.quotations.vocabulary import ABBREVIATED

Likeness = Literal["same", "spelling", "lookalike", "scan", "inflexion", ""]
"""``lookalike``: a scanner takes the letters of one for the other's; ``scan``: a letter or two differ."""

# Letters that scanners take for each other, with one sign for them all.
_CONFUSED = (
    ("rn", "m"), ("vv", "w"), ("cl", "d"), ("ii", "u"), ("li", "h"), ("ri", "n"), ("tl", "d"), ("av", "w"),
)  # fmt: skip
_FIGURES = str.maketrans({"0": "o", "1": "l", "|": "l", "!": "l"})
_LOOKALIKE = str.maketrans(
    {"i": "l", "j": "l", "5": "s", "8": "b", "q": "g", "9": "g",
     "6": "b", "c": "e", "h": "b", "n": "u", "t": "f", "v": "y", "z": "2", "a": "o"}
)  # fmt: skip
_ENDINGS = (
    "ations",
    "ation",
    "ingly",
    "edly",
    "ings",
    "ing",
    "ies",
    "ied",
    "ers",
    "es",
    "ed",
    "ly",
    "s",
    "d",
)
_OPPOSITES = ("un", "in", "im", "il", "ir", "non", "dis", "a", "mis", "anti", "counter")
_PARTIES = (("or", "ee"), ("er", "ee"), ("ant", "ee"), ("ed", "er"), ("ed", "ee"), ("or", "ed"), ("er", "ed"))
_LONG = 5
"""Letters from which on a word with one strange letter is still that word."""


def opposite(one: str, other: str) -> bool:
    """Whether one word is the other with a prefix that turns its sense ("lawful", "unlawful")."""
    short, long = sorted((one, other), key=len)
    return len(short) > 2 and any(long == prefix + short for prefix in _OPPOSITES)


def likeness(quoted: str, original: str) -> Likeness:
    """What makes two different words alike, "" if nothing does: then they are two words.

    Both are normal forms. Numbers are never alike; words that turn each other's sense neither.
    """
    if quoted == original or ABBREVIATED.get(quoted, quoted) == ABBREVIATED.get(original, original):
        return "same"
    if not _comparable(quoted, original):
        return ""
    if opposite(quoted, original) or _other_party(quoted, original):
        return ""
    if _spelling(quoted) == _spelling(original):
        return "spelling"
    if _looks(quoted) == _looks(original) and not _other_figure(quoted, original):
        return "lookalike"
    if _inflected(quoted, original):
        return "inflexion"
    shorter = min(len(quoted), len(original))
    if (
        shorter >= _LONG
        and _edits(quoted, original, 1 if shorter < 9 else 2)
        and not _numbers(quoted, original)
    ):
        return "scan"
    return ""


def _comparable(quoted: str, original: str) -> bool:
    """Whether two words may be alike at all: most pairs are not, and this costs next to nothing."""
    if abs(len(quoted) - len(original)) > 6 or (quoted.isdigit() and original.isdigit()):
        return False
    if quoted[0] == original[0] or quoted[-1] == original[-1]:
        return True
    return not (quoted.isalpha() and original.isalpha())


def _other_figure(quoted: str, original: str) -> bool:
    """Whether two words have different figures at one place: "6th" and "8th" are no scans of each other."""
    return any(
        one.isdigit() and two.isdigit() and one != two for one, two in zip(quoted, original, strict=False)
    )


def _numbers(quoted: str, original: str) -> bool:
    return any(char.isdigit() for char in quoted) and any(char.isdigit() for char in original)


def _other_party(one: str, other: str) -> bool:
    """ "lessor" and "lessee", "employer" and "employee": one letter, two people."""
    for first, second in _PARTIES:
        for left, right in ((one, other), (other, one)):
            if (
                left.endswith(first)
                and right.endswith(second)
                and left[: -len(first)] == right[: -len(second)]
            ):
                return True
    return False


def _spelling(word: str) -> str:
    """A key that British and American spellings of a word share."""
    if len(word) < 5:
        return word
    word = word.replace("ae", "e").replace("oe", "e").replace("our", "or").replace("enquir", "inquir")
    word = re.sub(r"(?<=[a-z]{2})is(?=e|ing|ation)", "iz", word)
    word = re.sub(r"ys(?=e[ds]?$|ing$)", "yz", word)
    word = re.sub(r"ence(?=s?$)|ense(?=s?$)", "ens", word)
    word = re.sub(r"(?<=[tb])re(?=s?$)", "er", word)
    word = word.replace("dgement", "dgment").replace("ogue", "og")
    return re.sub(r"([lpst])\1(?=ed$|ing$|er$|or$|ful|ment)", r"\1", word)


def _looks(word: str) -> str:
    """A key that a word shares with what scanners make of it."""
    word = word.translate(_FIGURES)
    for letters, one in _CONFUSED:
        word = word.replace(letters, one)
    return word.translate(_LOOKALIKE)


def _inflected(one: str, other: str) -> bool:
    """Whether two words are forms of one ("claim", "claims"; "provide", "provided")."""
    if min(len(one), len(other)) < 3 or one[:3] != other[:3]:
        return False
    return bool(_stems(one) & _stems(other))


def _stems(word: str) -> set[str]:
    found = {word, word.removesuffix("e"), word.removesuffix("y")}
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            found |= {stem, stem.removesuffix("e"), stem.removesuffix("y")}
            if stem[-1] == stem[-2]:
                found.add(stem[:-1])
    return found


def _edits(one: str, other: str, most: int) -> bool:
    """Whether one word becomes the other by at most ``most`` letters put in, left out, changed or swapped."""
    if abs(len(one) - len(other)) > most:
        return False
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    if max(len(one), len(other)) <= most:
        return True
    if most == 0 or max(len(one), len(other)) > most + 6:
        return not one and not other
    swapped = len(one) > 1 and len(other) > 1 and one[0] == other[1] and one[1] == other[0]
    if swapped and _edits(one[2:], other[2:], most - 1):
        return True
    return (
        _edits(one[1:], other[1:], most - 1)
        or _edits(one[1:], other, most - 1)
        or _edits(one, other[1:], most - 1)
    )
