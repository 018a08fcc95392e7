"""Which documents a search may answer with."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from lexls.index.records import Authority
from lexls.retrieval.model import Filters


def allowed(authorities: Iterable[Authority], filters: Filters) -> frozenset[int] | None:
    """The ids of the documents that ``filters`` let through; None if they let everything through."""
    if filters == Filters():
        return None
    excluded = _Excluded(filters.excluded)
    return frozenset(
        authority.id
        for authority in authorities
        if _passes(authority, filters) and not excluded.holds(authority.path)
    )


def passes(authority: Authority, filters: Filters) -> bool:
    """Whether one document may answer.

    A document whose date is unknown passes no limit on dates. Dates are compared as far as both are known:
    "2014" is within "from 2014-05", since it may be later that year.
    """
    return _passes(authority, filters) and not _Excluded(filters.excluded).holds(authority.path)


def _passes(authority: Authority, filters: Filters) -> bool:
    if filters.within is not None and authority.id not in filters.within:
        return False
    if filters.kinds and authority.kind not in filters.kinds:
        return False
    if filters.courts:
        court = authority.court.casefold()
        if not any(part.casefold() in court for part in filters.courts):
            return False
    if filters.date_from and not (authority.date and _compare(authority.date, filters.date_from) >= 0):
        return False
    return not filters.date_to or bool(authority.date and _compare(authority.date, filters.date_to) <= 0)


def _compare(date: str, limit: str) -> int:
    """-1, 0 or 1, by the parts of the ISO dates that both have."""
    shared = min(len(date), len(limit))
    return (date[:shared] > limit[:shared]) - (date[:shared] < limit[:shared])


class _Excluded:
    """Paths that are left out, as text: comparing ``Path`` objects of a whole library takes too long."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths = {str(path) for path in paths}
        self._folders = tuple(path.rstrip(os.sep) + os.sep for path in self._paths)

    def holds(self, path: Path) -> bool:
        text = str(path)
        return text in self._paths or text.startswith(self._folders)
