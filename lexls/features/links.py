"""Document links: every citation that the library holds opens its authority."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.features.resolve import authority_of, places_of, resolve
from lexls.features.snapshot import Snapshot
from lexls.grounding.place_words import named
from lexls.index.records import OpenLocation
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Link:
    """A piece of a draft that leads to an authority; ``tooltip`` is plain text.

    Where it leads is computed by ``target``, late, since only links that are followed need it.
    """

    span: Span
    authority: int
    tooltip: str


def links(snapshot: Snapshot, token: CancelToken) -> list[Link]:
    """The links of the draft, in order: what identifies the authority in each citation that is found."""
    found: list[Link] = []
    for citation in snapshot.draft.citations:
        token.raise_if_cancelled()
        resolution = resolve(snapshot.library, snapshot.draft, citation)
        authority = authority_of(snapshot.library, resolution)
        if authority is not None and len(citation.core):
            found.append(Link(citation.core, authority.id, named(authority)))
    return found


def target(snapshot: Snapshot, link: Link) -> OpenLocation | None:
    """Where a link leads: the pinpoint's place, else the beginning; None if it left the library."""
    if snapshot.library.authority(link.authority) is None:
        return None
    for citation in snapshot.draft.citations:
        if citation.core == link.span:
            found = resolve(snapshot.library, snapshot.draft, citation)
            places = places_of(snapshot.library, found, or_enclosing=True)
            if places and places[0].document == link.authority:
                return snapshot.library.locate(link.authority, places[0].start, places[0].end)
    return snapshot.library.locate(link.authority, 0, 0)
