"""Citations whose year, volume or number the report or court cannot have."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.citations.model import Citation
from lexls.citations.plausibility import plausible
from lexls.features.checks.excerpt import Excerpt
from lexls.features.checks.offering import offer
from lexls.features.checks.problem import Problem
from lexls.features.checks.wording import as_cited
from lexls.features.snapshot import Snapshot
from lexls.settings.diagnostics import IMPOSSIBLE_CITATION
from lexls.text.cancel import CancelToken


def check(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each full citation that cannot be, unless the library holds an authority with it."""
    for resolution in excerpt.cited:
        token.raise_if_cancelled()
        citation = resolution.citation
        if resolution.by == "citation":
            continue
        reason = why_impossible(excerpt.snapshot, citation)
        if reason:
            found = offer(excerpt, citation)
            fixes = found.fixes if found.citation is citation else ()
            message = f"{as_cited(excerpt.snapshot, citation)}: {reason}{found.question if fixes else ''}"
            yield Problem(citation.core, IMPOSSIBLE_CITATION.code, message, fixes=fixes)


def why_impossible(snapshot: Snapshot, citation: Citation) -> str:
    """Why the report or court cannot have such a citation, "" if nothing certain speaks against it."""
    grammar = snapshot.searcher.grammar
    return plausible(citation, grammar) if grammar is not None else ""
