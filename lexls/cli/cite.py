"""``lexls cite``: list a draft's citations."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lexls.cli.context import find_workspace, open_for_search
from lexls.cli.drafts import open_snapshot, read_draft
from lexls.cli.output import FINE, emit
from lexls.text.lines import LineIndex

if TYPE_CHECKING:
    from lexls.citations.model import Citation
    from lexls.reading.draft import Draft
    from lexls.reading.snapshot import Snapshot


def run_cite(options: argparse.Namespace) -> int:
    """List the citations, and whether each is in the library if there is one. If a style is chosen, list them
    also in that style.
    """
    place = find_workspace(options, options.file)
    style = options.style or place.settings.citations_style
    draft = read_draft(options.file, place.settings)
    known = [bool(citation.key) for citation in draft.citations]
    if place.folders:
        from lexls.reading.resolve import resolve

        library = open_for_search(place, lexical=True)
        known = [bool(resolve(library, draft, citation).authorities) for citation in draft.citations]
        library.close()
    styled: list[str | None] = [None] * len(known)
    if style:
        with open_snapshot(options, options.file, style) as snapshot:
            styled = [_styled(snapshot, citation, style) for citation in snapshot.draft.citations]
    data = [_citation_data(draft, *each) for each in zip(draft.citations, known, styled, strict=True)]
    emit(options, {"citations": data}, _lines(draft, data))
    return FINE


def _styled(snapshot: Snapshot, citation: Citation, style: str) -> str | None:
    """Return the citation in the style, with the draft's markup, or None if facts that the style needs are
    unknown.
    """
    from lexls.citations.styles import Style
    from lexls.writing.convert import write_as

    found = write_as(snapshot, citation, Style.load(style))
    return found.text if found is not None else None


def _citation_data(draft: Draft, citation: Citation, resolved: bool, styled: str | None) -> dict[str, Any]:
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
        "styled": styled,
    }


def _lines(draft: Draft, data: list[dict[str, Any]]) -> Iterator[str]:
    lines = LineIndex(draft.source)
    for each in data:
        line, character = lines.position(each["start"])
        # A command that cites by key is blanked in the masked text.
        text = " ".join(draft.masked[each["start"] : each["end"]].split()) or each["text"]
        meaning = f" → {each['key']}" if each["key"] and each["key"] not in text else ""
        pinpoint = f" at {each['pinpoint']}" if each["pinpoint"] and meaning else ""
        known = "" if each["resolved"] else "  (not known)"
        yield f"{line + 1}:{character + 1}: {each['kind']}: {text}{meaning}{pinpoint}{known}"
        if each["styled"]:
            yield f"    {each['styled']}"
    if not data:
        yield "No citations."
