"""Which documents a search may answer with."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lexls.index.records import Authority
from lexls.retrieval.model import Filters


def allowed(authorities: Iterable[Authority], filters: Filters) -> frozenset[int] | None:
    """The ids of the documents that ``filters`` let through; None if they let everything through."""
    if filters == Filters():
        return None
    return frozenset(authority.id for authority in authorities if passes(authority, filters))


def passes(authority: Authority, filters: Filters) -> bool:
    """Whether one document may answer.

    A document whose date is unknown passes no limit on dates. Dates are compared as far as both are known:
    "2014" is within "from 2014-05", since it may be later that year.
    """
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
    if filters.date_to and not (authority.date and _compare(authority.date, filters.date_to) <= 0):
        return False
    return not any(_lies_in(authority.path, excluded) for excluded in filters.excluded)


def _compare(date: str, limit: str) -> int:
    """-1, 0 or 1, by the parts of the ISO dates that both have."""
    shared = min(len(date), len(limit))
    return (date[:shared] > limit[:shared]) - (date[:shared] < limit[:shared])


def _lies_in(path: Path, excluded: Path) -> bool:
    return path == excluded or excluded in path.parents
