"""``lexls explain``: why the authorities cited on a line support it, in their own words."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lexls.cli.context import open_embedder_if_ready, open_for_search, searcher, workspace
from lexls.cli.drafts import offset_of, read_draft
from lexls.cli.failure import FINE
from lexls.cli.output import emit, wrapped

if TYPE_CHECKING:
    from lexls.features.explain import CitationExplanation
    from lexls.features.snapshot import Draft, Snapshot


def run(options: argparse.Namespace) -> int:
    """Explain each citation of the line; where it has none, the first one of the sentence that lies on it."""
    from lexls.features.explain import explain_at
    from lexls.features.snapshot import Snapshot
    from lexls.text.cancel import CancelToken

    place = workspace(options, options.file)
    draft = read_draft(options.file, place.settings)
    start = offset_of(draft, options.file, options.line, options.character)
    library = open_for_search(place)
    snapshot = Snapshot(draft, library, searcher(library, place), place.settings)
    embedder = open_embedder_if_ready(place.settings)
    encode = embedder.encode if embedder is not None else None
    offsets = (
        [start] if options.character is not None else _citations_on_line(snapshot, options.line) or [start]
    )
    found = [explain_at(snapshot, offset, CancelToken(), encode) for offset in offsets]
    explanations = [_data(snapshot, each) for each in found if each is not None]
    emit(options, {"explanations": explanations}, _lines(draft, explanations))
    return FINE


def _citations_on_line(snapshot: Snapshot, line: int) -> list[int]:
    """An offset in each citation that begins or goes on in a line, parallel citations counted once."""
    from lexls.text.lines import LineIndex

    span = LineIndex(snapshot.draft.source).line_span(line - 1)
    groups: dict[int, int] = {}
    for citation in snapshot.draft.citations_in(span):
        groups.setdefault(citation.group, citation.core.start)
    return list(groups.values())


def _data(snapshot: Snapshot, found: CitationExplanation) -> dict[str, Any]:
    from lexls.features.explain import proposition_of

    draft, explanation = snapshot.draft, found.explanation
    citation = draft.citation_at(found.span.start)
    statements = explanation.statements if explanation else ()
    authority = explanation.authority if explanation else None
    proposition = explanation.proposition if explanation else ""
    if explanation is None and citation is not None:
        proposition = proposition_of(snapshot, citation)
    return {
        "citation": {"start": found.span.start, "end": found.span.end, "text": found.span.of(draft.source)},
        "proposition": proposition,
        "authority": {
            "path": authority.relative,
            "title": authority.title,
            "citation": authority.citation,
            "kind": authority.kind,
        }
        if authority
        else None,
        "abstained": not statements,
        "statements": [
            {
                "text": each.text,
                "paragraph": each.label or None,
                "page": each.page or None,
                "start": each.start,
                "end": each.end,
                "at_pinpoint": each.at_pinpoint,
            }
            for each in statements
        ],
        "missing": list(explanation.missing) if explanation else [],
        "notes": list(explanation.notes) if explanation else [found.reason],
    }


def _lines(draft: Draft, explanations: list[dict[str, Any]]) -> Iterator[str]:
    for number, each in enumerate(explanations):
        if number:
            yield ""
        yield " ".join(draft.masked[each["citation"]["start"] : each["citation"]["end"]].split())
        if each["proposition"]:
            yield from wrapped(f"on: “{each['proposition']}”", "  ", 3)
        if each["authority"]:
            yield f"  {each['authority']['title']} {each['authority']['citation']}".rstrip()
        for statement in each["statements"]:
            label, page = statement["paragraph"], statement["page"]
            place = f"at {label}: " if label else f"on page {page}: " if page else ""
            yield from wrapped(f"{place}“{statement['text']}”", "    ", 12)
        for reason in each["notes"]:
            yield from wrapped(reason, "  ", 4)
    if not explanations:
        yield "No citation there."
