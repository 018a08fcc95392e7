"""Reading drafts, so that a key press costs what it touched."""

from __future__ import annotations

import re
import threading
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation
from lexls.features.draft import Draft
from lexls.features.outline import Heading, headings
from lexls.grounding.relevance import COMMON
from lexls.text.markup import Markup, mask
from lexls.text.paragraphs import paragraphs
from lexls.text.spans import Span

KEPT_DRAFTS = 32
_AROUND = 40
"""Code points on either side of a change that are looked at with it: no short form is longer."""
_NEAR = 16
"""Code points on either side in which a capital letter may begin a name or term that the change makes one."""
# What a citation, a short form or the definition of one has: a digit, a bracket, a quotation mark, a word of
# law that points at something.
_TELLING = re.compile(
    r"[\d\[\](){}\"“”‘’§¶/&]|\b(?:i[db]|ibid|idem|supra|infra|ante|above|op|loc|cit|vs?|said|hereinafter|"
    r"ss?|secs?|sections?|arts?|articles?|regs?|regulations?|rules?|rr?|paras?|paragraphs?|cls?|clauses?|ors)\b",
    re.IGNORECASE,
)
_CAPITALISED = re.compile(r"[^\W\d_]*[A-ZÀ-ÞŀŁ][^\W_]*")


@dataclass(frozen=True, slots=True)
class _Read:
    masked: str
    markup: Markup
    citations: tuple[Citation, ...]


class DraftParser:
    """Reads drafts. Safe from several threads.

    The last reading of each of the last drafts is kept: where an edit touches no citation, nor anything that
    could be one, the citations are those of the last reading, moved; else the draft is read anew.
    """

    def __init__(self, grammar: Grammar, jurisdiction: str = "") -> None:
        self._grammar = grammar
        self._jurisdiction = jurisdiction
        self._lock = threading.Lock()
        self._last: OrderedDict[str, _Read] = OrderedDict()

    def parse(self, uri: str, source: str, markup: Markup) -> Draft:
        """The draft that ``source`` is; ``uri`` tells drafts apart."""
        masked = mask(source, markup)
        with self._lock:
            before = self._last.get(uri)
        citations = moved(before.citations, before.masked, masked) if before is not None else None
        if citations is None:
            citations = self._grammar.find(masked, self._jurisdiction)
        with self._lock:
            self._last[uri] = _Read(masked, markup, citations)
            self._last.move_to_end(uri)
            while len(self._last) > KEPT_DRAFTS:
                self._last.popitem(last=False)
        outline = headings(source, masked, markup)
        return Draft(
            uri=uri,
            source=source,
            markup=markup,
            masked=masked,
            jurisdiction=self._jurisdiction,
            paragraphs=tuple(_without_headings(paragraphs(masked), masked, outline)),
            citations=_below_headings(citations, masked, outline),
            headings=outline,
        )


def moved(citations: tuple[Citation, ...], before: str, after: str) -> tuple[Citation, ...] | None:
    """The citations of ``after``, given those of ``before``; None if the change may have touched one.

    Both are masked texts. A change is harmless if neither it nor what stands around it, in either text,
    belongs to a citation or holds anything that a citation, a short form or a definition is made of.
    """
    if before == after:
        return citations
    start = _common(before, after)
    tail = _common(before[start:][::-1], after[start:][::-1])
    old, new = Span(start, len(before) - tail), Span(start, len(after) - tail)
    first = bisect_left(citations, old.start - _AROUND, key=lambda each: each.span.end)
    if first < len(citations) and citations[first].span.start <= old.end + _AROUND:
        return None
    if _may_cite(before, old) or _may_cite(after, new):
        return None
    by = len(after) - len(before)
    if by == 0:
        return citations
    return (*citations[:first], *(_shifted(each, by) for each in citations[first:]))


def _common(one: str, other: str) -> int:
    """The length of the beginning that two texts share."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(other[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low


def _may_cite(text: str, changed: Span) -> bool:
    """Whether something around the change could be part of a citation, a short form or a definition."""
    around = _whole_words(text, changed, _AROUND)
    if _TELLING.search(text, around.start, around.end):
        return True
    near = _whole_words(text, changed, _NEAR)
    return any(
        match.group().casefold() not in COMMON and _elsewhere(match.group(), text, near)
        for match in _CAPITALISED.finditer(text, near.start, near.end)
    )


def _whole_words(text: str, span: Span, by: int) -> Span:
    """The span made longer by ``by`` on either side, and its edges taken to whole words."""
    start, end = max(0, span.start - by), min(len(text), span.end + by)
    while start > 0 and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return Span(start, end)


def _elsewhere(word: str, text: str, span: Span) -> bool:
    """Whether the draft has ``word`` outside ``span``: only then can it be a name or a defined term."""
    return word in text[: span.start] or word in text[span.end :]


def _shifted(citation: Citation, by: int) -> Citation:
    pinpoint = citation.pinpoint
    return replace(
        citation,
        span=citation.span.shift(by),
        core=citation.core.shift(by),
        pinpoint=replace(pinpoint, span=pinpoint.span.shift(by)) if pinpoint is not None else None,
    )


def _without_headings(found: Sequence[Span], masked: str, outline: Sequence[Heading]) -> Iterator[Span]:
    """The paragraphs, cut behind headings that no blank line parts from the text below."""
    ends = iter([*(heading.line.end for heading in outline), len(masked) + 1])
    end = next(ends)
    for paragraph in found:
        start = paragraph.start
        while end <= start:
            end = next(ends)
        while end < paragraph.end:
            head = masked[start:end].rstrip()
            if head.strip():
                yield Span(start, start + len(head))
            start = end + len(masked[end : paragraph.end]) - len(masked[end : paragraph.end].lstrip())
            end = next(ends)
        yield Span(start, paragraph.end)


def _below_headings(
    found: Sequence[Citation], masked: str, outline: Sequence[Heading]
) -> tuple[Citation, ...]:
    """The citations, none with the words of a heading above it in its case name."""
    ends = [heading.line.end for heading in outline]
    kept = []
    for citation in found:
        place = bisect_right(ends, citation.core.start) - 1
        if place >= 0 and citation.span.start < ends[place]:
            between = masked[ends[place] : citation.core.start]
            start = ends[place] + len(between) - len(between.lstrip())
            name = " ".join(between.split()).rstrip(" ,(") if citation.name else ""
            span = Span(start, citation.span.end)
            citation = replace(citation, span=span, text=span.of(masked), name=name)
        kept.append(citation)
    return tuple(kept)
