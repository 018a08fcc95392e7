"""List what the authorities of a library can be chosen by: court, kind, jurisdiction, year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lexls.citations.courts import abbreviate_court
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.index.library import Library


@dataclass(frozen=True, slots=True)
class Facet:
    """A value that ``count`` authorities have. ``label`` is what people call it, ``typed`` what is typed for
    it: a court as citations abbreviate it ("9th Cir."), where that is known."""

    value: str
    label: str
    typed: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """The values that the authorities of a library have, the most frequent first, and the years they are of.

    ``first`` and ``last`` are None where no date is known.
    """

    courts: tuple[Facet, ...]
    kinds: tuple[Facet, ...]
    jurisdictions: tuple[Facet, ...]
    first: int | None
    last: int | None


def list_facets(library: Library) -> Facets:
    """What the authorities of the library can be chosen by."""
    known = library.catalogue.all()
    short: dict[str, str] = {}
    for each in known:
        if each.court and not short.get(each.court):
            short[each.court] = abbreviate_court(each.jurisdiction, each.citation, each.court, each.date)
    years = [each.year for each in known if each.year is not None]
    return Facets(
        tuple(
            Facet(court, court, short.get(court) or court, count)
            for court, count in _count(each.court for each in known)
        ),
        tuple(Facet(kind, kind, kind, count) for kind, count in _count(each.kind for each in known)),
        tuple(
            Facet(code, find_jurisdiction(code).title or code, code, count)
            for code, count in _count(each.jurisdiction for each in known)
        ),
        min(years, default=None),
        max(years, default=None),
    )


def _count(values: Iterable[str]) -> list[tuple[str, int]]:
    return Counter(each for each in values if each).most_common()
