"""Find the best units of a BM25 query without scoring all of them exactly.

A unit (a passage or a document) has the sum of its terms' parts: weight times saturation. First every posting
counts with a bound of its part, a saturation rounded up to one byte, and the bounds are added up in 16-bit
integers: a fifth of the time of exact sums, since there is no division, no look-up of a length and little
memory to go through. The k-th best sum of bounds, less what all rounding can have added, is then no more than
the k-th best score, and only units whose sum of bounds reaches it are scored exactly, list by list; one whose
score so far and whose remaining bounds do not reach the k-th best any more is given up on the way. What is
returned is exact: a unit is given up only where its bound lies below by more than rounding.

After the impact-ordered and upper-bound methods of H. Turtle, J. Flood, "Query evaluation: strategies and
optimizations" (1995), and V. N. Anh, A. Moffat, "Pruned query evaluation using pre-computed impacts" (2006).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexls.index.postings import Frequencies, InvertedLists, Numbers, Segment
from lexls.index.slots import Ids

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]
Levels = NDArray[np.uint8]

_PIECE = 1 << 15
_SLACK = 1 - 1e-9
"""Sums that differ by less may only differ in rounding."""
_TOP_LEVEL = 255
_TOP_SUM = 65_535
_MOST_TERMS = 4_096
"""A query of more terms leaves too little of 16 bits to each."""
_SAMPLED = 16
"""A first guess of the k-th best sum is made from every so manieth unit."""
_ROOM = 1.01
"""The average length may change by this factor before levels are computed anew."""
_BY_SEARCH = 40
"""Looking up one unit in a list by bisection costs as much as passing over so many postings."""


@dataclass(frozen=True, slots=True, eq=False)
class Saturation:
    """BM25's ``f (k1 + 1) / (f + norm)`` of a frequency f.

    ``norms`` has ``k1 (1 − b + b · length / average)`` for each unit.
    """

    norms: Scores
    k1: float
    b: float
    average: float

    def of(self, units: NDArray[np.integer], frequencies: Frequencies, longer: float = 1.0) -> Scores:
        """The saturation of each unit's frequency, were the average ``longer`` times what it is."""
        norms = self.norms.take(units)
        if longer != 1.0:
            norms /= longer
            norms += self.k1 * (1 - self.b) * (1 - 1 / longer)
        norms += frequencies
        part = np.multiply(frequencies, self.k1 + 1, dtype=np.float64)
        part /= norms
        return part

    def add(self, sums: Scores, units: Numbers, frequencies: Frequencies, weight: float) -> None:
        """Add a term's part to the units' sums."""
        # Piece by piece, so that intermediate results stay in the processor's cache.
        for start in range(0, len(units), _PIECE):
            places = units[start : start + _PIECE].astype(np.intp)
            part = self.of(places, frequencies[start : start + _PIECE])
            part *= weight
            np.add.at(sums, places, part)


@dataclass(frozen=True, slots=True, eq=False)
class TermList:
    """One term's postings. ``levels`` are their saturations in 255ths of k1 + 1, rounded up; ``weight``
    multiplies the saturation, ``bound`` is the most that it then is."""

    units: Numbers
    frequencies: Frequencies
    levels: Levels
    weight: float
    bound: float


