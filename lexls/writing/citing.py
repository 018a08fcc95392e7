"""Write the citation of an authority, in the configured style or in the draft's manner."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lexls.citations.case_names.shorten import is_regulator, list_short_names
from lexls.citations.courts import abbreviate_court
from lexls.citations.insert import InsertStyle, Rendered, render
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import CitationKind, Pinpoint, PinpointKind
from lexls.citations.same_docket import tidy_docket
from lexls.citations.styles import Reference, Style, WrittenAs
from lexls.index.library import Library
from lexls.index.records import Authority, PassageRecord
from lexls.library.slip_pages import number_slip_pages
from lexls.reading.citation_order import Earlier, find_earlier, note_at
from lexls.reading.edit import Edit
from lexls.reading.snapshot import Draft, Snapshot
from lexls.text.dates import abbreviate_day
from lexls.text.spans import Span
from lexls.wording.place_words import find_pinpoint_kind, is_cited_by_page, is_slip_opinion, write_court
from lexls.writing.cited_names import write_name
from lexls.writing.placement import CitationPlace


def attach(draft: Draft, place: CitationPlace, text: str) -> tuple[Edit, ...]:
    """Return the edits that insert a citation at ``place``. ``text`` is the citation in the draft's
    format.
    """
    if place.new_note:
        notes = draft.format.insert_note(draft.source, place.offset, text)
        return tuple(Edit(Span(at, at), new) for at, new in notes)
    text = draft.format.write_at(draft.source, place.offset, text)
    stop = "." if place.stopped and not text.endswith(".") else ""
    return (Edit(Span(place.offset, place.offset), f"{place.opening}{text}{place.closing}{stop}"),)


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
    ibid: bool = True,
) -> Rendered:
    """Return the citation of ``authority`` at the offset ``at`` of the draft, in the configured style or, if
    there is none, in the draft's own.

    ``label`` is the pinpoint's label, "" for none. ``named`` is false if the draft already names the
    authority there; ``ibid`` allows *ibid.*
    """
    draft = snapshot.draft
    if is_slip_opinion(authority):
        slip = _write_slip_opinion(snapshot, authority, kind, label, habits, named=named)
        if slip is not None:
            return slip
    if named:
        styled = write_in_style(
            snapshot, authority, kind, label, at, habits.italic, new_note=new_note, ibid=ibid
        )
        if styled is not None:
            return styled
    written = render(
        list_citations(snapshot, authority),
        write_name(snapshot, authority) if named else "",
        authority.kind,
        label,
        kind,
        authority.jurisdiction or draft.jurisdiction,
        draft.format,
        habits,
    )
    return Rendered(written.text + write_court(authority), written.pinpoint)


def _write_slip_opinion(
    snapshot: Snapshot,
    authority: Authority,
    kind: PinpointKind,
    label: str,
    habits: InsertStyle,
    *,
    named: bool,
) -> Rendered | None:
    """Return the customary citation of a slip opinion in its jurisdiction: "*Pell v. Luff*, No. 9-1, slip op.
    at 3 (U.S. Dec. 7, 2009)"; None if the data or the style is missing.
    """
    style = load_table_style(authority.jurisdiction)
    reference = make_reference(snapshot, authority, kind, label)
    if style is None or reference is None:
        return None
    reference = cite_slip(reference, authority)
    if not named:
        reference = replace(reference, name="")
    marks = habits.italic if habits.italic is not None and any(habits.italic) else None
    return style.render(reference, "full", snapshot.draft.format, marks)


def cite_slip(reference: Reference, authority: Authority) -> Reference:
    """Return the reference with the authority's docket number and "slip op." as its citation, and with the
    authority's date.
    """
    cited = f"No. {authority.docket[0]}, slip op."
    return replace(reference, citations=(cited,), date=abbreviate_day(authority.date))


def find_pinpoint(
    library: Library, authority: Authority, passage: PassageRecord | None
) -> tuple[PinpointKind, str]:
    """Return the kind and label of the passage's pinpoint; the label is "" if no pinpoint can be cited.

    A page number is used only if it is a page of the cited report, not of a PDF. The report's first page is
    not used, since the citation already contains it.
    """
    kind = find_pinpoint_kind(authority)
    if passage is None:
        return kind, ""
    if passage.paragraph.startswith("Sch "):
        return "schedule", passage.paragraph.removeprefix("Sch ")
    if passage.paragraph and not (authority.kind == "case" and is_cited_by_page(authority)):
        return kind, passage.paragraph if _stands(library, authority, kind, passage.paragraph) else ""
    if passage.page:
        labels: Sequence[str] = library.contents.list_labels(authority.id, "page")
        first = authority.citation.split()[-1].strip("()") if authority.citation else ""
        page = str(passage.page)
        if is_slip_opinion(authority):
            content = library.contents.get(authority.id)
            printed = number_slip_pages(content.text, content.page_starts) if content is not None else ()
            return ("page", str(printed[passage.page - 1])) if passage.page <= len(printed) else (kind, "")
        if page in labels and first in labels and page != first:
            return "page", page
    return kind, ""


def _stands(library: Library, authority: Authority, kind: PinpointKind, label: str) -> bool:
    """Return whether a clause of a contract begins with its own number in the text; true for other kinds of
    pinpoint, which are numbered in sequence.

    A table of contents, an exhibit or a flattened list can corrupt the numbering of a contract. Citing a
    clause with a wrong number is worse than citing none.
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


