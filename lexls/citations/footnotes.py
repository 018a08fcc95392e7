"""Look up the footnotes of a text, and put its paragraphs into reading order. A footnote is read where its
mark is.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain
from math import inf
from typing import NamedTuple

from lexls.citations.found_mentions import FoundMentions
from lexls.citations.steps import FullStep, MentionStep, Step, UnreadCited
from lexls.text.spans import Span

_NAME = re.compile(r"[A-Z][A-Za-z]{2,}")


class Footnotes:
    """The positions of a text's footnotes, and the authorities found in each.

    Footnotes are numbered from 0 in printed order; -1 is the main text. ``asked`` are the words of names that
    have been looked up. ``order`` gives, for each part of the text in reading order, the paragraph that
    contains it. ``step_ends`` gives, for each part, the number of the paragraph's first step after it.
    """

    def __init__(
        self,
        found: Sequence[FoundMentions],
        starts: Sequence[int],
        notes: Mapping[str, Span],
        order: ReadingOrder,
    ) -> None:
        """``notes`` maps footnote numbers as written to the spans of their text, in printed order."""
        self._found = found
        self._starts = starts
        self._spans = list(notes.values())
        self._placed_numbers = sorted(range(len(self._spans)), key=lambda number: self._spans[number].start)
        self._begins = [self._spans[number].start for number in self._placed_numbers]
        self._numbers = {name: number for number, name in enumerate(notes)}
        self._cited: list[list[int]] = [[] for _ in notes]
        self._strings: list[list[int]] = [[] for _ in notes]
        self._named = [-1 for _ in notes]  # the Act named last in each
        self.order = order.paragraphs
        self.step_ends = _number_steps(found, order)
        self._paragraphs = tuple(dict.fromkeys(order.paragraphs))
        self._ranks = {paragraph: rank for rank, paragraph in enumerate(self._paragraphs)}
        self.asked: set[str] = set()
        self._first_seen: dict[str, int] = {}
        self._first_ends: dict[tuple[int, str], float] = {}
        self._not_before: dict[str, int] = {}  # first rank at which each name may occur
        self._with_notes = {
            number
            for span in self._spans
            for number in range(bisect_right(starts, span.start) - 1, bisect_left(starts, span.end))
        }

    def __bool__(self) -> bool:
        return bool(self._spans)

    def reach(self, paragraph: int) -> bool:
        """Return whether a paragraph contains a footnote."""
        return paragraph in self._with_notes

    def at(self, paragraph: int, offset: int) -> int:
        """Return the footnote at an offset of a paragraph, or -1 for the main text."""
        offset += self._starts[paragraph]
        place = bisect_right(self._begins, offset) - 1
        number = self._placed_numbers[place] if place >= 0 else -1
        return number if number >= 0 and offset < self._spans[number].end else -1

    def cite(self, note: int, place: int, *, passed: bool, names: bool) -> None:
        """Record the antecedent of a citation in a footnote (-1: none). If ``passed``, a later *id.* does not
        refer to it, unless it is an Act (``names``) and the footnote cites nothing else.
        """
        self._cited[note].append(place)
        if not passed:
            self._strings[note].append(place)
        elif names and place >= 0:
            self._named[note] = place

    def cited(self, note: int) -> Sequence[int]:
        """Return the authorities cited in a footnote, as far as it has been read."""
        return self._cited[note]

    def string(self, note: int) -> Sequence[int]:
        """Return the authorities of a footnote to which a later *id.* may refer; none for the main text.

        A footnote that consists of "*Sale of Goods Act 1979* (n 4)" cites the Act, as does one that only
        mentions it.
        """
        if note < 0:
            return ()
        return self._strings[note] or ((self._named[note],) if self._named[note] >= 0 else ())

    def opens(self, note: int) -> bool:
        """Return whether this is a footnote in which nothing has been cited yet."""
        return note >= 0 and not self._cited[note]

    def alike(self, other: Footnotes, changed: Set[int]) -> bool:
        """Return whether, in two readings of a text, the same footnotes contain the mentions and the papers
        of the record.

        Only the paragraphs in ``changed`` may differ between the two readings.
        """
        if self._numbers != other._numbers or self._with_notes != other._with_notes:
            return False
        if self.order != other.order or self.step_ends != other.step_ends:
            return False
        places = zip(self._placed(changed), other._placed(changed), strict=True)
        return all(one == two for one, two in places) and all(
            self._notes_of(number) == other._notes_of(number) for number in changed & self._with_notes
        )

    def _notes_of(self, number: int) -> list[int]:
        """Return, for each mention in a paragraph and each paper of the record that it cites, the footnote
        that contains it.
        """
        found = self._found[number]
        unread = (step.around.unread if isinstance(step, MentionStep) else step for step in found.steps)
        papers = (each.at for each in unread if isinstance(each, UnreadCited) and each.papers)
        return [self.at(number, at) for at in (*(each.core.start for each in found.mentions), *papers)]

    def _placed(self, changed: Set[int]) -> Iterator[tuple[int, int, int]]:
        """Yield, for each footnote, its paragraph and its offset and length there. Offset and length are 0 if
        the paragraph is in ``changed``.
        """
        for span in self._spans:
            number = bisect_right(self._starts, span.start) - 1
            if number in changed:
                yield number, 0, 0
            else:
                yield number, span.start - self._starts[number], len(span)

    def number(self, written: str) -> int:
        """Return the footnote that has this number in the text, or -1."""
        return self._numbers.get(written, -1)

    def later(self, note: int, paragraph: int, step: MentionStep) -> Iterator[tuple[int, FullStep]]:
        """Yield the full citations in a footnote that are read after a step of ``paragraph``. Each comes with
        its paragraph.
        """
        span, here = self._spans[note], (self._ranks[paragraph], step.mention.start)
        for number in range(bisect_right(self._starts, span.start) - 1, bisect_left(self._starts, span.end)):
            start = self._starts[number]
            for each in self._found[number].steps:
                if not isinstance(each, FullStep) or each.around.head != each.around.place:
                    continue
                at = each.mention.core.start
                if (self._ranks[number], at) > here and span.start <= at + start < span.end:
                    yield number, each

    def seen(self, step: MentionStep, paragraph: int) -> bool:
        """Return whether any word of a short form's name occurs in the text read before the short form."""
        words = _NAME.findall(step.mention.reference)
        self.asked.update(words)
        before, rank = step.mention.start, self._ranks[paragraph]
        return any(
            self._seen_at(word, rank) < rank or self._first_end(word, paragraph) <= before for word in words
        )

    def _first_end(self, word: str, paragraph: int) -> float:
        """Return the end of a word's first occurrence in a paragraph, or infinity."""
        end = self._first_ends.get((paragraph, word))
        if end is None:
            start = self._found[paragraph].text.find(word)
            end = self._first_ends[paragraph, word] = start + len(word) if start >= 0 else inf
        return end

    def _seen_at(self, word: str, last: int) -> int:
        """Return the position in reading order of the first paragraph that contains a capitalised word.
        Return ``last`` if none before ``last`` does.
        """
        if word in self._first_seen:
            return self._first_seen[word]
        begin = self._not_before.get(word, 0)
        for rank in range(begin, last):
            if word in self._found[self._paragraphs[rank]].words:
                self._first_seen[word] = rank
                return rank
        self._not_before[word] = max(begin, last)
        return last


