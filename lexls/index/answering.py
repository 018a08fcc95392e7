"""Which passages and documents of a BM25 index may answer, as masks over its slots and rows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexls.index.slots import Mask, PassageSlots

NARROW = 1 / 16
"""Where no more than this part of the units may answer, they are looked up one by one."""
_KEPT_MASKS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Answering:
    """Which units may answer: ``mask`` over all (None: all may); ``narrow`` names them if they are few."""

    mask: Mask | None
    narrow: NDArray[np.intp] | None


class AnsweringUnits:
    """The units of sets of documents, remembered for the last large sets asked for.

    Made anew whenever ``slots`` change.
    """

    def __init__(self, slots: PassageSlots) -> None:
        self._slots = slots
        self._kept: OrderedDict[Collection[int], tuple[Answering, Answering]] = OrderedDict()
        self._all: tuple[Answering, Answering] | None = None

    def of(self, documents: Collection[int] | None) -> tuple[Answering, Answering]:
        """The slots and the rows of ``documents`` (None: of all that were not removed)."""
        if documents is None:
            if self._all is None:
                self._all = self._live()
            return self._all
        key = documents if isinstance(documents, frozenset) else frozenset(documents)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        rows = self._slots.rows_of(key)
        rows_mask = np.zeros(self._slots.row_count, np.bool_)
        rows_mask[rows] = True
        passages = sum(len(self._slots.of_document(document)) for document in key)
        if passages <= NARROW * self._slots.count:
            slots = self._slots.of_rows(rows)
            slots_mask = np.zeros(self._slots.count, np.bool_)
            slots_mask[slots] = True
            found = Answering(slots_mask, slots), Answering(rows_mask, rows.astype(np.intp))
        else:
            found = Answering(rows_mask[self._slots.rows], None), Answering(rows_mask, None)
        self._kept[key] = found
        while len(self._kept) > _KEPT_MASKS:
            self._kept.popitem(last=False)
        return found

    def _live(self) -> tuple[Answering, Answering]:
        slots, rows = self._slots.alive, self._slots.live_rows
        return (
            Answering(None if self._slots.live == len(slots) else slots, None),
            Answering(None if self._slots.document_count == len(rows) else rows, None),
        )
