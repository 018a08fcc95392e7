"""A draft as it stood at one moment, and everything a feature may ask about it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation
from lexls.features.authority_names import NameIndexes
from lexls.features.outline import Heading, headings
from lexls.index.tokens import Tokenizer
from lexls.retrieval.model import Filters, Hit
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.markup import Markup, mask
from lexls.text.paragraphs import paragraphs
from lexls.text.sentences import sentences
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lexls.index.library import Library
    from lexls.retrieval.search import Searcher


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
        return [each for each in self.citations if each.span.overlaps(span)]

    def group_of(self, citation: Citation) -> list[Citation]:
        """The parallel citations of one mention that ``citation`` belongs to, itself included, in order."""
        place = bisect_left(self.citations, citation.span, key=lambda each: each.span)
        first = last = place
        while first > 0 and self.citations[first - 1].group == citation.group:
            first -= 1
        while last < len(self.citations) and self.citations[last].group == citation.group:
            last += 1
        return list(self.citations[first:last]) or [citation]

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


class DraftParser:
    """Reads drafts. Safe from several threads."""

    def __init__(self, grammar: Grammar, jurisdiction: str = "") -> None:
        self._grammar = grammar
        self._jurisdiction = jurisdiction

    def parse(self, uri: str, source: str, markup: Markup) -> Draft:
        """The draft that ``source`` is."""
        masked = mask(source, markup)
        outline = headings(source, masked, markup)
        return Draft(
            uri=uri,
            source=source,
            markup=markup,
            masked=masked,
            jurisdiction=self._jurisdiction,
            paragraphs=tuple(_without_headings(paragraphs(masked), masked, outline)),
            citations=_below_headings(self._grammar.find(masked, self._jurisdiction), masked, outline),
            headings=outline,
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


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a feature answers from: a draft, the library, and how to search it.

    ``names`` and ``tokenizer`` are kept by whoever makes snapshots, so that they are filled once.
    """

    draft: Draft
    library: Library
    searcher: Searcher
    settings: Settings
    names: NameIndexes = field(default_factory=NameIndexes)
    tokenizer: Tokenizer = field(default_factory=Tokenizer)

    def tokens(self, text: str) -> list[str]:
        """The terms of a text, as the index counts them."""
        return self.tokenizer.tokenize(text)

    def search(self, text: str, k: int, token: CancelToken, filters: Filters | None = None) -> list[Hit]:
        """The best passages of at most ``k`` authorities for a sentence; none for an empty one."""
        if not text.strip():
            return []
        return self.searcher.search(text, k, filters or Filters(), token)
