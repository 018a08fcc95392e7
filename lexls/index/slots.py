"""Number the passages of the arrays, and mark those to which a search is limited."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexls.index.postings import DocumentPostings
from lexls.text.memory import Memory

Ids = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class NewPassages:
    """The passages of a document to be added: their ids, and their lengths in terms."""

    document: int
    ids: Ids
    lengths: NDArray[np.int32]

    @classmethod
    def of(cls, document: DocumentPostings) -> NewPassages:
        """Build the passages from their postings."""
        sums = np.concatenate([[0], np.cumsum(document.frequencies, dtype=np.int64)])
        lengths = np.diff(sums[np.asarray(document.offsets, np.int64)]).astype(np.int32)
        return cls(document.document, np.array(document.passages, np.int64), lengths)


class PassageSlots:
    """The passages in order of addition; a *slot* is a passage's position in that order.

    A removed passage keeps its slot, marked as not ``alive``, until ``compact``. ``ids``, ``lengths`` (in
    terms), ``rows`` (of the document in ``document_ids``) and ``alive`` have one element per slot.
    """

    def __init__(self) -> None:
        self.ids: Ids = np.empty(0, np.int64)
        self.lengths: NDArray[np.int32] = np.empty(0, np.int32)
        self.rows: NDArray[np.int32] = np.empty(0, np.int32)
        self.alive: Mask = np.empty(0, np.bool_)
        self.document_ids: Ids = np.empty(0, np.int64)
        self.live = 0
        self.total_length = 0
        self._row_of: dict[int, int] = {}
        self._ranges: list[tuple[int, int]] = []
        self._by_id: tuple[Ids, Ids] | None = None
        self._document_lengths: NDArray[np.float64] | None = None
        self._live_rows: Mask | None = None

    @property
    def count(self) -> int:
        """Number of slots, including those of removed passages."""
        return len(self.ids)

    @property
    def row_count(self) -> int:
        """Number of rows, including those of removed documents."""
        return len(self.document_ids)

    @property
    def document_count(self) -> int:
        """Number of documents that were not removed."""
        return len(self._row_of)

    @property
    def document_lengths(self) -> NDArray[np.float64]:
        """The length in terms of the document in each row; 0 for removed documents."""
        if self._document_lengths is None:
            lengths = np.bincount(self.rows, self.lengths * self.alive, len(self.document_ids))
            self._document_lengths = lengths.astype(np.float64)
        return self._document_lengths

    @property
    def live_rows(self) -> Mask:
        """A mask of the rows whose documents were not removed."""
        if self._live_rows is None:
            self._live_rows = np.zeros(len(self.document_ids), np.bool_)
            self._live_rows[np.fromiter(self._row_of.values(), np.int64, len(self._row_of))] = True
        return self._live_rows

    def __contains__(self, document: int) -> bool:
        return document in self._row_of

    def of(self, passages: Sequence[int] | Ids) -> Ids:
        """Return the slot of each passage id, or -1 for an unknown passage."""
        if self._by_id is None:
            live = np.flatnonzero(self.alive)
            order = np.argsort(self.ids[live], kind="stable")
            self._by_id = self.ids[live][order], live[order]
        ids, slots = self._by_id
        wanted = np.asarray(passages, dtype=np.int64)
        if not len(ids):
            return np.full(len(wanted), -1, np.int64)
        places = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
        return np.where(ids[places] == wanted, slots[places], -1).astype(np.int64)

    def documents_of(self, passages: Sequence[int] | Ids) -> Ids:
        """Return the document of each passage id, or 0 for an unknown passage."""
        slots = self.of(passages)
        if not self.count:
            return np.zeros(len(slots), np.int64)
        return np.where(slots >= 0, self.document_ids[self.rows[slots]], 0).astype(np.int64)

    def row_of(self, document: int) -> int:
        """Return the row of a document, -1 if it is unknown."""
        return self._row_of.get(document, -1)

    def rows_of(self, documents: Collection[int]) -> Ids:
        """Return the rows of those documents that are known, in ascending order."""
        found = [row for document in documents if (row := self._row_of.get(document)) is not None]
        return np.unique(np.array(found, np.int64))

    def of_rows(self, rows: Ids) -> NDArray[np.intp]:
        """Return the slots of the documents in these rows (ascending)."""
        ranges = [np.arange(*self._ranges[row]) for row in rows.tolist()]
        return np.concatenate(ranges) if ranges else np.empty(0, np.intp)

    def of_document(self, document: int) -> range:
        """Return the slots of a document's passages, empty if it is unknown."""
        row = self._row_of.get(document)
        return range(*self._ranges[row]) if row is not None else range(0)

    def append(self, documents: Sequence[NewPassages]) -> None:
        """Assign slots to the passages of new documents, in order."""
        first, row = self.count, len(self._ranges)
        counts = [len(each.ids) for each in documents]
        for each, count in zip(documents, counts, strict=True):
            self._row_of[each.document] = len(self._ranges)
            self._ranges.append((first, first + count))
            first += count
        lengths = [each.lengths for each in documents]
        rows = np.repeat(np.arange(row, row + len(documents), dtype=np.int32), counts)
        self.ids = np.concatenate([self.ids, *(each.ids for each in documents)])
        self.lengths = np.concatenate([self.lengths, *lengths])
        self.rows = np.concatenate([self.rows, rows])
        self.alive = np.concatenate([self.alive, np.ones(len(rows), np.bool_)])
        new_ids = np.array([each.document for each in documents], np.int64)
        self.document_ids = np.concatenate([self.document_ids, new_ids])
        self.live += len(rows)
        self.total_length += sum(int(each.sum(dtype=np.int64)) for each in lengths)
        self._changed()

    def remove(self, document: int) -> range:
        """Mark a document's passages as removed. Return their slots (empty if the document is unknown)."""
        slots = self.of_document(document)
        if self._row_of.pop(document, None) is not None:
            self.alive[slots.start : slots.stop] = False
            self.live -= len(slots)
            self.total_length -= int(self.lengths[slots.start : slots.stop].sum(dtype=np.int64))
            self._changed()
        return slots

    def compact(self) -> tuple[Ids, Ids]:
        """Drop the slots of removed passages.

        Return the new slot of each old slot, and the new row of each old row; dropped ones get -1.
        """
        alive = self.alive
        before = np.concatenate([[0], np.cumsum(alive)])
        kept_rows = np.array(sorted(self._row_of.values()), np.int64)
        new_row = np.full(len(self._ranges), -1, np.int64)
        new_row[kept_rows] = np.arange(len(kept_rows))
        ranges = [self._ranges[row] for row in kept_rows.tolist()]
        self._ranges = [(int(before[start]), int(before[end])) for start, end in ranges]
        self.document_ids = self.document_ids[kept_rows]
        self._row_of = {document: row for row, document in enumerate(self.document_ids.tolist())}
        self.rows = new_row[self.rows[alive]].astype(np.int32)
        self.ids = self.ids[alive]
        self.lengths = self.lengths[alive]
        self.alive = np.ones(len(self.ids), np.bool_)
        self._changed()
        return np.where(alive, before[:-1], -1).astype(np.int64), new_row

    def _changed(self) -> None:
        self._by_id = None
        self._document_lengths = None
        self._live_rows = None


