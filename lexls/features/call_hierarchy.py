"""The citation graph as a call hierarchy: incoming is who cites an authority, outgoing what it cites."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lexls.citations.treatment import NEGATIVE, WORST_FIRST, TreatmentKind
from lexls.features.resolve import resolve
from lexls.features.snapshot import Snapshot
from lexls.index.library import Library
from lexls.index.records import CitingPassage, OpenLocation
from lexls.text.cancel import CancelToken

MOST_CALLS = 300
"""So many authorities are listed at most: the worst treatments, then those that cite most often."""


@dataclass(frozen=True, slots=True)
class GraphItem:
    """An authority in the graph. ``bad`` says that the library holds something that warns one off it.

    ``detail`` is its citation, with how it treats or is treated by the authority that was asked about.
    """

    authority: int
    name: str
    detail: str
    bad: bool
    location: OpenLocation


@dataclass(frozen=True, slots=True)
class Call:
    """One authority that cites, or is cited. ``places`` are the citations: in the citing document."""

    item: GraphItem
    treatment: TreatmentKind
    places: tuple[OpenLocation, ...]


def prepare(snapshot: Snapshot, offset: int, path: Path) -> list[GraphItem]:
    """The authorities that the citation at ``offset`` names; else the one that ``path`` is, if it is one.

    ``path`` is the document's file: a draft, an authority of the library, or an authority's readable copy.
    """
    library = snapshot.library
    citation = snapshot.draft.citation_at(offset)
    if citation is not None:
        found = resolve(library, snapshot.draft, citation).authorities
        if found:
            return [item for number in found if (item := _item(library, number)) is not None]
    authority = library.find_shown(path)
    item = _item(library, authority.id) if authority is not None else None
    return [item] if item is not None else []


def find_incoming(library: Library, authority: int, token: CancelToken) -> list[Call]:
    """The documents of the library that cite ``authority``, those that treat it worst first."""
    return _calls(library, ((each.citing, each) for each in library.graph.find_citing(authority)), token)


def find_outgoing(library: Library, authority: int, token: CancelToken) -> list[Call]:
    """The authorities of the library that ``authority`` cites, those that it treats worst first."""
    cited = ((target, each) for each, target in library.graph.find_cited(authority) if target is not None)
    return _calls(library, ((target, each) for target, each in cited if target != authority), token)


def _calls(library: Library, edges: Iterable[tuple[int, CitingPassage]], token: CancelToken) -> list[Call]:
    places: dict[int, list[CitingPassage]] = {}
    for other, edge in edges:
        places.setdefault(other, []).append(edge)
    worst = {
        other: min((each.treatment for each in found), key=WORST_FIRST.index)
        for other, found in places.items()
    }
    ranked = sorted(places, key=lambda other: (WORST_FIRST.index(worst[other]), -len(places[other]), other))
    calls = []
    for other in ranked[:MOST_CALLS]:
        token.raise_if_cancelled()
        said = "" if worst[other] == "cited" else worst[other]
        item = _item(library, other, said)
        located = (library.locate(each.citing, each.start, each.end) for each in places[other])
        if item is not None:
            calls.append(Call(item, worst[other], tuple(place for place in located if place is not None)))
    return calls


def _item(library: Library, number: int, said: str = "") -> GraphItem | None:
    authority, location = library.catalogue.get(number), library.locate(number, 0, 0)
    if authority is None or location is None:
        return None
    citation = authority.citation if authority.citation != authority.title else ""
    worst = library.graph.find_worst_treatment(number)
    return GraphItem(
        number,
        authority.title or authority.relative,
        " · ".join(part for part in (citation, said) if part),
        worst is not None and worst.treatment in NEGATIVE and worst.extent != "on other grounds",
        location,
    )
