"""A draft as it stood at one moment."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from lexls.citations.model import Citation
from lexls.citations.reading import Citations
from lexls.reading.bibliography import Bibliography
from lexls.reading.draft_block import DraftBlock, Note, find_inner_footnotes
from lexls.reading.works import Work
from lexls.text.format import Footnote, Format, Heading, KeyUse
from lexls.text.sentences import choose_sentence, cut_sentences
from lexls.text.spans import Span, leave_out

if TYPE_CHECKING:
    from lexls.citations.insert import InsertStyle

T = TypeVar("T")
_TELLING = 250
"""Citations before and behind a place that tell how citations are written there."""
_LONGEST_MARKS = 60
"""Code points of marks of a format between a place and the words that they open or close."""


@dataclass(frozen=True)
class Draft:
    """A document being written. All spans and offsets are code points of ``source``.

    ``masked`` is as long as ``source``, with markup blanked. ``blocks`` are its paragraphs and headings,
    ``starts`` where each begins; joined they are the source. ``citations`` are in order, and their pieces
    are the blocks. ``uri`` is whatever names the document to the caller. ``notes`` are its footnotes in the
    order in which they are printed. ``bibliography`` is what its keys stand for, None if it has none.
    ``work`` is what it is a part of, None if it is all that is printed.
    """

    uri: str
    source: str
    format: Format
    masked: str
    jurisdiction: str
    blocks: tuple[DraftBlock, ...]
    starts: tuple[int, ...]
    citations: Citations
    notes: tuple[Note, ...] = ()
    bibliography: Bibliography | None = None
    work: Work | None = None
    _learnt: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def paragraphs(self) -> tuple[Span, ...]:
        """The paragraphs in order, headings among them, without the white space around them."""
        placed = zip(self.blocks, self.starts, strict=True)
        return tuple(block.words.shift(start) for block, start in placed if len(block.words))

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """The headings in order."""
        placed = zip(self.blocks, self.starts, strict=True)
        return tuple(block.heading.shift(start) for block, start in placed if block.heading is not None)

    @cached_property
    def habits(self) -> InsertStyle:
        """Return how the draft writes its citations."""
        from lexls.citations.insert import detect_style

        return detect_style(self.masked, self.source, self.citations, self.format)

    def habits_near(self, offset: int) -> InsertStyle:
        """The same of the citations around ``offset``, without what is being typed there: for what is asked
        at each key press, however long the draft is."""
        from lexls.citations.insert import detect_style

        near = self.citations.around(offset, _TELLING)
        finished = [each for each in near if not each.span.touches(offset)]
        return detect_style(self.masked, self.source, finished, self.format)

    @cached_property
    def footnotes(self) -> tuple[Footnote, ...]:
        """The draft's footnotes, in the order of their words."""
        placed = zip(self.blocks, self.starts, strict=True)
        defined = (block.note.shift(start) for block, start in placed if block.note is not None)
        inner = find_inner_footnotes(self.source, self.format, self.blocks, self.starts)
        return tuple(sorted([*defined, *inner.values()], key=lambda note: note.content))

    def block_at(self, offset: int) -> int:
        """The place among ``blocks`` of the one that holds ``offset``; the last for the end of the draft.

        An empty draft has no block: -1.
        """
        return bisect_right(self.starts, max(0, offset)) - 1

    def paragraph_at(self, offset: int) -> Span | None:
        """The paragraph that a cursor at ``offset`` stands in or touches.

        Blanks behind a paragraph's last word, up to the end of the line, still belong to it.
        """
        place = self.block_at(offset)
        while place >= 0:
            found = self.blocks[place].words.shift(self.starts[place])
            if len(found) and found.start <= offset:
                if offset <= found.end or not self.source[found.end : offset].strip(" \t\r"):
                    return found
                return None
            place -= 1
        return None

    def sentences_of(self, paragraph: Span) -> list[Span]:
        """The sentences of one paragraph, citations kept whole."""

        def cut() -> list[Span]:
            inside = [each.span.shift(-paragraph.start) for each in self.citations_in(paragraph)]
            return [each.shift(paragraph.start) for each in cut_sentences(paragraph.of(self.masked), inside)]

        return self.once(("sentences", paragraph), cut)

    def sentences_in(self, span: Span) -> list[Span]:
        """The sentences that lie in ``span``, in order, or what of them does."""
        found = (
            sentence
            for paragraph in self.paragraphs
            if paragraph.overlaps(span)
            for sentence in self.sentences_of(paragraph)
            if sentence.overlaps(span)
        )
        return [Span(max(each.start, span.start), min(each.end, span.end)) for each in found]

    def once(self, what: Hashable, make: Callable[[], T]) -> T:
        """Return what ``make`` learns from this draft under the name ``what``, learnt once; nobody may
        change it."""
        if what not in self._learnt:
            self._learnt[what] = make()
        learnt: T = self._learnt[what]
        return learnt

    def sentence_at(self, offset: int) -> Span | None:
        """The sentence that a cursor at ``offset`` stands in; between two, the one before it."""
        paragraph = self.paragraph_at(offset)
        return choose_sentence(self.sentences_of(paragraph), offset) if paragraph is not None else None

    def citation_at(self, offset: int) -> Citation | None:
        """The citation that a cursor at ``offset`` stands in or touches: the innermost, then the next.

        Before the marks of a format ("*Carrow*") it touches what they open.
        """
        found = self._touched_at(offset)
        past, last = offset, min(len(self.source), offset + _LONGEST_MARKS)
        while past < last and self.masked[past].isspace() and not self.source[past].isspace():
            past += 1
        return self._touched_at(past) if found is None and past > offset else found

    def _touched_at(self, offset: int) -> Citation | None:
        near = self.citations.between(offset - 1, offset + 1)
        touching = [each for each in near if each.span.touches(offset)]
        return min(
            touching,
            key=lambda each: (offset not in each.span, not each.core.touches(offset), len(each.span)),
            default=None,
        )

    def citations_in(self, span: Span) -> list[Citation]:
        """The citations that share a code point with ``span``, in order."""
        return self.citations.between(span.start, span.end)

    def group_of(self, citation: Citation) -> list[Citation]:
        """The parallel citations of one mention that ``citation`` belongs to, itself included, in order."""
        place = self.citations.place_of(citation) if citation.group else -1
        if place < 0:
            return [citation]
        first, last = place, place + 1
        while first > 0 and self.citations[first - 1].group == citation.group:
            first -= 1
        while last < len(self.citations) and self.citations[last].group == citation.group:
            last += 1
        return list(self.citations[first:last])

    def antecedent_of(self, citation: Citation) -> Citation | None:
        """The full citation that a short form stands for; None for a full one, or without an antecedent."""
        place = citation.antecedent
        return self.citations[place] if place is not None and 0 <= place < len(self.citations) else None

    def mention_of(self, citation: Citation) -> Span:
        """The span of the whole mention that a citation belongs to: its name and all parallel citations."""
        group = self.group_of(citation)
        return Span(min(each.span.start for each in group), max(each.span.end for each in group))

    def key_of(self, citation: Citation) -> KeyUse | None:
        """The key of the bibliography by which ``citation`` is made; None if it is written out."""
        if self.bibliography is None:
            return None
        place = self.block_at(citation.core.start)
        at = citation.core.start - self.starts[place]
        use = next((use for use in self.blocks[place].keys if use.core.start == at), None)
        return use.shift(self.starts[place]) if use is not None else None

    def skip_marks(self, at: int, marks: str = "*_}") -> int:
        """The place behind the closing marks of emphasis that stand at ``at``."""
        last = min(len(self.source), at + _LONGEST_MARKS)
        while at < last and self.masked[at] == " " and self.source[at] in marks:
            at += 1
        return at

    def heading_at(self, offset: int) -> Heading | None:
        """The heading whose line holds ``offset``."""
        return next((each for each in self.headings if each.line.touches(offset)), None)

    def prose(self, span: Span, without_citations: bool = True) -> str:
        """The words of ``span`` on one line, without markup and, if asked, without its citations."""
        cited = (each.span for each in self.citations_in(span)) if without_citations else ()
        return leave_out(self.masked, cited, span).replace("\u00ad ", "")  # A word that a line divides.
