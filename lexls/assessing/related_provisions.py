"""Find the provisions of an old or new code that correspond to a citation of its counterpart."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.citations.concordance import Concordance, Correspondence, ends_of_range
from lexls.citations.model import Citation
from lexls.index.library import Library
from lexls.index.records import Place
from lexls.reading.resolve import find_place


@dataclass(frozen=True, slots=True)
class RelatedProvision:
    """A section that a draft cites, and the provisions of the old or new code that correspond to it.
    ``label`` is the section as written, or one end of a range. ``authority`` is the library's copy of the
    other code, or None; ``places`` are the corresponding provisions in it.
    """

    label: str
    correspondence: Correspondence
    authority: int | None = None
    places: tuple[Place, ...] = ()


def find_related_provisions(
    library: Library, concordance: Concordance, citation: Citation
) -> tuple[RelatedProvision, ...]:
    """Return the provisions that correspond to each section that a citation points to, in the code that
    replaced the cited code or that it replaced. Empty if there is no such code, or if the citation has no
    section. For a range, only the first and the last section are returned.
    """
    found = []
    for label, correspondence in find_correspondences(concordance, citation):
        held = library.catalogue.find_key(correspondence.other)
        authority = held[0] if held else None
        known: dict[Place, None] = {}
        if authority is not None and citation.pinpoint is not None:
            for each in correspondence.labels:
                known.update(dict.fromkeys(find_place(library, authority, citation.pinpoint, each)))
        found.append(RelatedProvision(label, correspondence, authority, tuple(known)))
    return tuple(found)


def find_correspondences(concordance: Concordance, citation: Citation) -> list[tuple[str, Correspondence]]:
    """Return the sections that a citation points to, each as written and with its correspondence."""
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