def _number_steps(found: Sequence[FoundMentions], order: ReadingOrder) -> list[int]:
    """Return, for each part of a text in reading order, the number of its paragraph's first step after it."""
    begun: dict[int, int] = {}
    numbers: list[int] = []
    for paragraph, end in zip(order.paragraphs, order.ends, strict=True):
        steps = found[paragraph].steps
        last = len(steps)
        if end >= 0:
            last = begun.get(paragraph, 0)
            while last < len(steps) and _find_offset(steps[last]) < end:
                last += 1
            begun[paragraph] = last
        numbers.append(last)
    return numbers


def _find_offset(step: Step) -> int:
    """Return a step's offset in its paragraph, or -1 if the step belongs with the one before it."""
    if isinstance(step, MentionStep):
        return step.mention.core.start
    return step.at if isinstance(step, UnreadCited) else -1


class ReadingOrder(NamedTuple):
    """The parts of a text in reading order.

    Attributes
    ----------
    paragraphs: the number of the paragraph that contains each part.
    ends: the end of each part, in code points from its paragraph's start; -1 for a paragraph's last part.
    """

    paragraphs: list[int]
    ends: list[int]


def find_reading_order(
    starts: Sequence[int], notes: Mapping[str, Span], marks: Mapping[str, int]
) -> ReadingOrder:
    """Return the reading order of the paragraphs that begin at ``starts``.

    ``notes`` maps footnote numbers to the spans of their text. ``marks`` has, in order, the offsets of the
    marks whose footnotes are separate paragraphs. Footnotes whose marks are never reached come last.
    """
    count = len(starts)
    if not marks:
        return ReadingOrder(list(range(count)), [-1] * count)
    # For each mark: its paragraph, its offset there, and the paragraphs of the footnote.
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
