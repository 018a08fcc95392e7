"""Describe the passages that a request may rest on, and the pieces that an answer pins its sentences to."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lexls.index.records import Authority, PassageRecord, Place
from lexls.library.speakers import CITED, COUNSEL, COURT, COURTS_OWN, HEADNOTE, Speaker, is_headnote
from lexls.text.formats import format_of
from lexls.text.spans import Span
from lexls.wording.place_words import SUBSECTION, find_label, strip_controls
from lexls.wording.prose import blank_markup, reports_a_party, reports_another_decision

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex
    from lexls.library.document import Block


@dataclass(frozen=True, slots=True)
class TextSegment:
    """From ``start`` (in code points of the authority's text) to the next segment, this is where text stands.

    ``label`` is the numbered paragraph or section ("" if none), ``page`` its page (0 if none).
    ``at_pinpoint`` says that it lies in the place a citation points at. ``speaker`` is who speaks there.
    """

    start: int
    label: str = ""
    page: int = 0
    at_pinpoint: bool = False
    speaker: Speaker = COURT


@dataclass(frozen=True, slots=True)
class Evidence:
    """A segment of an authority's text that an answer may quote.

    ``identifier`` ("P1", "P2", …) names it in one request only. ``text`` is ``[start, end)`` (code points) of
    the text of ``authority``. ``segments`` are in order and the first begins at ``start``. ``core`` is the
    part that retrieval found, ``[start, end)`` of the authority's text; what lies around it is its context.
    ``roles`` are where passages begin, with what each does in its judgment (``lexls.library.roles``).
    """

    identifier: str
    authority: Authority
    start: int
    end: int
    text: str
    segments: tuple[TextSegment, ...]
    core: tuple[int, int]
    roles: tuple[tuple[int, str], ...] = ()

    def segment_at(self, offset: int) -> TextSegment:
        """Return where ``offset``, a code point of the authority's text, stands."""
        return self.segments[max(0, bisect_right([each.start for each in self.segments], offset) - 1)]

    def pin(self, start: int, end: int) -> Pin:
        """The piece ``[start, end)`` of the authority's text, which must lie in this evidence."""
        here, text = self.segment_at(start), self.text[start - self.start : end - self.start]
        place = here.label, here.page, self.reaches_pinpoint(start, end), self.find_speaker(start, text).words
        return Pin(self.identifier, self.authority, start, end, text, *place)

    def find_role(self, offset: int) -> str:
        """Return what the passage at ``offset`` of the authority's text does in its judgment, "" if not
        known."""
        place = bisect_right(self.roles, offset, key=lambda each: each[0]) - 1
        return self.roles[place][1] if place >= 0 else ""

    def reaches_pinpoint(self, start: int, end: int) -> bool:
        """Return whether a part of ``[start, end)`` of the authority's text lies where the citation
        points."""
        return self.segment_at(start).at_pinpoint or any(
            each.at_pinpoint and start < each.start < end for each in self.segments
        )

    def find_speaker(self, start: int, text: str) -> Speaker:
        """Whose words ``text`` is, which begins at ``start`` of the authority's text."""
        here = self.segment_at(start).speaker
        if self.authority.kind != "case" or here.kind in ("dissent", "concurrence", "headnote"):
            return here
        if is_headnote(text):
            return HEADNOTE
        if reports_a_party(text):
            return COUNSEL
        return CITED if reports_another_decision(text) else here


@dataclass(frozen=True, slots=True)
class Pin:
    """A verbatim piece of an authority: ``text`` is ``[start, end)`` (code points) of its text.

    ``label`` and ``page`` are those of the place where it begins, as in ``TextSegment``; ``at_pinpoint`` says
    that a part of it lies where the citation points.
    ``identifier`` is that of the evidence it was taken from. ``whose`` says whose words they are where they
    are not the court's ("dissenting opinion of Souter J."), "" where they are.
    """

    identifier: str
    authority: Authority
    start: int
    end: int
    text: str
    label: str
    page: int
    at_pinpoint: bool
    whose: str = ""

    def overlaps(self, other: Pin) -> bool:
        """Return whether they share words of one authority."""
        same = self.authority.id == other.authority.id
        return same and self.start < other.end and other.start < self.end


def find_segments(
    library: SearchableIndex, document: int, span: Span, places: Sequence[Place] = ()
) -> tuple[TextSegment, ...]:
    """Return where each part of ``span`` of a document's text stands; the first begins with the span.

    Labels and pages are those of the passages. Text that a passage has under no label but that stands
    between two numbered paragraphs (a quotation, a table) belongs to the first. ``places`` are what a
    pinpoint names; those of other documents do not count.
    """
    numbered = _numbered(library.contents.outline(document))
    passages = library.contents.passages(document)
    cited = [each for each in places if each.document == document]
    return tuple(_cut(span, passages, numbered, cited))


def find_roles(library: SearchableIndex, document: int, span: Span) -> tuple[tuple[int, str], ...]:
    """Return where the passages of ``span`` of a document's text begin, with what each does in its
    judgment."""
    passages = library.contents.passages(document)
    return tuple(
        (each.start, each.role) for each in passages if each.start < span.end and span.start < each.end
    )


def _numbered(blocks: Sequence[Block]) -> list[tuple[int, str]]:
    """Return where numbered paragraphs begin, with their labels, and where what belongs to none begins
    ("")."""
    found: list[tuple[int, str]] = []
    waiting: int | None = None
    inside = False
    for block in blocks:
        if block.kind == "text":
            if waiting is None:
                waiting = block.start
            continue
        if waiting is not None and not (inside and block.kind == "paragraph"):
            found.append((waiting, ""))
        waiting = None
        inside = block.kind == "paragraph"
        found.append((block.start, block.label if inside else ""))
    if waiting is not None:
        found.append((waiting, ""))
    return found


def _cut(
    span: Span,
    passages: Sequence[PassageRecord],
    numbered: Sequence[tuple[int, str]],
    places: Sequence[Place],
) -> Iterator[TextSegment]:
    starts = [each.start for each in passages]
    labelled = [start for start, _ in numbered]
    edges = {span.start, *starts, *labelled}
    for each in places:
        edges |= {each.start, each.end}
    last: TextSegment | None = None
    for at in sorted(edge for edge in edges if edge == span.start or span.start < edge < span.end):
        here = bisect_right(starts, at) - 1
        passage = passages[here] if here >= 0 else None
        place = next((each for each in places if each.start <= at < each.end), None)
        number = bisect_right(labelled, at) - 1
        label, page = (passage.paragraph, passage.page) if passage is not None else ("", 0)
        label = label or (numbered[number][1] if number >= 0 else "") or _label_of(place)
        speaker = COURT
        if passage is not None and passage.speaker not in COURTS_OWN:
            speaker = Speaker(passage.speaker, passage.label)
        segment = TextSegment(at, label, page, place is not None, speaker)
        if last is None or replace(segment, start=last.start) != last:
            yield segment
            last = segment


def _label_of(place: Place | None) -> str:
    """Return the label of a place cited that is no mere page."""
    return place.label if place is not None and place.label != str(place.page) else ""


_NUMBER = re.compile(r"\s{0,40}(?:\[(\d{1,5})\]|(\d{1,5})\.)\s{1,40}(?=\S)")


_STAR_PAGE = re.compile(r"(?<![\w*])\[?\*{1,2}\d{1,4}\b\]?(?!\*)[ \t]?")


def quote_pin(pin: Pin) -> str:
    """The words of a pin on one line, as they are quoted: without marks of the authority's format and of its
    pages ("*85"), and without the number of the paragraph or subsection that they begin, which is said beside
    them."""
    text = blank_markup(pin.authority, _STAR_PAGE.sub("", pin.text))
    number = _NUMBER.match(text)
    if number is not None and pin.label in (number[1], number[2]):
        text = text[number.end() :]
    elif find_label(pin.authority, pin.label, text) != pin.label:
        text = SUBSECTION.sub("", text, count=1)
    # A sentence that begins with an emphasised name may be cut behind it.
    return strip_controls(format_of("", pin.authority.path.name).drop_lone_marks(text))
