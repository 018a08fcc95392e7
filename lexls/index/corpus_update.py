"""Update the documents of a multi-document file, reading only the records that changed."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from lexls.index.corpus_rows import GIVEN_UP
from lexls.index.reconcile import FileState, hash_file
from lexls.index.rows import CatalogueRows, DocumentRows, FailedDocument, RecordState
from lexls.index.store import Store
from lexls.library.document import NO_AUTHORITY
from lexls.library.readers.corpora import Corpus

NAMED_PROBLEMS = 20
"""Maximum number of unreadable records named per file; the others are only counted."""


class CorpusUpdate:
    """One update from a multi-document file. ``complete`` is true once ``list_fresh`` has reached the end of
    the file.
    """

    def __init__(self, store: Store, file: FileState, corpus: Corpus) -> None:
        self._store = store
        self._file = file
        self._corpus = corpus
        self._known: dict[int, int] = {}  # record number in the file: document id
        self._parts: set[str] = set()
        self._documents: set[int] = set()
        self._problems: list[str] = []
        self._without_text = 0
        self._retry = False
        self._bytes = 0
        self.count = 0
        self.complete = False

    def begin(self) -> int:
        """Match the file's records with those already in the index, even if they have moved within the file.
        Return how many documents were removed because the file used to be a single document.
        """
        removed, held = self._store.begin_corpus(self._file.key)
        if not held:
            return removed
        of_hash = defaultdict(list)
        for each in reversed(held):
            of_hash[each.hash].append(each)
        moved, renamed = [], []
        for number, record in enumerate(self._corpus.read()):
            if record.problem or not (same := of_hash[record.hash]):
                continue
            known = same.pop()
            self._known[number] = known.document
            self._documents.add(known.document)
            place = (record.place, record.line, record.start, len(record.data))
            nameless = known.part == known.place[0] or known.part.startswith(GIVEN_UP)
            part = record.place if nameless else known.part
            self._parts.add(part)
            if place != known.place:
                moved.append((known.document, place))
            if part != known.part:
                renamed.append((known.document, part))
        if moved:
            self._store.place_records(self._file.key, moved, renamed)
        return removed

    def list_fresh(self) -> Iterator[RecordState]:
        """Yield the records that are not yet in the index, in file order."""
        for number, record in enumerate(self._corpus.read()):
            self.count = number + 1
            self._bytes += len(record.data)
            if number not in self._known:
                yield RecordState(self._file, record)
        self.complete = True

    def estimate(self) -> int:
        """Estimate the number of records from the bytes read so far."""
        return max(self.count, self.count * self._file.size // max(self._bytes, 1))

    def put(self, result: DocumentRows | CatalogueRows | FailedDocument) -> tuple[int, int]:
        """Write the result for one record. Return how many documents it added and how many it changed."""
        if isinstance(result, FailedDocument):
            if result.reason == NO_AUTHORITY:
                self._without_text += 1
            else:
                self._problems.append(f"{result.place}: {result.reason}")
                self._retry |= result.retry
            return 0, 0
        assert isinstance(result, DocumentRows)
        part, place = result.part, result.place
        assert place is not None
        # If two records have the same name, the first keeps it.
        names = (part, place[0], f"{part} ({place[0]})")
        part = next((name for name in names if name not in self._parts), names[-1])
        self._parts.add(part)
        document, replaced = self._store.put_document(replace(result, part=part))
        self._documents.add(document)
        return int(not replaced), int(replaced)

    def end(self, problems: Iterable[str] = ()) -> tuple[int, list[str]]:
        """Delete the documents that are gone. Return how many there were, and the file's problems: the given
        ``problems``, followed by those of its records.
        """
        problems = [*problems, *self._problems[:NAMED_PROBLEMS]]
        if more := len(self._problems[NAMED_PROBLEMS:]):
            problems.append(f"{more:,} more records cannot be read")
        if self._without_text:
            problems.append(f"{self._without_text:,} records: {NO_AUTHORITY}")
        file = replace(self._file, size=-1) if self._retry else self._file
        return self._store.end_corpus(file, self._hash(), self._documents, problems), problems

    def _hash(self) -> bytes:
        """Return the file's hash, empty if the file has changed since it was read."""
        try:
            digest, now = hash_file(self._file.path), os.stat(self._file.path)
        except OSError:
            return b""
        return digest if (now.st_size, now.st_mtime_ns) == (self._file.size, self._file.mtime_ns) else b""
