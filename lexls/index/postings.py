"""Count the terms of passages, and invert the postings of documents into the lists that queries read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from lexls.index.rows import Postings
from lexls.index.tokens import Tokenizer

MAX_SLOTS = 1 << 31
MAX_TERMS = 1 << 31
_PIECE = 1 << 15
CHUNK = 1 << 22
"""Number of postings sorted at once. More are sorted in chunks and joined, which needs less memory."""

Numbers = NDArray[np.int32]
Frequencies = NDArray[np.unsignedinteger]


@dataclass(frozen=True, slots=True, eq=False)
class DocumentPostings:
    """The postings of a document, by passage.

    Passage ``passages[i]`` contains term ``terms[j]`` ``frequencies[j]`` times, for each ``j`` in
    ``offsets[i]:offsets[i + 1]``. A term is listed at most once per passage, in any order. ``offsets`` has
    one element more than ``passages``. Arrays over a blob (``np.frombuffer``) may be passed: they are neither
    written to nor kept. Raises ``ValueError`` if the lengths are inconsistent.
    """

    document: int
    passages: Sequence[int] | NDArray[np.int64]
    offsets: NDArray[np.integer]
    terms: NDArray[np.int32]
    frequencies: NDArray[np.uint16]

    def __post_init__(self) -> None:
        if len(self.offsets) != len(self.passages) + 1:
            raise ValueError(f"{len(self.offsets)} offsets for {len(self.passages)} passages")
        if not len(self.terms) == len(self.frequencies) == self.offsets[-1] or self.offsets[0] != 0:
            raise ValueError(
                f"offsets from {self.offsets[0]} to {self.offsets[-1]} for {len(self.terms)} terms"
                f" and {len(self.frequencies)} frequencies"
            )


@dataclass(frozen=True, slots=True, eq=False)
class InvertedLists:
    """For each term, the units (passages by slot, or documents by row) that contain it, and how often.

    ``terms`` are the distinct term numbers in ascending order. The list of ``terms[i]`` is
    ``starts[i]:starts[i + 1]`` of ``units`` (ascending) and ``frequencies``, which take one byte each if they
    fit.
    """

    terms: Numbers
    starts: NDArray[np.int64]
    units: Numbers
    frequencies: Frequencies

    @property
    def size(self) -> int:
        """Number of postings."""
        return len(self.units)

    def find(self, terms: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
        """Yield (index in ``terms``, place of the term's list) for each of ``terms`` that occurs."""
        if not len(self.terms):
            return
        places = np.minimum(np.searchsorted(self.terms, terms), len(self.terms) - 1)
        for index in np.flatnonzero(self.terms[places] == terms).tolist():
            yield index, int(places[index])

    def at(self, place: int) -> tuple[Numbers, Frequencies]:
        """Return the units and frequencies of the list at ``place``."""
        start, end = self.starts[place], self.starts[place + 1]
        return self.units[start:end], self.frequencies[start:end]

    def places_of(self, unit: int) -> NDArray[np.intp]:
        """Return the places of the lists that contain ``unit``."""
        # In pieces that fit the processor's cache, this takes less than a nanosecond per posting.
        found = [
            np.flatnonzero(self.units[start : start + _PIECE] == unit) + start
            for start in range(0, len(self.units), _PIECE)
        ]
        positions = np.concatenate(found) if found else np.empty(0, np.intp)
        return np.searchsorted(self.starts, positions, side="right") - 1

    def renumber(self, new_units: NDArray[np.int64]) -> InvertedLists:
        """Return the same lists with each unit ``u`` replaced by ``new_units[u]``. The new numbers must
        ascend; -1 removes a unit.
        """
        units = new_units[self.units]
        kept = units >= 0
        before = np.concatenate([[0], np.cumsum(kept)])[self.starts]
        occurring = np.diff(before) > 0
        return InvertedLists(
            self.terms[occurring],
            np.concatenate([[0], before[1:][occurring]]).astype(np.int64),
            units[kept].astype(np.int32),
            self.frequencies[kept],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """The inverted postings of whole documents, whose passages have the slots ``first_slot`` to ``end_slot``:
    by passage (units are slots) and by document (units are rows).
    """

    first_slot: int
    end_slot: int
    passages: InvertedLists
    documents: InvertedLists

    @property
    def size(self) -> int:
        """Number of postings of passages."""
        return self.passages.size

    def passages_with(self, row: int, first_slot: int, end_slot: int) -> tuple[Numbers, NDArray[np.int64]]:
        """Return the terms of the document in ``row`` (slots ``first_slot`` to ``end_slot``), and how many of
        its passages contain each term.
        """
        terms = self.documents.terms[self.documents.places_of(row)]
        bounds = np.array([first_slot, end_slot], np.int32)
        lists = np.searchsorted(self.passages.terms, terms).tolist()
        found = [np.searchsorted(self.passages.at(place)[0], bounds) for place in lists]
        return terms, np.diff(np.array(found, np.int64).reshape(-1, 2))[:, 0]


def invert(documents: Iterable[DocumentPostings], first_slot: int, first_row: int) -> Segment:
    """Build an index segment from ``documents``. Passages get consecutive slots from ``first_slot``, and
    documents consecutive rows from ``first_row``, both in the order given.
    """
    passages: list[InvertedLists] = []
    whole: list[InvertedLists] = []
    slot, row = first_slot, first_row
    for chunk in _chunks(documents):
        by_passage, by_document, slot = _sort(chunk, slot, row)
        passages.append(by_passage)
        whole.append(by_document)
        row += len(chunk)
    return Segment(first_slot, slot, join(passages), join(whole))


def _chunks(documents: Iterable[DocumentPostings]) -> Iterator[list[DocumentPostings]]:
    """Yield the documents in lists of about ``CHUNK`` postings."""
    gathered: list[DocumentPostings] = []
    size = 0
    for document in documents:
        gathered.append(document)
        size += len(document.terms)
        if size >= CHUNK:
            yield gathered
            gathered, size = [], 0
    if gathered:
        yield gathered


def merge(segments: Sequence[Segment]) -> Segment:
    """Merge consecutive segments into one."""
    return Segment(
        segments[0].first_slot,
        segments[-1].end_slot,
        join([each.passages for each in segments]),
        join([each.documents for each in segments]),
    )


def renumber(
    segments: Sequence[Segment], new_slots: NDArray[np.int64], new_rows: NDArray[np.int64]
) -> Segment:
    """Merge all postings into one segment, renumbering slot ``s`` to ``new_slots[s]`` and row ``r`` to
    ``new_rows[r]``; -1 removes a slot or row.
    """
    return Segment(
        0,
        int(new_slots.max(initial=-1)) + 1,
        join([each.passages.renumber(new_slots) for each in segments]),
        join([each.documents.renumber(new_rows) for each in segments]),
    )


def join(parts: list[InvertedLists]) -> InvertedLists:
    """Join lists from consecutive parts; all units of a part must be below those of the next part. Empties
    ``parts`` on the way to free memory early.
    """
    if len(parts) == 1:
        return parts.pop()
    terms = np.unique(np.concatenate([np.empty(0, np.int32), *(each.terms for each in parts)]))
    counts = np.zeros(len(terms), np.int64)
    for each in parts:
        counts[np.searchsorted(terms, each.terms)] += np.diff(each.starts)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    kind = np.result_type(np.uint8, *(each.frequencies.dtype for each in parts))
    units = np.empty(int(starts[-1]), np.int32)
    frequencies: Frequencies = np.empty(int(starts[-1]), kind)
    free = starts[:-1].copy()
    parts.reverse()
    while parts:
        part = parts.pop()
        places = np.searchsorted(terms, part.terms)
        sizes = np.diff(part.starts)
        target = np.repeat(free[places] - part.starts[:-1], sizes)
        target += np.arange(part.size)
        units[target] = part.units
        frequencies[target] = part.frequencies
        free[places] += sizes
    return InvertedLists(terms, starts, units, frequencies)


def _sort(
    documents: Sequence[DocumentPostings], first_slot: int, first_row: int
) -> tuple[InvertedLists, InvertedLists, int]:
    """Build the lists by passage and by document. Return them and the slot after the last."""
    sizes = np.concatenate([np.diff(each.offsets) for each in documents])
    if first_slot + len(sizes) > MAX_SLOTS:
        raise ValueError(f"more than {MAX_SLOTS} passages")
    terms = np.concatenate([each.terms for each in documents])
    order = _order(terms)
    terms = terms[order].astype(np.int32, copy=False)
    units = np.repeat(np.arange(first_slot, first_slot + len(sizes), dtype=np.int32), sizes)[order]
    frequencies = np.concatenate([each.frequencies for each in documents])[order]
    del order
    counts = [len(each.passages) for each in documents]
    row_of = np.repeat(np.arange(first_row, first_row + len(documents), dtype=np.int32), counts)
    rows = row_of[units - first_slot] if len(units) else units
    # A term's passages in one document are adjacent.
    firsts = np.flatnonzero((np.diff(terms, prepend=-1) != 0) | (np.diff(rows, prepend=-1) != 0))
    sums = np.add.reduceat(frequencies, firsts, dtype=np.uint32) if len(firsts) else frequencies
    return (
        _lists(terms, units, frequencies),
        _lists(terms[firsts], rows[firsts], sums),
        first_slot + len(sizes),
    )


def _order(terms: NDArray[np.integer]) -> NDArray[np.intp]:
    """Return the order that sorts ``terms`` stably, so that equal terms stay in slot order."""
    if len(terms) and (terms.min() < 0 or terms.max() >= MAX_TERMS):
        raise ValueError(f"term numbers are from 0 to {MAX_TERMS - 1}")
    # NumPy sorts 16-bit numbers by radix: two such sorts take half the time of one comparison sort.
    order = np.argsort((terms & 0xFFFF).astype(np.uint16), kind="stable")
    high = (terms >> 16).astype(np.uint16)
    if high.any():
        order = order[np.argsort(high[order], kind="stable")]
    return order


def _lists(terms: Numbers, units: Numbers, frequencies: Frequencies) -> InvertedLists:
    """Build the lists from postings sorted by term and unit."""
    firsts = np.flatnonzero(np.diff(terms, prepend=np.int32(-1)))
    starts = np.append(firsts, len(terms)).astype(np.int64)
    smallest = np.min_scalar_type(int(frequencies.max(initial=0)))
    return InvertedLists(terms[firsts], starts, units, frequencies.astype(smallest))


@dataclass(frozen=True, slots=True)
class ForwardPostings:
    """A document's postings by unit (passage or precedent): ``vocabulary[terms[i]]`` occurs
    ``frequencies[i]`` times in unit ``u`` for ``offsets[u] <= i < offsets[u + 1]``.
    """

    terms: NDArray[np.int32]
    frequencies: NDArray[np.uint16]
    offsets: NDArray[np.int32]

    def cut(self, start: int, end: int) -> ForwardPostings:
        """Return the postings of the units ``[start, end)``."""
        offsets = self.offsets[start : end + 1]
        inside = slice(offsets[0], offsets[-1])
        return ForwardPostings(self.terms[inside], self.frequencies[inside], offsets - offsets[0])

    def pack(self) -> Postings:
        """Return the arrays as bytes, as ``DocumentRows`` stores them."""
        return self.offsets.tobytes(), self.terms.tobytes(), self.frequencies.tobytes()


def count_terms(texts: Sequence[str], tokenizer: Tokenizer) -> tuple[tuple[str, ...], ForwardPostings]:
    """Return the vocabulary of a document's units, in order of first occurrence, and the units' postings."""
    place_of: dict[str, int] = {}  # position of each word's first occurrence
    place = count()
    # Free the words of one text before creating those of the next, to reuse the memory.
    placed = [
        np.fromiter(map(place_of.setdefault, words, place), np.int64, len(words))
        for words in tokenizer.cut(texts)
    ]
    lengths = [len(each) for each in placed]
    same = np.concatenate([np.empty(0, np.int64), *placed])
    stems = tokenizer.stem(place_of)
    number_of = dict(zip(filter(None, dict.fromkeys(stems)), count()))
    vocabulary = tuple(number_of)
    number_of[""] = -1
    numbers = np.empty_like(same)
    numbers[list(place_of.values())] = [number_of[stem] for stem in stems]
    numbers = numbers[same]
    kept = np.flatnonzero(numbers >= 0)
    numbers, units = numbers[kept], np.repeat(np.arange(len(texts)), lengths)[kept]
    # One sort brings equal terms of a unit together, the one with the lowest position first.
    size = len(kept) or 1
    marked = (units * len(vocabulary) + numbers) * size + np.arange(len(kept))
    cells, places = np.divmod(np.sort(marked), size)
    first = np.flatnonzero(np.diff(cells, prepend=-1))
    frequencies = np.zeros(len(kept), np.int64)
    frequencies[places[first]] = np.diff(first, append=len(kept))
    counted = np.flatnonzero(frequencies)
    return vocabulary, ForwardPostings(
        numbers[counted].astype(np.int32),
        np.minimum(frequencies[counted], 0xFFFF).astype(np.uint16),
        np.searchsorted(units[counted], np.arange(len(texts) + 1)).astype(np.int32),
    )
