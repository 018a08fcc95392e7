"""Write the index: the only code that changes its tables. Only one process at a time may have a ``Store``."""

from __future__ import annotations

import contextlib
import json
import os
import time
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from datetime import datetime
from pathlib import Path

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.index.connection import (
    FORGET_FILES,
    find_file,
    load_vector_extension,
    migrate,
    open_reader,
    open_writer,
    read_meta,
    read_schema_version,
    select,
)
from lexls.index.corpus_rows import CorpusRows, DescriptionRows, HeldRecord
from lexls.index.precedent_rows import Kept, PrecedentRows, choose_next_id, insert_postings
from lexls.index.reconcile import FileKey, FileState
from lexls.index.records import IndexProgress
from lexls.index.rows import NOT_NOW, CatalogueRows, CitationRows, DocumentRows, RecordPlace, UncitedText
from lexls.index.soundness import LOOKED_THROUGH, find_incomplete, find_vector_faults, remove_orphans
from lexls.index.vectors import VectorStore
from lexls.library.readers.ocr import ScannedPage
from lexls.text.dates import write_date

KEPT_REMOVALS = 50_000
"""Number of removals recorded. A reader that missed more than these reloads everything."""

CLOSING_TIMEOUT_MS = 1000
"""Milliseconds to wait for active readers when closing. A server would kill an indexer that needs longer."""


