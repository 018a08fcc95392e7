"""How word processors and browsers write the numbers of list items."""

from __future__ import annotations

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_HIGHEST_ROMAN = 3999


def counted(number: int, style: str) -> str:
    """``number`` as a list writes it in style "1", "a", "A", "i" or "I"; in digits where the style cannot.

    Letters go on after z with two letters, as browsers write them.
    """
    if style in ("i", "I") and 1 <= number <= _HIGHEST_ROMAN:
        written, left = "", number
        for value, letters in _ROMAN:
            written += letters * (left // value)
            left %= value
        return written.upper() if style == "I" else written
    if style in ("a", "A") and number >= 1:
        written, left = "", number
        while left:
            left, letter = divmod(left - 1, 26)
            written = chr(ord("a") + letter) + written
        return written.upper() if style == "A" else written
    return str(number)
