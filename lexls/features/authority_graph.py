"""Gather what an authority cites and what cites it for a picture: the most important on either side."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.citations.treatment import NEGATIVE, TreatmentKind
from lexls.features.navigation import Edges, list_cited_by, list_citing, rank_edges
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class GraphNode:
    """An authority beside the one in the middle. ``treatment`` is the worst way in which the one treats the
    other, ``count`` is how many citations there are, and ``passage`` where its own text cites the one in the
    middle; None for what that one cites."""

    authority: Authority
    treatment: TreatmentKind
    count: int
    passage: Span | None

    @property
    def bad(self) -> bool:
        """Return whether the treatment warns one off."""
        return self.treatment in NEGATIVE


@dataclass(frozen=True, slots=True)
class GraphSide:
    """The most important authorities of a side in the order of their dates, and how many there are in all."""

    nodes: tuple[GraphNode, ...]
    count: int


@dataclass(frozen=True, slots=True)
class AuthorityGraph:
    """An authority between those that it cites and those that cite it. ``absent`` is how many of its
    citations are of what the library does not hold."""

    authority: Authority
    cited: GraphSide
    citing: GraphSide
    absent: int


def draw_graph(library: Library, authority: int, most: int, token: CancelToken) -> AuthorityGraph | None:
    """The graph of an authority with at most ``most`` on either side; None if it has left the library.

    The most important are those that are treated worst, then those that are cited most often. Raises
    ``Cancelled``.
    """
    known = library.catalogue.get(authority)
    if known is None:
        return None
    cited, absent = list_cited_by(library, authority)
    token.raise_if_cancelled()
    return AuthorityGraph(
        known,
        _draw_side(library, cited, most, own=False),
        _draw_side(library, list_citing(library, authority), most, own=True),
        absent,
    )


def _draw_side(library: Library, edges: Edges, most: int, *, own: bool) -> GraphSide:
    ranked = rank_edges(edges)
    nodes = []
    for each in ranked[:most]:
        other = library.catalogue.get(each.authority)
        if other is not None:
            place = Span(each.places[0].start, each.places[0].end) if own else None
            nodes.append(GraphNode(other, each.treatment, len(each.places), place))
    # Oldest first; what has no date last.
    nodes.sort(key=lambda each: (each.authority.date or "~", each.authority.name))
    return GraphSide(tuple(nodes), len(ranked))
