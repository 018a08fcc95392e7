"""What a library answered to the questions of a benchmark, and how good that was, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Figures = Mapping[str, float]
"""Measure → value."""


@dataclass(frozen=True, slots=True)
class RankedItem:
    """An answer in its place: a document, ``[start, end)`` of its text where passages were asked for, the
    number of a sentence, or the id of a case."""

    name: str
    score: float
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class Answer:
    """The ranked list for one question, best first, and the seconds it took."""

    id: str
    items: tuple[RankedItem, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class RunHeader:
    """What a run was: enough to tell whether two runs may be compared, and how each was made.

    ``benchmark_hash`` is the SHA-256 of the benchmark's bytes, ``kind`` what its questions ask for
    (``documents``, ``spans``, ``terms`` or ``cases``), ``index`` the fingerprint of the index that was
    searched. ``settings`` are those that change a ranked list.
    """

    lexls: str
    benchmark: str
    benchmark_hash: str
    kind: str
    index: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Run:
    """All answers to a benchmark with the figures of each question, in the order of its lines."""

    header: RunHeader
    answers: tuple[Answer, ...]
    figures: tuple[Figures, ...]

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures."""
        return tuple(self.figures[0]) if self.figures else ()
