"""Repair short forms that would refer to a different authority after a new citation is inserted.

A new footnote changes the numbers of those after it ("n 3"), and an *ibid.* after a new citation would refer
to that citation.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from typing import NamedTuple

from lexls.citations.model import Citation
from lexls.reading.citation_order import list_keys, note_at
from lexls.reading.draft_block import Note
from lexls.reading.edit import Edit
from lexls.reading.snapshot import Draft, Snapshot
from lexls.text.spans import Span
from lexls.writing.citing import find_short_name, load_style, load_table_style
from lexls.writing.convert import widen_to_marks
from lexls.writing.written_reference import read_written

_NUMBERS = r"\d{1,4}(?:\s?(?:[-–,&]|and|to)\s?\d{1,4})*"
_SIGN = r"(?:nn?|notes?|fnn?|footnotes?)\b\.?\s{0,2}"
_POINTS = re.compile(
    rf"\({_SIGN}(?P<bracket>{_NUMBERS})(?=[\s,)])"
    rf"|\b(?:above|supra|below|infra),?\s{{1,2}}(?:at\s)?{_SIGN}(?P<behind>{_NUMBERS})\b"
    rf"|\b{_SIGN}(?P<before>{_NUMBERS}),?\s(?:above|supra|below|infra)\b",
    re.IGNORECASE,
)
"""Matches references to the draft's own notes: "(n 3)", "above n 3", "notes 3–5 above"."""
_SIGNAL = 3
"""Maximum number of other words, such as "See also", around the typed text in a new footnote."""
_NUMBER = re.compile(r"\d+")
_POINTED = re.compile(
    rf"(?P<lead>[\s,(]{{1,3}}(?:(?:above|supra),?\s)?{_SIGN})\d{{1,4}}(?P<tail>\)?)", re.IGNORECASE
)
_VOLUME = re.compile(r"(?P<volume>\d{1,4} .*\D) \d+")


def repair_notes(snapshot: Snapshot, at: int, keys: Collection[str], *, new_note: bool) -> tuple[Edit, ...]:
    """Return the edits that keep every short form referring to the same authority as before.

    An authority with ``keys`` is about to be cited at the offset ``at`` of the draft, in a new footnote if
    ``new_note``. An *ibid.* is replaced only if its antecedent is certain.
    """
    draft = snapshot.draft
    number = bisect_left(draft.notes, at, key=lambda note: note.mark) + 1 if new_note else 0
    edits = list(_renumber(draft, number)) if number else []
    following = _find_next_in_note(draft, at, number) if number else _find_next(draft, at)
    if following is not None and following.form == "id":
        full = draft.antecedent_of(following)
        if full is not None and full.key and not list_keys(draft, full) & set(keys):
            edits += _write_out(snapshot, following, full, number)
    return tuple(sorted(edits, key=lambda edit: edit.span))


class ShiftedId(NamedTuple):
    """An *ibid.* that would change its antecedent if another authority were cited before it. ``keys`` are the
    citation keys of its present antecedent. ``edits`` replace the *ibid.* with that authority's name.
    """

    keys: frozenset[str]
    edits: tuple[Edit, ...]


def find_shifted_id(snapshot: Snapshot, typed: Span) -> ShiftedId | None:
    """Return the *ibid.* whose antecedent would change if an authority were cited instead of the ``typed``
    text, as the first citation of its footnote; None if there is none.
    """
    draft = snapshot.draft
    note = note_at(draft, typed.start)
    if note is None:
        return None
    around = (Span(note.content.start, typed.start), Span(typed.end, note.content.end))
    words = " ".join(each.of(draft.masked) for each in around if each.start < each.end).split()
    if len(words) > _SIGNAL or any(draft.citations_in(each) for each in around if each.start < each.end):
        return None
    following = _find_next(draft, max(typed.end, note.content.start))
    if following is None or following.form != "id":
        return None
    full = draft.antecedent_of(following) or _find_meant_before(draft, note, following)
    if full is None or not full.key:
        return None
    return ShiftedId(frozenset(list_keys(draft, full)), tuple(_write_out(snapshot, following, full, 0)))


