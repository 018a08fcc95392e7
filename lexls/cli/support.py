"""``lexls support``: the authorities that support a proposition best."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.cli.context import Workspace, filters, open_for_search, searcher, workspace
from lexls.cli.drafts import offset_of, read_draft
from lexls.cli.failure import FINE, USAGE, CommandFailed
from lexls.cli.hits import hit_data, hit_lines
from lexls.cli.output import emit, wrapped
from lexls.features.cited_for import counted
from lexls.features.find_support import warning_of
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    from lexls.index.library import Library
    from lexls.retrieval.cited_for import CitedFor
    from lexls.retrieval.model import Hit


def run(options: argparse.Namespace) -> int:
    """Search for a proposition, given or read from a draft; that draft itself is no authority for it."""
    draft: Path | None = options.file
    place = workspace(options, draft)
    proposition = options.text if draft is None else _proposition(draft, options, place)
    settings = place.settings
    chosen = filters(
        options,
        place,
        kinds=settings.support_kinds,
        roles=settings.support_roles,
        leave_out=[draft] if draft else [],
    )
    library = open_for_search(place, lexical=options.lexical)
    search = searcher(library, place, lexical=options.lexical)
    token = CancelToken()
    hits = search.search(proposition, options.k or place.settings.support_max_results, chosen, token)
    known: Mapping[int, CitedFor] = {}
    if settings.precedents_enabled:
        known = search.cited_for(proposition, chosen, token)
    notes = {each.authority.id: _notes(library, each, known.get(each.authority.id)) for each in hits}
    data = {
        "proposition": proposition,
        "hits": [
            {
                **hit_data(hit),
                "warning": warning_of(library, hit.authority) or None,
                "cited_for": _counts(known.get(hit.authority.id)),
            }
            for hit in hits
        ],
    }
    emit(options, data, _lines(proposition, hits, notes, shown=draft is not None))
    return FINE


def _notes(library: Library, hit: Hit, found: CitedFor | None) -> str:
    """What warns one off a hit, and what it was cited for."""
    warning = warning_of(library, hit.authority)
    notes = [f"Warning: {warning}." if warning else "", counted(library, found) if found else ""]
    return " ".join(filter(None, notes))


def _counts(found: CitedFor | None) -> dict[str, int]:
    """In how many documents of the library, and own files, a hit was cited for the same."""
    return {"documents": found.count if found else 0, "own": len(found.own) if found else 0}


def _proposition(path: Path, options: argparse.Namespace, place: Workspace) -> str:
    """The words of the sentence at the place named, without the cases it cites."""
    from lexls.features.propositions import asked

    draft = read_draft(path, place.settings)
    offset = offset_of(draft, path, options.line, options.character)
    sentence = draft.sentence_at(offset)
    words = asked(draft, sentence) if sentence else ""
    if sentence and not any(each.isalnum() for each in words):
        words = draft.prose(sentence)  # nothing but a citation and its signal
    if not words:
        raise CommandFailed(f"{path}: there is no sentence on line {options.line}", USAGE)
    return words


def _lines(proposition: str, hits: list[Hit], notes: Mapping[int, str], *, shown: bool) -> Iterator[str]:
    if shown:
        yield from wrapped(f"“{proposition}”", "")
        yield ""
    yield from hit_lines(hits, notes)
