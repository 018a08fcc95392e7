"""Citations of authorities that the library does not hold, and those that may have been meant."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.features.checks.excerpt import Excerpt
from lexls.features.checks.impossible import why_impossible
from lexls.features.checks.offering import offer
from lexls.features.checks.problem import Problem
from lexls.features.checks.wording import as_named
from lexls.settings.diagnostics import IMPOSSIBLE_CITATION, NOT_IN_LIBRARY
from lexls.text.cancel import CancelToken


def check(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each authority that the paragraph cites in full and the library does not hold.

    While the library is being read for the first time, nobody knows what it does not hold. What cannot be a
    citation at all is told by the check of that.
    """
    if not excerpt.library.complete:
        return
    snapshot = excerpt.snapshot
    impossible_told = snapshot.settings.severities.get(IMPOSSIBLE_CITATION.code) != "off"
    reported: set[int] = set()
    told: set[str] = set()
    for resolution in excerpt.cited:
        citation = resolution.citation
        if resolution.authorities or citation.form != "full" or not citation.key:
            continue
        if citation.group:
            if citation.group in reported:
                continue
            reported.add(citation.group)
        if citation.key in told or (impossible_told and why_impossible(snapshot, citation)):
            continue
        told.add(citation.key)
        token.raise_if_cancelled()
        found = offer(excerpt, citation)
        named = as_named(snapshot, citation) if citation.kind == "case" else citation.key
        message = f"{named} is not in your library{found.question}"
        span = found.citation.core
        yield Problem(span, NOT_IN_LIBRARY.code, message, found.authority, fixes=found.fixes)
