"""Word lists shared by several modules: the "v" between parties, small words, numbers, company suffixes.

A module combines these lists and adds the words that it alone needs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping


def split_words(listing: str) -> frozenset[str]:
    """Return the words of a whitespace-separated list."""
    return frozenset(listing.split())


VERSUS_WORDS = split_words("v vs versus")
"""The words for "v" between the parties of a case, in lower case and without a full stop."""
VERSUS = r"(?:v|vs|versus)\b\.?"
"""Pattern of the "v" between parties, in lower case."""
BETWEEN_PARTIES = re.compile(rf"\s{{1,40}}({VERSUS})\s{{1,40}}", re.IGNORECASE)
"""Pattern of the "v" between the parties, however written, with the whitespace around it; group 1 is the word
itself.
"""

SMALL_WORDS = split_words("the of and for in on to")
"""Words that any title may contain in lower case."""
PARTICLES = split_words("de la von van")
"""Words that the names of persons and places may contain in lower case."""
COMPANY_FORMS = split_words(
    """
    inc incorporated ltd limited llc llp lp plc ulc co company corp corporation na sa ag gmbh pty pvt private
    """
)
"""Company suffixes, without full stops."""
OTHER_PARTIES = split_words("anr another ors others other et al etc ux uxor")
"""Words that replace the names of further parties, such as "others" and "et al"."""
STOPPED = r"v|vs|Mr|Mrs|Ms|Dr|No|Nos|Art|Sec|Inc|Co|Corp|Ltd|St"
"""Pattern of abbreviations whose full stop does not end a sentence."""

NUMBERS: Mapping[str, int] = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
"""Number words up to ninety, without compounds such as "twenty-one"."""
ORDINALS: Mapping[str, int] = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20,
    "thirtieth": 30,
}  # fmt: skip
"""Ordinals of one word, in order."""
FIRST_TO_TENTH = "|".join(word for word, number in ORDINALS.items() if number <= 10)
"""Pattern of the ordinals used to number schedules."""

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_TO_99 = re.compile(r"(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$")


def read_roman(letters: str) -> int:
    """Return the value of a Roman numeral up to 99, in capitals or lower case. Return 0 if it is not one."""
    lower = letters.lower()
    if not lower or not _TO_99.match(lower):
        return 0
    total = 0
    for value, sign in _ROMAN:
        while lower.startswith(sign):
            total, lower = total + value, lower[len(sign) :]
    return total


def write_roman(number: int) -> str:
    """Return ``number``, from 1 to 3999, as a Roman numeral in lower case."""
    written = ""
    for value, sign in _ROMAN:
        written += sign * (number // value)
        number %= value
    return written
