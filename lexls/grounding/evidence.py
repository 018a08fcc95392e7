"""Describe the passages available to a request, and the pins that link sentences to them."""

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
    """The location of the text from ``start`` (a code point offset in the authority's text) to the next
    segment.

    ``label`` is the numbered paragraph or section (or an empty string) and ``page`` the page (or 0).
    ``at_pinpoint`` is true if the text is at the citation's pinpoint. ``speaker`` is the person or opinion
    speaking.
    """

    start: int
    label: str = ""
    page: int = 0
    at_pinpoint: bool = False
    speaker: Speaker = COURT


@dataclass(frozen=True, slots=True)
class Evidence:
    """A segment of an authority's text that an answer may quote.

    ``identifier`` ("P1", "P2", …) is valid within one request only. ``text`` is ``[start, end)`` of the text
    of ``authority``, in code points. ``segments`` are in order, and the first begins at ``start``. ``core``
    is the range found by retrieval, as offsets in the authority's text; the rest is context. ``roles`` has
    the start of each passage and its role in the judgment (``lexls.library.roles``).
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
        """Return the segment that contains ``offset``, a code point offset in the authority's text."""
        return self.segments[max(0, bisect_right([each.start for each in self.segments], offset) - 1)]

    def pin(self, start: int, end: int) -> Pin:
        """Return a pin for ``[start, end)`` of the authority's text, which must be within this evidence."""
        here, text = self.segment_at(start), self.text[start - self.start : end - self.start]
        place = here.label, here.page, self.reaches_pinpoint(start, end), self.find_speaker(start, text).words
        return Pin(self.identifier, self.authority, start, end, text, *place)

    def find_role(self, offset: int) -> str:
        """Return the role of the passage at ``offset`` of the authority's text, or an empty string."""
        place = bisect_right(self.roles, offset, key=lambda each: each[0]) - 1
        return self.roles[place][1] if place >= 0 else ""

    def reaches_pinpoint(self, start: int, end: int) -> bool:
        """Return whether any part of ``[start, end)`` of the authority's text is at the citation's
        pinpoint.
        """
        return self.segment_at(start).at_pinpoint or any(
            each.at_pinpoint and start < each.start < end for each in self.segments
        )

    def find_speaker(self, start: int, text: str) -> Speaker:
        """Return the speaker of ``text``, which begins at ``start`` in the authority's text."""
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
    """A verbatim quotation: ``text`` is ``[start, end)`` of the authority's text, in code points.

    ``label`` and ``page`` describe its start, as in ``TextSegment``. ``at_pinpoint`` is true if any part of
    it is at the citation's pinpoint. ``identifier`` is that of the evidence it comes from. ``whose`` names
    the speaker if the words are not the court's ("dissenting opinion of Souter J."); otherwise it is an empty
    string.
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
        """Return whether two pins share words of the same authority."""
        same = self.authority.id == other.authority.id
        return same and self.start < other.end and other.start < self.end


def find_segments(
    library: SearchableIndex, document: int, span: Span, places: Sequence[Place] = ()
) -> tuple[TextSegment, ...]:
    """Return the segments of ``span`` in a document's text; the first begins with the span.

    Labels and pages come from the passages. Unlabelled text between two numbered paragraphs (a quotation, a
    table) belongs to the first. ``places`` are the pinpoint's places; those in other documents are ignored.
    """
    numbered = _numbered(library.contents.outline(document))
    passages = library.contents.passages(document)
    cited = [each for each in places if each.document == document]
    return tuple(_cut(span, passages, numbered, cited))


def find_roles(library: SearchableIndex, document: int, span: Span) -> tuple[tuple[int, str], ...]:
    """Return the start and the role in the judgment of each passage that overlaps ``span``."""
    passages = library.contents.passages(document)
    return tuple(
        (each.start, each.role) for each in passages if each.start < span.end and span.start < each.end
    )


def _numbered(blocks: Sequence[Block]) -> list[tuple[int, str]]:
    """Return the offsets at which numbered paragraphs start, with their labels, and those at which unnumbered
    text starts, with an empty label.
    """
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
    """Return the label of a cited place, or an empty string if it is only a page."""
    return place.label if place is not None and place.label != str(place.page) else ""


_NUMBER = re.compile(r"\s{0,40}(?:\[(\d{1,5})\]|(\d{1,5})\.)\s{1,40}(?=\S)")


_STAR_PAGE = re.compile(r"(?<![\w*])\[?\*{1,2}\d{1,4}\b\]?(?!\*)[ \t]?")


def quote_pin(pin: Pin) -> str:
    """Return the words of a pin on one line, ready to be quoted.

    Format markup and star pages ("*85") are removed. A paragraph or subsection number at the start is removed
    too, since it is displayed separately.
    """
    text = blank_markup(pin.authority, _STAR_PAGE.sub("", pin.text))
    number = _NUMBER.match(text)
    if number is not None and pin.label in (number[1], number[2]):
        text = text[number.end() :]
    elif find_label(pin.authority, pin.label, text) != pin.label:
        text = SUBSECTION.sub("", text, count=1)
    # A sentence that begins with an emphasised name may be cut after it, leaving a lone mark.
    return strip_controls(format_of("", pin.authority.path.name).drop_lone_marks(text))
