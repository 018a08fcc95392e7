"""What the library says of an authority, in words: how it is treated, and what it is most cited for."""

from __future__ import annotations

import re
from collections import defaultdict

from lexls.citations.treatment import NEGATIVE, WORST_FIRST, TreatmentKind
from lexls.features.wording import OpenLink, place_words
from lexls.grounding.markdown import escape, linked, one_line, quoted, shortened
from lexls.grounding.place_words import pinpoint_words
from lexls.grounding.reading import prose
from lexls.index.library import Library
from lexls.index.records import Authority, TreatedIn

_MOST_NAMED = 3
_LONGEST_HOLDING = 450
# The number of the paragraph that the words begin; it is said before them.
_NUMBER = re.compile(r"^(?:\[\d+\]|\d+\.)\s+")


def treated(library: Library, document: int, link: OpenLink | None = None) -> list[str]:
    """How an authority is treated, as Markdown paragraphs: each bad treatment by name, the others counted."""
    found = library.treatments(document)
    bad: dict[tuple[TreatmentKind, int | str], TreatedIn] = {}
    for each in found:
        if each.treatment in NEGATIVE:
            bad.setdefault((each.treatment, each.treating or each.by or each.citing), each)
    parts = [f"**{_named(library, each, link)}**" for each in list(bad.values())[:_MOST_NAMED]]
    counts: defaultdict[TreatmentKind, set[int | str]] = defaultdict(set)
    for each in found:
        counts[each.treatment].add(each.treating or each.by or each.citing)
    told = {kind for kind, _ in list(bad)[:_MOST_NAMED]} if len(bad) <= _MOST_NAMED else set()
    rest = [f"{kind} in {len(counts[kind])}" for kind in WORST_FIRST if kind in counts and kind not in told]
    if rest:
        said = ", ".join(rest)
        one = rest[-1].endswith(" in 1")
        parts.append(f"{said[0].upper()}{said[1:]} document{'' if one else 's'} of your library.")
    return parts


def statement(library: Library, each: TreatedIn) -> str:
    """One treatment in plain words: "overruled in Carrow v Luff [2014] ASC 12 at [23]"."""
    said = " ".join(word for word in (each.treatment, each.extent) if word)
    citing = library.authority(each.citing)
    where = _place(library, each, citing) if citing is not None else ""
    if each.treating == each.citing or citing is None:
        return f"{said} in {where}".rstrip()
    treating = library.authority(each.treating) if each.treating is not None else None
    by = _name(treating) if treating is not None else each.by
    return f"{said} by {by}, as said in {where}" if by else f"{said}, as said in {where}"


def _named(library: Library, each: TreatedIn, link: OpenLink | None) -> str:
    said = statement(library, each)
    address = link(each.citing, each.sentence_start, each.sentence_end) if link is not None else ""
    return linked(escape(said[0].upper() + said[1:]), address)


def _place(library: Library, each: TreatedIn, citing: Authority) -> str:
    passage = library.passage_at(each.citing, each.start)
    place = place_words(citing, passage) if passage is not None else ""
    name = _name(citing)
    if not place:
        return name
    return f"{name} at {place}" if place.startswith("[") else f"{name}, {place}"


def _name(authority: Authority) -> str:
    title = one_line(authority.title or authority.relative)
    return f"{title} {authority.citation}" if authority.citation not in ("", title) else title


def holding(library: Library, authority: Authority, link: OpenLink | None = None) -> list[str]:
    """The words that others cite a case for most, as Markdown paragraphs; none where nobody says."""
    if authority.kind != "case":
        return []
    found = library.most_quoted(authority.id)
    if found is None:
        return []
    text = _NUMBER.sub("", found.text)
    by = f"{found.count} document{'' if found.count == 1 else 's'}"
    label = pinpoint_words(found.kind, found.label, authority.jurisdiction) if found.kind else ""
    address = link(authority.id, found.start, found.end) if link is not None else ""
    head = f"Most cited at {linked(escape(label), address)}" if label else linked("Most quoted", address)
    return [f"{head}, by {by}:\n\n{quoted(shortened(prose(authority, text), _LONGEST_HOLDING))}"]