NARROW = 1 / 16
"""If at most this fraction of the units is allowed, they are listed and scored individually."""
_KEPT_MASKS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Answering:
    """The units (slots or rows) that a search may return: ``mask`` is over all units (None: all allowed), and
    ``narrow`` lists the allowed ones if they are few.
    """

    mask: Mask | None
    narrow: NDArray[np.intp] | None


class AnsweringUnits:
    """A cache of the allowed units for recent sets of documents; it must be recreated whenever ``slots``
    changes.
    """

    def __init__(self, slots: PassageSlots) -> None:
        self._slots = slots
        self._kept = Memory[frozenset[int], tuple[Answering, Answering]](_KEPT_MASKS)
        self._all: tuple[Answering, Answering] | None = None

    def of(self, documents: Collection[int] | None) -> tuple[Answering, Answering]:
        """Return the allowed slots and rows for ``documents`` (None: all that were not removed)."""
        if documents is None:
            if self._all is None:
                self._all = self._live()
            return self._all
        key = documents if isinstance(documents, frozenset) else frozenset(documents)
        return self._kept.recall(key, lambda: self._units_of(key))

    def _units_of(self, key: frozenset[int]) -> tuple[Answering, Answering]:
        rows = self._slots.rows_of(key)
        rows_mask = np.zeros(self._slots.row_count, np.bool_)
        rows_mask[rows] = True
        passages = sum(len(self._slots.of_document(document)) for document in key)
        if passages <= NARROW * self._slots.count:
            slots = self._slots.of_rows(rows)
            slots_mask = np.zeros(self._slots.count, np.bool_)
            slots_mask[slots] = True
            return Answering(slots_mask, slots), Answering(rows_mask, rows.astype(np.intp))
        return Answering(rows_mask[self._slots.rows], None), Answering(rows_mask, None)

    def _live(self) -> tuple[Answering, Answering]:
        slots, rows = self._slots.alive, self._slots.live_rows
        return (
            Answering(None if self._slots.live == len(slots) else slots, None),
            Answering(None if self._slots.document_count == len(rows) else rows, None),
        )
