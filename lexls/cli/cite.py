"""``lexls cite``: the citations of a file."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lexls.cli.context import open_for_search, workspace
from lexls.cli.drafts import read_draft
from lexls.cli.failure import FINE
from lexls.cli.output import emit

if TYPE_CHECKING:
    from lexls.citations.model import Citation
    from lexls.features.snapshot import Draft


def run(options: argparse.Namespace) -> int:
    """List the citations, resolved in the library where there is one."""
    place = workspace(options, options.file)
    draft = read_draft(options.file, place.settings)
    known = [bool(citation.key) for citation in draft.citations]
    if place.folders:
        from lexls.features.resolve import resolve

        library = open_for_search(place, lexical=True)
        known = [bool(resolve(library, draft, citation).authorities) for citation in draft.citations]
    data = [_citation_data(draft, *each) for each in zip(draft.citations, known, strict=True)]
    emit(options, {"citations": data}, _lines(draft, data))
    return FINE


def _citation_data(draft: Draft, citation: Citation, resolved: bool) -> dict[str, Any]:
    return {
        "start": citation.span.start,
        "end": citation.span.end,
        "text": citation.span.of(draft.source),
        "kind": citation.kind,
        "jurisdiction": citation.jurisdiction or None,
        "key": citation.key or None,
        "pinpoint": ", ".join(citation.pinpoint.labels) if citation.pinpoint else None,
        "resolved": resolved,
        "antecedent": citation.antecedent,
    }


def _lines(draft: Draft, data: list[dict[str, Any]]) -> Iterator[str]:
    from lexls.text.lines import LineIndex

    lines = LineIndex(draft.source)
    for each in data:
        line, character = lines.position(each["start"])
        text = " ".join(draft.masked[each["start"] : each["end"]].split())
        meaning = f" → {each['key']}" if each["key"] and each["key"] not in text else ""
        pinpoint = f" at {each['pinpoint']}" if each["pinpoint"] and meaning else ""
        known = "" if each["resolved"] else "  (not known)"
        yield f"{line + 1}:{character + 1}: {each['kind']}: {text}{meaning}{pinpoint}{known}"
    if not data:
        yield "No citations."
