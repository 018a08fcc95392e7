"""Compare the note number in a short form ("n 3") with the notes that cite its authority."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lexls.assessing.fact import Fact
from lexls.citations.case_names.compare import list_name_words
from lexls.citations.model import Citation
from lexls.reading.citation_order import note_at
from lexls.reading.draft import Draft
from lexls.reading.resolve import Resolution
from lexls.reading.snapshot import Snapshot
from lexls.text.blanking import INSERTED
from lexls.text.spans import Span

_NOTE = re.compile(r"\b(?:foot)?n(?:otes?|n?\.?)\s{0,2}(?P<number>\d{1,4})\b", re.IGNORECASE)
_POINTING = ("supra", "short")


def compare_note_number(snapshot: Snapshot, mention: Sequence[Resolution]) -> Iterator[Fact]:
    """Compare the note number in a short form with the notes that cite its authority in full. A number that
    is part of the pinpoint ("at 103 n 4") refers to a note of the authority and is ignored. If the
    authority is first cited in the body text, there is no number to compare.
    """
    draft = snapshot.draft
    for each in mention:
        full, found = draft.antecedent_of(each.citation), find_note_number(draft, each.citation)
        if full is None or found is None:
            continue
        notes = _list_citing_notes(draft, full)
        span, stated = Span(*found.span("number")), found["number"]
        if int(stated) in notes:
            yield Fact("cross-reference", "agrees", f"n {stated}", f"n {stated}", span)
        elif notes:
            reason = f"{full.name or full.key} is cited in note {notes[0]}, not in note {stated}"
            yield Fact("cross-reference", "differs", f"n {stated}", str(notes[0]), span, reason, "other-note")


def list_notes_compared(draft: Draft, citation: Citation) -> tuple[int, ...]:
    """Return the numbers of the notes that cite a short form's authority in full; () if the short form states
    no note number.
    """
    full = draft.antecedent_of(citation)
    if full is None or find_note_number(draft, citation) is None:
        return ()
    return tuple(_list_citing_notes(draft, full))


def find_note_number(draft: Draft, citation: Citation) -> re.Match[str] | None:
    """Return the match for the note number that a short form states, or None. Numbers are ignored after the
    first file that the draft includes, since that file may have notes of its own.
    """
    if citation.form not in _POINTING:
        return None
    inserted = draft.once("text inserted", lambda: draft.masked.find(INSERTED))
    if 0 <= inserted < citation.span.start or (draft.work and citation.span.start >= draft.work.counted):
        return None
    end = citation.pinpoint.span.start if citation.pinpoint is not None else citation.span.end
    return _NOTE.search(draft.masked, citation.span.start, max(end, citation.core.end))


def list_named(draft: Draft, name: str) -> list[tuple[int, Citation]]:
    """Return the cases cited in full in notes under a given name, in order, each as (number of its first
    note, citation).
    """
    words = set(list_name_words(name))
    found: dict[str, tuple[int, Citation]] = {}
    for note in draft.notes if words else ():
        for each in draft.citations_in(note.content):
            if each.form == "full" and each.key and not words.isdisjoint(list_name_words(each.name)):
                found.setdefault(each.key, (note.number, each))
    return list(found.values())


def _list_citing_notes(draft: Draft, full: Citation) -> list[int]:
    """Return the numbers of the notes that cite an authority in full, in order; [] if there is none."""

    def number() -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for note in draft.notes:
            for each in draft.citations_in(note.content):
                if each.form == "full" and each.key:
                    found.setdefault(each.key, []).append(note.number)
        return found

    by_key = draft.once("notes by what they cite", number)
    if note_at(draft, full.core.start) is None:
        return []
    return sorted({number for each in draft.group_of(full) for number in by_key.get(each.key, ())})
