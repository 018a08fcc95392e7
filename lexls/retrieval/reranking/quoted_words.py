"""The words that a proposition quotes, and whether a passage holds them verbatim."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

FEWEST_WORDS = 4
"""A quotation of fewer words is a turn of phrase."""
_QUOTED = re.compile(
    r"“([^“”]{12,1500})(?:”|$)|\"([^\"]{12,1500})(?:\"|$)|‘([^‘]{12,1500}?)(?:[.,]?’(?!\w)|$)"
)
_ALTERED = re.compile(r"\.\s?\.\s?\.|…|\*\s?\*\s?\*|\[[^\]]{2,}\]")
"""Where a quotation leaves out or puts in words."""


def quoted_words(text: str) -> list[str]:
    """The stretches of ``FEWEST_WORDS`` or more words that ``text`` quotes without a change, in order; a
    quotation that is never closed goes on to the end.
    """
    return [
        stretch.strip()
        for match in _QUOTED.finditer(text)
        for stretch in _ALTERED.split(next(group for group in match.groups() if group))
        if len(re.findall(r"\w+", stretch)) >= FEWEST_WORDS
    ]


def letters(text: str) -> str:
    """The letters and digits of ``text`` in lower case: what two versions of the same words share."""
    return "".join(filter(str.isalnum, text.lower()))


def quoted_share(stretches: Sequence[str], passages: Iterable[str]) -> float:
    """The share of ``stretches`` (see ``letters``), by their length, that stand verbatim in a passage."""
    texts = [letters(passage) for passage in passages]
    total = sum(map(len, stretches))
    return (
        sum(len(each) for each in stretches if any(each in text for text in texts)) / total if total else 0.0
    )
