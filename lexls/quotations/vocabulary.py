"""List the words that weigh differently when a quotation has another one, and write words alike.

The closed lists are in ``vocabulary.toml``.
"""

from __future__ import annotations

import re
import unicodedata

from lexls.text.lexicon import NUMBERS, ORDINALS, split_words
from lexls.text.phrases import compile_pattern, define_parts, load_phrases

_LISTS = load_phrases(__package__, "vocabulary.toml")

NEGATIONS = split_words(_LISTS["negations"])
"""Words that turn or limit a statement."""

SWALLOWED = split_words(_LISTS["swallowed"])
"""Words that an ellipsis should not leave out of the clause that it stands in."""

MODALS = split_words(_LISTS["modals"])

TURNING_PREFIXES = ("un", "non", "in", "im", "ir", "il", "dis")
"""First letters of words that deny what the rest of them says."""

USUAL_PAIRS = frozenset(_LISTS["pairs"])
"""Words that are written in one or in two."""

TENSES: dict[str, str] = _LISTS["tenses"]
"""Modal verbs in reported speech, with the form they stand for."""

FUNCTION = split_words(_LISTS["function"])
"""Words whose change rarely alters what a sentence says; "or", "if", "all" and "any" are not here."""

NUMBER_WORDS: dict[str, str] = {
    **{word: str(number) for word, number in NUMBERS.items() if word != "one"},
    **{word: f"{number}th" for word, number in ORDINALS.items() if 4 <= number <= 10},
    **_LISTS["numbers"],
}
"""Numbers in words, with the way they are written in figures."""


def is_number(word: str) -> bool:
    """Return whether a folded word is a number, in words or with a figure in it."""
    return word in NUMBER_WORDS or any(map(str.isdigit, word))


SAME: dict[str, str] = _LISTS["signs"]
"""Signs, with the word that they stand for."""

LOOKALIKES: dict[str, dict[str, str]] = _LISTS["lookalikes"]
"""Pairs of letters, and letters, that scanners take for another one."""

SCANNED = frozenset((word, made) for word, listed in _LISTS["scanned"].items() for made in listed.split())
"""Small words, each with something that scanners make of it."""

ABBREVIATED: dict[str, str] = {
    short: word for word, listed in _LISTS["abbreviated"].items() for short in listed.split()
}
"""Abbreviations, with the word that they stand for."""


WORD = (
    r"(?<![^\W_])[A-Z]\.(?: ?[A-Z]\.)+|\d+(?:[.,]\d+)*[^\W_]*"
    r"|[^\W_]+(?:(?:['’‘ʼ\u00ad]+|-[ \t]*\r?\n[ \t]*(?=[a-z]))[^\W_]+)*|§+|¶+|[&%$£€₹]"
)
"""A word, initials, a number or a sign that is read as a word; a word may be divided at the end of a line."""

_DROPPED = re.compile(r"[\s'’‘ʼ\u00ad\-,\[\]()]+|(?<=[A-Za-z])\.")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE_TABLE = str.maketrans(_LIGATURES)
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def normalize(word: str) -> str:
    """A word as it is compared: no case, accents, apostrophes, hyphens or commas; signs as the
    word they stand for. "" for what is no part of the text (a raised footnote number).
    """
    if word.isascii() and word.isalnum():
        return word.lower()
    word = word.translate(_LIGATURE_TABLE).rstrip(_SUPERSCRIPTS)
    word = _DROPPED.sub("", word)
    if not word.isascii():
        word = "".join(
            char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char)
        )
    word = "".join(word.casefold().split())
    return SAME.get(word, word)


PATTERNS = _LISTS["patterns"]
EDITORIAL = compile_pattern(PATTERNS["editorial"], define_parts(PATTERNS["parts"]))
"""A note of whoever quotes, in brackets of either kind; no part of what is quoted."""

GROWN: str = PATTERNS["parts"]["grown"]
"""The pattern of what a publisher has put into a text without a space, which is no part of its words."""
