"""Navigate from the citation at the cursor to its authority, and to everything that cites the same authority.

The definition of a citation is the authority at the citation's pinpoint. Its references are in drafts and
authorities; those in the draft are highlighted. The citation graph is a call hierarchy: incoming calls are
citing authorities, outgoing calls are cited ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from lexls.assessing.papers import cites_paper, list_cited_papers, locate_paper
from lexls.assessing.related_provisions import find_related_provisions
from lexls.citations.treatment import NEGATIVE, WORST_FIRST, TreatmentKind
from lexls.features.found_by_words import find_by_words
from lexls.index.library import Library
from lexls.index.records import CitingPassage, OpenLocation
from lexls.reading.defined_terms import find_defined_terms, find_term_at
from lexls.reading.resolve import find_authorities_in, find_authority, find_mentions, find_places, resolve
from lexls.reading.snapshot import Draft, Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.place_words import cite_authority

_EVERY = 256
"""Number of citations processed between two checks for cancellation."""
_MOST_CITING = 1000
"""Maximum number of citations in authorities that are returned."""


@dataclass(frozen=True, slots=True)
class DefinitionTarget:
    """The target of a citation. ``origin`` is the citation in the draft; ``authority`` is an id in the
    library, or in the record.
    """

    origin: Span
    authority: int
    location: OpenLocation


def find_definitions(snapshot: Snapshot, offset: int, token: CancelToken) -> list[DefinitionTarget]:
    """Return the authorities that the citation at ``offset`` names, each at the first place of its pinpoint.

    Without a pinpoint, or if the authority has no such place, the target is its beginning; if its copy does
    not mark pages, the passage on which the citing sentence rests. A section of a code that is not in the
    library leads to the corresponding sections of the code that replaced it, or that it replaced. A citation
    of the record leads to the paper, or to all candidates. Empty if there is no citation, or its authority is
    not in the library.
    """
    citation = snapshot.draft.citation_at(offset)
    if citation is None or citation.papers:
        cited = cites_paper(snapshot, offset)
        papers = locate_paper(*cited) if cited is not None else []
        return [DefinitionTarget(cited[1].citation.span, paper.id, place) for paper, place in papers if cited]
    library = snapshot.library
    found = resolve(library, snapshot.draft, citation)
    token.raise_if_cancelled()
    places = [(number, 0, 0) for number in found.authorities]
    here = find_places(library, found)
    if here and found.authority is not None:
        places[0] = (found.authority, here[0].start, here[0].end)
    elif rests := find_by_words(snapshot, found, token):
        places[0] = (rests.passage.document, rests.span.start, rests.span.end)
    if not places:
        related = find_related_provisions(library, snapshot.concordance, citation)
        places = [(place.document, place.start, place.end) for each in related for place in each.places]
    definitions = []
    for number, start, end in places:
        token.raise_if_cancelled()
        location = library.locate(number, start, end)
        if location is not None:
            definitions.append(DefinitionTarget(citation.span, number, location))
    return definitions


@dataclass(frozen=True, slots=True)
class DraftReference:
    """A citation in a draft: the draft's ``uri``, and the ``span`` in its source."""

    uri: str
    span: Span


@dataclass(frozen=True, slots=True)
class References:
    """The citations of an authority; ``declaration`` is the authority itself, or None if it is not in the
    library.

    ``authorities`` are the citations in authorities of the library.
    """

    drafts: tuple[DraftReference, ...]
    authorities: tuple[OpenLocation, ...]
    declaration: OpenLocation | None


def find_references(
    snapshot: Snapshot, offset: int, others: Iterable[Draft], token: CancelToken
) -> References:
    """Return the citations of the authority named at ``offset``: in this draft, in ``others``, then in the
    library.

    If the authority is not in the library, the drafts are still searched for its citation. Returns no
    references if there is no citation.
    """
    citation = snapshot.draft.citation_at(offset)
    if citation is None:
        return References((), (), None)
    library = snapshot.library
    found = resolve(library, snapshot.draft, citation)
    wanted = frozenset(found.authorities)
    drafts: list[DraftReference] = []
    for draft in (snapshot.draft, *(each for each in others if each.uri != snapshot.draft.uri)):
        token.raise_if_cancelled()
        drafts.extend(_in_draft(library, draft, wanted, citation.key, token))
    authorities: list[OpenLocation] = []
    for citing in chain.from_iterable(map(library.graph.find_citing, found.authorities)):
        if len(authorities) >= _MOST_CITING:
            break
        token.raise_if_cancelled()
        location = library.locate(citing.citing, citing.start, citing.end)
        if location is not None:
            authorities.append(location)
    declaration = library.locate(found.authority, 0, 0) if found.authority is not None else None
    return References(tuple(drafts), tuple(authorities), declaration)


