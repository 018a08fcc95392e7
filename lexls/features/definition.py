"""Go to definition: from a citation to the authority, at its pinpoint."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.citations.model import Citation
from lexls.features.related_provisions import related_provisions
from lexls.features.resolve import places_of, resolve
from lexls.features.snapshot import Snapshot
from lexls.index.records import OpenLocation
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a citation leads. ``origin`` is the citation in the draft; ``authority`` an id of the library."""

    origin: Span
    authority: int
    location: OpenLocation


def definition(snapshot: Snapshot, offset: int, token: CancelToken) -> list[Definition]:
    """The authorities that the citation at ``offset`` names, each at the first place of its pinpoint.

    Without a pinpoint, or where the authority has no such place, its beginning. A section of a code that the
    library does not hold leads to the corresponding sections of the code that replaced it, or that it
    replaced. Empty when there is no citation or the library does not hold it.
    """
    citation = snapshot.draft.citation_at(offset)
    if citation is None:
        return []
    library = snapshot.library
    found = resolve(library, snapshot.draft, citation)
    token.raise_if_cancelled()
    definitions = []
    for number in found.authorities:
        start, end = 0, 0
        if number == found.authority:
            places = places_of(library, found, or_enclosing=True)
            if places:
                start, end = places[0].start, places[0].end
        location = library.locate(number, start, end)
        if location is not None:
            definitions.append(Definition(citation.span, number, location))
        token.raise_if_cancelled()
    return definitions if found.authorities else _in_other_code(snapshot, citation)


def _in_other_code(snapshot: Snapshot, citation: Citation) -> list[Definition]:
    definitions = []
    for related in related_provisions(snapshot.library, snapshot.concordance, citation):
        for place in related.places:
            location = snapshot.library.locate(place.document, place.start, place.end)
            if location is not None:
                definitions.append(Definition(citation.span, place.document, location))
    return definitions
