"""Hits as JSON and as text for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from lexls.cli.output import wrapped
from lexls.features.wording import place_words
from lexls.library.roles.role import role_words
from lexls.retrieval.model import Hit


def hit_data(hit: Hit) -> dict[str, Any]:
    """One hit as the command line's JSON has it; offsets count code points of its file's text."""
    return {
        "rank": hit.rank,
        "path": hit.authority.relative,
        "title": hit.authority.title,
        "citation": hit.authority.citation,
        "kind": hit.authority.kind,
        "paragraph": hit.passage.paragraph or None,
        "page": hit.passage.page or None,
        "role": hit.passage.role or None,
        "start": hit.passage.start,
        "end": hit.passage.end,
        "score": round(hit.score, 6),
        "text": hit.passage.text,
    }


def hit_lines(hits: Iterable[Hit], notes: Mapping[int, str] = MappingProxyType({})) -> Iterator[str]:
    """Hits for reading: the authority, the place, the passage's beginning; ``notes`` on authorities by id."""
    found = False
    for hit in hits:
        if found:
            yield ""
        found = True
        authority, passage = hit.authority, hit.passage
        name = authority.title or authority.relative
        citation = f" {authority.citation}" if authority.citation and authority.citation != name else ""
        place = place_words(authority, passage)
        joint = " at " if place.startswith("[") else ", " if place else ""
        role = role_words(passage.role)
        yield f"{hit.rank:2}. {name}{citation}{joint}{place}{f' ({role})' if role else ''}"
        yield f"    {authority.relative}"
        if notes.get(authority.id):
            yield f"    {notes[authority.id]}"
        yield from wrapped(passage.text, "    ")
    if not found:
        yield "Nothing in the library fits."
