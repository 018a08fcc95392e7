"""Describe the candidates of a search, and make figures comparable between queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]
"""A number for each candidate."""

OFFSET = 10
"""A rank r counts ``1 / (OFFSET + r)``, that of a document which is not ranked nothing."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The documents to be put in order, best first by their fused ``scores``.

    ``best`` has the passage that fits each of them best, for those of which a stage found one.
    """

    documents: tuple[int, ...]
    scores: tuple[float, ...]
    best: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Described:
    """The documents of a fused ranking that may change places with one another, and their features.

    ``places`` are where they stand in the ranking (from 0, rising), ``documents`` what stands there;
    ``features`` have a number for each of them by name. ``with_vectors`` says that similarity took part.
    """

    places: tuple[int, ...] = ()
    documents: tuple[int, ...] = ()
    features: Mapping[str, Column] = field(default_factory=dict)
    with_vectors: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """The query as features need it.

    ``text`` is what was asked, ``terms`` are its distinct index terms, ``sequence`` those of its text in
    order; ``vector`` is None where similarity cannot be told. ``speaking`` are the documents whose sentences
    and citations count (None: all).
    """

    text: str
    terms: tuple[str, ...]
    sequence: tuple[str, ...]
    vector: NDArray[np.float32] | None
    speaking: frozenset[int] | None
    tokenize: Callable[[str], Sequence[str]]


def count_ranks(documents: Iterable[int], place: Mapping[int, int]) -> Column:
    """The places of ``documents`` (best first, the first time of each counts); see ``OFFSET``."""
    column = np.zeros(len(place))
    for rank, document in enumerate(dict.fromkeys(documents), 1):
        if document in place:
            column[place[document]] = 1 / (OFFSET + rank)
    return column


def scale(column: Column) -> Column:
    """As shares of the greatest."""
    greatest = column.max(initial=0.0)
    return column / greatest if greatest > 0 else column


def standardise(column: Column) -> Column:
    """In standard deviations above the mean."""
    spread = column.std() if len(column) else 0.0
    return (column - column.mean()) / spread if spread > 0 else np.zeros(len(column))