class Impacts:
    """The levels of an ``InvertedLists``, a byte a posting, computed for a list when it is first asked for.

    They are those of a slightly larger average length, with which no saturation is smaller, so that small
    changes of the average need no new computation. ``loosened`` is how much of a level is certain.
    """

    def __init__(self, lists: InvertedLists) -> None:
        self._lists = lists
        self._levels: Levels = np.zeros(lists.size, np.uint8)
        self._made = np.zeros(len(lists.terms), np.bool_)
        self._made_for = (0.0, 0.0)
        self._averages = (0.0, 0.0)

    def use(self, saturation: Saturation) -> float:
        """Make ready for this saturation. A saturation is at least the returned number (not above 1) times
        what its level, less 1, stands for."""
        smallest, largest = self._averages
        if self._made_for != (saturation.k1, saturation.b) or not smallest <= saturation.average <= largest:
            self._made.fill(False)
            self._made_for = saturation.k1, saturation.b
            smallest, largest = self._averages = saturation.average / _ROOM, saturation.average * _ROOM
        return saturation.average / largest

    def at(self, place: int, saturation: Saturation, weight: float) -> TermList:
        """The list at ``place``, for the saturation that ``use`` was called with."""
        units, frequencies = self._lists.at(place)
        levels = self._levels[self._lists.starts[place] : self._lists.starts[place + 1]]
        if not self._made[place]:
            longer = self._averages[1] / saturation.average
            for start in range(0, len(units), _PIECE):
                piece = slice(start, start + _PIECE)
                exact = saturation.of(units[piece], frequencies[piece], longer)
                levels[piece] = np.ceil(exact * (_TOP_LEVEL / (saturation.k1 + 1)))
            self._made[place] = True
        bound = weight * (saturation.k1 + 1) / _TOP_LEVEL * int(levels.max())
        return TermList(units, frequencies, levels, weight, bound)


class Scratch:
    """Memory for a search over ``count`` units: ``sums`` (0 between searches) and ``places`` (-1)."""

    def __init__(self, count: int) -> None:
        self.sums: NDArray[np.uint16] = np.zeros(count, np.uint16)
        self.places: NDArray[np.int32] = np.full(count, -1, np.int32)


def find_best_units(
    lists: Sequence[TermList],
    saturation: Saturation,
    certain: float,
    k: int,
    allowed: Mask | None,
    narrow: NDArray[np.intp] | None,
    scratch: Scratch,
    least: float,
) -> tuple[NDArray[np.intp], Scores]:
    """At least the ``k`` best units of ``lists`` (weights above 0) and their scores, in the order of units.

    A score is added up in the order of ``lists``; heavy terms first is fastest.
    Units below ``least``, which is the k-th best score of others, may be left out too. ``certain`` is what
    ``Impacts.use`` returned. ``allowed`` is a mask over units (None: all may answer); where few may,
    ``narrow`` names them, rising.
    """
    if narrow is None:
        narrow = _possible(lists, saturation, certain, k, allowed, scratch, least)
    return _among(lists, narrow, saturation, k, least, scratch)


def _possible(
    lists: Sequence[TermList],
    saturation: Saturation,
    certain: float,
    k: int,
    allowed: Mask | None,
    scratch: Scratch,
    least: float,
) -> NDArray[np.intp]:
    """The units that can be among the ``k`` best, by sums of bounds."""
    total = sum(each.bound for each in lists)
    if not lists or len(lists) > _MOST_TERMS:
        units = np.unique(np.concatenate([np.empty(0, np.int32), *(each.units for each in lists)]))
        return units[allowed[units]].astype(np.intp) if allowed is not None else units.astype(np.intp)
    sums = scratch.sums
    scale = (_TOP_SUM - len(lists)) / total
    rounded = 0.0
    for each in lists:
        step = each.weight * (saturation.k1 + 1) / _TOP_LEVEL * scale
        parts = np.minimum(np.ceil(np.arange(_TOP_LEVEL + 1) * step), _TOP_SUM).astype(np.uint16)
        rounded += step + 1
        for start in range(0, len(each.units), _PIECE):
            units = each.units[start : start + _PIECE].astype(np.intp)
            np.add.at(sums, units, parts.take(each.levels[start : start + _PIECE]))
    if allowed is not None:
        np.multiply(sums, allowed, out=sums)
    bar = max((_kth(sums, k) - rounded) * certain, least * scale) * _SLACK
    possible = np.flatnonzero(sums >= max(1, int(bar)))
    sums.fill(0)
    return possible