def _find_meant_before(draft: Draft, typed: Note, following: Citation) -> Citation | None:
    """Return the antecedent that an *ibid.* had before the footnote in front of it was ``typed``, which cites
    nothing yet; None if there was none.
    """
    behind = note_at(draft, following.span.start)
    if behind is None or behind.number != typed.number + 1 or typed.number < 2:
        return None
    cited = draft.citations_in(draft.notes[typed.number - 2].content)
    return draft.antecedent_of(cited[-1]) or cited[-1] if cited else None


def write_name(snapshot: Snapshot, short: Citation, full: Citation, number: int = 0) -> Edit | None:
    """Return the edit that replaces an *ibid.* with the name of ``full`` and the number of its note, keeping
    the pinpoint.

    ``number`` is the number of a footnote about to be inserted, 0 for none. Returns None if the name is
    unknown.
    """
    return next(iter(_write_out(snapshot, short, full, number)), None)


def _renumber(draft: Draft, number: int) -> Iterator[Edit]:
    """Yield the edits that add one to each reference to a note from ``number`` on."""
    last = len(draft.notes)
    if number > last:
        return
    for match in _POINTS.finditer(draft.masked):
        start, end = match.span(match.lastgroup or 0)
        for each in _NUMBER.finditer(draft.masked, start, end):
            if number <= int(each[0]) <= last:
                yield Edit(Span(*each.span()), str(int(each[0]) + 1))


def _find_next_in_note(draft: Draft, at: int, number: int) -> Citation | None:
    """Return the first citation in the notes from ``number`` on. Return None if there is none, or if the text
    cites something before it.
    """
    for note in draft.notes[number - 1 :]:
        cited = draft.citations_in(note.content)
        if cited:
            between = draft.citations_in(Span(at, max(at, note.mark)))
            in_text = any(note_at(draft, each.span.start) is None for each in between)
            papers = draft.citations.cites_record(note.content.start, cited[0].span.start)
            first = note is draft.notes[number - 1]
            return None if papers or (in_text and not first) else cited[0]
    return None


def _find_next(draft: Draft, at: int) -> Citation | None:
    """Return the next citation after ``at`` in reading order, or None. If ``at`` is in a footnote, only that
    footnote and those after it are searched, otherwise only the text.
    """
    here = note_at(draft, at)
    if here is not None:
        behind = [each for each in draft.citations_in(here.content) if each.span.start >= at]
        return behind[0] if behind else _find_next_in_note(draft, here.mark, here.number + 1)
    later = bisect_left(draft.citations, at, key=lambda each: each.span.start)
    places = range(later, len(draft.citations))
    return next(
        (draft.citations[at] for at in places if note_at(draft, draft.citations[at].span.start) is None), None
    )


def _write_out(snapshot: Snapshot, short: Citation, full: Citation, number: int) -> Iterator[Edit]:
    """Yield the edit that replaces an *ibid.* with the authority's name and the number of its note."""
    draft = snapshot.draft
    region = widen_to_marks(draft, short.core)
    known = read_written(snapshot, full, whole=False)
    if region is None or known is None:
        return
    name = find_short_name(draft, known) or known.name or full.name
    if not name:
        return
    written = draft.format.escape(name)
    italic = draft.habits.italic
    if full.kind == "case" and italic is not None:
        written = f"{italic[0]}{written}{italic[1]}"
    note = note_at(draft, full.core.start)
    pointing = ""
    style = load_style(snapshot) or load_table_style(draft.jurisdiction)
    volume = _VOLUME.fullmatch(full.key)
    if full.kind == "case" and style is not None and not style.short_needs_note:
        pinned = short.pinpoint is not None and short.pinpoint.kind == "page"
        pointing = f", {volume['volume'] if volume is not None and pinned else full.key}"
    elif note is not None and note_at(draft, short.span.start) is not None:
        lead, tail = _find_habit(draft)
        pointing = f"{lead}{note.number + (0 < number <= note.number)}{tail}"
    yield Edit(region, written + pointing)


def _find_habit(draft: Draft) -> tuple[str, str]:
    """Return the text that the draft usually writes before and after the note number in a *supra*
    reference.
    """

    def find() -> tuple[str, str]:
        for each in draft.citations:
            if each.form != "supra":
                continue
            match = _POINTED.search(draft.masked, each.core.start, each.span.end)
            if match is not None and ("(" in match["lead"]) == bool(match["tail"]):
                return re.sub(r"\s+", " ", match["lead"]), match["tail"]
        return " (n ", ")"

    return draft.once("how notes are pointed at", find)
