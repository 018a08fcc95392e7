"""Compose letters with accents that a format writes as commands."""

from __future__ import annotations

import unicodedata

from lexls.text.disguises import FILLER

_COMBINING = dict(
    zip(
        "`'^~\"=.cdHkruv",
        "\u0300\u0301\u0302\u0303\u0308\u0304\u0307\u0327\u0323\u030b\u0328\u030a\u0306\u030c",
        strict=True,
    )
)
ACCENTS = "".join(_COMBINING)
"""TeX's names of accents, each one character."""


def compose(accent: str, letter: str, length: int) -> str:
    """Return the letter with the accent, followed by fillers up to ``length``.

    Without such a letter in Unicode the letter stands alone.
    """
    composed = unicodedata.normalize("NFC", letter + _COMBINING[accent])
    return (composed if len(composed) == 1 else letter).ljust(length, FILLER)
