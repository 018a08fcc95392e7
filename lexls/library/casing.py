"""Writing in title case what a document prints in capitals."""

from __future__ import annotations

import re

_SMALL = frozenset(
    {
        "a",
        "al",
        "al.",
        "an",
        "and",
        "as",
        "at",
        "by",
        "et",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "or",
        "the",
    }
    | {"to", "v", "v.", "vs", "vs.", "with"}
)
_KEPT = re.compile(r"(?:[A-Z]\.){2,}|(?:LLC|LLP|PLC|NV|BV|AG|SA|USA|US|UK|EU|II|III|IV|VI|VII|VIII|IX|XI)\b")


def in_capitals(line: str) -> bool:
    """Whether a line is printed in capitals, small words such as "v" or "and" aside."""
    large = sum(1 for character in line if character.isupper())
    return large * 5 > 4 * sum(1 for character in line if character.isalpha())


def title_case(line: str) -> str:
    """``line``, printed in capitals, as a title: "HAMILTON v. LANNING" becomes "Hamilton v. Lanning"."""
    words = line.split()
    written: list[str] = []
    for position, word in enumerate(words):
        lower = word.lower()
        if position and lower.strip("(),;") in _SMALL:
            written.append(lower)
        elif _KEPT.match(word):
            written.append(word)
        else:
            written.append(_capitalised(lower))
    return " ".join(written)


def _capitalised(lower: str) -> str:
    """Every part of a word with a capital, but not what follows an apostrophe ("Club’s")."""
    return re.sub(r"(?:^|(?<=[-/(\"“&.]))[^\W\d_]", lambda match: match[0].upper(), lower)
