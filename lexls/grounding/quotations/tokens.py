"""Texts as words: what two texts must share to be the same, and where each word stands."""

from __future__ import annotations

import re
import unicodedata

from lexls.grounding.quotations.vocabulary import SAME

WORD = (
    r"(?<![^\W_])[A-Z]\.(?: ?[A-Z]\.)+|\d+(?:[.,]\d+)*[^\W_]*"
    r"|[^\W_]+(?:(?:['’‘ʼ\u00ad]+|-[ \t]*\r?\n[ \t]*(?=[a-z]))[^\W_]+)*|§+|¶+|[&%$£€₹]"
)
"""A word, initials, a number or a sign that is read as a word; a word may be divided at the end of a line."""

_DROPPED = re.compile(r"[\s'’‘ʼ\u00ad\-,\[\]()]+|(?<=[A-Za-z])\.")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE_TABLE = str.maketrans(_LIGATURES)
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def normal(word: str) -> str:
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
