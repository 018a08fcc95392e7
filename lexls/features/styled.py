"""Authorities of the library written in the style of the settings, in full or pointing back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lexls.citations.case_names.shorten import list_short_names
from lexls.citations.courts import abbreviate_court
from lexls.features.citation_order import Earlier, earlier, note_at
from lexls.index.records import Authority

if TYPE_CHECKING:
    from lexls.citations.model import CitationKind, PinpointKind
    from lexls.citations.styles import Reference, Rendered, Style, WrittenAs
    from lexls.features.draft import Draft
    from lexls.features.snapshot import Snapshot

_KINDS: dict[str, CitationKind] = {
    "case": "case",
    "statute": "statute",
    "regulation": "regulation",
    "treaty": "treaty",
    "article": "journal",
}


def style_of_settings(snapshot: Snapshot) -> Style | None:
    """The style that the settings name; None where drafts decide."""
    name = snapshot.settings.citations_style
    if not name:
        return None
    from lexls.citations.styles import Style

    return Style.load(name)


def reference_to(authority: Authority, pinpoint: PinpointKind, label: str) -> Reference | None:
    """What the library knows of an authority, with a pinpoint ("" for none); None for what no guide has."""
    from lexls.citations.styles import Reference

    kind = _KINDS.get(authority.kind)
    if kind is None:
        return None
    return Reference(
        kind=kind,
        name=authority.title,
        citations=authority.citations,
        jurisdiction=authority.jurisdiction,
        court=abbreviate_court(authority.jurisdiction, authority.citation, authority.court, authority.date),
        year=authority.year,
        pinpoint=pinpoint,
        labels=(label,) if label else (),
        short_name=authority.short_title,
    )


def written_in_style(
    snapshot: Snapshot,
    authority: Authority,
    pinpoint: PinpointKind,
    label: str,
    at: int,
    italic: tuple[str, str] | None,
    *,
    new_note: bool = False,
) -> Rendered | None:
    """The authority as the settings' style cites it at the offset ``at`` of the draft.

    A short form or *ibid.* stands where the style wants one. None where the settings name no style, or the
    style needs what the library does not know. ``new_note``: the citation gets a footnote of its own.
    """
    style = style_of_settings(snapshot)
    reference = reference_to(authority, pinpoint, label) if style is not None else None
    if style is None or reference is None:
        return None
    draft = snapshot.draft
    before = earlier(draft, authority.citations, at, new_note=new_note)
    reference = replace(
        reference,
        note=before.note,
        short_name=reference.short_name or short_name_of(draft, reference),
    )
    begins = new_note or begins_note(draft, at)
    in_note = new_note or note_at(draft, at) is not None
    marks = italic if italic is not None and any(italic) else None
    written = (
        style.render(reference, form, draft.format, marks, begins=begins)
        for form in forms(style, before, in_note=in_note)
    )
    return next((each for each in written if each is not None), None)


def forms(style: Style, before: Earlier, *, in_note: bool) -> list[WrittenAs]:
    """The forms in which a style cites an authority after what stands before, the wanted one first."""
    wanted: list[WrittenAs] = []
    if before.full:
        if (style.ibid == "note" and before.right_before) or (style.ibid == "citation" and before.last):
            wanted.append("ibid")
        near = not style.short_within or not in_note or before.distance <= style.short_within
        if near and (in_note or not style.short_needs_note):
            wanted.append("short")
    return [*wanted, "full"]


def begins_note(draft: Draft, at: int) -> bool:
    """Whether nothing stands before ``at`` in its footnote or sentence."""
    note = note_at(draft, at)
    if note is not None:
        return not draft.masked[note.content.start : at].strip()
    sentence = draft.sentence_at(at)
    return sentence is None or at >= sentence.end or not draft.masked[sentence.start : at].strip()


def short_name_of(draft: Draft, reference: Reference) -> str:
    """What a draft may call a case: a party's name, if no other case of the draft has that party; else ""."""
    if reference.kind != "case":
        return ""
    others = [
        each.name
        for each in draft.citations
        if each.kind == "case" and each.form == "full" and each.name and each.key not in reference.citations
    ]
    free = (name for name in list_short_names(reference.name) if not any(name in other for other in others))
    return next(free, "")