def _kth(sums: NDArray[np.uint16], k: int) -> int:
    """The k-th largest of ``sums``; 0 if fewer are above 0."""
    sample = sums[::_SAMPLED]
    wanted = 2 * (k // _SAMPLED) + 8
    while wanted < len(sample):
        guess = int(np.partition(sample, len(sample) - wanted)[len(sample) - wanted])
        if not guess:
            break
        above = sums[sums >= guess]
        if len(above) >= k:
            return int(np.partition(above, len(above) - k)[len(above) - k])
        wanted *= 4
    above = sums[sums > 0]
    return int(np.partition(above, len(above) - k)[len(above) - k]) if len(above) >= k else 0


def _among(
    lists: Sequence[TermList],
    units: NDArray[np.intp],
    saturation: Saturation,
    k: int,
    least: float,
    scratch: Scratch,
) -> tuple[NDArray[np.intp], Scores]:
    """The scores of these units, those given up that cannot be among the ``k`` best any more."""
    rest = np.cumsum([each.bound for each in reversed(lists)])[::-1].tolist()
    sums = np.zeros(len(units))
    marked: NDArray[np.intp] | None = None
    places = scratch.places
    for each, remaining in zip(lists, rest, strict=True):
        # The k-th best is among those that are better than it was before.
        better = sums[sums > least]
        if len(better) >= k:
            least = float(np.partition(better, len(better) - k)[len(better) - k])
        kept = sums + remaining >= least * _SLACK
        if not kept.all():
            units, sums = units[kept], sums[kept]
            if marked is not None:
                places[marked] = -1
                marked = None
        if len(units) * _BY_SEARCH < len(each.units):
            at = np.searchsorted(each.units, units.astype(np.int32))
            at[at == len(each.units)] = 0
            hit = np.flatnonzero(each.units[at] == units)
            at = at[hit]
        else:
            if marked is None:
                marked = units
                places[units] = np.arange(len(units), dtype=np.int32)
            place = places.take(each.units)
            at = np.flatnonzero(place >= 0)
            hit = place[at].astype(np.intp)
        part = saturation.of(units[hit], each.frequencies[at])
        part *= each.weight
        sums[hit] += part
    if marked is not None:
        places[marked] = -1
    kept = sums > 0
    return units[kept], sums[kept]


class TermCounts:
    """Counts by term number: ``passages`` and ``documents`` that hold each term, those removed left out."""

    def __init__(self) -> None:
        self.passages: Ids = np.zeros(0, np.int64)
        self.documents: Ids = np.zeros(0, np.int64)
        self._idf: tuple[int, Scores, float] | None = None

    def occurs(self, term: int) -> bool:
        """Return whether any passage holds this term."""
        return 0 <= term < len(self.passages) and bool(self.passages[term] > 0)

    def add(self, segment: Segment) -> None:
        """Count the postings of a new segment."""
        terms = segment.passages.terms
        if len(terms) and terms[-1] >= len(self.passages):
            # Terms keep coming while a library is read: grow by a quarter at least.
            size = max(int(terms[-1]) + 1, len(self.passages) * 5 // 4)
            more = np.zeros(size - len(self.passages), np.int64)
            self.passages = np.concatenate([self.passages, more])
            self.documents = np.concatenate([self.documents, more])
        self.passages[terms] += np.diff(segment.passages.starts)
        self.documents[terms] += np.diff(segment.documents.starts)
        self._idf = None

    def remove(self, terms: Numbers, passages: Ids) -> None:
        """Take a document with these distinct terms away, of which so many passages hold each."""
        self.passages[terms] -= passages
        self.documents[terms] -= 1
        self._idf = None

    def idf(self, corpus_size: int) -> tuple[Scores, float]:
        """``ln(N − n + ½) − ln(n + ½)`` of each term that n of N = ``corpus_size`` passages hold, and the
        mean of those that occur."""
        if self._idf is None or self._idf[0] != corpus_size:
            occurring = self.passages > 0
            # By the number of passages, since few numbers occur, with the logarithm that rank_bm25 uses
            # and summed one after another as it does, so that a fresh index has the same bits.
            table = np.zeros(int(self.passages.max(initial=0)) + 1)
            for count in np.flatnonzero(np.bincount(self.passages[occurring])).tolist():
                table[count] = math.log(corpus_size - count + 0.5) - math.log(count + 0.5)
            raw: Scores = table[self.passages]
            held = raw[occurring]
            average = float(np.cumsum(held)[-1]) / len(held) if len(held) else 0.0
            self._idf = corpus_size, raw, average
        return self._idf[1], self._idf[2]
