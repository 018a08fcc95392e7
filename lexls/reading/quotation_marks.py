"""Find the text between quotation marks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import chain
from typing import Literal

from lexls.text.format import LONGEST_QUOTATION
from lexls.text.spans import Span

_OPENERS = {"“": "”", "«": "»", "„": "“”"}
_CURLY = re.compile(r"[“”«»„]")
_SINGLE_OPENING = re.compile(r"(?<![^\W_])[‘'`](?=[^\W_]|\[|…)")
_SINGLE_CLOSING = {
    mark: re.compile(rf"(?<=\S){mark}(?!\w)(?P<possessive>(?<=s{mark})(?= [a-z]))?") for mark in "’'"
}
_LONGEST_SINGLE = 1500
_CLOSING_END = re.compile(r"[”»\"’'](?:\s?[(\[][^()\[\]\d]{0,60}[)\]])?[\s.,;:…]{0,4}$")
_LONGEST_END = 80

MarksAround = Literal["", "whole", "opens", "closes"]
"""The quotation marks around a paragraph: "whole" if it is a complete quotation, "opens" or "closes" if it
begins or ends a quotation of several paragraphs, "" otherwise.
"""


def find_marks_around(text: str) -> MarksAround:
    """Return whether the whole text of a paragraph is between quotation marks, or only one end has a mark,
    without a counterpart.
    """
    opening = text[:1]
    opens = opening in _OPENERS or opening in ('"', "‘")
    end = _CLOSING_END.search(text, max(0, len(text) - _LONGEST_END))
    if opens and end is not None:
        first = next((outer for outer, _ in find_marked(text) if not outer.start), None)
        return "whole" if first is not None and first.end == end.start() + 1 else ""
    mark = opening if opens else end.group()[0] if end is not None else ""
    if mark == '"':
        unpaired = text.count(mark) % 2 == 1
    elif mark in _OPENERS or mark in ("”", "»"):
        unpaired = text.count("“") + text.count("«") != text.count("”") + text.count("»")
    else:
        return ""
    return ("opens" if opens else "closes") if unpaired else ""


def find_marked(text: str) -> Iterator[tuple[Span, Span]]:
    """Yield the quotations in a text, each as a pair of spans: with and without the quotation marks."""
    double = []
    for outer, inner in chain(_curly(text), _straight(text)):
        double.append((outer.start, outer.end))
        yield outer, inner
    starts, ends = sorted(double), sorted((end, start) for start, end in double)
    for outer, inner in _single(text):
        # Only double-marked quotations that begin or end within this one matter; none of them overlap.
        begun, ended = (
            every[bisect_left(every, (outer.start + 1,)) : bisect_left(every, (outer.end,))]
            for every in (starts, ends)
        )
        if all(end <= outer.end for _, end in begun) and all(start >= outer.start for _, start in ended):
            yield outer, inner


def _curly(text: str) -> Iterator[tuple[Span, Span]]:
    """Yield the quotations between curly or angle marks. Marks that are never closed are ignored."""
    opened: list[tuple[int, str]] = []
    for match in _CURLY.finditer(text):
        mark, at = match.group(), match.start()
        if mark in _OPENERS and not (opened and mark in _OPENERS[opened[-1][1]]):
            opened.append((at, mark))
            continue
        while opened and mark not in _OPENERS[opened[-1][1]]:
            opened.pop()
        if opened:
            start, _ = opened.pop()
            if at - start <= LONGEST_QUOTATION:
                yield Span(start, at + 1), Span(start + 1, at)


def _straight(text: str) -> Iterator[tuple[Span, Span]]:
    at = -1
    while (at := text.find('"', at + 1)) >= 0:
        if not _opens(text, at):
            continue
        close = text.find('"', at + 1, at + LONGEST_QUOTATION)
        if close >= 0 and _opens_again(text, close):
            # A mark after a space opens a nested quotation.
            inner = text.find('"', close + 1, at + LONGEST_QUOTATION)
            close = text.find('"', inner + 1, at + LONGEST_QUOTATION) if inner >= 0 else -1
            if close >= 0 and _opens_again(text, close):
                close = inner  # the next quotation begins there: both ended with one mark
        if close < 0:
            continue
        yield Span(at, close + 1), Span(at + 1, close)
        at = close


def _single(text: str) -> Iterator[tuple[Span, Span]]:
    position = 0
    for match in _SINGLE_OPENING.finditer(text):
        at = match.start()
        if at >= position and _opens(text, at):
            close = _single_closing(text, at, "’" if match.group() == "‘" else "'")
            if close > at:
                yield Span(at, close + 1), Span(at + 1, close)
                position = close + 1


def _single_closing(text: str, at: int, closing: str) -> int:
    """Return the offset of the closing single mark, which looks like an apostrophe; -1 if there is none
    nearby.
    """
    again = _SINGLE_OPENING.search(text, at + 1, at + _LONGEST_SINGLE)
    doubtful = -1
    for match in _SINGLE_CLOSING[closing].finditer(text, at + 1, at + _LONGEST_SINGLE):
        close = match.start()
        if again is not None and close > again.start() and doubtful >= 0:
            return doubtful
        if match["possessive"] is not None:
            doubtful = close if doubtful < 0 else doubtful  # "the parties’ rights", if one closes later
            continue
        return close
    return doubtful


def _opens_again(text: str, at: int) -> bool:
    """Return whether a straight mark within a quotation opens another quotation: there is a space before it
    and a word after it.
    """
    return text[at - 1].isspace() and _opens(text, at)


def _opens(text: str, at: int) -> bool:
    before = text[at - 1] if at else " "
    after = text[at + 1 : at + 2]
    return not before.isalnum() and before not in ".,;!?" and bool(after) and not after.isspace()
