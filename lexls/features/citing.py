"""Write the citation of an authority as the draft cites, and put it where the draft would."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexls.citations.insert import InsertStyle, Rendered, render
from lexls.citations.model import Pinpoint, PinpointKind
from lexls.features.checks.check import Edit
from lexls.features.placement import CitationPlace, find_habit, find_place
from lexls.features.propositions import find_proposition
from lexls.features.snapshot import Draft, Snapshot
from lexls.features.styled import written_in_style
from lexls.features.wording import court_note
from lexls.grounding.place_words import pinpoint_kind
from lexls.index.library import Library
from lexls.index.records import Authority, PassageRecord
from lexls.text.spans import Span


def edit_for(
    snapshot: Snapshot, span: Span, authority: Authority, passage: PassageRecord | None
) -> tuple[Edit, ...]:
    """As ``cite``, for the proposition that ``span`` covers or lies in. Empty where there is none."""
    target = find_proposition(snapshot.draft, span)
    return cite(snapshot, target, authority, passage) if target is not None else ()


def cite(
    snapshot: Snapshot, target: Span, authority: Authority, passage: PassageRecord | None
) -> tuple[Edit, ...]:
    """The edits that cite ``authority`` for the proposition ``target``, with the passage's place as pinpoint.

    More than one only where a footnote is made: its mark and its words.
    """
    draft = snapshot.draft
    place = find_place(draft, target, find_habit(draft))
    return attach(draft, place, write_citation(snapshot, place, authority, passage))


def attach(draft: Draft, place: CitationPlace, text: str) -> tuple[Edit, ...]:
    """The edits that put the citation ``text`` (in the draft's format) at ``place``."""
    if place.new_note:
        notes = draft.format.insert_note(draft.source, place.offset, text)
        return tuple(Edit(Span(at, at), new) for at, new in notes)
    text = draft.format.write_at(draft.source, place.offset, text)
    stop = "." if place.stopped and not text.endswith(".") else ""
    return (Edit(Span(place.offset, place.offset), f"{place.opening}{text}{place.closing}{stop}"),)


def write_citation(
    snapshot: Snapshot, place: CitationPlace, authority: Authority, passage: PassageRecord | None
) -> str:
    """``authority`` as the draft cites it at ``place``, with the passage's place as pinpoint."""
    draft = snapshot.draft
    kind, label = _pinpoint(snapshot.library, authority, passage)
    new_note = place.new_note and draft.format.has_notes
    return render_authority(
        snapshot, authority, kind, label, place.offset, draft.habits, new_note=new_note
    ).text


def render_authority(
    snapshot: Snapshot,
    authority: Authority,
    kind: PinpointKind,
    label: str,
    at: int,
    habits: InsertStyle,
    *,
    new_note: bool = False,
    named: bool = True,
) -> Rendered:
    """``authority`` as the settings' style or else the draft cites it at the offset ``at`` of the draft.

    ``label`` is the pinpoint's, "" for none. ``named`` says that its name is not there already.
    """
    draft = snapshot.draft
    if named:
        styled = written_in_style(snapshot, authority, kind, label, at, habits.italic, new_note=new_note)
        if styled is not None:
            return styled
    written = render(
        authority.citations,
        authority.title if named else "",
        authority.kind,
        label,
        kind,
        authority.jurisdiction or draft.jurisdiction,
        draft.format,
        habits,
    )
    return Rendered(written.text + court_note(authority), written.pinpoint)


def _pinpoint(
    library: Library, authority: Authority, passage: PassageRecord | None
) -> tuple[PinpointKind, str]:
    """The kind and label of the passage's place, ("…", "") if it has none that can be cited.

    Pages count only where they are those of the report cited, not merely those of a PDF; its first page
    is in the citation already.
    """
    kind = pinpoint_kind(authority)
    if passage is None:
        return kind, ""
    if passage.paragraph.startswith("Sch "):
        return "schedule", passage.paragraph.removeprefix("Sch ")
    if passage.paragraph:
        return kind, passage.paragraph if _stands(library, authority, kind, passage.paragraph) else ""
    if passage.page:
        labels: Sequence[str] = library.contents.list_labels(authority.id, "page")
        first = authority.citation.split()[-1].strip("()") if authority.citation else ""
        page = str(passage.page)
        if first in labels and page in labels and page != first:
            return "page", page
    return kind, ""


def _stands(library: Library, authority: Authority, kind: PinpointKind, label: str) -> bool:
    """Whether a clause begins with its own number.

    A table of contents, an exhibit or a flattened list can mislead the numbering of a contract; a clause
    cited by a wrong number is worse than one cited by none. Other kinds are numbered in sequence.
    """
    if kind != "clause":
        return True
    last = label.rpartition("(")[2].rstrip(")") if "(" in label else label.rpartition(" ")[2]
    begins = re.compile(
        rf"\W*(?:{re.escape(label)}|(?:section|clause|article|paragraph)?\W*{re.escape(last)})(?!\w)"
        r"|\W*article\s+[ivxlc]+\b",
        re.IGNORECASE,
    )
    places = library.contents.find_places(authority.id, Pinpoint(kind, (label,), Span(0, 0)))
    return bool(places) and begins.match(places[0].text) is not None
