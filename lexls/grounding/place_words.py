"""How authorities and places in them are called when they are cited."""

from __future__ import annotations

import re

from lexls.citations.model import PinpointKind
from lexls.citations.us_courts import court_and_year
from lexls.index.records import Authority

SUBSECTION = re.compile(r"\s{0,40}\((\d{1,3}[A-Z]?)\)\s{1,40}(?=\S)")
"""The number that a subsection begins with."""


def pinpoint_words(kind: PinpointKind, label: str, jurisdiction: str = "") -> str:
    """A place as it is cited: "[23]", "page 5", "s 12(2)" ("§ 12(2)" in America), "reg 4", "clause 7"."""
    forms: dict[str, str] = {
        "paragraph": "[{}]",
        "page": "page {}",
        "section": "s {}",
        "article": "art {}",
        "regulation": "reg {}",
        "rule": "r {}",
        "clause": "clause {}",
        "note": "note {}",
    }
    if kind in ("section", "regulation") and label.startswith("Sch"):
        return label
    if kind in ("section", "regulation") and jurisdiction == "US":
        return f"§ {label}"
    return forms.get(kind, "{}").format(label)


def pinpoint_kind(authority: Authority) -> PinpointKind:
    """What the labels of an authority's passages are called when they are cited."""
    if authority.kind == "statute":
        return "section"
    if authority.kind == "regulation":
        return "regulation"
    if authority.kind == "contract":
        return "clause"
    if authority.kind == "treaty":
        return "article"
    return "paragraph"


def where(authority: Authority, label: str, page: int) -> str:
    """Where a piece of an authority stands, as it is cited; "" if it has neither number nor page.

    ``label`` is the numbered paragraph or section ("" if none), ``page`` the page (0 if none).
    """
    if label:
        return pinpoint_words(pinpoint_kind(authority), label, authority.jurisdiction)
    return f"page {page}" if page else ""


def label_at(authority: Authority, label: str, text: str) -> str:
    """The label of the place where ``text``, in the section ``label``, begins: with its subsection, if that
    begins there with its number."""
    if authority.kind not in ("statute", "regulation") or not label or "(" in label:
        return label
    number = SUBSECTION.match(text)
    return f"{label}({number[1]})" if number is not None else label


def cited_as(authority: Authority, place: str = "") -> str:
    """The authority in words, as far as it is known: title and preferred citation, and a place in it.

    "Carrow v Luff [2014] ASC 12 at [23]", "Carriage of Goods Act 1994, s 12"; American cases with court and
    year, "Carrow v. Luff, 12 F.3d 34, page 36 (9th Cir. 1994)".
    """
    title = " ".join((authority.title or authority.relative).split())
    american = authority.kind == "case" and authority.jurisdiction == "US"
    name = title
    if authority.citation and authority.citation not in title:
        name = f"{title}{',' if american else ''} {authority.citation}"
    name = at_place(name, place)
    if not american:
        return name
    return name + court_and_year(authority.citation, authority.court, authority.date)


def named(authority: Authority) -> str:
    """The authority in words, without a place."""
    return cited_as(authority)


def at_place(name: str, place: str) -> str:
    """A place in what is called ``name``; the name alone where ``place`` is ""."""
    if not place:
        return name
    return f"{name} at {place}" if place.startswith("[") else f"{name}, {place}"
