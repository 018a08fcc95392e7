"""Where the parts of an authority's text stand, as a pin says it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lexls.grounding.evidence import Stretch
from lexls.index.records import PassageRecord, Place
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex
    from lexls.library.document import Block


def stretches_of(
    library: SearchableIndex, document: int, span: Span, places: Sequence[Place] = ()
) -> tuple[Stretch, ...]:
    """Where each part of ``span`` of a document's text stands; the first begins with the span.

    Labels and pages are those of the passages. Text that a passage has under no label but that stands
    between two numbered paragraphs (a quotation, a table) belongs to the first. ``places`` are what a
    pinpoint names; those of other documents do not count.
    """
    numbered = _numbered(library.outline(document))
    passages = library.passages(document)
    return tuple(_cut(span, passages, numbered, [each for each in places if each.document == document]))


def _numbered(blocks: Sequence[Block]) -> list[tuple[int, str]]:
    """Where numbered paragraphs begin, with their labels, and where what belongs to none begins ("")."""
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
) -> Iterator[Stretch]:
    starts = [each.start for each in passages]
    labelled = [start for start, _ in numbered]
    edges = {span.start, *starts, *labelled}
    for each in places:
        edges |= {each.start, each.end}
    last: Stretch | None = None
    for at in sorted(edge for edge in edges if edge == span.start or span.start < edge < span.end):
        here = bisect_right(starts, at) - 1
        passage = passages[here] if here >= 0 else None
        place = next((each for each in places if each.start <= at < each.end), None)
        label = passage.paragraph if passage is not None else ""
        if not label and (number := bisect_right(labelled, at) - 1) >= 0:
            label = numbered[number][1]
        if not label and place is not None and place.label != str(place.page):
            label = place.label
        stretch = Stretch(at, label, passage.page if passage is not None else 0, place is not None)
        if last is None or (stretch.label, stretch.page, stretch.at_pinpoint) != (
            last.label,
            last.page,
            last.at_pinpoint,
        ):
            yield stretch
            last = stretch
