"""Put the paragraphs of a text into the order in which they are read: a footnote where its mark stands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from lexls.text.spans import Span


class ReadingOrder(NamedTuple):
    """The parts of a text in the order in which they are read.

    Attributes
    ----------
    paragraphs: the number of the paragraph that each part is of.
    ends: how many code points into its paragraph each part ends; the last part of a paragraph ends at -1.
    """

    paragraphs: list[int]
    ends: list[int]


def find_reading_order(
    starts: Sequence[int], notes: Mapping[str, Span], marks: Mapping[str, int]
) -> ReadingOrder:
    """Return the order in which the paragraphs with the offsets ``starts`` are read.

    ``notes`` has the words of each footnote by its number. ``marks`` has, in order, the offset of the mark of
    each whose words are paragraphs of their own. A footnote whose mark stands in nothing that is read comes
    last.
    """
    count = len(starts)
    if not marks:
        return ReadingOrder(list(range(count)), [-1] * count)
    # By the place of each mark: its paragraph, where it stands there, and the paragraphs of the footnote.
    owners, places, firsts, afters = list[int](), list[int](), list[int](), list[int]()
    begins: dict[int, int] = {}
    elsewhere, read = bytearray(count), bytearray(count)
    for number, at in marks.items():
        span, owner = notes[number], bisect_right(starts, at) - 1
        first = bisect_right(starts, span.start) - 1
        begins.setdefault(owner, len(owners))
        owners.append(owner)
        places.append(at - starts[owner])
        firsts.append(first)
        afters.append(bisect_left(starts, span.end, first + 1))
        for each in range(first, afters[-1]):
            elsewhere[each] = True
    order = ReadingOrder([], [])
    text = (each for each in range(count) if not elsewhere[each])
    for root in chain(text, range(count)):
        opened, coming = [] if read[root] else [root], [begins.get(root, -1)]
        read[root] = True
        while opened:
            paragraph, place = opened[-1], coming[-1]
            order.paragraphs.append(paragraph)
            if not 0 <= place < len(owners) or owners[place] != paragraph:
                order.ends.append(-1)
                opened.pop()
                coming.pop()
                continue
            order.ends.append(places[place])
            coming[-1] = place + 1
            for each in reversed(range(firsts[place], afters[place])):
                if not read[each]:
                    read[each] = True
                    opened.append(each)
                    coming.append(begins.get(each, -1))
    return order
