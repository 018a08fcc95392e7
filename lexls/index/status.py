"""Read an index file's progress, counts and failures. Cheap to open: loads no arrays."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from lexls.index.connection import open_reader, read_meta, read_schema_version, select
from lexls.index.contents import load_entries
from lexls.index.reconcile import FileKey
from lexls.index.records import FailedFile, IndexProgress, UnreadKind
from lexls.index.unclear import list_unclear
from lexls.index.unread import count_kinds
from lexls.library.catalogue_names import list_targets
from lexls.library.document import NO_AUTHORITY

NAMED_ROWS = 20
"""Maximum number of table rows with missing files that are named; the others are only counted."""


class IndexStatus:
    """Reads the indexer's status records in the index file. Safe from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()  # for the connection
        self._connection: apsw.Connection | None = None

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def exists(self) -> bool:
        """Return whether there is an index with tables in it."""
        with self._lock:
            if self._connection is None:
                if not self._path.exists():
                    return False
                connection = open_reader(self._path)
                if read_schema_version(connection) == 0:
                    connection.close()
                    return False
                self._connection = connection
            return True

    def schema(self) -> int:
        """Return the schema version of the file, 0 without one."""
        with self._lock:
            return read_schema_version(self._connection) if self.exists() and self._connection else 0

    def progress(self) -> IndexProgress:
        """Return the indexer's progress; "idle" without an index."""
        row = self.meta("progress")
        return IndexProgress(*json.loads(row)) if row else IndexProgress("idle", 0, 0)

    def reconciled(self) -> int:
        """Return the number of the last completed comparison of the folders with the index; 0: none."""
        return int(self.meta("reconciled") or 0)

    def reconciling(self) -> int:
        """Return the number of the last comparison started; the next has a higher one."""
        return max(self.reconciled(), int(self.meta("reconciling") or 0))

    def renewed(self) -> int:
        """Return when the index was last rebuilt because of damage, in nanoseconds since 1970; 0: never."""
        return int(self.meta("renewed") or 0)

    def missing(self) -> list[Path]:
        """Return the library folders that were missing at the last check; their documents are kept."""
        return [Path(folder) for folder in json.loads(self.meta("missing") or "[]")]

    def embedded(self) -> bool:
        """Return whether no passage is waiting for a vector, or none will get one because there is no model.
        False without an index.
        """
        with self._lock:
            if not self.exists():
                return False
            waiting = self._rows("SELECT 1 FROM passages WHERE embedded = 0 LIMIT 1")
            return not waiting or bool(self.meta("embedder_problem"))

    def counts(self) -> tuple[int, int, int]:
        """Return (documents, passages, passages with a vector)."""
        sql = """SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM passages),
                        (SELECT count(*) FROM passages WHERE embedded > 0)"""
        for documents, passages, embedded in self._rows(sql):
            return documents, passages, embedded
        return 0, 0, 0

    def failed(self) -> list[FailedFile]:
        """Return the files, and parts of files, that could not be indexed, except those without an
        authority.
        """
        rows = self._rows(
            """SELECT library, relative, 0, reason FROM failures UNION ALL
               SELECT library, relative, key, value FROM corpora, json_each(problems) UNION ALL
               SELECT library, relative, key, value FROM catalogues, json_each(problems) ORDER BY 1, 2, 3"""
        )
        rows += [(library, relative, 0, reason) for library, relative, reason in self._undescribed()]
        return [
            FailedFile(FileKey(library, relative).path, reason)
            for library, relative, _, reason in rows
            if reason != NO_AUTHORITY
        ]

    def _undescribed(self) -> Iterator[tuple[str, str, str]]:
        """Yield the rows of tables (catalogue files) that name a missing file: the table's library and path,
        and the reason.
        """
        rows = self._rows(
            """SELECT library, catalogue, line, written, json_group_array(target) FROM descriptions
               WHERE written != '' GROUP BY 1, 2, 3, 4"""
        )
        names: dict[str, set[str]] = {}
        missing: dict[tuple[str, str], list[str]] = {}
        for library, catalogue, line, written, targets in rows:
            if any(os.path.isfile(os.path.join(library, target)) for target in json.loads(targets)):
                continue
            if library not in names:  # only the few tables that name files by more than their paths
                sql = "SELECT library, relative FROM documents UNION SELECT library, relative FROM failures"
                held = (relative for place, relative in self._rows(sql) if place == library)
                names[library] = {target for relative in held for target in list_targets(relative)}
            if names[library].isdisjoint(json.loads(targets)):
                missing.setdefault((library, catalogue), []).append(
                    f'line {line}: there is no file "{written}"'
                )
        for (library, catalogue), reasons in missing.items():
            for reason in reasons[:NAMED_ROWS]:
                yield library, catalogue, reason
            if more := len(reasons[NAMED_ROWS:]):
                yield library, catalogue, f"{more:,} more rows name files that are not there"

    def warnings(self) -> list[FailedFile]:
        """Return indexed files with warnings, one entry per warning."""
        sql = "SELECT library, relative, warnings FROM documents WHERE warnings != '[]' ORDER BY 1, 2"
        return [
            FailedFile(FileKey(library, relative).path, warning)
            for library, relative, warnings in self._rows(sql)
            for warning in json.loads(warnings)
        ]

    def unclear(self) -> list[FailedFile]:
        """Return the files that do not identify their case, as `list_unclear` does."""
        with self._lock:
            if not self.exists() or self._connection is None:
                return []
            entries = load_entries(self._connection, 0)[1]
        return list(list_unclear([each.authority for each in entries]))

    def unread(self) -> list[UnreadKind]:
        """Return the kinds of files without a reader, likeliest authorities first, then files without
        authorities.
        """
        kinds = json.loads(self.meta("unread") or "[]")
        rows = self._rows("SELECT library, relative, reason FROM failures ORDER BY 1, 2")
        others = [FileKey(library, relative) for library, relative, reason in rows if reason == NO_AUTHORITY]
        return [
            *(UnreadKind(suffix, count, tuple(paths)) for suffix, count, paths in kinds),
            *count_kinds(others),
        ]

    def document_ids(self) -> dict[tuple[str, str, str], int]:
        """Return the id of every document by library, file and part."""
        rows = self._rows("SELECT id, library, relative, part FROM documents")
        return {(library, relative, part): document for document, library, relative, part in rows}

    def folders(self) -> list[Path]:
        """Return the library folders of the index, in order."""
        return sorted(Path(folder) for folder in json.loads(self.meta("folders") or "[]"))

    def file_hashes(self) -> dict[tuple[str, str, str], str]:
        """Return the SHA-256, in hexadecimal, of the content of every document, by its library, file and
        part.

        The hash covers the bytes of the file or, if the file has several parts, of the part alone.
        """
        rows = self._rows("SELECT library, relative, part, hash FROM documents")
        return {(library, relative, part): bytes(content).hex() for library, relative, part, content in rows}

    def fingerprint(self) -> str:
        """Return 16 hexadecimal digits that change with the library's files (names and bytes), with how they
        are read and cut into passages, and with the embedding model; "" without an index.
        """
        with self._lock:
            if not self.exists():
                return ""
            digest = hashlib.sha256(f"{self.meta('fingerprint')} {self.embedder}".encode())
            for relative, content in self._rows(
                "SELECT relative, hash FROM documents ORDER BY relative, hash"
            ):
                digest.update(f"\n{relative} {bytes(content).hex()}".encode())
            return digest.hexdigest()[:16]

    @property
    def embedder(self) -> str:
        """The name of the model that made the vectors, "" if there are none."""
        return self.meta("embedder")

    def no_vectors_reason(self) -> str:
        """Return why passages have no vectors and will not get any; "" if they have vectors or will
        get them.
        """
        return self.meta("embedder_problem")

    def meta(self, key: str) -> str:
        """Return a value stored in the index's metadata, "" if there is none."""
        with self._lock:
            return read_meta(self._connection, key) if self.exists() and self._connection else ""

    def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a statement and return its rows; empty if there is no index."""
        with self._lock:
            return list(select(self._connection, sql)) if self.exists() and self._connection else []
