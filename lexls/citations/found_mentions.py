"""Store the mentions found in a paragraph, and build its citations once they are resolved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from lexls.citations.definitions import Definition, Term
from lexls.citations.model import Citation, CitationKind, CitedPaper, Mention, Pinpoint
from lexls.citations.prepare import prepare_steps
from lexls.citations.record import RecordCitation, find_place_behind, find_record_citations
from lexls.citations.scan import Scan
from lexls.citations.steps import MentionStep, Resolved, Source, WorkStep
from lexls.text.double_spaced import ClosedText
from lexls.text.spans import Span

_SHORT = 2_000
"""Length of a paragraph, in code points, below which none of the resolver's decisions depends on offsets."""
_KEPT_PIECES = 4


@dataclass(frozen=True, eq=False)
class CitedParagraph:
    """A paragraph's text with its citations, and its citations of papers of the record, which are not
    authorities.

    Spans are relative to the paragraph's start; ``antecedent`` is None, and ``group`` counts within the
    paragraph.

    The next reading returns the same object if the paragraph is unchanged, including everything that its
    short forms take from their antecedents (key, parallel keys, jurisdiction, kind, name, year). Results can
    therefore be cached by identity.
    """

    text: str
    citations: tuple[Citation, ...]
    papers: tuple[RecordCitation, ...] = ()
    is_whole: bool = True
    """True if the paragraph was read to its end."""

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of all citations in the paragraph."""
        return frozenset(citation.key for citation in self.citations)

    @cached_property
    def cited_papers(self) -> tuple[CitedPaper, ...]:
        """The papers of the record that the paragraph cites, including by *id.*"""
        ids = (each.papers for each in self.citations)
        return (*(each.paper for each in self.papers), *(paper for papers in ids for paper in papers))

    @cached_property
    def reaches(self) -> tuple[int, ...]:
        """For each citation, the furthest end offset among that citation and those before it."""
        return tuple(accumulate((each.span.end for each in self.citations), max))

    @cached_property
    def doubtful(self) -> tuple[int, ...]:
        """The indexes of citations that have no antecedent or several possible antecedents."""
        return tuple(
            place
            for place, each in enumerate(self.citations)
            if each.ambiguous or (not each.key and not each.unread)
        )


class FoundMentions:
    """The mentions of one paragraph, and the steps that the resolver takes in it, in order.

    ``declared`` are the Acts to which the paragraph assigns bare sections.
    """

    __slots__ = (
        "_closed",
        "_effect",
        "_is_whole",
        "_jurisdiction",
        "_last",
        "_original",
        "_pieces",
        *("declared", "mentions", "papers", "steps", "terms", "text", "words"),
    )

    def __init__(
        self,
        scan: Scan,
        mentions: Sequence[Mention],
        defined: Sequence[Definition],
        jurisdiction: str,
        closed: ClosedText | None = None,
        *,
        is_whole: bool = True,
    ) -> None:
        """``closed`` is the text in which a double-spaced paragraph was read. Citations then have spans of
        its original.
        """
        self._is_whole = is_whole
        self.text = scan.text
        self._closed = closed
        self._original = scan.text if closed is None else closed.original
        self.words = scan.words
        self.mentions = tuple(mentions)
        self.terms = tuple(Term.of(entry) for entry in defined)
        self._jurisdiction = jurisdiction
        papers = find_record_citations(scan)
        self.papers = tuple(papers if closed is None else (_in_original(closed, each) for each in papers))
        self.steps = prepare_steps(scan, self.mentions, defined, papers, jurisdiction)
        works = (step for step in self.steps if isinstance(step, WorkStep))
        self.declared = tuple(step.source for step in works if step.declares)
        self._pieces: dict[tuple[Resolved | None, ...], CitedParagraph] = {}
        self._last: tuple[tuple[Resolved | None, ...], CitedParagraph] = (
            (),
            CitedParagraph(self._original, (), self.papers, is_whole),
        )
        self._effect: tuple[tuple[object, ...], bool] | None = None

    def piece(self, readings: tuple[Resolved | None, ...]) -> CitedParagraph:
        """Return the paragraph with its citations. ``readings`` has one reading for each mention, None if it
        is not a citation.

        Equal readings give the same object if they were used recently.
        """
        if readings == self._last[0]:  # compares by identity first
            return self._last[1]
        piece = self._pieces.get(readings)
        if piece is None:
            if len(self._pieces) >= _KEPT_PIECES:
                self._pieces.clear()
            found = tuple(self.citations(readings))
            piece = CitedParagraph(self._original, found, self.papers, self._is_whole)
            self._pieces[readings] = piece
        self._last = readings, piece
        return piece

    @property
    def effect(self) -> tuple[object, ...] | None:
        """Everything in the paragraph that affects the resolver, without offsets; None if offsets matter."""
        if self._effect is None:
            plain = len(self.text) < _SHORT and "\n\n" not in self.text.strip()
            steps = (step.effect if isinstance(step, MentionStep) else step for step in self.steps)
            self._effect = tuple(steps), plain or not self.steps
        effect, regardless = self._effect
        return effect if regardless else None

    def citations(
        self,
        resolved: Sequence[Resolved | None],
        start: int = 0,
        antecedents: Sequence[int] = (),
        first: int = 0,
    ) -> Iterator[Citation]:
        """Yield the citations built from the resolved mentions.

        By default, their spans and groups count within the paragraph. To build citations of the whole text,
        give the paragraph's offset ``start``, the positions of all ``antecedents`` (-1: none), and the
        position of the paragraph's ``first`` citation.
        """
        groups: dict[int, int] = {}
        place = first
        for mention, each in zip(self.mentions, resolved, strict=True):
            if each is None:
                continue
            antecedent = antecedents[place] if antecedents else -1
            place += 1
            group = groups.setdefault(mention.group, place) if mention.group else 0
            yield self._citation(mention, each, group, start, antecedent)

    def _citation(self, mention: Mention, how: Resolved, group: int, shift: int, antecedent: int) -> Citation:
        source, tail = how.source, how.tail
        start, end, core, name = mention.start, mention.end, mention.core, mention.name
        if tail is not None:
            if mention.open_end:
                end = tail.end
            elif start == core.start:
                start = tail.start
            core, name = core if mention.report else Span(tail.start, tail.end), tail.name
        kind, pinpoint = mention.kind, mention.pinpoint
        if mention.form != "full" and source is not None:
            if mention.form != "section" or kind == "statute":
                kind = source.kind
            pinpoint = self._count(pinpoint, source, kind)
        if how.papers:
            pinpoint, end = find_place_behind(self.text, mention.core.end) or (None, mention.core.end)
        span = self._in_original(Span(start, end))
        return Citation(
            span=span.shift(shift),
            core=self._in_original(core).shift(shift),
            text=mention.written or span.of(self._original),
            kind=kind,
            form=how.form,
            jurisdiction=source.jurisdiction if source else mention.jurisdiction or self._jurisdiction,
            key=source.key if source else "",
            name=name,
            year=mention.year,
            pinpoint=self._moved(pinpoint, shift),
            group=group,
            antecedent=antecedent if antecedent >= 0 else None,
            ambiguous=how.ambiguous,
            unread=how.unread,
            papers=how.papers,
        )

    def _count(self, pinpoint: Pinpoint | None, source: Source, kind: CitationKind) -> Pinpoint | None:
        """Return a short form's pinpoint. The unit of a bare number is that usual for its authority."""
        if pinpoint is None:
            return None
        before = self.text[max(0, pinpoint.span.start - 4) : pinpoint.span.start]
        if pinpoint.kind == "page" and source.style != "page" and "p" not in before:
            return replace(pinpoint, kind=source.style)
        if pinpoint.kind == "section" and source.style == "paragraph" and kind == "case":
            return replace(pinpoint, kind="paragraph")  # "Ibid., § 45" of a judgment
        return pinpoint

    def _in_original(self, span: Span) -> Span:
        return span if self._closed is None else self._closed.in_original(span)

    def _moved(self, pinpoint: Pinpoint | None, shift: int) -> Pinpoint | None:
        """Map a pinpoint to the original text, and shift it by ``shift`` code points."""
        if pinpoint is None or (self._closed is None and not shift):
            return pinpoint
        span = self._in_original(pinpoint.span).shift(shift)
        return Pinpoint(pinpoint.kind, pinpoint.labels, span, pinpoint.notes)


def _in_original(closed: ClosedText, citation: RecordCitation) -> RecordCitation:
    """Return a citation of the record with spans of the original of a double-spaced paragraph."""
    pinpoint = citation.pinpoint
    if pinpoint is not None:
        pinpoint = replace(pinpoint, span=closed.in_original(pinpoint.span))
    span, core = closed.in_original(citation.span), closed.in_original(citation.core)
    return replace(citation, span=span, core=core, pinpoint=pinpoint)
