"""Sentences, cut by nupunkt, which knows legal abbreviations, with citations kept whole."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from lexls.text.paragraphs import paragraph_at, paragraphs
from lexls.text.spans import Span

# What nupunkt takes for a sentence end; inside a citation it is hidden from it.
_STOPS = str.maketrans(
    {".": "-", "!": "-", "?": "-", ":": "-", ";": "-", "\n": " ", "\r": " ", "(": "-", ")": "-"}
)
# A piece that is only the number of the paragraph or list item that it begins.
_NUMBERING = re.compile(r"[\[(]?(?:\d{1,4}|[a-zA-Z]|[ivxlcIVXLC]{1,6})[\])]?[.)]?")
# Pieces that end in one of these go on in the next.
_OPEN_END = re.compile(
    r"(?:\b(?:v|vs|ss?|sec|secs|art|arts|para|paras|pp?|no|nos|reg|regs|cl|cls|r|ch|pt|sch|cf|viz|e\.g|i\.e)"
    r"|\b[A-Z])\.$",
)


def sentences(masked: str, protected: Sequence[Span] = ()) -> list[Span]:
    """The sentences of a masked text in order, without the white space around them.

    ``protected`` are spans of citations: no sentence ends inside one. No sentence spans a blank line.
    """
    starts = _sorted(protected)
    spans: list[Span] = []
    for paragraph in paragraphs(masked):
        spans.extend(_cut(masked, paragraph, starts))
    return spans


def sentence_at(masked: str, offset: int, protected: Sequence[Span] = ()) -> Span | None:
    """The sentence that a cursor at ``offset`` stands in or touches (the one before it at its end)."""
    paragraph = paragraph_at(masked, offset)
    if paragraph is None:
        return None
    found: Span | None = None
    for sentence in _cut(masked, paragraph, _sorted(protected)):
        if sentence.start > offset and found is not None:
            break
        found = sentence
        if offset <= sentence.end:
            break
    return found


def _sorted(protected: Sequence[Span]) -> list[Span]:
    return sorted(span for span in protected if len(span))


def _cut(masked: str, paragraph: Span, protected: list[Span]) -> list[Span]:
    from nupunkt import sent_spans  # 50 ms to import, so only when sentences are asked for

    text = paragraph.of(masked)
    inside = _within(paragraph, protected)
    hidden = text
    for span in inside:
        hidden = hidden[: span.start] + span.of(hidden).translate(_STOPS) + hidden[span.end :]
    hidden = hidden.replace("\n", " ").replace("\r", " ")
    merged: list[Span] = []
    for start, end in sent_spans(hidden):
        piece = text[start:end]
        stripped = piece.strip()
        if not stripped:
            continue
        left = start + len(piece) - len(piece.lstrip())
        span = Span(left, left + len(stripped))
        if merged and _continues(text, merged[-1], span, inside):
            merged[-1] = Span(merged[-1].start, span.end)
        else:
            merged.append(span)
    return [span.shift(paragraph.start) for span in merged]


def _continues(text: str, before: Span, after: Span, inside: list[Span]) -> bool:
    """Whether nupunkt cut where there is no sentence end."""
    head = before.of(text)
    if _NUMBERING.fullmatch(head):
        return True
    if any(span.start < after.start < span.end for span in inside):
        return True
    first = text[after.start]
    if first.islower() or first in ",;)]":
        return True
    return _OPEN_END.search(head) is not None and not any(span.end == before.end for span in inside)


def _within(paragraph: Span, protected: list[Span]) -> list[Span]:
    """The protected spans that touch the paragraph, clipped to it and relative to its start."""
    found = []
    first = max(0, bisect_right(protected, Span(paragraph.start, paragraph.start)) - 1)
    for span in protected[first:]:
        if span.start >= paragraph.end:
            break
        if span.overlaps(paragraph):
            clipped = Span(max(span.start, paragraph.start), min(span.end, paragraph.end))
            found.append(clipped.shift(-paragraph.start))
    return found