# -- in the style of the settings, in full or pointing back --------------------------------------------------

_KINDS: dict[str, CitationKind] = {
    "case": "case",
    "statute": "statute",
    "regulation": "regulation",
    "treaty": "treaty",
    "article": "journal",
}


def load_style(snapshot: Snapshot) -> Style | None:
    """Return the configured citation style; None if the draft's own style applies."""
    name = snapshot.settings.citations_style
    return Style.load(name) if name else None


def list_citations(snapshot: Snapshot, authority: Authority) -> tuple[str, ...]:
    """Return the citations of an authority. For a case without one, return its docket number if the
    jurisdiction cites cases by docket number.
    """
    grammar = snapshot.searcher.grammar
    if authority.citations or authority.kind != "case" or grammar is None:
        return authority.citations
    written = (form for each in authority.docket for form in (each, tidy_docket(each)))
    dockets = (each for each in written if grammar.core_of(each, authority.jurisdiction) is not None)
    return tuple(dockets)[:1]


def make_reference(
    snapshot: Snapshot, authority: Authority, pinpoint: PinpointKind, label: str
) -> Reference | None:
    """Return the library's data on an authority, with a pinpoint ("" for none). Return None if no style guide
    covers its kind.
    """
    kind = _KINDS.get(authority.kind)
    if kind is None:
        return None
    return Reference(
        kind=kind,
        name=write_name(snapshot, authority),
        citations=list_citations(snapshot, authority),
        jurisdiction=authority.jurisdiction,
        court=abbreviate_court(authority.jurisdiction, authority.citation, authority.court, authority.date),
        year=authority.year,
        pinpoint=pinpoint,
        labels=(label,) if label else (),
        short_name=authority.short_title,
    )


def write_in_style(
    snapshot: Snapshot,
    authority: Authority,
    pinpoint: PinpointKind,
    label: str,
    at: int,
    italic: tuple[str, str] | None,
    *,
    new_note: bool = False,
    ibid: bool = True,
) -> Rendered | None:
    """Return the authority's citation at the offset ``at`` of the draft in the configured style.

    It is a short form or *ibid.* where the style requires one. Returns None if no style is configured, or if
    the style needs data that the library lacks. ``new_note`` is true if the citation gets its own footnote.
    """
    style = load_style(snapshot)
    reference = make_reference(snapshot, authority, pinpoint, label) if style is not None else None
    if style is None or reference is None:
        return None
    draft = snapshot.draft
    before = find_earlier(draft, authority.citations, at, new_note=new_note)
    reference = replace(
        reference,
        note=before.note,
        short_name=reference.short_name or find_short_name(draft, reference),
    )
    begins = new_note or begins_note(draft, at)
    in_note = new_note or note_at(draft, at) is not None
    marks = italic if italic is not None and any(italic) else None
    written = (
        style.render(reference, form, draft.format, marks, begins=begins)
        for form in choose_forms(style, before, in_note=in_note)
        if ibid or form != "ibid"
    )
    return next((each for each in written if each is not None), None)


def choose_forms(style: Style, before: Earlier, *, in_note: bool) -> list[WrittenAs]:
    """Return the forms in which a style may cite an authority that has been cited before, the preferred form
    first.
    """
    wanted: list[WrittenAs] = []
    if before.full:
        if (style.ibid == "note" and before.right_before) or (style.ibid == "citation" and before.last):
            wanted.append("ibid")
        near = not style.short_within or not in_note or before.distance <= style.short_within
        if near and (in_note or not style.short_needs_note):
            wanted.append("short")
    return [*wanted, "full"]


_QUOTED_END = re.compile(r"[.?!][\"”’]$")


def begins_note(draft: Draft, at: int) -> bool:
    """Return whether a citation at ``at`` would begin its footnote or its sentence."""
    note = note_at(draft, at)
    if note is not None:
        return not draft.masked[note.content.start : at].strip()
    sentence = draft.sentence_at(at)
    if sentence is None or at >= sentence.end:
        return True
    # After a quotation that ends a sentence, a citation starts a sentence of its own.
    before = draft.masked[sentence.start : at].rstrip()
    return not before or _QUOTED_END.search(before) is not None


def find_short_name(draft: Draft, reference: Reference) -> str:
    """Return a short name for a case: a party's name that occurs in no other case cited in the draft, or "".

    A regulator's name is the last choice, since it does not identify a case by itself.
    """
    if reference.kind != "case":
        return ""
    others = [
        each.name
        for each in draft.citations
        if each.kind == "case" and each.form == "full" and each.name and each.key not in reference.citations
    ]
    names = sorted(list_short_names(reference.name), key=is_regulator)
    return next((name for name in names if not any(name in other for other in others)), "")


def load_table_style(place: str) -> Style | None:
    """Return the style that is customary for tables of authorities in a jurisdiction, or None."""
    name = find_jurisdiction(place).customs.table
    return Style.load(name) if name else None
