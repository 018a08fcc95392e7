"""Keep in the index which documents a file of several holds, and where in it they stand."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import apsw

from lexls.index.connection import select
from lexls.index.reconcile import FileKey, FileState
from lexls.index.rows import RecordPlace

GIVEN_UP = "?"
"""How the part of a document begins whose name another has taken."""
_OF_FILE = "WHERE library = ? AND relative = ?"


@dataclass(frozen=True, slots=True)
class HeldRecord:
    """A document of a file of several as the index has it; ``hash`` is of its record."""

    document: int
    part: str
    hash: bytes
    place: RecordPlace


class CorpusRows:
    """The tables of corpora behind a writing connection. All methods run in the caller's transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def list_held(self, key: FileKey) -> list[HeldRecord]:
        """The documents of a file of several."""
        sql = f"""SELECT id, part, hash, place, line, "start", length FROM documents
                  JOIN record_places ON document = id {_OF_FILE}"""
        rows = select(self._connection, sql, (key.library, key.relative))
        return [
            HeldRecord(document, part, bytes(digest), (place, line, start, length))
            for document, part, digest, place, line, start, length in rows
        ]

    def begin(self, key: FileKey) -> None:
        """Remember that the file holds several documents and is being read."""
        self._connection.execute(
            "INSERT OR REPLACE INTO corpora VALUES (?, ?, -1, 0, x'', '[]')", (key.library, key.relative)
        )
        self._connection.execute(f"DELETE FROM failures {_OF_FILE}", (key.library, key.relative))

    def end(self, file: FileState, digest: bytes, problems: Sequence[str]) -> None:
        """Remember that all of the file was read, and what of it cannot be."""
        self._connection.execute(
            f"UPDATE corpora SET size = ?, mtime_ns = ?, hash = ?, problems = ? {_OF_FILE}",
            (file.size, file.mtime_ns, digest, json.dumps(problems), file.key.library, file.key.relative),
        )

    def place(self, document: int, place: RecordPlace) -> None:
        """Remember where a document stands."""
        self._connection.execute(
            "INSERT OR REPLACE INTO record_places VALUES (?, ?, ?, ?, ?)", (document, *place)
        )

    def rename(self, key: FileKey, parts: Iterable[tuple[int, str]], generation: int) -> None:
        """Give documents other names among those of their file; whoever has one of these loses it."""
        parts = list(parts)
        # Names may be exchanged: all are given up before any is taken.
        lose = f"UPDATE documents SET part = '{GIVEN_UP}' || id WHERE"
        self._connection.executemany(f"{lose} id = ?", [(document,) for document, _ in parts])
        self._connection.executemany(
            f"{lose} library = ? AND relative = ? AND part = ?",
            [(key.library, key.relative, part) for _, part in parts],
        )
        self._connection.executemany(
            "UPDATE documents SET part = ?, generation = ? WHERE id = ?",
            [(part, generation, document) for document, part in parts],
        )

    def list_others(self, key: FileKey, kept: Collection[int]) -> list[int]:
        """The documents of a file beside those that are ``kept``."""
        rows = select(self._connection, f"SELECT id FROM documents {_OF_FILE}", (key.library, key.relative))
        return [document for (document,) in rows if document not in kept]
