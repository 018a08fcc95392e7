"""Collect, for a graph, the most important authorities that an authority cites and those that cite it."""

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
    """An authority linked to the central one.

    ``treatment`` is the worst treatment between the two and ``count`` the number of citations. ``passage`` is
    where its text cites the central authority, or None if the central authority cites it.
    """

    authority: Authority
    treatment: TreatmentKind
    count: int
    passage: Span | None

    @property
    def bad(self) -> bool:
        """Return whether the treatment is negative."""
        return self.treatment in NEGATIVE


@dataclass(frozen=True, slots=True)
class GraphSide:
    """The most important authorities of one side, in order of date, and the total number."""

    nodes: tuple[GraphNode, ...]
    count: int


@dataclass(frozen=True, slots=True)
class AuthorityGraph:
    """An authority with those that it cites and those that cite it. ``absent`` is the number of its citations
    to authorities not in the library.
    """

    authority: Authority
    cited: GraphSide
    citing: GraphSide
    absent: int


def draw_graph(library: Library, authority: int, most: int, token: CancelToken) -> AuthorityGraph | None:
    """Return the graph of an authority with at most ``most`` others on each side, or None if it is no longer
    in the library.

    Those with the worst treatment come first, then those cited most often. Raises ``Cancelled``.
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
