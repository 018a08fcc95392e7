"""Put the paragraphs of a text into the order in which they are read: a footnote where its mark stands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lexls.text.spans import Span


class ReadingPart(NamedTuple):
    """A part of a paragraph that is read without a break.

    ``paragraph`` is its number; the part ends ``end`` code points into the paragraph, the last one at -1.
    """

    paragraph: int
    end: int


def order_parts(
    starts: Sequence[int], notes: Mapping[str, Span], marks: Mapping[str, int]
) -> tuple[ReadingPart, ...]:
    """Return the parts of a text in the order in which they are read.

    ``starts`` are the offsets of the paragraphs in the text. ``notes`` has the words of each footnote by its
    number, ``marks`` the offset of the mark of each whose words are paragraphs of their own. A footnote
    whose mark stands in nothing that is read comes last.
    """
    marked: dict[int, list[tuple[int, range]]] = {}
    for number, at in marks.items():
        span = notes[number]
        first = bisect_right(starts, span.start) - 1
        words = range(first, max(first + 1, bisect_left(starts, span.end)))
        marked.setdefault(bisect_right(starts, at) - 1, []).append((at, words))
    elsewhere = {each for found in marked.values() for _, words in found for each in words}
    parts: list[ReadingPart] = []
    read: set[int] = set()
    for root in (*(each for each in range(len(starts)) if each not in elsewhere), *sorted(elsewhere)):
        if root not in marked and root not in elsewhere:
            parts.append(ReadingPart(root, -1))
            continue
        opened = [] if root in read else [_walk(root, starts, marked)]
        read.add(root)
        while opened:
            step = next(opened[-1], None)
            if step is None:
                opened.pop()
            elif isinstance(step, ReadingPart):
                parts.append(step)
            elif step not in read:
                read.add(step)
                opened.append(_walk(step, starts, marked))
    return tuple(parts)


def _walk(
    paragraph: int, starts: Sequence[int], marked: Mapping[int, list[tuple[int, range]]]
) -> Iterator[ReadingPart | int]:
    """Yield the parts of a paragraph and, between them, the paragraphs of the footnotes marked there."""
    for at, words in sorted(marked.get(paragraph, ()), key=lambda each: each[0]):
        yield ReadingPart(paragraph, at - starts[paragraph])
        yield from words
    yield ReadingPart(paragraph, -1)