def _in_draft(
    library: Library, draft: Draft, wanted: frozenset[int], key: str, token: CancelToken
) -> list[DraftReference]:
    """Return every citation of the draft, including short forms, that names one of ``wanted`` or, if that is
    empty, has ``key``.
    """
    found: dict[Span, DraftReference] = {}
    for place, each in enumerate(draft.citations):
        if place % _EVERY == 0:
            token.raise_if_cancelled()
        same = (
            not wanted.isdisjoint(find_authorities_in(library, draft, each))
            if wanted
            else bool(key) and each.key == key
        )
        if same:
            found.setdefault(each.span, DraftReference(draft.uri, each.span))
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Link:
    """A piece of a draft that links to an authority or a paper of the record; ``tooltip`` is plain text.

    Its target is computed later by ``find_target``, since only links that are followed need it.
    """

    span: Span
    authority: int
    tooltip: str
    of_record: bool = False


def find_links(snapshot: Snapshot, token: CancelToken) -> list[Link]:
    """Return the links of the draft, in order: the core of each citation whose authority is found."""
    found: list[Link] = []
    for citation in snapshot.draft.citations:
        token.raise_if_cancelled()
        resolution = resolve(snapshot.library, snapshot.draft, citation)
        authority = find_authority(snapshot.library, resolution)
        if authority is not None and len(citation.core):
            found.append(Link(citation.core, authority.id, cite_authority(authority)))
    for cited, paper in list_cited_papers(snapshot, token):
        found.append(Link(cited.core, paper.id, paper.relative, of_record=True))
    return sorted(found, key=lambda each: each.span)


def find_target(
    snapshot: Snapshot, span: Span, authority: int, *, of_record: bool = False
) -> OpenLocation | None:
    """Return the target of the link at ``span``: the pinpoint's place, or else the beginning. Returns None if
    the authority is no longer in the library.
    """
    if of_record:
        cited = cites_paper(snapshot, span.start)
        papers = locate_paper(*cited) if cited is not None else []
        return next((place for paper, place in papers if paper.id == authority), None)
    if snapshot.library.catalogue.get(authority) is None:
        return None
    for citation in snapshot.draft.citations:
        if citation.core == span:
            found = resolve(snapshot.library, snapshot.draft, citation)
            places = find_places(snapshot.library, found)
            if places and places[0].document == authority:
                return snapshot.library.locate(authority, places[0].start, places[0].end)
    return snapshot.library.locate(authority, 0, 0)


@dataclass(frozen=True, slots=True)
class Highlight:
    """A mention of the authority; ``defines`` is true if a term for it is defined there."""

    span: Span
    defines: bool = False


def find_highlights(snapshot: Snapshot, offset: int, token: CancelToken) -> list[Highlight]:
    """Return the mentions of the authority at ``offset``, in the order of the draft: full citations, short
    forms and defined terms.

    The words that define a term for it are included. Returns an empty list if the cursor is neither in a
    citation nor in a definition.
    """
    draft = snapshot.draft
    defined = find_term_at(draft, offset)
    citation = defined.citation if defined is not None else draft.citation_at(offset)
    if citation is None:
        return []
    found = find_mentions(snapshot, citation, token)
    spans = frozenset(found)
    definitions = [
        each.words for each in find_defined_terms(draft) if draft.mention_of(each.citation) in spans
    ]
    token.raise_if_cancelled()
    # A definition may be inside its mention, before an Act's sections; highlights must not overlap.
    highlighted = [Highlight(piece) for span in found for piece in span.without(definitions)]
    highlighted += [Highlight(words, defines=True) for words in definitions]
    return sorted(highlighted, key=lambda each: each.span)


