"""Store the precedents of documents, and list those to embed: a precedent is embedded once an authority it
cites is in the library.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.index.aliases import Aliases
from lexls.index.catalogue import Catalogue
from lexls.index.connection import select
from lexls.index.contents import list_forgotten, load_entries
from lexls.index.rows import CitationRows, Postings


def choose_next_id(connection: apsw.Connection, table: str) -> int:
    """Return the next id after the highest ever used in ``table``."""
    rows = select(connection, "SELECT seq FROM sqlite_sequence WHERE name = ?", (table,))
    return next((int(highest) for (highest,) in rows), 0) + 1


def insert_postings(
    connection: apsw.Connection,
    table: str,
    place: tuple[int, int],
    postings: Postings,
    terms: NDArray[np.int32],
) -> None:
    """Store the postings of a document. ``place`` is a pair: the id of the document and that of its first
    passage or precedent. ``terms`` are the numbers of the vocabulary that the postings refer to.
    """
    offsets, places, frequencies = postings
    row = (*place, offsets, terms[np.frombuffer(places, np.int32)].tobytes(), frequencies)
    connection.execute(f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?)", row)


Kept = Mapping[str, tuple[bytes, bytes]]
"""The vectors of a document's precedents, by proposition: the vector of the proposition and that of its
entities, both float16.
"""


class PrecedentRows:
    """The tables of precedents. All methods run in the caller's write transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._waiting: list[int] | None = None
        self._catalogue = Catalogue()
        self._aliases = Aliases()
        self._since = 0

    def kept(self, document: int) -> Kept:
        """Return the vectors of a document's precedents, to reuse those of unchanged precedents when the
        document is read again.
        """
        sql = """SELECT p.proposition, v.proposition, v.entities FROM precedents AS p
                 JOIN precedent_vectors AS v ON v.precedent = p.id WHERE p.document = ?"""
        rows = select(self._connection, sql, (document,))
        return {words: (bytes(proposition), bytes(entities)) for words, proposition, entities in rows}

    def insert(
        self, document: int, rows: CitationRows, terms: NDArray[np.int32], kept: Kept, generation: int
    ) -> None:
        """Store a document's precedents. ``terms`` are the numbers of ``rows.vocabulary``."""
        first = choose_next_id(self._connection, "precedents")
        self._connection.executemany(
            "INSERT INTO precedents VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (first + n, document, *row, generation if row[2] in kept else 0)
                for n, row in enumerate(rows.precedents)
            ),
        )
        self._connection.executemany(
            "INSERT INTO precedent_keys VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((first + n, *row) for n, *row in rows.precedent_keys),
        )
        self._connection.executemany(
            "INSERT INTO precedent_vectors VALUES (?, ?, ?)",
            (
                (first + n, *kept[proposition])
                for n, (_, _, proposition, _) in enumerate(rows.precedents)
                if proposition in kept
            ),
        )
        if rows.precedents:
            place = (document, first)
            insert_postings(self._connection, "precedent_postings", place, rows.postings, terms)

    def documents_changed(self) -> None:
        """Note that documents were added or removed, so that other precedents may now cite an authority in
        the library.
        """
        self._waiting = None

    def forget_vectors(self, precedents: Iterable[int] | None = None) -> None:
        """Delete the vectors of ``precedents``; None: all, because the embedder has changed."""
        where = "WHERE {} = ?" if precedents is not None else ""
        bindings = [()] if precedents is None else [(each,) for each in precedents]
        self._connection.executemany(f"DELETE FROM precedent_vectors {where.format('precedent')}", bindings)
        self._connection.executemany(f"UPDATE precedents SET embedded = 0 {where.format('id')}", bindings)
        self._waiting = None

    def pending(self, limit: int) -> list[tuple[int, str, str]]:
        """Return up to ``limit`` precedents without vectors that cite an authority in the library, as (id,
        proposition, entities).
        """
        if self._waiting is None:
            self._waiting = sorted(self._find_resolving(), reverse=True)
        found: list[tuple[int, str, str]] = []
        while self._waiting and len(found) < limit:
            row = self._connection.execute(
                "SELECT id, proposition, entities FROM precedents WHERE id = ? AND embedded = 0",
                (self._waiting.pop(),),
            ).fetchone()
            if row is not None:
                found.append((row[0], row[1], row[2]))
        return found

    def put_vectors(
        self,
        precedents: Sequence[int],
        propositions: NDArray[np.float32],
        entities: Sequence[NDArray[np.float32] | None],
        generation: int,
    ) -> None:
        """Store the vectors of those ``precedents`` that still exist; ``propositions`` has one row
        for each.
        """
        for precedent, proposition, entity in zip(precedents, propositions, entities, strict=True):
            self._connection.execute(
                "UPDATE precedents SET embedded = ? WHERE id = ? AND embedded = 0", (generation, precedent)
            )
            if self._connection.changes():
                self._connection.execute(
                    "INSERT INTO precedent_vectors VALUES (?, ?, ?)",
                    (precedent, _packed(proposition), b"" if entity is None else _packed(entity)),
                )

    def _find_resolving(self) -> set[int]:
        """Return the precedents without vectors that cite an authority in the library. Citations of the
        precedent's own document do not count.
        """
        catalogue = self._current_catalogue()
        sql = """SELECT p.id, p.document, k.key FROM json_each(?) AS w
                 JOIN precedent_keys AS k ON k.key = w.value
                 JOIN precedents AS p ON p.id = k.precedent WHERE p.embedded = 0"""
        rows = select(self._connection, sql, (json.dumps(list(catalogue.all_keys())),))
        return {
            precedent
            for precedent, document, key in rows
            if any(found != document for found in catalogue.find_folded(key)[:1])
        }

    def _current_catalogue(self) -> Catalogue:
        """Return all authorities as of this transaction."""
        # The newest generation may have been incomplete at the last call.
        since = max(0, self._since - 1)
        gone = list_forgotten(self._connection, since)
        if gone is None:
            self._catalogue, self._aliases, since, gone = Catalogue(), Aliases(), 0, []
        self._since, entries = load_entries(self._connection, since)
        self._catalogue.remove(gone)
        for entry in entries:
            self._catalogue.put(entry)
        changed = {*gone, *(entry.authority.id for entry in entries)}
        touched = self._catalogue.take_touched()
        self._catalogue.use_aliases(self._aliases.learn(self._connection, self._catalogue, changed, touched))
        return self._catalogue


def _packed(vector: NDArray[np.float32]) -> bytes:
    return vector.astype(np.float16).tobytes()
