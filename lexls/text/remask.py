"""Mask a draft again after an edit, at the cost of the paragraphs that the edit touched."""

from __future__ import annotations

import re

from lexls.text.format import Format
from lexls.text.spans import Span

_VISIBLE = re.compile(r"\S")
_BLANKS = (" ", "\t", "\n", "\r")
_LONGEST_WINDOW = 20_000
"""Code points; where no paragraph ends for so long, all is masked anew."""


def find_edit(before: str, after: str) -> tuple[Span, Span]:
    """What differs: the span of ``before`` that the span of ``after`` took the place of."""
    start = _shared_start(before, after)
    end = _shared_end(before, after, start)
    return Span(start, len(before) - end), Span(start, len(after) - end)


def remask(before: str, masked: str, source: str, format: Format) -> tuple[str, Span, Span]:
    """``format.mask(source)``, given that ``masked`` is ``format.mask(before)``.

    Also the span of ``masked`` that changed, in whole paragraphs, and that of the new masked text which took
    its place: outside of them the two are the same, and both begin and end at blank lines.

    Marks other than those that `Format.far` finds end with their paragraph. So the paragraphs around the
    change, if they hold none of that, are masked alone; that they were masked as if they stood alone before
    the change shows that nothing from outside (a fence, an environment, a comment) reaches into them.
    """
    old, _ = find_edit(before, source)
    window = _window(before, masked, old)
    if window is not None:
        after = Span(window.start, len(source) - (len(before) - window.end))
        was, now = window.of(before), after.of(source)
        far = format.reaches_far(before, was, now) or (window.start > 0 and now[:1] in _BLANKS)
        if not far and _alone(was, window, format) == window.of(masked):
            fresh = _alone(now, after, format)
            return masked[: window.start] + fresh + masked[window.end :], window, after
    return format.mask(source), Span(0, len(before)), Span(0, len(source))


def _alone(text: str, window: Span, format: Format) -> str:
    """The mask of a part of a source; front matter is such only at the very beginning."""
    return format.mask(text) if window.start == 0 else format.mask("\n" + text)[1:]


def _window(before: str, masked: str, old: Span) -> Span | None:
    """The paragraphs that the edit touches, with enough around them to hold words; None if that is long."""
    start, end = _start(before, old.start), _end(before, old.end)
    while not _VISIBLE.search(masked, start, end):
        if (start == 0 and end == len(before)) or end - start > _LONGEST_WINDOW:
            return None
        start, end = _start(before, max(0, start - 2)), _end(before, min(len(before), end + 1))
    # Indented words may go on with what stands above them.
    while start > 0 and before[start : start + 1] in _BLANKS and end - start <= _LONGEST_WINDOW:
        start = _start(before, start - 2)
    while end < len(before) and before[end] in _BLANKS and end - start <= _LONGEST_WINDOW:
        end = _end(before, end + 1)
    return Span(start, end) if end - start <= _LONGEST_WINDOW else None


def _start(text: str, offset: int) -> int:
    """Behind the last blank line that ends at or before ``offset``."""
    plain = text.rfind("\n\n", 0, offset)
    windows = text.rfind("\n\r\n", 0, offset)
    return max(plain + 2 if plain >= 0 else 0, windows + 3 if windows >= 0 else 0)


def _end(text: str, offset: int) -> int:
    """Behind the first blank line that begins at or behind ``offset``."""
    found = [place + len(gap) for gap in ("\n\n", "\n\r\n") if (place := text.find(gap, offset)) >= 0]
    return min(found, default=len(text))


def _shared_start(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        same = one.startswith(other[low:middle], low)
        low, high = (middle, high) if same else (low, middle - 1)
    return low


def _shared_end(one: str, other: str, start: int) -> int:
    """How much of their ends two texts share, without what they share at the start."""
    low, high = 0, min(len(one), len(other)) - start
    while low < high:
        middle = (low + high + 1) // 2
        same = one.endswith(other[len(other) - middle : len(other) - low], 0, len(one) - low)
        low, high = (middle, high) if same else (low, middle - 1)
    return low
