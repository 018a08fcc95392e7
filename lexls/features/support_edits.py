"""Write an authority into the draft for a sentence: its full citation, a quotation, or a short form."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.features.drafting import quote
from lexls.features.find_support import SupportOption
from lexls.reading.binding import is_called, is_of_other_court
from lexls.reading.edit import Edit
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span
from lexls.writing.citing import attach, find_pinpoint, render_authority
from lexls.writing.note_repairs import repair_notes
from lexls.writing.placement import find_habit, find_place, find_supporting
from lexls.writing.prescribed_form import write_citation, write_short


@dataclass(frozen=True, slots=True)
class SupportEdits:
    """The possible edits for a sentence.

    ``citation`` is the full citation in the draft's markup. ``full`` are the edits that insert it; if the
    sentence names the authority but cites it wrongly, they replace the wrong citation. ``quotation`` are the
    edits that insert the citation with the authority's words. ``short`` are those that insert a short form
    (empty if the draft has not cited the authority in full before). All edits that insert text also repair
    the next *ibid.* and the affected note numbers.
    """

    citation: str
    full: tuple[Edit, ...]
    quotation: tuple[Edit, ...]
    short: tuple[Edit, ...]


def write_support(snapshot: Snapshot, option: SupportOption) -> SupportEdits:
    """Return the possible edits for an authority that supports a sentence."""
    draft, authority, passage = snapshot.draft, option.hit.authority, option.hit.passage
    place = find_place(draft, option.proposition, find_habit(draft))
    citation = write_citation(snapshot, place, authority, passage)
    short = write_short(snapshot, place, authority, passage)
    repaired = repair_citation(snapshot, option)
    shifted = repair_notes(snapshot, place.offset, authority.citations, new_note=place.new_note)
    return SupportEdits(
        citation,
        (repaired,) if repaired is not None else (*attach(draft, place, citation), *shifted),
        quote(snapshot, option.proposition, option.pin),
        (*attach(draft, place, short), *shifted) if short else (),
    )


def repair_citation(snapshot: Snapshot, option: SupportOption) -> Edit | None:
    """Return the edit that replaces a wrong citation after the authority's name with the correct one.

    Returns None if the sentence does not name the authority, or cites another court's decision in the same
    case.
    """
    draft, authority = snapshot.draft, option.hit.authority
    for each in find_supporting(draft, option.proposition):
        if each.form != "full" or each.kind != "case" or not each.name or each.core.start < each.span.start:
            continue
        if is_called(each.name, authority) and not is_of_other_court(draft, each, authority):
            kind, label = find_pinpoint(snapshot.library, authority, option.hit.passage)
            at = each.core.start
            written = render_authority(snapshot, authority, kind, label, at, draft.habits, named=False)
            return Edit(Span(at, draft.mention_of(each).end), written.text)
    return None
