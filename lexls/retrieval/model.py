"""Queries and hits, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lexls.index.records import Authority, PassageRecord


@dataclass(frozen=True, slots=True)
class Filters:
    """Which documents may answer; empty fields allow all.

    ``courts`` match case-insensitively as part of the court's name. ``date_from`` and ``date_to`` are ISO
    dates, cut ones allowed, both inclusive. ``within`` limits to these document ids; ``excluded`` leaves
    these paths out (a file, or a folder with everything in it). ``roles`` are rhetorical roles: only passages
    of these are answered with, and only documents that have one.
    """

    kinds: frozenset[str] = frozenset()
    courts: tuple[str, ...] = ()
    date_from: str = ""
    date_to: str = ""
    within: frozenset[int] | None = None
    excluded: tuple[Path, ...] = ()
    roles: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer: an authority with the passage that fits best.

    ``rank`` counts from 1; ``score`` is the fused score (comparable within one answer only).
    ``lexical`` is the passage's BM25 score and ``similarity`` its cosine to the query, None where that
    stage did not return it.
    """

    rank: int
    authority: Authority
    passage: PassageRecord
    score: float
    lexical: float | None
    similarity: float | None


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
