"""Describe which documents may answer, and what a search finds, as plain data; fuse rankings."""

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
    """Which documents may answer; empty fields allow all.

    ``courts`` match case-insensitively as part of the court's name, or of what citations call it ("9th
    Cir."). ``jurisdictions`` are codes. ``date_from`` and ``date_to`` are ISO
    dates, cut ones allowed, both inclusive. ``within`` limits to these document ids; ``excluded`` leaves
    these paths out (a file, or a folder with everything in it). ``roles`` are rhetorical roles: only passages
    of these are answered with, and only documents that have one.
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
    """One answer: an authority with the passage that fits best.

    ``rank`` counts from 1; ``score`` is the fused score (comparable within one answer only).
    ``lexical`` is the passage's BM25 score and ``similarity`` its cosine to the query, None where that
    stage did not return it. ``sentence`` is the sentence to quote, as a span of the passage's text, None if
    none was chosen; the passage that has it may be another than the two numbers are of.
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
    """A document (or a passage of it) in its place, before its text is fetched.

    ``passage`` is None where only the document as a whole or its citations brought it there. ``lexical`` and
    ``similarity`` are the passage's, as in ``Hit``.
    """

    document: int
    passage: int | None
    score: float
    lexical: float | None
    similarity: float | None


def select_documents(authorities: Iterable[Authority], filters: Filters) -> frozenset[int] | None:
    """The ids of the documents that ``filters`` let through; None if they let everything through."""
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
    """-1, 0 or 1, by the parts of the ISO dates that both have."""
    shared = min(len(date), len(limit))
    return (date[:shared] > limit[:shared]) - (date[:shared] < limit[:shared])


Item = TypeVar("Item", bound=Hashable)

RRF_K = 60
"""The constant of Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual
Rank Learning Methods" (SIGIR 2009)."""


def fuse(
    rankings: Sequence[Sequence[Item]], weights: Sequence[float] | None = None, k: int = RRF_K
) -> list[tuple[Item, float]]:
    """Reciprocal rank fusion: every item with the sum of ``weight / (k + rank)``, best first.

    Ranks count from 1, and an item that a ranking does not hold gets nothing from it. ``weights`` has one
    number a ranking (None: all 1). Of equal scores the item that came first in an earlier ranking leads.
    Raises ``ValueError`` if the numbers of rankings and weights differ, ``k`` is negative, or a ranking
    names an item twice.
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
    """The items with their scores, the highest first, equal ones in the order of the mapping."""
    return sorted(scores.items(), key=lambda entry: -entry[1])
