"""Store which documents a multi-document file contains, and how catalogue files describe other files."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import apsw

from lexls.index.connection import select
from lexls.index.reconcile import FileKey, FileState
from lexls.index.rows import CatalogueRows, RecordPlace
from lexls.library.catalogue_names import list_targets, merge

GIVEN_UP = "?"
"""Prefix of the temporary name of a document whose own name now belongs to another."""
_OF_FILE = "WHERE library = ? AND relative = ?"


@dataclass(frozen=True, slots=True)
class HeldRecord:
    """A document of a multi-document file, as stored in the index; ``hash`` is the hash of its record."""

    document: int
    part: str
    hash: bytes
    place: RecordPlace


class CorpusRows:
    """The tables of multi-document files (corpora). All methods run in the caller's write transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def list_held(self, key: FileKey) -> list[HeldRecord]:
        """Return the stored documents of a multi-document file."""
        sql = f"""SELECT id, part, hash, place, line, "start", length FROM documents
                  JOIN record_places ON document = id {_OF_FILE}"""
        rows = select(self._connection, sql, (key.library, key.relative))
        return [
            HeldRecord(document, part, bytes(digest), (place, line, start, length))
            for document, part, digest, place, line, start, length in rows
        ]

    def begin(self, key: FileKey) -> None:
        """Record that the file contains several documents and is being read."""
        self._connection.execute(
            "INSERT OR REPLACE INTO corpora VALUES (?, ?, -1, 0, x'', '[]')", (key.library, key.relative)
        )
        self._connection.execute(f"DELETE FROM failures {_OF_FILE}", (key.library, key.relative))

    def end(self, file: FileState, digest: bytes, problems: Sequence[str]) -> None:
        """Record that the whole file was read, and which parts of it cannot be."""
        self._connection.execute(
            f"UPDATE corpora SET size = ?, mtime_ns = ?, hash = ?, problems = ? {_OF_FILE}",
            (file.size, file.mtime_ns, digest, json.dumps(problems), file.key.library, file.key.relative),
        )

    def place(self, document: int, place: RecordPlace) -> None:
        """Record where a document is in its file."""
        self._connection.execute(
            "INSERT OR REPLACE INTO record_places VALUES (?, ?, ?, ?, ?)", (document, *place)
        )

    def rename(self, key: FileKey, parts: Iterable[tuple[int, str]], generation: int) -> None:
        """Rename documents within their file. Another document that already has one of the new names gets a
        temporary name.
        """
        parts = list(parts)
        # Documents may swap names, so all old names are given up before any new one is set.
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
        """Return the documents of a file that are not in ``kept``."""
        rows = select(self._connection, f"SELECT id FROM documents {_OF_FILE}", (key.library, key.relative))
        return [document for (document,) in rows if document not in kept]


_OF_CATALOGUE = "WHERE library = ? AND catalogue = ?"


class DescriptionRows:
    """The tables of catalogue files. All methods run in the caller's write transaction.

    ``changed`` is true if descriptions of documents may have changed since the documents were read.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self.changed = True

    def put(self, rows: CatalogueRows) -> None:
        """Store a catalogue file's current descriptions. Its earlier ones must have been deleted."""
        file, key = rows.file, rows.file.key
        self._connection.execute(
            "INSERT INTO catalogues VALUES (?, ?, ?, ?, ?)",
            (key.library, key.relative, file.size, file.mtime_ns, json.dumps(rows.problems)),
        )
        self._connection.executemany(
            "INSERT INTO descriptions VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((key.library, key.relative, *row) for row in rows.descriptions),
        )
        self.changed = True

    def clear(self, key: FileKey) -> None:
        """Delete the descriptions of a catalogue file."""
        named = (key.library, key.relative)
        self._connection.execute("DELETE FROM catalogues WHERE library = ? AND relative = ?", named)
        if self._connection.changes():
            self._connection.execute(f"DELETE FROM descriptions {_OF_CATALOGUE}", named)
            self.changed = True

    def find(self, key: FileKey) -> str:
        """Return the description of a file as a JSON object; "" if there is none."""
        return self._find(key) if self._any() else ""

    def list_stale(self) -> list[FileKey]:
        """Return the single-document files whose description has changed since they were read."""
        where = "part = ''" if self._any() else "part = '' AND described != ''"
        sql = f"SELECT library, relative, described FROM documents WHERE {where}"
        rows = list(select(self._connection, sql))
        keys = ((FileKey(library, relative), described) for library, relative, described in rows)
        return [key for key, described in keys if self.find(key) != described]

    def _any(self) -> bool:
        return bool(next(select(self._connection, "SELECT EXISTS (SELECT 1 FROM descriptions)"))[0])

    def _find(self, key: FileKey) -> str:
        targets: Sequence[str] = list_targets(key.relative)
        marks = ", ".join("?" * len(targets))
        # Of two descriptions of equal rank, the one nearer to the file wins.
        sql = f"""SELECT facts FROM descriptions WHERE library = ? AND target IN ({marks})
                  ORDER BY rank, length(catalogue) DESC, catalogue, line, rowid"""
        said = [json.loads(facts) for (facts,) in select(self._connection, sql, (key.library, *targets))]
        return json.dumps(merge(said), sort_keys=True) if said else ""