# -- the citation graph as a call hierarchy ------------------------------------------------------------------

MOST_CALLS = 300
"""Maximum number of authorities listed: those with the worst treatment first, then those that cite, or are
cited, most often.
"""


@dataclass(frozen=True, slots=True)
class GraphItem:
    """An authority in the graph. ``bad`` is true if the library has negative treatment of it.

    ``detail`` is its citation, followed by the treatment between it and the authority for which the graph was
    requested.
    """

    authority: int
    name: str
    detail: str
    bad: bool
    location: OpenLocation


@dataclass(frozen=True, slots=True)
class Call:
    """A citing or cited authority. ``places`` are the citations in the citing document."""

    item: GraphItem
    treatment: TreatmentKind
    places: tuple[OpenLocation, ...]


def find_graph_items(snapshot: Snapshot, offset: int, path: Path) -> list[GraphItem]:
    """Return the authorities that the citation at ``offset`` names, or else the authority at ``path``.

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


Edges = Iterable[tuple[int, CitingPassage]]
"""Citations, each with the authority at its other end."""


@dataclass(frozen=True, slots=True)
class RankedEdges:
    """All citations between two authorities. ``treatment`` is the worst treatment among them; the citation
    with that treatment is first in ``places``.
    """

    authority: int
    treatment: TreatmentKind
    places: tuple[CitingPassage, ...]


def list_citing(library: Library, authority: int) -> Edges:
    """Return the citations of an authority by others in the library."""
    return ((each.citing, each) for each in library.graph.find_citing(authority))


def list_cited_by(library: Library, authority: int) -> tuple[Edges, int]:
    """Return an authority's citations of others in the library, and the number of its citations to
    authorities that are not in the library.
    """
    found = library.graph.find_cited(authority)
    held = [(target, each) for each, target in found if target is not None and target != authority]
    return held, sum(target is None for _, target in found)


def rank_edges(edges: Edges) -> list[RankedEdges]:
    """Group citations by the authority at the other end. The authorities with the worst treatment come first,
    then those cited most often.
    """
    places: dict[int, list[CitingPassage]] = {}
    for other, edge in edges:
        places.setdefault(other, []).append(edge)
    ranked = []
    for other, found in places.items():
        worst = min(found, key=lambda each: WORST_FIRST.index(each.treatment))
        rest = (each for each in found if each is not worst)
        ranked.append(RankedEdges(other, worst.treatment, (worst, *rest)))
    return sorted(
        ranked, key=lambda each: (WORST_FIRST.index(each.treatment), -len(each.places), each.authority)
    )


def find_incoming(library: Library, authority: int, token: CancelToken) -> list[Call]:
    """Return the documents of the library that cite ``authority``, those with the worst treatment first."""
    return _calls(library, list_citing(library, authority), token)


def find_outgoing(library: Library, authority: int, token: CancelToken) -> list[Call]:
    """Return the authorities of the library that ``authority`` cites, those it treats worst first."""
    return _calls(library, list_cited_by(library, authority)[0], token)


def _calls(library: Library, edges: Edges, token: CancelToken) -> list[Call]:
    calls = []
    for each in rank_edges(edges)[:MOST_CALLS]:
        token.raise_if_cancelled()
        said = "" if each.treatment == "cited" else each.treatment
        item = _item(library, each.authority, said)
        in_order = sorted(each.places, key=lambda place: place.start)
        located = (library.locate(place.citing, place.start, place.end) for place in in_order)
        if item is not None:
            calls.append(Call(item, each.treatment, tuple(place for place in located if place is not None)))
    return calls


def _item(library: Library, number: int, said: str = "") -> GraphItem | None:
    authority, location = library.catalogue.get(number), library.locate(number, 0, 0)
    if authority is None or location is None:
        return None
    citation = authority.citation if authority.citation != authority.name else ""
    worst = library.graph.find_worst_treatment(number)
    return GraphItem(
        number,
        authority.name,
        " · ".join(part for part in (citation, said) if part),
        worst is not None and worst.treatment in NEGATIVE and worst.extent != "on other grounds",
        location,
    )
