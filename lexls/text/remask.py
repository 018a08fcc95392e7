"""Mask a draft again after an edit, processing only the paragraphs that the edit touched."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexls.text.double_spaced import widen
from lexls.text.format import Format
from lexls.text.spans import Span

_VISIBLE = re.compile(r"\S")
_BLANKS = (" ", "\t", "\n", "\r")
_GAPS = ("\n\n", "\n\r\n")
_LONGEST_WINDOW = 20_000
"""Maximum length, in code points, of the paragraphs masked after an edit. If they are longer, the whole draft
is masked again.
"""


def find_edit(before: str, after: str) -> tuple[Span, Span]:
    """Return the span of ``before`` that was replaced, and the span of ``after`` that replaced it."""
    start = _shared_start(before, after)
    end = _shared_end(before, after, start)
    return Span(start, len(before) - end), Span(start, len(after) - end)


def remask(before: str, masked: str, source: str, format: Format) -> tuple[str, Span, Span]:
    """Return ``format.mask(source)``, given that ``masked`` is ``format.mask(before)``.

    Also return the span of ``masked`` that changed, in whole paragraphs, and the span of the new masked text
    that replaced it. Outside these spans the two texts are the same, and both spans begin and end at blank
    lines.

    Marks other than those matched by `Format.far` end with their paragraph. If the paragraphs around the
    change contain no far marks, only these paragraphs are masked. This is safe if masking them alone before
    the change gave the same result, since then nothing outside (a fence, an environment, a comment) affects
    them.
    """
    old, _ = find_edit(before, source)
    window = around = _window(before, masked, old)
    if window is not None and format.pasted:
        window = _widen(before, masked, window)
        around = window and _widen(before, masked, window)
    if window is not None and around is not None:
        after = Span(window.start, len(source) - (len(before) - window.end))
        was, now = window.of(before), after.of(source)
        far = format.reaches_far(before, was, now) or (window.start > 0 and now[:1] in _BLANKS)
        if not far and _alone(before, around, window, format) == window.of(masked):
            near = Span(around.start, len(source) - (len(before) - around.end))
            fresh = _alone(source, near, after, format)
            return masked[: window.start] + fresh + masked[window.end :], window, after
    return format.mask(source), Span(0, len(before)), Span(0, len(source))


def _alone(source: str, around: Span, window: Span, format: Format) -> str:
    """Mask part of a source with its surroundings, and return the masked part. Front matter is recognised
    only at the source's beginning.
    """
    text = around.of(source)
    masked = format.mask(text) if around.start == 0 else format.mask("\n" + text)[1:]
    return window.shift(-around.start).of(masked)


def _widen(text: str, masked: str, window: Span) -> Span | None:
    """Extend the window to the surrounding lines of double-spaced text that affect it. Return None if the
    window becomes too long.
    """
    near = widen(text, window)
    if near is None or len(near) > _LONGEST_WINDOW:
        return None
    gaps = _find_gaps(text)
    last = max(window.end - 1, near.end - 2)
    return Span(_start(text, masked, near.start, gaps), _end(text, masked, last, gaps))


def _window(before: str, masked: str, old: Span) -> Span | None:
    """Return the range of the paragraphs that the edit touches, extended until it contains visible text.
    Return None if the range is too long.
    """
    gaps = _find_gaps(before)
    start, end = _start(before, masked, old.start, gaps), _end(before, masked, old.end, gaps)
    empty = not _VISIBLE.search(masked, start, end)
    while empty:
        if (start == 0 and end == len(before)) or end - start > _LONGEST_WINDOW:
            return None
        first = _start(before, masked, max(0, start - 2), gaps)
        last = _end(before, masked, min(len(before), end + 1), gaps)
        empty = not (_VISIBLE.search(masked, first, start) or _VISIBLE.search(masked, end, last))
        start, end = first, last
    # Indented text may continue the text above it.
    while start > 0 and before[start : start + 1] in _BLANKS and end - start <= _LONGEST_WINDOW:
        start = _start(before, masked, start - 2, gaps)
    while end < len(before) and before[end] in _BLANKS and end - start <= _LONGEST_WINDOW:
        end = _end(before, masked, end + 1, gaps)
    return Span(start, end) if end - start <= _LONGEST_WINDOW else None


def _find_gaps(text: str) -> tuple[str, ...]:
    """Return the kinds of blank line that occur in a text, so that later searches skip the others."""
    return tuple(gap for gap in _GAPS if gap in text)


def _start(text: str, masked: str, offset: int, gaps: Sequence[str]) -> int:
    """Return the end of the last line that is blank in both the text and the masked text and ends at or
    before ``offset``.
    """
    return max((_behind(text, masked, offset, gap) for gap in gaps), default=0)


def _behind(text: str, masked: str, offset: int, gap: str) -> int:
    place = text.rfind(gap, 0, offset)
    while place >= 0 and masked[place + len(gap) - 1] != "\n":
        place = text.rfind(gap, 0, place + len(gap) - 1)
    return place + len(gap) if place >= 0 else 0


def _end(text: str, masked: str, offset: int, gaps: Sequence[str]) -> int:
    """Return the end of the first line that is blank in both the text and the masked text and begins at or
    after ``offset``.
    """
    return min((_before(text, masked, offset, gap) for gap in gaps), default=len(text))


def _before(text: str, masked: str, offset: int, gap: str) -> int:
    place = text.find(gap, offset)
    while place >= 0 and masked[place + len(gap) - 1] != "\n":
        place = text.find(gap, place + 1)
    return place + len(gap) if place >= 0 else len(text)


def _shared_start(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        same = one.startswith(other[low:middle], low)
        low, high = (middle, high) if same else (low, middle - 1)
    return low


def _shared_end(one: str, other: str, start: int) -> int:
    """Return the length of the common end of two texts, excluding the ``start`` code points that they share
    at the beginning.
    """
    low, high = 0, min(len(one), len(other)) - start
    while low < high:
        middle = (low + high + 1) // 2
        same = one.endswith(other[len(other) - middle : len(other) - low], 0, len(one) - low)
        low, high = (middle, high) if same else (low, middle - 1)
    return low
