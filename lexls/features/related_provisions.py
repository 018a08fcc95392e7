"""Find the provisions of another code that a citation of a replaced code, or of a new one, corresponds to."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.citations.concordance import Concordance, Correspondence, ends_of_range
from lexls.citations.model import Citation, Pinpoint
from lexls.index.library import Library
from lexls.index.records import Place
from lexls.library.places import list_enclosing


@dataclass(frozen=True, slots=True)
class RelatedProvision:
    """A correspondence of a cited provision, and what the library has of it.

    ``label`` is the cited label as the draft writes it, or one end of the range that it writes. ``authority``
    is the library's copy of the other code, None if it holds none; ``places`` are the corresponding
    provisions in it.
    """

    label: str
    correspondence: Correspondence
    authority: int | None = None
    places: tuple[Place, ...] = ()


def find_related_provisions(
    library: Library, concordance: Concordance, citation: Citation
) -> tuple[RelatedProvision, ...]:
    """For each section that a citation points at: its successor, or its predecessor in a new code.

    Empty for an Act that replaced none and was not replaced, and for a citation without a section. Of a range
    the first and the last section are answered.
    """
    found = []
    for label, correspondence in find_correspondences(concordance, citation):
        held = library.catalogue.find_key(correspondence.other)
        authority = held[0] if held else None
        places = _places(library, authority, citation, correspondence.labels)
        found.append(RelatedProvision(label, correspondence, authority, places))
    return tuple(found)


def find_correspondences(concordance: Concordance, citation: Citation) -> list[tuple[str, Correspondence]]:
    """The sections that a citation points at, as written, each with its correspondence."""
    pinpoint = citation.pinpoint
    table = concordance.table(citation.key)
    if table is None or pinpoint is None or pinpoint.kind != "section":
        return []
    ask = concordance.successors if table.old == citation.key else concordance.predecessors
    found = []
    for label in pinpoint.labels:
        for each in ends_of_range(label) or (label,):
            correspondence = ask(citation.key, each)
            if correspondence is not None:
                found.append((each, correspondence))
    return found


def _places(
    library: Library, authority: int | None, citation: Citation, labels: tuple[str, ...]
) -> tuple[Place, ...]:
    """Each label's place, or that of what it belongs to where the library's copy numbers no deeper."""
    if authority is None or citation.pinpoint is None:
        return ()
    found: dict[Place, None] = {}
    for label in labels:
        for each in (label, *list_enclosing(label)):
            places = library.contents.find_places(
                authority, Pinpoint("section", (each,), citation.pinpoint.span)
            )
            if places:
                found.update(dict.fromkeys(places))
                break
    return tuple(found)