class Store:
    """The index file opened for writing.

    Every public method that changes something is one transaction and one new *generation*, a number by which
    readers find what changed. A document's text, passages, postings and citations are written together, or
    the citations follow with ``put_citations``. Its vectors follow with ``put_vectors``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = open_writer(path)
        self._file = find_file(path)
        fresh = read_schema_version(self._connection) == 0
        migrate(self._connection)
        self.looked_through = time.time_ns() if fresh else int(self.meta(LOOKED_THROUGH) or 0)
        """When the whole file last passed a check, in nanoseconds since 1970; 0 if it has not passed one
        since a writer failed to close it.
        """
        with self._connection:
            self._connection.execute("DELETE FROM meta WHERE key = ?", (LOOKED_THROUGH,))
        self.vectors = VectorStore(self._connection, load_vector_extension(self._connection))
        self._precedents = PrecedentRows(self._connection)
        self._corpora = CorpusRows(self._connection)
        self.descriptions = DescriptionRows(self._connection)
        self._terms: dict[str, int] = {}
        self._last_term = 0
        self._load_terms()

    def close(self) -> None:
        """Close the file, merging its write-ahead log into it if nobody is reading."""
        try:
            self._connection.execute("PRAGMA optimize")
            if self.looked_through:
                self.set_meta(LOOKED_THROUGH, self.looked_through)
            # A reader that stays open keeps the log, which must not look as if the writer had been killed.
            self._connection.set_busy_timeout(CLOSING_TIMEOUT_MS)
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            self._connection.close()

    def is_current(self) -> bool:
        """Return whether the file at its path is still the one that was opened."""
        return find_file(self.path) == self._file

    # -- reading ---------------------------------------------------------------------------------------

    def known_files(self) -> dict[FileKey, tuple[int, int]]:
        """Return the size and mtime of every file that was indexed or failed, by key."""
        return self._known("", ())

    def known_at(self, key: FileKey) -> dict[FileKey, tuple[int, int]]:
        """Return the size and mtime of one file, by key as in ``known_files``; empty if the file is
        unknown.
        """
        return self._known("WHERE library = ? AND relative = ?", astuple(key))

    def known_below(self, folder: FileKey) -> dict[FileKey, tuple[int, int]]:
        """Return the same as ``known_files``, but only for the files in a folder of a library, including
        subfolders.
        """
        if not folder.relative:
            return self._known("WHERE library = ?", (folder.library,))
        # "0" is the character after "/", so this range selects all paths with the prefix through the index.
        bounds = (folder.library, f"{folder.relative}/", f"{folder.relative}0")
        return self._known("WHERE library = ? AND relative >= ? AND relative < ?", bounds)

    def _known(self, where: str, bindings: Sequence[str]) -> dict[FileKey, tuple[int, int]]:
        sql = f"SELECT library, relative, size, mtime_ns FROM {{}} {where}"
        # For a multi-document file, only the whole file counts. A failure overrides the file's earlier state.
        return {
            FileKey(library, relative): (size, mtime)
            for table in ("documents", "corpora", "catalogues", "failures")
            for library, relative, size, mtime in select(self._connection, sql.format(table), bindings)
        }

    def file_hash(self, key: FileKey) -> bytes | None:
        """Return the hash of the indexed file ``key``, None if it is not indexed."""
        where = "WHERE library = ? AND relative = ?"
        sql = f"SELECT hash FROM corpora {where} UNION ALL SELECT hash FROM documents {where} AND part = ''"
        rows = select(self._connection, sql, astuple(key) * 2)
        return next((bytes(digest) for (digest,) in rows), None)

    def meta(self, key: str) -> str:
        """Return a value stored in the index's metadata, "" if there is none."""
        return read_meta(self._connection, key)

    def pending(self, limit: int, wanted: Sequence[int] = ()) -> list[tuple[int, str]]:
        """Return up to ``limit`` passages without a vector as (id, text): those in ``wanted``, or else the
        oldest.
        """
        sql = 'SELECT id, document, "start", "end" FROM passages WHERE embedded = 0'
        marks = ",".join("?" * len(wanted))
        rows = list(select(self._connection, f"{sql} AND id IN ({marks}) LIMIT ?", (*wanted, limit))) or list(
            select(self._connection, f"{sql} ORDER BY id LIMIT ?", (limit,))
        )
        return self._with_texts(rows)

    def _with_texts(self, rows: Iterable[tuple[int, ...]]) -> list[tuple[int, str]]:
        """Return passages given as (id, document, start, end) as (id, text)."""
        rows = list(rows)
        texts = {document: self._text(document) for document in {row[1] for row in rows}}
        return [(passage, texts[document][start:end]) for passage, document, start, end in rows]

    def scanned_pages(self, digest: bytes, reading: str) -> dict[int, ScannedPage]:
        """Return the OCR results for a file with this hash, by page (from 1). ``reading`` is the OCR method
        ("": any).
        """
        sql = "SELECT page, content FROM scanned_pages WHERE hash = ? AND ? IN (reading, '')"
        rows = select(self._connection, sql, (digest, reading))
        return {page: ScannedPage.unpack(content) for page, content in rows}

    def hashes_of(self, passages: Iterable[int]) -> set[bytes]:
        """Return the hashes of the files that contain these passages."""
        sql = """SELECT DISTINCT d.hash FROM passages AS p JOIN documents AS d ON d.id = p.document
                 WHERE p.id IN (SELECT value FROM json_each(?))"""
        rows = select(self._connection, sql, (json.dumps(list(passages)),))
        return {bytes(digest) for (digest,) in rows}

    def pending_of(self, digest: bytes) -> list[tuple[int, str]]:
        """Return the passages without a vector, as (id, text), of files with this hash."""
        sql = """SELECT p.id, p.document, p."start", p."end" FROM documents AS d
                 JOIN passages AS p ON p.document = d.id WHERE d.hash = ? AND p.embedded = 0"""
        return self._with_texts(list(select(self._connection, sql, (digest,))))

    def embedding_counts(self) -> tuple[int, int]:
        """Return (passages with a vector, all passages)."""
        sql = "SELECT (SELECT count(*) FROM passages WHERE embedded > 0), (SELECT count(*) FROM passages)"
        embedded, passages = next(select(self._connection, sql))
        return embedded, passages

    # -- writing ---------------------------------------------------------------------------------------

    def put_document(self, rows: DocumentRows) -> tuple[int, bool]:
        """Write a document, replacing the previous one of its file or part. Return its id, and whether a
        document was replaced.

        A document without citations is read again by the next reconciliation, unless ``put_citations`` is
        called first. Vectors of passages with unchanged text are kept. If a file was renamed or moved,
        ``move_document`` is cheaper, provided the file's base name is unchanged.
        """
        with self._adding_terms() as generation:
            old = self._document_at(rows.file.key, rows.part)
            kept = read_vectors_by_text(self._connection, self.vectors, old) if old is not None else {}
            kept_precedents = self._precedents.kept(old) if old is not None else {}
            if rows.place is None:
                self._clear(rows.file.key, generation)
            elif old is not None:
                self._forget(old, generation)
            document = self._insert_document(rows, generation)
            first = self._insert_passages(document, rows, kept, generation)
            terms = self._numbers(rows.vocabulary)
            insert_postings(self._connection, "postings", (document, first), rows.postings, terms)
            if rows.citations is not None:
                self._insert_citations(document, rows.citations, kept_precedents, generation)
            if rows.place is not None:
                self._corpora.place(document, rows.place)
        return document, old is not None

    def read_uncited(self, documents: Sequence[int]) -> dict[int, UncitedText]:
        """Return what is needed to read the citations of each of these documents; documents that are gone are
        skipped.
        """
        sql = """SELECT id, relative, kind, jurisdiction, keys FROM documents
                 WHERE id IN (SELECT value FROM json_each(?))"""
        rows = list(select(self._connection, sql, (json.dumps(documents),)))
        return {
            document: UncitedText(
                os.path.basename(relative), self._text(document), kind, country, tuple(json.loads(keys))
            )
            for document, relative, kind, country, keys in rows
        }

    def put_citations(self, document: int, size: int, rows: CitationRows) -> None:
        """Write the citations of a document stored without them; ``size`` is the size of the document's file.
        Does nothing if the document has since been removed or replaced.
        """
        with self._adding_terms() as generation:
            sql = "UPDATE documents SET size = ?, generation = ? WHERE id = ?"
            self._connection.execute(sql, (size, generation, document))
            if self._connection.changes():
                self._precedents.documents_changed()
                self._insert_citations(document, rows, {}, generation)

    def begin_corpus(self, key: FileKey) -> tuple[int, list[HeldRecord]]:
        """Mark a file as a multi-document file. Return how many documents were removed because the file used
        to be a single document, and the documents it has now.
        """
        with self._connection:
            generation = self._next_generation()
            document = self._document_at(key)
            if document is not None:
                self._forget(document, generation)
            self._corpora.begin(key)
        return int(document is not None), self._corpora.list_held(key)

    def place_records(
        self, key: FileKey, places: Iterable[tuple[int, RecordPlace]], parts: Iterable[tuple[int, str]]
    ) -> None:
        """Store where documents are in their file, and any new names."""
        with self._connection:
            for document, place in places:
                self._corpora.place(document, place)
            self._corpora.rename(key, parts, self._next_generation())

    def end_corpus(
        self, file: FileState, digest: bytes, kept: Collection[int], problems: Sequence[str]
    ) -> int:
        """Finish reading a multi-document file: keep the documents in ``kept`` and remove its others.

        Return how many were removed. ``problems`` describes what could not be read.
        """
        others = self._corpora.list_others(file.key, kept)
        with self._connection:
            generation = self._next_generation()
            for document in others:
                self._forget(document, generation)
            self._corpora.end(file, digest, problems)
            self._cut_removals()
        return len(others)

    def put_catalogue(self, rows: CatalogueRows) -> int:
        """Replace a catalogue file's descriptions. Return how many documents of that file were removed."""
        with self._connection:
            removed = self._clear(rows.file.key, self._next_generation())
            self.descriptions.put(rows)
        return removed

    def put_scanned_page(self, digest: bytes, page: int, reading: str, read: ScannedPage) -> None:
        """Store the OCR result of a page (from 1) of a file with this hash."""
        with self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO scanned_pages VALUES (?, ?, ?, ?)",
                (digest, page, reading, read.pack()),
            )

    def keep_scanned_pages(self, other: Path) -> None:
        """Copy the readable OCR results of another index."""
        sql = "SELECT hash, page, reading, content FROM scanned_pages"
        with (
            contextlib.suppress(apsw.Error),
            contextlib.closing(open_reader(other)) as connection,
            self._connection,
        ):
            for digest, page, reading, content in select(connection, sql):
                with contextlib.suppress(ValueError, zlib.error):
                    row = (digest, page, reading, ScannedPage.unpack(content).pack())
                    self._connection.execute("INSERT OR REPLACE INTO scanned_pages VALUES (?, ?, ?, ?)", row)

    def begin_after(self, generation: int, ids: Mapping[str, int], renewed: int) -> None:
        """Continue the generation and ids of an index that this one replaces; ``renewed`` is the time of the
        replacement in nanoseconds since 1970.
        """
        with self._connection:
            self._connection.execute("DELETE FROM sqlite_sequence")
            self._connection.executemany("INSERT INTO sqlite_sequence VALUES (?, ?)", ids.items())
            for key in ("generation", "horizon"):
                self._set_meta(key, generation + 1)
            self._set_meta("renewed", renewed)

    def forget_scanned_pages(self) -> None:
        """Delete OCR results of files that are gone, but only if all other files have been read."""
        with self._connection:
            self._connection.execute(
                """DELETE FROM scanned_pages WHERE hash NOT IN (SELECT hash FROM documents)
                   AND NOT EXISTS (SELECT 1 FROM documents WHERE hash = x'')"""
            )

    def touch_document(self, file: FileState) -> None:
        """Store the new size and mtime of a file whose content did not change."""
        with self._connection:
            for table in ("documents", "corpora"):
                self._connection.execute(
                    f"UPDATE {table} SET size = ?, mtime_ns = ? WHERE library = ? AND relative = ?",
                    (file.size, file.mtime_ns, file.key.library, file.key.relative),
                )

    def move_document(self, old: FileKey, new: FileState) -> None:
        """Move the document of ``old`` to a new path, keeping its content and vectors."""
        with self._connection:
            generation = self._next_generation()
            self._clear(new.key, generation)
            set_file = "SET library = ?, relative = ?, size = ?, mtime_ns = ?"
            file = (new.key.library, new.key.relative, new.size, new.mtime_ns)
            where = "WHERE library = ? AND relative = ?"
            self._connection.execute(
                f"UPDATE documents {set_file}, generation = ? {where}", (*file, generation, *astuple(old))
            )
            self._connection.execute(f"UPDATE corpora {set_file} {where}", (*file, *astuple(old)))

    def remove(self, keys: Iterable[FileKey]) -> int:
        """Delete these files from the index. Return how many documents were removed."""
        removed = 0
        with self._connection:
            generation = self._next_generation()
            for key in keys:
                removed += self._clear(key, generation)
            self._cut_removals()
        return removed

    def put_failure(self, key: FileKey, size: int, mtime_ns: int, reason: str) -> int:
        """Store why a file cannot be indexed, and remove its documents. Return how many were removed."""
        row = self._connection.execute(
            "SELECT size, mtime_ns, reason FROM failures WHERE library = ? AND relative = ?",
            (key.library, key.relative),
        ).fetchone()
        if row == (size, mtime_ns, reason):
            return 0
        with self._connection:
            held = self._clear(key, self._next_generation())
            self._connection.execute(
                "INSERT INTO failures VALUES (?, ?, ?, ?, ?)",
                (key.library, key.relative, size, mtime_ns, reason),
            )
        return held

    def put_unread(self, file: FileKey, mtime_ns: int, reason: str) -> str:
        """Store why a file cannot be read at present, so that the next reconciliation tries again.

        Its documents are kept. Return the reason, which then includes the date of the version kept.
        """
        sql = "SELECT mtime_ns FROM {} WHERE library = ?1 AND relative = ?2"
        tables = ("documents", "corpora", "catalogues")
        held = f"SELECT max(mtime_ns) FROM ({' UNION ALL '.join(map(sql.format, tables))})"
        last = self._connection.execute(held, astuple(file)).get
        if last is None:
            self.put_failure(file, -1, mtime_ns, reason)
            return reason
        day = write_date(datetime.fromtimestamp(last / 1e9).date().isoformat())
        reason = f"{NOT_NOW} ({reason}), and is shown as it was on {day}"
        with self._connection:
            row = (*astuple(file), -1, mtime_ns, reason)
            self._connection.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?)", row)
        return reason

    def put_vectors(self, passages: Sequence[int], vectors: NDArray[np.float32]) -> int:
        """Write the vectors of those ``passages`` that still exist. Return how many were written."""
        with self._connection:
            generation = self._next_generation()
            sql = "UPDATE passages SET embedded = ? WHERE id = ? AND embedded = 0"
            alive = []
            for row, passage in enumerate(passages):
                self._connection.execute(sql, (generation, passage))
                if self._connection.changes():
                    alive.append(row)
            self.vectors.add([passages[row] for row in alive], vectors[alive])
        return len(alive)

    def pending_precedents(self, limit: int) -> list[tuple[int, str, str]]:
        """Return up to ``limit`` precedents without vectors that cite an authority in the library: (id,
        proposition, entities joined by line feeds). Each is returned once, until documents change.
        """
        return self._precedents.pending(limit)

    def put_precedent_vectors(
        self,
        precedents: Sequence[int],
        propositions: NDArray[np.float32],
        entities: Sequence[NDArray[np.float32] | None],
    ) -> None:
        """Write the unit vectors of those ``precedents`` that still exist; a precedent without entities has
        None for them.
        """
        with self._connection:
            self._precedents.put_vectors(precedents, propositions, entities, self._next_generation())

    def use_embedder(self, name: str, dimension: int) -> None:
        """Use the embedder ``name``. Vectors of another embedder are deleted, and their passages will be
        embedded again.
        """
        if self.meta("embedder") == name and self.vectors.usable() and self.vectors.dimension == dimension:
            return
        with self._connection:
            generation = self._next_generation()
            self.vectors.create(dimension)
            self._connection.execute("UPDATE passages SET embedded = 0 WHERE embedded > 0")
            self._precedents.forget_vectors()
            self._set_meta("embedder", name)
            self._set_meta("vectors_since", generation)

    def compact_vectors(self) -> bool:
        """Rewrite the vector table if deletions have left it sparse. Return whether it was rewritten."""
        if self.vectors.dimension == 0 or not self.vectors.usable() or not self.vectors.sparse():
            return False
        with self._connection:
            self.vectors.rebuild()
        return True

    def forget_files(self) -> None:
        """Mark every file to be read again by the next reconciliation. Until then, searches still find the
        documents.
        """
        with self._connection:
            self._connection.execute(FORGET_FILES)

    def forget_states(self, keys: Iterable[FileKey]) -> None:
        """Mark these files to be read again even if they have not changed. Until then, searches still find
        their documents.
        """
        with self._connection:
            for key in keys:
                where = "WHERE library = ? AND relative = ?"
                for table in ("documents", "corpora"):
                    sql = f"UPDATE {table} SET size = -1, hash = x'' {where}"
                    self._connection.execute(sql, astuple(key))
                for table in ("catalogues", "failures"):
                    self._connection.execute(f"UPDATE {table} SET size = -1 {where}", astuple(key))

    def mend(self) -> set[FileKey]:
        """Delete rows whose owner no longer exists, and make vectors consistent with their records.

        Passages left without a vector are embedded again later. Return the files with missing rows, which
        must be read again.
        """
        incomplete = find_incomplete(self._connection)
        self.forget_states(incomplete)
        with self._connection:
            remove_orphans(self._connection)
            faults = find_vector_faults(self._connection)
            if not faults:
                return incomplete
            generation = self._next_generation()
            if self.vectors.dimension and self.vectors.usable():
                sql = "SELECT id FROM passages WHERE embedded > 0"
                sound = {each for (each,) in select(self._connection, sql)} - faults.damaged
                self.vectors.rebuild(sound)
            self._connection.executemany(
                "UPDATE passages SET embedded = 0 WHERE id = ?",
                [(each,) for each in faults.missing | faults.damaged],
            )
            self._precedents.forget_vectors(faults.precedents)
            # Readers find new vectors by generation, and would not notice deleted ones.
            self._set_meta("vectors_since", generation)
        return incomplete

    def set_meta(self, key: str, value: str | int) -> None:
        """Store a value in the index's metadata."""
        with self._connection:
            self._set_meta(key, value)

    def set_progress(self, progress: IndexProgress) -> None:
        """Publish the indexer's progress to every reader."""
        with self._connection:
            self._set_meta("progress", json.dumps([progress.phase, progress.done, progress.total]))

    # -- parts of a transaction ------------------------------------------------------------------------

    def _load_terms(self) -> None:
        self._terms = {t: number for number, t in self._connection.execute("SELECT id, term FROM terms")}
        self._last_term = max(self._terms.values(), default=0)

    def _next_generation(self) -> int:
        generation = int(read_meta(self._connection, "generation") or 0) + 1
        self._set_meta("generation", generation)
        return generation

    def _set_meta(self, key: str, value: str | int) -> None:
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def _document_at(self, key: FileKey, part: str = "") -> int | None:
        sql = "SELECT id FROM documents WHERE library = ? AND relative = ? AND part = ?"
        found = select(self._connection, sql, (key.library, key.relative, part))
        return next((int(document) for (document,) in found), None)

    def _text(self, document: int) -> str:
        return read_text(self._connection, document)

    def _cut_removals(self) -> None:
        self._connection.execute(
            """DELETE FROM removals WHERE document <= (
                   SELECT document FROM removals ORDER BY document DESC LIMIT 1 OFFSET ?)""",
            (KEPT_REMOVALS,),
        )
        oldest, count = next(select(self._connection, "SELECT min(generation), count(*) FROM removals"))
        if count >= KEPT_REMOVALS:
            self._set_meta("horizon", oldest)

    def _clear(self, key: FileKey, generation: int) -> int:
        """Delete all documents of a file, and its failure if any. Return how many documents were deleted."""
        for table in ("failures", "corpora"):
            self._connection.execute(f"DELETE FROM {table} WHERE library = ? AND relative = ?", astuple(key))
        self.descriptions.clear(key)
        documents = self._corpora.list_others(key, ())
        for document in documents:
            self._forget(document, generation)
        return len(documents)

    def _forget(self, document: int, generation: int) -> None:
        self._precedents.documents_changed()
        if self.vectors.dimension and self.vectors.usable():
            sql = "SELECT id FROM passages WHERE document = ? AND embedded > 0"
            self.vectors.remove([passage for (passage,) in select(self._connection, sql, (document,))])
        self._connection.execute("DELETE FROM documents WHERE id = ?", (document,))
        self._connection.execute("INSERT INTO removals VALUES (?, ?)", (document, generation))

    def _insert_document(self, rows: DocumentRows, generation: int) -> int:
        self._precedents.documents_changed()
        self._connection.execute(
            """INSERT INTO documents (generation, library, relative, part, size, mtime_ns, hash, title,
                   short_title, citations, keys, court, date, kind, jurisdiction, docket, sources, warnings,
                   described)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                generation,
                *astuple(rows.file.key),
                rows.part,
                rows.file.size if rows.citations is not None else -1,
                rows.file.mtime_ns,
                rows.hash,
                *rows.document,
                rows.described,
            ),
        )
        document = self._connection.last_insert_rowid()
        self._connection.execute("INSERT INTO texts VALUES (?, ?, ?)", (document, rows.text, rows.structure))
        return document

    def _insert_passages(
        self, document: int, rows: DocumentRows, kept: Mapping[str, bytes], generation: int
    ) -> int:
        first = choose_next_id(self._connection, "passages")
        vectors = [kept.get(rows.text[start:end]) if kept else None for start, end, *_ in rows.passages]
        self._connection.executemany(
            """INSERT INTO passages (id, document, "start", "end", paragraph, page, heading, role, speaker,
                                     label, embedded)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                (first + n, document, *row, generation if vector else 0)
                for n, (row, vector) in enumerate(zip(rows.passages, vectors, strict=True))
            ),
        )
        known = [(first + n, vector) for n, vector in enumerate(vectors) if vector]
        if known:
            matrix = np.frombuffer(b"".join(v for _, v in known), dtype=np.float32)
            self.vectors.add([passage for passage, _ in known], matrix.reshape(len(known), -1))
        return first

    @contextlib.contextmanager
    def _adding_terms(self) -> Iterator[int]:
        """Begin a transaction that may add terms; yield its generation."""
        try:
            with self._connection:
                yield self._next_generation()
        except BaseException:
            self._load_terms()  # some of them may have been rolled back
            raise

    def _insert_citations(self, document: int, rows: CitationRows, kept: Kept, generation: int) -> None:
        terms = self._numbers(rows.vocabulary)
        self._precedents.insert(document, rows, terms, kept, generation)
        self._connection.executemany(
            "INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((document, *row) for row in rows.edges),
        )
        self._connection.executemany(
            "INSERT INTO treatments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((document, *row) for row in rows.treatments),
        )

    def _numbers(self, vocabulary: Sequence[str]) -> NDArray[np.int32]:
        """Return the numbers of these terms, adding new ones to the dictionary."""
        numbers = list(map(self._terms.get, vocabulary))
        new = [place for place, number in enumerate(numbers) if number is None]
        for place in new:
            self._last_term += 1
            self._terms[vocabulary[place]] = numbers[place] = self._last_term
        rows = ((numbers[place], vocabulary[place]) for place in new)
        self._connection.executemany("INSERT INTO terms VALUES (?, ?)", rows)
        return np.array(numbers, dtype=np.int32)


def read_text(connection: apsw.Connection, document: int) -> str:
    """Return the text of a document, "" if there is none."""
    # As bytes: damaged text may not be valid UTF-8, and must not prevent reading the file again.
    sql = "SELECT CAST(text AS BLOB) FROM texts WHERE document = ?"
    return next((text.decode("utf-8", "replace") for (text,) in select(connection, sql, (document,))), "")


def read_vectors_by_text(
    connection: apsw.Connection, vectors: VectorStore, document: int
) -> dict[str, bytes]:
    """Return the vectors of a document's passages, as float32 bytes, by passage text."""
    sql = 'SELECT id, "start", "end" FROM passages WHERE document = ? AND embedded > 0'
    spans = {p: slice(start, end) for p, start, end in select(connection, sql, (document,))}
    if not spans:
        return {}
    text = read_text(connection, document)
    return {text[spans[p]]: vector for p, vector in vectors.get(spans)}
