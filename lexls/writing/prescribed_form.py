"""Cite an authority in the form required at its place in a draft: first in full, later in short."""

from __future__ import annotations

from dataclasses import replace

from lexls.citations.insert import render
from lexls.index.records import Authority, PassageRecord
from lexls.reading.citation_order import find_earlier
from lexls.reading.edit import Edit
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span
from lexls.wording.descriptions import choose_pinpoint
from lexls.wording.place_words import is_slip_opinion
from lexls.writing.cited_before import find_cited, find_name, point_back, wants_short
from lexls.writing.citing import (
    attach,
    begins_note,
    cite_slip,
    find_pinpoint,
    load_style,
    load_table_style,
    make_reference,
    render_authority,
)
from lexls.writing.placement import CitationPlace, find_habit, find_place


def cite(
    snapshot: Snapshot, target: Span, authority: Authority, passage: PassageRecord | None
) -> tuple[Edit, ...]:
    """Return the edits that cite ``authority`` for the proposition ``target``, with the passage's pinpoint.

    There is one edit, or several if a new footnote is needed: one for its mark and one for its text.
    """
    draft = snapshot.draft
    place = find_place(draft, target, find_habit(draft))
    return attach(draft, place, write_citation(snapshot, place, authority, passage))


def write_citation(
    snapshot: Snapshot, place: CitationPlace, authority: Authority, passage: PassageRecord | None
) -> str:
    """Return the citation of ``authority`` at ``place`` in the draft, with the passage's pinpoint.

    The configured style decides when to use a short form. Without a style, a short form is used if it is
    customary in the authority's jurisdiction and the draft has already cited the authority in full.
    """
    draft = snapshot.draft
    if wants_short(authority) and (load_style(snapshot) is None or is_slip_opinion(authority)):
        short = write_short(snapshot, place, authority, passage)
        if short:
            return short
    kind, label = find_pinpoint(snapshot.library, authority, passage)
    new_note = place.new_note and draft.format.has_notes
    return render_authority(
        snapshot,
        authority,
        kind,
        label,
        place.offset,
        draft.habits,
        new_note=new_note,
        ibid=not place.citing and not (kind == "paragraph" and choose_pinpoint(authority) == "page"),
    ).text


def write_short(
    snapshot: Snapshot, place: CitationPlace, authority: Authority, passage: PassageRecord | None
) -> str:
    """Return the short form of a case that the draft has cited in full before ``place``; "" if it has not.

    If the page is unknown, an American case is cited with its first page: "*Weir*, 869 F.3d at 848".
    """
    draft = snapshot.draft
    cited = find_cited(snapshot, place.offset)
    kind, label = find_pinpoint(snapshot.library, authority, passage)
    reference = make_reference(snapshot, authority, kind, label)
    if reference is not None and is_slip_opinion(authority):
        reference = cite_slip(reference, authority) if label else None
    if reference is None or authority.kind != "case" or authority.id not in cited.first:
        return ""
    name = find_name(snapshot, authority, cited)
    before = find_earlier(draft, authority.citations, place.offset, new_note=place.new_note)
    reference = replace(reference, short_name=name, note=before.note)
    style = load_style(snapshot) or load_table_style(draft.jurisdiction)
    if wants_short(authority) and (style is None or style.short_needs_note):
        style = load_table_style(authority.jurisdiction)
    italic = draft.habits.italic
    marks = italic if italic is not None and any(italic) else None
    begins = place.new_note or begins_note(draft, place.offset)
    if style is not None and (label or wants_short(authority)):
        styled = style.render(reference, "short", draft.format, marks, begins=begins)
        if styled is not None:
            return styled.text
    written = render(
        authority.citations[:1] if wants_short(authority) else (),
        name,
        "case",
        label,
        kind,
        authority.jurisdiction or draft.jurisdiction,
        draft.format,
        point_back(draft.habits, authority),
    )
    return written.text if name else ""
