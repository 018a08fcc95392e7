"""Split text into sentences with nupunkt, which knows legal abbreviations, without splitting citations. Also
find paragraphs.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from lexls.text.blanking import ITEM, LINE
from lexls.text.spans import Span

# Characters that nupunkt may read as a sentence end, replaced inside citations.
_STOPS = str.maketrans(
    {".": "-", "!": "-", "?": "-", ":": "-", ";": "-", "\n": " ", "\r": " ", "(": "-", ")": "-"}
)
_LINE_ENDS = str.maketrans(dict.fromkeys(f"\n\r{LINE}", " "))
# nupunkt rescans such a run for each stop in it; no sentence ends there.
_LONG_WORD = re.compile(r"\S{400,}")
# A piece that is only the number of its paragraph or list item.
_NUMBERING = re.compile(r"[\[(]?(?:\d{1,4}|[a-zA-Z]|[ivxlcIVXLC]{1,6})[\])]?[.)]?")
# A piece that ends in one of these continues in the next.
_OPEN_END = re.compile(r"\b(?:v|vs|cf|viz|nom|e\.g|i\.e)\.$")
# A piece that ends in one of these continues if a number follows.
_BEFORE_NUMBER = re.compile(
    r"\b(?:ss?|sec|secs|art|arts|para|paras|pp?|nos?|regs?|cls?|r|ch|pt|sch|[A-Z])\.$", re.IGNORECASE
)


def cut_sentences(masked: str, protected: Sequence[Span] = ()) -> list[Span]:
    """Return the sentences of a masked text in order, without surrounding whitespace.

    ``protected`` are spans of citations, inside which no sentence ends. No sentence extends over a blank
    line.
    """
    starts = _sorted(protected)
    return [each for paragraph in find_paragraphs(masked) for each in _cut(masked, paragraph, starts)]


def find_sentence_at(masked: str, offset: int, protected: Sequence[Span] = ()) -> Span | None:
    """Return the sentence that contains or touches a cursor at ``offset``. At the end of a sentence, that
    sentence is returned.
    """
    paragraph = find_paragraph(masked, offset)
    if paragraph is None:
        return None
    return choose_sentence(_cut(masked, paragraph, _sorted(protected)), offset)


def choose_sentence(sentences: Iterable[Span], offset: int) -> Span | None:
    """Return the sentence of a paragraph that contains ``offset``. Between two sentences, return the earlier
    one; before the first, the first.
    """
    found: Span | None = None
    for sentence in sentences:
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
    pieces = []
    position = 0
    for span in inside:
        start = max(span.start, position)
        pieces += [text[position:start], text[start : span.end].translate(_STOPS)]
        position = max(position, span.end)
    hidden = "".join([*pieces, text[position:]]).translate(_LINE_ENDS)
    hidden = _LONG_WORD.sub(lambda word: word.group().translate(_STOPS), hidden)
    starts = [span.start for span in inside]
    merged: list[tuple[int, int]] = []
    for start, end in sent_spans(hidden):
        piece = text[start:end].rstrip()
        end = start + len(piece)
        start = end - len(piece.lstrip())
        if start == end:
            continue
        if merged and _continues(text, merged[-1], start, inside, starts):
            start = merged.pop()[0]
        merged.append((start, end))
    return [Span(paragraph.start + start, paragraph.start + end) for start, end in merged]


def _continues(
    text: str, before: tuple[int, int], start: int, inside: Sequence[Span], starts: Sequence[int]
) -> bool:
    """Return whether nupunkt wrongly ended a sentence with ``before``, so that the sentence continues at
    ``start``.
    """
    begin, end = before
    if end - begin < 10 and _NUMBERING.fullmatch(text, begin, end):
        return True
    for span in inside[max(0, bisect_right(starts, begin) - 1) : bisect_right(starts, start)]:
        if span.start < start < span.end:
            return True
        if span.end == end:
            return False
    first = text[start]
    if first.islower() or first in ",;)]":
        return True
    if text[end - 1] != ".":
        return False
    last = text[max(begin, end - 12) : end]
    if _OPEN_END.search(last):
        return True
    return (first.isdigit() or first in "[(§") and _BEFORE_NUMBER.search(last) is not None


def _within(paragraph: Span, protected: list[Span]) -> list[Span]:
    """Return the protected spans that touch the paragraph, clipped to it and relative to its start."""
    found = []
    first = max(0, bisect_right(protected, Span(paragraph.start, paragraph.start)) - 1)
    for span in protected[first : bisect_left(protected, Span(paragraph.end, paragraph.end))]:
        if span.overlaps(paragraph):
            clipped = Span(max(span.start, paragraph.start), min(span.end, paragraph.end))
            found.append(clipped.shift(-paragraph.start))
    return found


# Begins with a character set, so ``re`` can skip to it.
_BREAK = re.compile(rf"[\r\n{ITEM}](?:(?<={ITEM})|(?:(?<=\r)\n)?+[^\S\r\n]*[\r\n])\s*")
_BLANKS = f" \t{ITEM}"


def find_paragraphs(masked: str) -> list[Span]:
    """Return the paragraphs of a text in order, without surrounding whitespace."""
    spans = []
    start = 0
    for match in _BREAK.finditer(masked):
        spans.append(_trim(masked, start, match.start()))
        start = match.end()
    spans.append(_trim(masked, start, len(masked)))
    return [span for span in spans if len(span)]


def find_paragraph(masked: str, offset: int) -> Span | None:
    """Return the paragraph that contains or touches a cursor at ``offset``, or None between paragraphs.

    Trailing spaces up to the end of the line belong to the paragraph.
    """
    if not 0 <= offset <= len(masked):
        return None
    start = 0
    for match in _BREAK.finditer(masked):
        if match.start() >= offset and masked[offset : offset + 1] != ITEM:
            return _with_blanks(masked, start, match.start(), offset)
        # ``offset`` may be in the indentation of the next paragraph's first line.
        if offset < match.end() and masked[offset : match.end()].strip(_BLANKS):
            return None
        start = match.end()
    return _with_blanks(masked, start, len(masked), offset)


def _with_blanks(masked: str, start: int, end: int, offset: int) -> Span | None:
    span = _trim(masked, start, end)
    if not len(span):
        return None
    if span.touches(offset) or (masked[min(offset, span.end) : max(offset, span.start)].strip(_BLANKS) == ""):
        return span
    return None


def _trim(text: str, start: int, end: int) -> Span:
    piece = text[start:end].rstrip()
    words = piece.lstrip()
    return Span(start + len(piece) - len(words), start + len(piece)) if words else Span(end, end)
