"""A draft as it stood at one moment."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lexls.citations.model import Citation
from lexls.features.footnotes import Footnote, footnotes
from lexls.features.outline import Heading
from lexls.text.markup import Markup
from lexls.text.sentences import sentences
from lexls.text.spans import Span

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draft:
    """A document being written. All spans and offsets are code points of ``source``.

    ``masked`` is as long as ``source``, with markup blanked. ``paragraphs`` and ``citations`` are in order.
    ``uri`` is whatever names the document to the caller.
    """

    uri: str
    source: str
    markup: Markup
    masked: str
    jurisdiction: str
    paragraphs: tuple[Span, ...]
    citations: tuple[Citation, ...]
    headings: tuple[Heading, ...]
    _learnt: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def footnotes(self) -> tuple[Footnote, ...]:
        """The draft's footnotes, in the order of their words."""
        return self.once("footnotes", lambda: tuple(footnotes(self.source, self.markup)))

    def paragraph_at(self, offset: int) -> Span | None:
        """The paragraph that a cursor at ``offset`` stands in or touches.

        Blanks behind a paragraph's last word, up to the end of the line, still belong to it.
        """
        place = bisect_right(self.paragraphs, Span(offset, len(self.source) + 1)) - 1
        if place < 0:
            return None
        found = self.paragraphs[place]
        if offset <= found.end or not self.source[found.end : offset].strip(" \t\r"):
            return found
        return None

    def sentences_of(self, paragraph: Span) -> list[Span]:
        """The sentences of one paragraph, citations kept whole."""
        return self.once(("sentences", paragraph), lambda: self._cut(paragraph))

    def once(self, what: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` learns from this draft under the name ``what``, learnt once; nobody may change it."""
        if what not in self._learnt:
            self._learnt[what] = make()
        learnt: T = self._learnt[what]
        return learnt

    def _cut(self, paragraph: Span) -> list[Span]:
        inside = [each.span for each in self.citations_in(paragraph)]
        local = sentences(paragraph.of(self.masked), [span.shift(-paragraph.start) for span in inside])
        return [span.shift(paragraph.start) for span in local]

    def sentence_at(self, offset: int) -> Span | None:
        """The sentence that a cursor at ``offset`` stands in; between two, the one before it."""
        paragraph = self.paragraph_at(offset)
        if paragraph is None:
            return None
        found: Span | None = None
        for sentence in self.sentences_of(paragraph):
            if sentence.start > offset and found is not None:
                break
            found = sentence
            if offset <= sentence.end:
                break
        return found

    def citation_at(self, offset: int) -> Citation | None:
        """The citation that a cursor at ``offset`` stands in or touches: the innermost, then the next."""
        touching = [each for each in self.citations if each.span.touches(offset)]
        if not touching:
            return None
        return min(
            touching,
            key=lambda each: (offset not in each.span, not each.core.touches(offset), len(each.span)),
        )

    def citations_in(self, span: Span) -> list[Citation]:
        """The citations that share a code point with ``span``, in order."""
        # They are in order and do not overlap, so that their ends are in order too.
        first = bisect_right(self.citations, span.start, key=lambda each: each.span.end)
        last = bisect_left(self.citations, span.end, lo=first, key=lambda each: each.span.start)
        return [each for each in self.citations[first:last] if each.span.overlaps(span)]

    def group_of(self, citation: Citation) -> list[Citation]:
        """The parallel citations of one mention that ``citation`` belongs to, itself included, in order."""
        if not citation.group:
            return [citation]
        place = bisect_left(self.citations, citation.span, key=lambda each: each.span)
        first = last = place
        while first > 0 and self.citations[first - 1].group == citation.group:
            first -= 1
        while last < len(self.citations) and self.citations[last].group == citation.group:
            last += 1
        return list(self.citations[first:last]) or [citation]

    def mention_of(self, citation: Citation) -> Span:
        """The span of the whole mention that a citation belongs to: its name and all parallel citations."""
        group = self.group_of(citation)
        return Span(min(each.span.start for each in group), max(each.span.end for each in group))

    def heading_at(self, offset: int) -> Heading | None:
        """The heading whose line holds ``offset``."""
        for heading in self.headings:
            if heading.line.touches(offset):
                return heading
        return None

    def prose(self, span: Span, without_citations: bool = True) -> str:
        """The words of ``span`` on one line, without markup and, if asked, without its citations."""
        text = span.of(self.masked)
        if without_citations:
            pieces = []
            position = span.start
            for citation in self.citations_in(span):
                if citation.span.start > position:
                    pieces.append(self.masked[position : citation.span.start])
                position = max(position, min(citation.span.end, span.end))
            pieces.append(self.masked[position : span.end])
            text = " ".join(pieces)
        return " ".join(text.split())
