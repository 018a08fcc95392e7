"""Derive an authority's kind, jurisdiction and court from its own citation if its file does not state
them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from lexls.citations.courts import find_american_jurisdiction
from lexls.citations.jurisdiction import (
    find_court_of_citation,
    find_jurisdiction_of_court,
    find_jurisdiction_of_state,
)
from lexls.citations.model import fold, join_spaces
from lexls.library.document import AuthorityKind, Metadata

if TYPE_CHECKING:
    from lexls.citations.grammar import Grammar
    from lexls.citations.model import CitationKind

_PLACE = re.compile(r"\((\w{2,4})\)$")
_KINDS: Mapping[str, AuthorityKind] = {
    "case": "case",
    "statute": "statute",
    "regulation": "regulation",
    "rule": "regulation",
    "treaty": "treaty",
    "journal": "article",
}
"""The kind of authority implied by each kind of citation. Citations of books and papers imply no kind."""


def add_implied_facts(metadata: Metadata, grammar: Grammar, *, stated_court: bool = False) -> Metadata:
    """Fill in facts implied by the form of a document's own citations. Facts that are not implied stay empty.

    If several jurisdictions use the form, it implies no jurisdiction; a report that covers several courts
    implies no court. A document is a case if its court was stated somewhere other than in its opening lines
    (``stated_court``). A court's name, or the place in brackets after an enactment's title, implies the
    jurisdiction.
    """
    for written in filter(None, (metadata.citation, *metadata.parallel_citations)):
        places = grammar.places_of(written)
        jurisdiction = metadata.jurisdiction or (next(iter(places)) if len(places) == 1 else "")
        read = _read_alone(written, jurisdiction, grammar)
        if read is None:
            continue
        kind, key = read
        if metadata.kind == "other":
            metadata = replace(metadata, kind=_KINDS.get(kind, "other"))
        metadata = replace(metadata, jurisdiction=jurisdiction)
        if metadata.kind == "case" and not metadata.court:
            metadata = replace(metadata, court=find_court_of_citation(key, jurisdiction))
    if metadata.kind == "other" and stated_court and metadata.court:
        metadata = replace(metadata, kind="case")
    if not metadata.jurisdiction:
        place = _PLACE.search(metadata.citation or metadata.title)
        named = find_jurisdiction_of_court(metadata.court) or find_american_jurisdiction(metadata.court)
        metadata = replace(
            metadata, jurisdiction=named or (find_jurisdiction_of_state(place[1]) if place else "")
        )
    return metadata


def _read_alone(written: str, jurisdiction: str, grammar: Grammar) -> tuple[CitationKind, str] | None:
    """Return the kind and key of a citation if the text consists of nothing else; otherwise None."""
    core = grammar.core_of(join_spaces(written), jurisdiction)
    if core is not None:
        return core.form.kind, core.key
    found = [each for each in grammar.find(written, jurisdiction) if each.form == "full"]
    if len(found) == 1 and fold(found[0].span.of(written)) == fold(written):
        return found[0].kind, found[0].key
    return None
