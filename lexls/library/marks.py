"""Read and write the numbers of sections, clauses and list items."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lexls.text.lexicon import read_roman, write_roman

MarkType = Literal["number", "lower", "roman", "upper", "upper roman"]

_BRACKETED = re.compile(
    r"\s*[*_]{0,2}\\?\(\s?(\d{1,3}[A-Z]{0,2}|[a-z]{1,2}|[ivxl]{1,7}|[A-Z]{1,2}|[IVX]{1,5})\s?\\?\)[*_]{0,2}"
)
_LETTERED = re.compile(r"[*_]{0,2}([a-z]|[ivx]{1,5})\\?[.)][*_]{0,2}\s")
_BULLET = re.compile(r"(?:[-*+•]\s+)?")
MOST_MARKS = 4


@dataclass(frozen=True, slots=True)
class MarkStep:
    """One step of a nested label: how it is written, and what kind of count it belongs to."""

    written: str
    type: MarkType
    ordinal: int


def read_marks(text: str, start: int, end: int, *, bulleted: bool = True) -> tuple[list[str], int]:
    """The marks, such as "2" and "a" of "(2)(a)", that stand at ``start``, and the offset after them."""
    at = start
    if bulleted and (bullet := _BULLET.match(text, at, end)):
        at = bullet.end()
    written: list[str] = []
    while len(written) < MOST_MARKS and (mark := _BRACKETED.match(text, at, end)):
        written.append(mark[1])
        at = mark.end()
    if not written and (mark := _LETTERED.match(text, at, end)):
        written.append(mark[1])
        at = mark.end()
    return written, at


def list_readings(written: str) -> Iterator[MarkStep]:
    """What a mark may be: "i" is the Roman one or the ninth letter; the likelier reading comes first."""
    if written[0].isdigit():
        digits = written.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        yield MarkStep(written, "number", int(digits))
        return
    upper = written[0].isupper()
    value = read_roman(written)
    letter = ord(written[0].lower()) - ord("a") + 1
    if value:
        yield MarkStep(written, "upper roman" if upper else "roman", value)
    if len(written) == 1 or (len(written) == 2 and (written[0] == written[1] or not value)):
        yield MarkStep(written, "upper" if upper else "lower", letter)


def nest(stack: list[MarkStep], written: str) -> list[MarkStep] | None:
    """The stack of steps after a mark, given the one before it; None if the mark fits nowhere.

    A mark that continues a count that is open ("(b)" after "(a)", "(ii)" after "(i)", "(2A)" after "(2)")
    does so, the innermost first; else a mark that begins a count ("(1)", "(a)", "(i)", "(A)") opens a level
    below; else it belongs to the innermost open count of its type, with a gap.
    """
    options = list(list_readings(written))
    for depth in range(len(stack) - 1, -1, -1):
        open_step = stack[depth]
        for option in options:
            if option.type == open_step.type and _continues(open_step, option):
                return [*stack[:depth], option]
    open_types = {step.type for step in stack}
    for option in options:
        if option.ordinal == 1 and len(option.written) == 1 and option.type not in open_types:
            return [*stack, option]
    for depth in range(len(stack) - 1, -1, -1):
        for option in options:
            if option.type == stack[depth].type and option.ordinal > stack[depth].ordinal:
                return [*stack[:depth], option]
    if not stack and options and options[0].type in ("number", "lower"):
        return [options[0]]
    if not stack and len(options) > 1:
        return [options[-1]]
    return None


def _continues(before: MarkStep, after: MarkStep) -> bool:
    if after.ordinal == before.ordinal + 1:
        return True
    return (
        after.ordinal == before.ordinal
        and len(after.written) > len(before.written) - 1
        and (after.written != before.written and after.written.startswith(before.written[0]))
    )


_HIGHEST_ROMAN = 3999


def write_count(number: int, style: str) -> str:
    """``number`` as a list writes it in style "1", "a", "A", "i" or "I"; in digits where the style cannot.

    Letters go on after z with two letters, as browsers write them.
    """
    if style in ("i", "I") and 1 <= number <= _HIGHEST_ROMAN:
        written = write_roman(number)
        return written.upper() if style == "I" else written
    if style in ("a", "A") and number >= 1:
        written, left = "", number
        while left:
            left, letter = divmod(left - 1, 26)
            written = chr(ord("a") + letter) + written
        return written.upper() if style == "A" else written
    return str(number)
