"""Citations of authorities that the library does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.features.checks.excerpt import Excerpt
from lexls.features.checks.problem import Problem
from lexls.settings.diagnostics import NOT_IN_LIBRARY
from lexls.text.cancel import CancelToken


def check(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each full citation, parallel ones counted once, that the library does not hold.

    While the library is being read for the first time, nobody knows what it does not hold.
    """
    if not excerpt.library.complete:
        return
    reported: set[int] = set()
    for resolution in excerpt.cited:
        citation = resolution.citation
        if (
            resolution.authorities
            or citation.form != "full"
            or not citation.key
            or citation.group in reported
        ):
            continue
        reported.add(citation.group)
        cited = " ".join(citation.core.of(excerpt.snapshot.draft.masked).split())
        name = " ".join(citation.name.split())
        whole = cited if not name or name in cited else f"{name} {cited}"
        yield Problem(citation.core, NOT_IN_LIBRARY.code, f"{whole} is not in your library")
