"""Masking a draft again after an edit, at the cost of the paragraphs that the edit touched."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lexls.text.markup import Markup, mask
from lexls.text.spans import Span

# What reaches beyond its paragraph: where the old or the new words hold any of it, all is masked anew.
_FAR: Mapping[Markup, re.Pattern[str]] = {
    "markdown": re.compile(r"`|~~~|<!--|-->|^(?:---|\.\.\.)", re.MULTILINE),
    "latex": re.compile(r"lexls:|\$|\\(?:[(\[\])]|begin|end|verb|lstinline)"),
    "plain": re.compile("TABLE OF AUTHORITIES"),
    "typst": re.compile(r"[`$]|//|/\*|\*/|#(?:set|show|import|include|let)\b"),
}
_BRACKETS: Mapping[Markup, tuple[str, ...]] = {"latex": ("{}", "[]"), "typst": ("()", "[]", "{}")}
_BRACKET = re.compile(r"\\.|[(){}\[\]]", re.DOTALL)
_VISIBLE = re.compile(r"\S")
_LONGEST_WINDOW = 20_000
"""Code points; where no paragraph ends for so long, all is masked anew."""


def edited(before: str, after: str) -> tuple[Span, Span]:
    """What differs: the span of ``before`` that the span of ``after`` took the place of."""
    start = _shared_start(before, after)
    end = _shared_end(before, after, start)
    return Span(start, len(before) - end), Span(start, len(after) - end)


def remask(before: str, masked: str, source: str, markup: Markup) -> tuple[str, Span, Span]:
    """``mask(source, markup)``, given that ``masked`` is ``mask(before, markup)``.

    Also the span of ``masked`` that changed, in whole paragraphs, and that of the new masked text which took
    its place: outside of them the two are the same, and both begin and end at blank lines.

    Markup other than what `_FAR` finds ends with its paragraph. So the paragraphs around the change, if they
    hold none of that, are masked alone; that they were masked as if they stood alone before the change shows
    that nothing from outside (a fence, an environment, a comment) reaches into them.
    """
    old, _ = edited(before, source)
    window = _window(before, masked, old)
    if window is not None:
        after = Span(window.start, len(source) - (len(before) - window.end))
        was, now = window.of(before), after.of(source)
        if _local(was, now, markup) and _alone(was, window, markup) == window.of(masked):
            fresh = _alone(now, after, markup)
            return masked[: window.start] + fresh + masked[window.end :], window, after
    return mask(source, markup), Span(0, len(before)), Span(0, len(source))


def _alone(text: str, window: Span, markup: Markup) -> str:
    """The mask of a part of a source; front matter is such only at the very beginning."""
    return mask(text, markup) if window.start == 0 else mask("\n" + text, markup)[1:]


def _local(was: str, now: str, markup: Markup) -> bool:
    """Whether neither text holds what reaches beyond its paragraph."""
    far = _FAR.get(markup)
    if far is not None and (far.search(was) or far.search(now)):
        return False
    return all(_closed(text, pair) for pair in _BRACKETS.get(markup, ()) for text in (was, now))


def _closed(text: str, pair: str) -> bool:
    """Whether every bracket of the kind that opens in a text closes in it, and the other way round."""
    depth = 0
    for match in _BRACKET.finditer(text):
        if match.group() in pair:
            depth += 1 if match.group() == pair[0] else -1
            if depth < 0:
                return False
    return depth == 0


def _window(before: str, masked: str, old: Span) -> Span | None:
    """The paragraphs that the edit touches, with enough around them to hold words; None if that is long."""
    start, end = _start(before, old.start), _end(before, old.end)
    while not _VISIBLE.search(masked, start, end):
        if (start == 0 and end == len(before)) or end - start > _LONGEST_WINDOW:
            return None
        start, end = _start(before, max(0, start - 2)), _end(before, min(len(before), end + 1))
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
        if one.startswith(other[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low


def _shared_end(one: str, other: str, start: int) -> int:
    """How much of their ends two texts share, without what they share at the start."""
    low, high = 0, min(len(one), len(other)) - start
    while low < high:
        middle = (low + high + 1) // 2
        if one.endswith(other[len(other) - middle : len(other) - low], 0, len(one) - low):
            low = middle
        else:
            high = middle - 1
    return low
