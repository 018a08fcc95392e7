"""Which authorities of the library a draft cites, told from the keys of its citations alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from lexls.citations.treatment import NEGATIVE
from lexls.features.draft import Draft
from lexls.index.library import Library
from lexls.index.records import TreatedIn

_KEPT = 100_000


class KnownKeys:
    """What the library holds under the keys asked for, kept until it changes. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._generation = -1
        self._documents: dict[str, tuple[int, ...]] = {}
        self._warnings: dict[int, tuple[TreatedIn, ...]] = {}

    def cited(self, library: Library, draft: Draft) -> dict[str, tuple[int, ...]]:
        """The keys that the draft cites, in the order of their first citations, each with its authorities."""
        keys = dict.fromkeys(_keys(draft))
        with self._lock:
            self._move_on(library)
            known = self._documents
            for key in keys:
                if key not in known:
                    known[key] = library.find_key(key)
            return {key: known[key] for key in keys}

    def warnings(self, library: Library, document: int) -> tuple[TreatedIn, ...]:
        """The treatments that warn of an authority, worst first; () for nearly all of them."""
        if library.worst_treatment(document) is None:
            return ()
        with self._lock:
            self._move_on(library)
            if document not in self._warnings:
                found = library.treatments(document)
                self._warnings[document] = tuple(each for each in found if each.treatment in NEGATIVE)
            return self._warnings[document]

    def _move_on(self, library: Library) -> None:
        if self._generation != library.generation or len(self._documents) > _KEPT:
            self._generation = library.generation
            self._documents = {}
            self._warnings = {}


def _keys(draft: Draft) -> Iterator[str]:
    for piece in draft.citations.pieces:
        for citation in piece.citations:
            if citation.key:
                yield citation.key
