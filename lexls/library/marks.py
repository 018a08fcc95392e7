"""Parse and write the numbers of sections, clauses and list items, and find rising sequences of numbers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
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
    """One step of a nested label: its wording, its type of numbering and its ordinal."""

    written: str
    type: MarkType
    ordinal: int


def read_marks(text: str, start: int, end: int, *, bulleted: bool = True) -> tuple[list[str], int]:
    """Return the marks at ``start``, such as "2" and "a" of "(2)(a)", and the offset after them."""
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
    """Yield the possible readings of a mark, the most likely first: "i" is a Roman numeral or the ninth
    letter.
    """
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
    """Return the stack of steps after a mark, given the one before it; None if the mark fits nowhere.

    If the mark continues an open count ("(b)" after "(a)", "(ii)" after "(i)", "(2A)" after "(2)"), the
    innermost such count is continued. Otherwise, a mark that begins a count ("(1)", "(a)", "(i)", "(A)")
    opens a lower level. Otherwise, it belongs to the innermost open count of its type, with a gap.
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
    """Return ``number`` as written in a list of style "1", "a", "A", "i" or "I". If the style cannot express
    the number, digits are used.

    After "z" come two letters, as in browsers.
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


_WIDEST_GAP = 12
_GAP_COST = 0.3
_LATE_START_COST = 1.5


@dataclass(frozen=True, slots=True)
class Numbered:
    """A number at the start of a piece.

    ``piece`` is the piece's position, ``number`` its number, and ``suffix`` the letters after it ("A" in
    "12A"). ``weight`` is how much it counts towards a sequence (less inside a quotation).
    """

    piece: int
    number: int
    suffix: str = ""
    weight: float = 1.0


def find_rising(candidates: Sequence[Numbered], *, any_gap: bool = False) -> list[int]:
    """Return the positions in ``candidates`` of the heaviest sequence of rising numbers.

    A step of one costs nothing. Each skipped number costs a little, since OCR loses some. No step may skip
    more than ``_WIDEST_GAP`` numbers unless ``any_gap`` (the sections of a code have gaps on purpose). A
    sequence that does not begin with 1, 2 or 3 has a fixed extra cost. As a result, numbers that start again,
    as in quoted judgments, are excluded. Time is linear in the number of candidates.
    """
    scores: list[float] = []
    before: list[int] = []
    best_ending: dict[int, int] = {}
    best_overall = -1
    top = 0.0
    highest: list[tuple[int, int]] = []
    for position, candidate in enumerate(candidates):
        number = candidate.number
        best = candidate.weight - (0.0 if number <= 3 else _LATE_START_COST)
        previous = -1
        same = best_ending.get(number)
        if same is not None and candidate.suffix > candidates[same].suffix:
            best, previous = scores[same] + candidate.weight, same
        for gap in range(1, _WIDEST_GAP + 2):
            if top + candidate.weight - (gap - 1) * _GAP_COST <= best:
                break  # no sequence with so wide a gap can be better
            ending = best_ending.get(number - gap)
            if ending is not None:
                score = scores[ending] + candidate.weight - (gap - 1) * _GAP_COST
                if score > best:
                    best, previous = score, ending
        if any_gap:
            low = bisect_left(highest, (number, -1))
            reached = highest[low - 1][1] if low else -1  # the best candidate whose number is smaller
            if reached >= 0 and scores[reached] + candidate.weight - 0.5 > best:
                best, previous = scores[reached] + candidate.weight - 0.5, reached
        scores.append(best)
        before.append(previous)
        if same is None or best > scores[same]:
            best_ending[number] = position
        if any_gap:
            _remember(highest, number, position, scores)
        if best_overall < 0 or best > scores[best_overall]:
            best_overall, top = position, best
    chain: list[int] = []
    while best_overall >= 0:
        chain.append(best_overall)
        best_overall = before[best_overall]
    chain.reverse()
    return chain


def _remember(highest: list[tuple[int, int]], number: int, position: int, scores: list[float]) -> None:
    """Add a candidate to ``highest``, unless a lower number already has a better score; entries with a higher
    number but no better score are removed.
    """
    low = bisect_left(highest, (number + 1, -1))
    if low and scores[highest[low - 1][1]] > scores[position]:
        return
    if low and highest[low - 1][0] == number:
        low -= 1
        highest[low] = (number, position)
    else:
        highest.insert(low, (number, position))
    end = low + 1
    while end < len(highest) and scores[highest[end][1]] <= scores[position]:
        end += 1
    del highest[low + 1 : end]
