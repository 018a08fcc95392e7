"""Normalise words, and classify them by how much it matters if a quotation alters them. The word lists are in
``vocabulary.toml``.
"""

from __future__ import annotations

import re
import unicodedata

from lexls.text.lexicon import NUMBERS, ORDINALS, split_words
from lexls.text.phrases import compile_pattern, define_parts, load_phrases

_LISTS = load_phrases(__package__, "vocabulary.toml")

NEGATIONS = split_words(_LISTS["negations"])
"""Words that negate or limit a statement."""

SWALLOWED = split_words(_LISTS["swallowed"])
"""Words that an ellipsis should not omit from a clause, since they change its meaning."""

MODALS = split_words(_LISTS["modals"])

TURNING_PREFIXES = ("un", "non", "in", "im", "ir", "il", "dis")
"""Prefixes that make a word its opposite."""

USUAL_PAIRS = frozenset(_LISTS["pairs"])
"""Pairs of words that are also written as one word."""

TENSES: dict[str, str] = _LISTS["tenses"]
"""Modal verbs as used in reported speech, with the forms for direct speech."""

FUNCTION = split_words(_LISTS["function"])
"""Words whose alteration rarely changes a sentence's meaning. "or", "if", "all" and "any" are not
among them.
"""

NUMBER_WORDS: dict[str, str] = {
    **{word: str(number) for word, number in NUMBERS.items() if word != "one"},
    **{word: f"{number}th" for word, number in ORDINALS.items() if 4 <= number <= 10},
    **_LISTS["numbers"],
}
"""Spelled-out numbers, with their figures."""


def is_number(word: str) -> bool:
    """Return whether a case-folded word is a number, spelled out or containing a digit."""
    return word in NUMBER_WORDS or any(map(str.isdigit, word))


SAME: dict[str, str] = _LISTS["signs"]
"""Signs, with the words that they represent."""

LOOKALIKES: dict[str, dict[str, str]] = _LISTS["lookalikes"]
"""Letters and pairs of letters that OCR confuses with another letter."""

SCANNED = frozenset((word, made) for word, listed in _LISTS["scanned"].items() for made in listed.split())
"""Small words, each with a misreading that OCR produces."""

ABBREVIATED: dict[str, str] = {
    short: word for word, listed in _LISTS["abbreviated"].items() for short in listed.split()
}
"""Abbreviations, with the words that they abbreviate."""


WORD = (
    r"(?<![^\W_])[A-Z]\.(?: ?[A-Z]\.)+|\d+(?:[.,]\d+)*[^\W_]*"
    r"|[^\W_]+(?:(?:['’‘ʼ\u00ad]+|-[ \t]*\r?\n[ \t]*(?=[a-z]))[^\W_]+)*|§+|¶+|[&%$£€₹]"
)
"""Pattern of a word, initials, a number, or a sign read as a word. A word may be divided at the end of a
line.
"""

_DROPPED = re.compile(r"[\s'’‘ʼ\u00ad\-,\[\]()]+|(?<=[A-Za-z])\.")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE_TABLE = str.maketrans(_LIGATURES)
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def normalize(word: str) -> str:
    """Return a word's normal form for comparison: without case, accents, apostrophes, hyphens or commas, and
    with signs as words. "" for a raised footnote number, which is not part of the text.
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
"""Pattern of an editorial note in round or square brackets, which does not belong to the quoted text."""

GROWN: str = PATTERNS["parts"]["grown"]
"""Pattern of text that a publisher has added to a word without a space."""
