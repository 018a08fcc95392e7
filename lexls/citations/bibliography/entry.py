"""The citation that an entry of a bibliography stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lexls.citations.bibliography.record import Record
from lexls.citations.grammar import Grammar
from lexls.citations.keys import spaced
from lexls.citations.model import Citation, CitationKind, PinpointKind

_FIRST = re.compile(r"[A-Za-z]?\d+[A-Za-z]?")
_JURISDICTIONS = {
    "us": "US", "united states": "US", "usa": "US",
    "gb": "UK", "uk": "UK", "united kingdom": "UK", "england": "UK", "england and wales": "UK",
    "au": "AU", "australia": "AU", "in": "IN", "india": "IN", "ca": "CA", "canada": "CA",
    "eu": "EU", "european union": "EU", "nz": "NZ", "new zealand": "NZ", "sg": "SG", "singapore": "SG",
    "hk": "HK", "hong kong": "HK",
}  # fmt: skip
_LONGEST = 1000
"""Code points of a field; longer ones are no citation."""
_CITED_BY_PAGE = frozenset({"case", "journal", "book", "other"})


@dataclass(frozen=True, slots=True)
class Entry:
    """What a key stands for: a normal citation key (its title and year, if no form reads it), name and year.

    ``style`` is what a bare number behind the key counts.
    """

    key: str
    name: str
    kind: CitationKind
    year: int | None
    jurisdiction: str
    style: PinpointKind


def entry_of(record: Record, grammar: Grammar, jurisdiction: str) -> Entry:
    """The citation of an entry in a draft of a jurisdiction."""
    place = _JURISDICTIONS.get(record.jurisdiction.casefold(), jurisdiction)
    name = record.title
    read = [(text, found) for text in _candidates(record) if (found := _read(text, record, grammar, place))]
    # What is read to its end first: "1 WLR 153" is a part of "[1990] 1 WLR 153".
    read.sort(key=lambda each: len(each[1].core) < len(each[0]))
    for text, found in read[:1]:
        if found.name and text == record.title and record.kind == "case":
            name = found.name
        core = grammar.core_of(found.key, place)
        style: PinpointKind = core.form.pinpoint if core is not None else _usual(record.kind)
        year = record.year or found.year
        return Entry(found.key, name or found.name, record.kind, year, found.jurisdiction or place, style)
    title = spaced(record.title)
    dated = title if record.year is None or str(record.year) in title else f"{title} ({record.year})"
    return Entry(dated, name, record.kind, record.year, place, _usual(record.kind))


def _read(text: str, record: Record, grammar: Grammar, jurisdiction: str) -> Citation | None:
    """The citation in full that a text holds; what else a field may hold is none."""
    for found in grammar.find(text, jurisdiction) if 0 < len(text) <= _LONGEST else ():
        if found.form == "full" and not _is_other(found.kind, record.kind):
            return found
    return None


def _is_other(found: CitationKind, wanted: CitationKind) -> bool:
    """Whether what was found cannot be what the entry says it is."""
    return wanted in ("case", "statute") and found not in (wanted, "other")


def _usual(kind: CitationKind) -> PinpointKind:
    return "page" if kind in _CITED_BY_PAGE else "section"


def _candidates(record: Record) -> Iterator[str]:
    """How the entry may be cited, the surest first."""
    if record.kind in ("statute", "regulation", "treaty"):
        if record.year is not None and str(record.year) not in record.title:
            yield f"{record.title} {record.year}"
        yield record.title
        return
    yield record.number
    year, report, volume = record.year, record.container, record.volume
    number = record.number if record.number.isdigit() else ""
    for court in (report, record.authority) if number and not record.page and year else ():
        yield f"[{year}] {court} {number}"
        yield f"{year} {court} {number}"
    first = _FIRST.match(record.page)
    if report and first is not None:
        page = first.group()
        if volume:
            yield f"{volume} {report} {page}" + (f" ({year})" if year else "")
        if year:
            yield f"({year}) {volume} {report} {page}"
            yield f"[{year}] {volume} {report} {page}" if volume else f"[{year}] {report} {page}"
            yield f"{report} {year} {volume} {page}" if volume else f"{report} {year} {page}"
    yield record.note
    yield record.title
