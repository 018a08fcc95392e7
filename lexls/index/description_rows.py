"""Keep in the index what catalogues say of files, and find the documents of which they say something else
now."""

from __future__ import annotations

import json
from collections.abc import Sequence

import apsw

from lexls.index.connection import select
from lexls.index.reconcile import FileKey
from lexls.index.rows import CatalogueRows
from lexls.library.catalogue_names import list_targets, merge

_OF_CATALOGUE = "WHERE library = ? AND catalogue = ?"


class DescriptionRows:
    """The tables of catalogues behind a writing connection. All methods run in the caller's transaction.

    ``changed`` says that documents may be described otherwise than when they were read.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self.changed = True

    def put(self, rows: CatalogueRows) -> None:
        """Remember what a catalogue says now; of it nothing is there."""
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
        """Forget what a catalogue says."""
        named = (key.library, key.relative)
        self._connection.execute("DELETE FROM catalogues WHERE library = ? AND relative = ?", named)
        if self._connection.changes():
            self._connection.execute(f"DELETE FROM descriptions {_OF_CATALOGUE}", named)
            self.changed = True

    def find(self, key: FileKey) -> str:
        """What is said of a file, as a JSON object; "" if nothing is."""
        return self._find(key) if self._any() else ""

    def list_stale(self) -> list[FileKey]:
        """The files of one document of which something else is said than when they were read."""
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
        # Of two of a rank the one nearer to the file knows better.
        sql = f"""SELECT facts FROM descriptions WHERE library = ? AND target IN ({marks})
                  ORDER BY rank, length(catalogue) DESC, catalogue, line, rowid"""
        said = [json.loads(facts) for (facts,) in select(self._connection, sql, (key.library, *targets))]
        return json.dumps(merge(said), sort_keys=True) if said else ""
