"""The order in which a reader meets a draft's citations: those of a footnote where its mark stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lexls.citations.model import Citation
from lexls.features.draft import Draft
from lexls.features.footnotes import Footnote, references
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote with the number that readers see, and where its mark stands in the source."""

    content: Span
    number: int
    mark: int


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a draft says of an authority before some place.

    ``note`` is the number of the footnote that first cites it in full (None: in the text, or not in full).
    ``full`` says whether it was cited in full at all; ``right_before`` that it, and nothing else, is what
    the footnote before cites; ``last`` that it alone is cited by the sentence or footnote with the last
    citation. ``distance`` is how many footnotes back the last citation of it stands (0: none does).
    """

    full: bool
    note: int | None
    right_before: bool
    last: bool
    distance: int


def numbered_notes(draft: Draft) -> tuple[Note, ...]:
    """The draft's footnotes in the order of their marks; one without a mark has no number and is left out."""
    return draft.once("numbered notes", lambda: tuple(_numbered(draft)))


def _numbered(draft: Draft) -> list[Note]:
    found: list[tuple[int, Footnote]] = []
    labelled = {note.label: note for note in draft.footnotes if note.label}
    seen: set[str] = set()
    for mark in references(draft.source, draft.markup, Span(0, len(draft.source))):
        if mark.label in labelled and mark.label not in seen:
            seen.add(mark.label)
            found.append((mark.span.start, labelled[mark.label]))
    found.extend((note.content.start, note) for note in draft.footnotes if not note.label)
    found.sort(key=lambda each: each[0])
    return [Note(note.content, number, mark) for number, (mark, note) in enumerate(found, start=1)]


def note_at(draft: Draft, offset: int) -> Note | None:
    """The numbered footnote in whose words ``offset`` stands."""
    notes = draft.once(
        "notes by place", lambda: sorted(numbered_notes(draft), key=lambda note: note.content.start)
    )
    place = bisect_right(notes, offset, key=lambda note: note.content.start) - 1
    return notes[place] if place >= 0 and notes[place].content.touches(offset) else None


def reading_place(draft: Draft, offset: int) -> tuple[int, int]:
    """A key that sorts offsets as a reader meets them."""
    note = note_at(draft, offset)
    return (note.mark, offset) if note is not None else (offset, -1)


def in_reading_order(draft: Draft) -> tuple[Citation, ...]:
    """The draft's citations as a reader meets them."""
    return draft.once(
        "reading order",
        lambda: tuple(sorted(draft.citations, key=lambda each: reading_place(draft, each.span.start))),
    )


def keys_of(draft: Draft, citation: Citation) -> frozenset[str]:
    """All keys under which the draft cites the authority of ``citation`` in its mention or antecedent."""
    full = citation
    if citation.antecedent is not None and 0 <= citation.antecedent < len(draft.citations):
        full = draft.citations[citation.antecedent]
    return frozenset(each.key for each in (citation, *draft.group_of(full)) if each.key)


def earlier(draft: Draft, keys: Iterable[str], at: int, *, new_note: bool = False) -> Earlier:
    """What the draft says of the authority with any of ``keys`` before the offset ``at``.

    ``new_note`` says that the citation goes into a footnote that is made there.
    """
    wanted = frozenset(keys)
    place = reading_place(draft, at)
    before = [each for each in in_reading_order(draft) if reading_place(draft, each.span.start) < place]
    full, first, last_note = False, None, None
    for citation in before:
        if not wanted & keys_of(draft, citation):
            continue
        note = note_at(draft, citation.span.start)
        last_note = note or last_note
        if citation.form == "full" and not full:
            full, first = True, note
    here = note_at(draft, at)
    number = here.number if here is not None else _notes_before(draft, at) + 1
    return Earlier(
        full=full,
        note=first.number if first is not None else None,
        right_before=(here is not None or new_note) and _alone_in_note(draft, number - 1, wanted, at, here),
        last=bool(before) and _alone(draft, before, wanted, at),
        distance=number - last_note.number if last_note is not None else 0,
    )


def _notes_before(draft: Draft, at: int) -> int:
    return sum(note.mark < at for note in numbered_notes(draft))


def _alone_in_note(draft: Draft, number: int, wanted: frozenset[str], at: int, here: Note | None) -> bool:
    """Whether a footnote cites the authority and nothing else, and nothing is cited between it and here."""
    if here is not None and draft.citations_in(Span(here.content.start, max(here.content.start, at))):
        return False
    note = next((each for each in numbered_notes(draft) if each.number == number), None)
    if note is None:
        return False
    cited = draft.citations_in(note.content)
    return bool(cited) and all(wanted & keys_of(draft, each) for each in cited)


def _alone(draft: Draft, before: Sequence[Citation], wanted: frozenset[str], at: int) -> bool:
    """Whether the sentence or footnote of the last citation cites the authority and nothing else."""
    last = before[-1]
    if not wanted & keys_of(draft, last):
        return False
    note, here = note_at(draft, last.span.start), note_at(draft, at)
    if note is not None:
        around: Span | None = note.content
    else:
        paragraph = draft.paragraph_at(last.span.start)
        if here is None and paragraph is not None and not paragraph.touches(at):
            return False  # another paragraph is another discussion
        around = draft.sentence_at(last.span.start)
    if around is None:
        return False
    cited = [each for each in draft.citations_in(around) if each.span.start < at or note is not None]
    return all(wanted & keys_of(draft, each) for each in cited)
