"""Put a draft's citations in the order in which a reader meets them; a footnote is read at its mark."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lexls.citations.model import Citation
from lexls.reading.draft import Draft
from lexls.reading.draft_block import Note
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Earlier:
    """The citations of an authority before a position in a draft.

    ``full`` is true if there is a full citation. ``note`` is the number of the footnote with the first full
    citation; None if that is in the body text, or if there is none. ``right_before`` is true if the previous
    footnote cites only this authority. ``last`` is true if the sentence or footnote with the last citation
    cites only this authority, and no footnote is in between. ``distance`` is the number of footnotes from the
    last footnote that cites it; 0 if none does.
    """

    full: bool
    note: int | None
    right_before: bool
    last: bool
    distance: int


def note_at(draft: Draft, offset: int) -> Note | None:
    """Return the numbered footnote whose text contains ``offset``, or None."""
    notes = draft.once("notes by place", lambda: sorted(draft.notes, key=lambda note: note.content.start))
    place = bisect_right(notes, offset, key=lambda note: note.content.start) - 1
    return notes[place] if place >= 0 and notes[place].content.touches(offset) else None


def find_reading_place(draft: Draft, offset: int) -> tuple[int, int]:
    """Return a sort key that puts offsets in reading order."""
    note = note_at(draft, offset)
    return (note.mark, offset) if note is not None else (offset, -1)


_Order = tuple[list[tuple[int, int]], list[Citation], Mapping[str, list[int]]]
"""The citations, their positions in reading order, and the indices of the citations with each key."""


def _in_order(draft: Draft) -> _Order:
    placed = sorted(
        (find_reading_place(draft, each.span.start), at) for at, each in enumerate(draft.citations)
    )
    citations = [draft.citations[at] for _, at in placed]
    by_key: defaultdict[str, list[int]] = defaultdict(list)
    for number, citation in enumerate(citations):
        for key in list_keys(draft, citation):
            by_key[key].append(number)
    return [place for place, _ in placed], citations, by_key


def list_keys(draft: Draft, citation: Citation) -> frozenset[str]:
    """Return all keys under which the draft cites the authority of ``citation``, including those of parallel
    citations and of the antecedent.
    """
    full = draft.antecedent_of(citation) or citation
    return frozenset(each.key for each in (citation, *draft.group_of(full)) if each.key)


def find_earlier(draft: Draft, keys: Iterable[str], at: int, *, new_note: bool = False) -> Earlier:
    """Return how the draft cites the authority with any of ``keys`` before the offset ``at``. ``new_note`` is
    true if the citation will be inserted there as a new footnote.
    """
    wanted = frozenset(keys)
    places, citations, by_key = draft.once("reading order", lambda: _in_order(draft))
    before = bisect_left(places, find_reading_place(draft, at))
    numbers = sorted({number for key in wanted for number in by_key.get(key, ()) if number < before})
    cited = [citations[number] for number in numbers]
    full = next((each for each in cited if each.form == "full"), None)
    first = note_at(draft, full.span.start) if full is not None else None
    noted = (note_at(draft, each.span.start) for each in reversed(cited))
    last_note = next((note for note in noted if note is not None), None)
    here = note_at(draft, at)
    notes = draft.notes
    number = here.number if here is not None else bisect_left(notes, at, key=lambda note: note.mark) + 1
    distance = number - last_note.number if last_note is not None else 0
    last = before - 1
    if here is None and not new_note:  # *id.* in the text goes on with the text, if that cites anything
        last = next((each for each in range(last, -1, -1) if places[each][1] < 0), last)
    return Earlier(
        full=full is not None,
        note=first.number if first is not None else None,
        right_before=(here is not None or new_note) and _alone_in_note(draft, number - 1, wanted, at, here),
        last=last >= 0
        and _alone(draft, citations[last], wanted, at)
        and (places[last][1] < 0 or distance <= 1)  # what a footnote between cites may be unread
        and not draft.citations.cites_record(citations[last].span.end, at),
        distance=distance,
    )


def _alone_in_note(draft: Draft, number: int, wanted: frozenset[str], at: int, here: Note | None) -> bool:
    """Return whether a footnote cites only the authority, and nothing is cited before ``at`` in the footnote
    that contains ``at``.
    """
    if here is not None and draft.citations_in(Span(here.content.start, max(here.content.start, at))):
        return False
    if here is not None and draft.citations.cites_record(here.content.start, at):
        return False
    notes = draft.notes
    if not 1 <= number <= len(notes):
        return False
    note = notes[number - 1]
    cited = draft.citations_in(note.content)
    if draft.citations.cites_record(note.content.start, note.content.end):
        return False
    return bool(cited) and all(wanted & list_keys(draft, each) for each in cited)


def _alone(draft: Draft, last: Citation, wanted: frozenset[str], at: int) -> bool:
    """Return whether the sentence or footnote that contains the last citation cites only the authority. False
    if the sentence is in a different paragraph from ``at``.
    """
    if not wanted & list_keys(draft, last):
        return False
    note = note_at(draft, last.span.start)
    around = note.content if note is not None else draft.sentence_at(last.span.start)
    if note is None and note_at(draft, at) is None:
        paragraph = draft.paragraph_at(last.span.start)
        if paragraph is not None and not paragraph.touches(at):
            return False  # another paragraph is another discussion
    if around is None:
        return False
    cited = [each for each in draft.citations_in(around) if each.span.start < at or note is not None]
    return all(wanted & list_keys(draft, each) for each in cited)
