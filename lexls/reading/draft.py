"""Represent a draft as it is at one moment."""

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
"""Number of citations before and after an offset from which the style of citations there is inferred."""
_LONGEST_MARKS = 60
"""Maximum length of markup between an offset and the words that it encloses, in code points."""


@dataclass(frozen=True)
class Draft:
    """A document being written. All spans and offsets are in code points of ``source``.

    ``masked`` is ``source`` with markup blanked, of the same length. ``blocks`` are its paragraphs and
    headings, which together make up the source; ``starts`` are their offsets. ``citations`` are in order,
    with one piece for each block. ``uri`` identifies the document to the caller. ``notes`` are its footnotes
    in printed order. ``bibliography`` resolves its citation keys; None if it has no bibliography. ``work``
    has all files that are printed together with it; None if it is printed alone.
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
        """The paragraphs in order, including headings, without surrounding white space."""
        placed = zip(self.blocks, self.starts, strict=True)
        return tuple(block.words.shift(start) for block, start in placed if len(block.words))

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """The headings in order."""
        placed = zip(self.blocks, self.starts, strict=True)
        return tuple(block.heading.shift(start) for block, start in placed if block.heading is not None)

    @cached_property
    def habits(self) -> InsertStyle:
        """The habits of citation that the whole draft shows."""
        from lexls.citations.insert import detect_style

        return detect_style(self.masked, self.source, self.citations, self.format)

    def habits_near(self, offset: int) -> InsertStyle:
        """Return the habits of citation around ``offset``, ignoring what is being typed there. Fast enough
        for every keystroke, however long the draft is.
        """
        from lexls.citations.insert import detect_style

        near = self.citations.around(offset, _TELLING)
        finished = [each for each in near if not each.span.touches(offset)]
        return detect_style(self.masked, self.source, finished, self.format)

    @cached_property
    def footnotes(self) -> tuple[Footnote, ...]:
        """The draft's footnotes, in the order of their text."""
        placed = zip(self.blocks, self.starts, strict=True)
        defined = (block.note.shift(start) for block, start in placed if block.note is not None)
        inner = find_inner_footnotes(self.source, self.format, self.blocks, self.starts)
        return tuple(sorted([*defined, *inner.values()], key=lambda note: note.content))

    def block_at(self, offset: int) -> int:
        """Return the index of the block that contains ``offset``. At the end of the draft, return the last
        block's; in an empty draft, -1.
        """
        return bisect_right(self.starts, max(0, offset)) - 1

    def paragraph_at(self, offset: int) -> Span | None:
        """Return the paragraph that contains the cursor at ``offset`` or touches it. Spaces at the end of the
        paragraph's last line count as part of it.
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
        """Return the sentences of a paragraph. No sentence ends within a citation."""

        def cut() -> list[Span]:
            inside = [each.span.shift(-paragraph.start) for each in self.citations_in(paragraph)]
            return [each.shift(paragraph.start) for each in cut_sentences(paragraph.of(self.masked), inside)]

        return self.once(("sentences", paragraph), cut)

    def sentences_in(self, span: Span) -> list[Span]:
        """Return the sentences in ``span``, in order; sentences that are only partly in it are clipped."""
        found = (
            sentence
            for paragraph in self.paragraphs
            if paragraph.overlaps(span)
            for sentence in self.sentences_of(paragraph)
            if sentence.overlaps(span)
        )
        return [Span(max(each.start, span.start), min(each.end, span.end)) for each in found]

    def once(self, what: Hashable, make: Callable[[], T]) -> T:
        """Return the result of ``make``, cached in this draft under the key ``what``. Callers must not modify
        the result.
        """
        try:
            learnt: T = self._learnt[what]
        except KeyError:
            self._learnt[what] = learnt = make()
        return learnt

    def forget(self) -> None:
        """Clear the cached results, when a newer version has replaced this one.

        Many refer to the draft, so that without this it would stay in memory until garbage is collected.
        Whoever still reads it computes again what is needed.
        """
        self._learnt.clear()

    def sentence_at(self, offset: int) -> Span | None:
        """Return the sentence that contains ``offset``. Between two sentences, return the earlier one."""
        paragraph = self.paragraph_at(offset)
        return choose_sentence(self.sentences_of(paragraph), offset) if paragraph is not None else None

    def citation_at(self, offset: int) -> Citation | None:
        """Return the citation that contains the cursor at ``offset`` or touches it. If there are several,
        return the innermost one or, if none contains the cursor, the next one. A cursor before markup
        ("*Carrow*") touches the words inside.
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
        """Return the citations that overlap ``span``, in order."""
        return self.citations.between(span.start, span.end)

    def group_of(self, citation: Citation) -> list[Citation]:
        """Return the parallel citations of the mention that contains ``citation``, in order, including
        ``citation``.
        """
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
        """Return the full citation to which a short form refers. None for a full citation, or if there is no
        antecedent.
        """
        place = citation.antecedent
        return self.citations[place] if place is not None and 0 <= place < len(self.citations) else None

    def mention_of(self, citation: Citation) -> Span:
        """Return the span of the whole mention to which a citation belongs, with the name and all parallel
        citations.
        """
        group = self.group_of(citation)
        return Span(min(each.span.start for each in group), max(each.span.end for each in group))

    def key_of(self, citation: Citation) -> KeyUse | None:
        """Return the use of a bibliography key that makes ``citation``; None if the citation is
        written out.
        """
        if self.bibliography is None:
            return None
        place = self.block_at(citation.core.start)
        at = citation.core.start - self.starts[place]
        use = next((use for use in self.blocks[place].keys if use.core.start == at), None)
        return use.shift(self.starts[place]) if use is not None else None

    def skip_marks(self, at: int, marks: str = "*_}") -> int:
        """Return the offset after the emphasis marks at ``at`` that close emphasised text, or ``at`` if there
        are none.
        """
        last = min(len(self.source), at + _LONGEST_MARKS)
        while at < last and self.masked[at] == " " and self.source[at] in marks:
            at += 1
        return at

    def heading_at(self, offset: int) -> Heading | None:
        """Return the heading whose line contains ``offset``."""
        return next((each for each in self.headings if each.line.touches(offset)), None)

    def prose(self, span: Span, without_citations: bool = True) -> str:
        """Return the words of ``span`` on one line, without markup and, by default, without citations."""
        cited = (each.span for each in self.citations_in(span)) if without_citations else ()
        return leave_out(self.masked, cited, span).replace("\u00ad ", "")  # A word that a line divides.
