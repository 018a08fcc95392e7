"""One paragraph of a draft in context, as passed to checks and assessments."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lexls.citations.model import Citation
from lexls.index.library import Library
from lexls.reading.draft import Draft
from lexls.reading.resolve import Resolution, resolve
from lexls.reading.snapshot import Snapshot
from lexls.text.format import Footnote
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One paragraph of the draft, in context. All spans are in code points of the draft's source.

    ``cited`` are the paragraph's citations in order, each with its authorities. ``marks`` are the footnote
    marks in the paragraph whose footnotes are written elsewhere (Markdown); ``notes`` has the footnote of
    each mark, and ``cited_in_notes`` its citations. A footnote's own paragraph is also an excerpt. So a check
    of citations uses only ``cited``, while a check of what the paragraph *says* may use both.

    A check's results are cached until one of these fields, or the library, changes, so it must not use
    anything else of the draft.
    """

    snapshot: Snapshot
    paragraph: Span
    cited: tuple[Resolution, ...]
    marks: tuple[Span, ...] = ()
    notes: tuple[Footnote, ...] = ()
    cited_in_notes: tuple[tuple[Resolution, ...], ...] = ()

    @property
    def library(self) -> Library:
        """The library against which the draft is checked."""
        return self.snapshot.library

    def group(self, citation: Citation) -> tuple[Resolution, ...]:
        """Return the parallel citations of the mention that contains ``citation``, in order, including
        ``citation``.
        """
        cited = self.cited
        place = bisect_left(cited, citation.span.start, key=lambda each: each.citation.span.start)
        while cited[place].citation is not citation:
            place += 1
        first, last = place, place + 1
        while citation.group and first > 0 and cited[first - 1].citation.group == citation.group:
            first -= 1
        while citation.group and last < len(cited) and cited[last].citation.group == citation.group:
            last += 1
        return cited[first:last]


def list_excerpts(snapshot: Snapshot) -> Iterator[Excerpt]:
    """Yield the paragraphs of the draft as passed to local checks, in order."""
    for place in range(len(snapshot.draft.blocks)):
        found = read_excerpt(snapshot, places_at(snapshot.draft, place))
        if found is not None:
            yield found


def find_notes(draft: Draft) -> Mapping[int, Sequence[int]]:
    """Map the index of each block with footnote marks to the indices of the blocks of its footnotes. Each
    footnote is listed once, in the order of the marks.
    """

    def collect() -> dict[int, list[int]]:
        notes: dict[str, int] = {}
        for place, block in enumerate(draft.blocks):
            if block.note is not None:
                notes.setdefault(block.note.label, place)
        marked = (each for each in enumerate(draft.blocks if notes else ()) if each[1].marks)
        found = {
            place: [*dict.fromkeys(notes[mark.label] for mark in block.marks if mark.label in notes)]
            for place, block in marked
        }
        return {place: each for place, each in found.items() if each}

    return draft.once("blocks with their notes", collect)


def places_at(draft: Draft, place: int) -> Sequence[int]:
    """Return the index of a block, followed by the indices of its footnotes' blocks."""
    return (place, *find_notes(draft).get(place, ()))


def read_excerpt(snapshot: Snapshot, places: Sequence[int]) -> Excerpt | None:
    """Return the excerpt for a block and the footnotes it refers to; None if the block has no text."""
    draft = snapshot.draft
    block, start = draft.blocks[places[0]], draft.starts[places[0]]
    if not len(block.words):
        return None
    notes = {draft.blocks[place].note: place for place in places[1:]}
    by_label = {note.label: (note, place) for note, place in notes.items() if note is not None}
    marks = [mark for mark in block.marks if mark.label in by_label]
    return Excerpt(
        snapshot,
        block.words.shift(start),
        _cited(snapshot, places[0]),
        tuple(mark.span.shift(start) for mark in marks),
        tuple(by_label[mark.label][0].shift(draft.starts[by_label[mark.label][1]]) for mark in marks),
        tuple(_cited(snapshot, by_label[mark.label][1]) for mark in marks),
    )


def _cited(snapshot: Snapshot, place: int) -> tuple[Resolution, ...]:
    draft = snapshot.draft
    return tuple(resolve(snapshot.library, draft, each) for each in draft.citations.in_piece(place))


def excerpt_at(snapshot: Snapshot, offset: int) -> Excerpt:
    """Return the excerpt of the paragraph at an offset of the draft's source, including its footnotes. It is
    empty if the paragraph has no text.
    """
    places = places_at(snapshot.draft, snapshot.draft.block_at(offset))
    key = "excerpt", places[0], snapshot.library.path, snapshot.library.generation
    found = snapshot.draft.once(key, lambda: read_excerpt(snapshot, places))
    return found if found is not None else Excerpt(snapshot, Span(offset, offset), ())


def list_referring(snapshot: Snapshot, offset: int) -> list[int]:
    """Return the start offsets of the paragraphs that refer to the footnote at an offset; [] if it is not in
    a footnote.
    """
    draft = snapshot.draft
    note = draft.block_at(offset)
    if draft.blocks[note].note is None:
        return []
    places = (place for place, notes in find_notes(draft).items() if note in notes)
    return [draft.blocks[each].words.shift(draft.starts[each]).start for each in places]
