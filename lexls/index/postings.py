"""Postings as NumPy arrays: forward, as a document is stored, and inverted, as a query reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# A posting is sorted as one 64-bit number: term, slot, frequency from the highest bit down.
_FREQUENCY_BITS = 16
_SLOT_BITS = 25
_TERM_BITS = 64 - _SLOT_BITS - _FREQUENCY_BITS
MAX_SLOTS = 1 << _SLOT_BITS
MAX_TERMS = 1 << _TERM_BITS
_PIECE = 1 << 15


@dataclass(frozen=True, slots=True, eq=False)
class DocumentPostings:
    """The postings of a document, forward.

    Passage ``passages[i]`` holds term ``terms[j]`` ``frequencies[j]`` times for each ``j`` in
    ``offsets[i]:offsets[i + 1]``; a term stands at most once in a passage, in any order. ``offsets`` has
    one element more than ``passages``. Arrays over a blob (``np.frombuffer``) are fine: nothing is
    written to them or kept. Raises ``ValueError`` when the lengths do not fit together.
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
class Segment:
    """Inverted postings of the passages in slots ``first_slot`` to ``end_slot``.

    ``terms`` are the distinct term numbers, rising; those of ``terms[i]`` lie in
    ``starts[i]:starts[i + 1]`` of ``slots`` (rising) and ``frequencies``.
    """

    first_slot: int
    end_slot: int
    terms: NDArray[np.int32]
    starts: NDArray[np.int64]
    slots: NDArray[np.int32]
    frequencies: NDArray[np.uint16]

    @property
    def size(self) -> int:
        """The number of postings."""
        return len(self.slots)

    @property
    def nbytes(self) -> int:
        """Memory of the arrays in bytes: 6 a posting, 12 a distinct term."""
        return sum(each.nbytes for each in (self.terms, self.starts, self.slots, self.frequencies))

    def find(self, terms: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.uint16]]]:
        """For each of ``terms`` that occurs: its index in ``terms``, its slots and frequencies."""
        if not len(self.terms):
            return
        places = np.minimum(np.searchsorted(self.terms, terms), len(self.terms) - 1)
        for index in np.flatnonzero(self.terms[places] == terms).tolist():
            start, end = self.starts[places[index]], self.starts[places[index] + 1]
            yield index, self.slots[start:end], self.frequencies[start:end]

    def terms_within(self, first_slot: int, end_slot: int) -> NDArray[np.int32]:
        """The term of every posting of the slots ``first_slot`` to ``end_slot``, with repetitions."""
        # Slots are not negative, so one unsigned comparison tests both ends; in pieces that fit the
        # processor's cache this takes a nanosecond a posting.
        found = []
        buffer = np.empty(_PIECE, np.int32)
        for start in range(0, len(self.slots), _PIECE):
            piece = self.slots[start : start + _PIECE]
            offset = np.subtract(piece, np.int32(first_slot), out=buffer[: len(piece)]).view(np.uint32)
            found.append(np.flatnonzero(offset < np.uint32(end_slot - first_slot)) + start)
        positions = np.concatenate(found) if found else np.empty(0, np.int64)
        return self.terms[np.searchsorted(self.starts, positions, side="right") - 1]

    def term_of_posting(self) -> NDArray[np.int32]:
        """The term of every posting."""
        return np.repeat(self.terms, np.diff(self.starts))


def inverted(documents: Iterable[DocumentPostings], first_slot: int) -> Segment:
    """The segment of the documents' passages, which get the slots from ``first_slot`` on, in order."""
    terms: list[NDArray[np.int32]] = []
    frequencies: list[NDArray[np.uint16]] = []
    counts: list[NDArray[np.integer]] = []
    for document in documents:
        terms.append(document.terms)
        frequencies.append(document.frequencies)
        counts.append(np.diff(document.offsets))
    if not terms:
        return _segment(first_slot, first_slot, np.empty(0, np.uint64))
    sizes = np.concatenate(counts)
    slots = np.repeat(np.arange(first_slot, first_slot + len(sizes), dtype=np.int64), sizes)
    packed = _packed(np.concatenate(terms), slots, np.concatenate(frequencies))
    return _segment(first_slot, first_slot + len(sizes), packed)


def merged(segments: Sequence[Segment]) -> Segment:
    """One segment with the postings of several that follow each other."""
    parts = [_packed(each.term_of_posting(), each.slots, each.frequencies) for each in segments]
    return _segment(segments[0].first_slot, segments[-1].end_slot, np.concatenate(parts))


def renumbered(segments: Sequence[Segment], new_slots: NDArray[np.int64]) -> Segment:
    """One segment of all postings, slot ``s`` becoming ``new_slots[s]``; those with -1 are left out."""
    parts = []
    for each in segments:
        slots = new_slots[each.slots]
        kept = slots >= 0
        parts.append(_packed(each.term_of_posting()[kept], slots[kept], each.frequencies[kept]))
    packed = np.concatenate(parts) if parts else np.empty(0, np.uint64)
    return _segment(0, int(new_slots.max(initial=-1)) + 1, packed)


def _packed(
    terms: NDArray[np.integer], slots: NDArray[np.integer], frequencies: NDArray[np.uint16]
) -> NDArray[np.uint64]:
    if len(terms) and (terms.min() < 0 or terms.max() >= MAX_TERMS):
        raise ValueError(f"term numbers are from 0 to {MAX_TERMS - 1}")
    if len(slots) and slots.max() >= MAX_SLOTS:
        raise ValueError(f"more than {MAX_SLOTS} passages")
    packed = terms.astype(np.uint64)
    packed <<= np.uint64(_SLOT_BITS)
    packed |= slots.astype(np.uint64)
    packed <<= np.uint64(_FREQUENCY_BITS)
    packed |= frequencies
    return packed


def _segment(first_slot: int, end_slot: int, packed: NDArray[np.uint64]) -> Segment:
    packed.sort()
    frequencies = packed.astype(np.uint16)
    packed >>= np.uint64(_FREQUENCY_BITS)
    slots = (packed & np.uint64(MAX_SLOTS - 1)).astype(np.int32)
    packed >>= np.uint64(_SLOT_BITS)
    terms = packed.astype(np.int32)
    firsts = np.flatnonzero(np.diff(terms, prepend=np.int32(-1)))
    starts = np.append(firsts, len(terms)).astype(np.int64)
    return Segment(first_slot, end_slot, terms[firsts], starts, slots, frequencies)
