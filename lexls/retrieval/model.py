"""Data types for search filters and results, and rank fusion."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from lexls.citations.courts import abbreviate_court
from lexls.index.records import Authority, PassageRecord
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Filters:
    """The documents that a search may return; empty fields allow all.

    ``courts`` match case-insensitively as part of the court's name or of its abbreviation in citations ("9th
    Cir."). ``jurisdictions`` are codes. ``date_from`` and ``date_to`` are inclusive ISO dates, which may be
    partial. ``within`` allows only these document ids. ``excluded`` paths are files, or folders with
    everything in them. ``roles`` are rhetorical roles: only passages with these roles, and documents with
    such passages, are returned.
    """

    kinds: frozenset[str] = frozenset()
    courts: tuple[str, ...] = ()
    jurisdictions: frozenset[str] = frozenset()
    date_from: str = ""
    date_to: str = ""
    within: frozenset[int] | None = None
    excluded: tuple[Path, ...] = ()
    roles: frozenset[str] = frozenset()


EVERYTHING = Filters()


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result: an authority and its best passage.

    ``rank`` counts from 1. ``score`` is the fused score, comparable only within one result list. ``lexical``
    is the passage's BM25 score and ``similarity`` its cosine with the query, each None if that stage did not
    return it. ``sentence`` is the sentence to quote, as a span of the passage's text, or None. If there is
    one, ``lexical`` and ``similarity`` may be those of another passage.
    """

    rank: int
    authority: Authority
    passage: PassageRecord
    score: float
    lexical: float | None
    similarity: float | None
    sentence: Span | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A ranked document (or passage of one) before its text is fetched.

    ``passage`` is None if only the document as a whole or its citations were matched. ``lexical`` and
    ``similarity`` are the passage's, as in ``Hit``.
    """

    document: int
    passage: int | None
    score: float
    lexical: float | None
    similarity: float | None


def select_documents(authorities: Iterable[Authority], filters: Filters) -> frozenset[int] | None:
    """Return the ids of the documents allowed by ``filters``, or None if all are allowed."""
    if filters == EVERYTHING:
        return None
    # As text: comparing ``Path`` objects of a whole library takes too long.
    excluded = {str(path) for path in filters.excluded}
    folders = tuple(path.rstrip(os.sep) + os.sep for path in excluded)
    return frozenset(
        each.id
        for each in authorities
        if _passes(each, filters)
        and not ((path := str(each.own_path)) in excluded or path.startswith(folders))
    )


def _passes(authority: Authority, filters: Filters) -> bool:
    if filters.within is not None and authority.id not in filters.within:
        return False
    if filters.kinds and authority.kind not in filters.kinds:
        return False
    if filters.jurisdictions and authority.jurisdiction not in filters.jurisdictions:
        return False
    if filters.courts and not any(_is_of_court(authority, part.casefold()) for part in filters.courts):
        return False
    if filters.date_from and not (authority.date and _compare(authority.date, filters.date_from) >= 0):
        return False
    return not filters.date_to or bool(authority.date and _compare(authority.date, filters.date_to) <= 0)


def _is_of_court(authority: Authority, part: str) -> bool:
    if part in authority.court.casefold():
        return True
    short = abbreviate_court(authority.jurisdiction, authority.citation, authority.court, authority.date)
    return part in short.casefold()


def _compare(date: str, limit: str) -> int:
    """Compare two ISO dates by the parts that both have, and return -1, 0 or 1."""
    shared = min(len(date), len(limit))
    return (date[:shared] > limit[:shared]) - (date[:shared] < limit[:shared])


Item = TypeVar("Item", bound=Hashable)

RRF_K = 60
"""The constant of Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual
Rank Learning Methods" (SIGIR 2009).
"""


def fuse(
    rankings: Sequence[Sequence[Item]], weights: Sequence[float] | None = None, k: int = RRF_K
) -> list[tuple[Item, float]]:
    """Return reciprocal rank fusion scores: each item with its sum of ``weight / (k + rank)``, best first.

    Ranks count from 1, and an item absent from a ranking gets nothing from it. ``weights`` has one number per
    ranking (None: all 1). Of items with equal scores, the one that comes first in the earliest ranking is
    first. Raises ``ValueError`` if the numbers of rankings and weights differ, ``k`` is negative, or a
    ranking names an item twice.
    """
    if weights is None:
        weights = [1.0] * len(rankings)
    if len(weights) != len(rankings):
        raise ValueError(f"{len(rankings)} rankings but {len(weights)} weights")
    if k < 0:
        raise ValueError(f"k must not be negative, but is {k}")
    scores: dict[Item, float] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        if len(set(ranking)) != len(ranking):
            raise ValueError("a ranking names an item twice")
        if weight == 0:
            continue
        for rank, item in enumerate(ranking, 1):
            scores[item] = scores.get(item, 0.0) + weight / (k + rank)
    return sort_best_first(scores)


def sort_best_first(scores: Mapping[Item, float]) -> list[tuple[Item, float]]:
    """Return the items with their scores, highest first; equal ones keep the order of the mapping."""
    return sorted(scores.items(), key=lambda entry: -entry[1])
