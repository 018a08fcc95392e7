"""Update the index for a set of changed files."""

from __future__ import annotations

import concurrent.futures
import contextlib
import itertools
import os
from collections import defaultdict, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from lexls.index.config import PrepareOptions
from lexls.index.reconcile import Changes, FileKey, FileState, find_identity, hash_file, is_gone
from lexls.index.records import FailedFile
from lexls.index.rows import (
    STILL_PICTURES,
    CatalogueRows,
    CitationRows,
    DocumentRows,
    FailedDocument,
    RecordState,
)
from lexls.index.scans import ScannedFile
from lexls.index.store import Store
from lexls.index.worker import begin_worker, find_citations, get_ready, prepare_files
from lexls.index.workers import WorkerEnded, Workers, describe_need, find_most_memory
from lexls.library.catalogue_names import is_catalogue, may_be_catalogue
from lexls.library.document import UnreadableFile
from lexls.library.readers import CORPUS_SUFFIXES, find_corpus
from lexls.library.readers.ocr import ScannedPage

if TYPE_CHECKING:
    from lexls.library.readers.corpora import Corpus
    from lexls.library.readers.record_layouts import RecordMappings

POOL_FROM_FILES = 24
"""Minimum number of files for which starting worker processes is worthwhile."""
POOL_FROM_BYTES = 4 * 2**20
"""Files of at least this many bytes are read in a worker process, so that the indexer stays responsive."""
FRAGILE_SUFFIXES = frozenset({".pdf", ".docx", ".doc", ".odt", ".epub"})
"""Formats read by native code or from untrusted archives. They are read in a worker process, because a crash
must not end the indexer.
"""
SECONDS_A_FILE = 300.0
"""Seconds after which a reader is stopped and its file is reported as failed."""
MOST_UNCITED = 4096
"""Maximum number of documents whose text is indexed before the indexer begins to read their citations."""
BATCH_BYTES = 96 * 2**10
"""Small files are sent to a worker together, since sending takes time: at most 16 files, of up to this many
bytes in total.
"""

_WORKERS = max(1, min(os.cpu_count() or 1, 8))
_FAULTS: Mapping[type[BaseException], str] = {
    concurrent.futures.TimeoutError: f"took longer than {SECONDS_A_FILE:.0f} s to read",
    WorkerEnded: "its reader crashed",
}
"""Errors that a worker may end with, and the reason reported for its file."""
_KILLED = "its reader was killed twice; it is tried again at the next start"

Asked = FileState | RecordState
Outcome = DocumentRows | CatalogueRows | FailedDocument
Reading = concurrent.futures.Future[list[Outcome]]
A = TypeVar("A", bound=Asked)
T = TypeVar("T")


@dataclass(slots=True)
class Tally:
    """The results of an update, in numbers of documents."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    failed: list[FailedFile] = field(default_factory=list)


class Updater:
    """Applies changes to the store, reading files in worker processes if worthwhile; ``rest`` stops them.

    After ``make_ready``, the process prepared there reads small batches. ``defer`` is called with files that
    have scanned pages, and returns whether those pages will be read later.
    """

    def __init__(
        self,
        store: Store,
        options: PrepareOptions,
        defer: Callable[[ScannedFile], bool] = lambda scan: False,
    ) -> None:
        self._store = store
        self._options = options
        self._defer = defer
        self._pictures: Mapping[bytes, Mapping[int, ScannedPage]] = {}
        self._pool: Workers | None = None
        self._ready: Workers | None = None
        self.uncited: dict[FileState, int] = {}
        """Documents (ids) stored without citations so far, by their files when written."""

    @cached_property
    def _mappings(self) -> RecordMappings:
        from lexls.library.readers.record_layouts import RecordMappings

        return RecordMappings.load(self._options.records)

    def make_ready(self) -> None:
        """Start a process with everything loaded and keep it, so that a saved file is read without delay."""
        if self._ready is None:
            self._ready = Workers(1, partial(begin_worker, self._options))
            self._ready.submit(SECONDS_A_FILE, get_ready, self._options)

    def rest(self) -> None:
        """Stop the worker processes except the one made ready; the next update starts new ones."""
        if self._pool is not None:
            self._pool.stop()
            self._pool = None

    def close(self) -> None:
        """Stop all worker processes."""
        self.rest()
        if self._ready is not None:
            self._ready.stop()
            self._ready = None

    def settle(
        self, changes: Changes, known: Mapping[FileKey, tuple[int, int]], tally: Tally
    ) -> list[FileState]:
        """Apply those ``changes`` that can be made without reading a file, and return the files that must be
        read.

        If only a file's times changed, they are updated. A new file with the name and content of a removed
        one is treated as moved. Files that are gone are deleted from the index. ``known`` has the stored
        (size, mtime) of the files that changed or are gone. Moves are found only among the changes of one
        call.
        """
        gone = dict.fromkeys(changes.gone)
        left: defaultdict[tuple[str, int], list[FileKey]] = defaultdict(list)
        for key in gone:
            left[os.path.basename(key.relative), known[key][0]].append(key)
        read: list[FileState] = []
        for file in changes.read:
            same_place = [file.key] if known.get(file.key, (-1, 0))[0] == file.size else []
            elsewhere = left[os.path.basename(file.key.relative), file.size]
            if self._find_content(file, same_place) is not None:
                self._store.touch_document(file)
            elif (old := self._find_content(file, elsewhere)) is not None:
                self._store.move_document(old, file)
                self._store.descriptions.changed = True  # it may be described differently there
                elsewhere.remove(old)
                del gone[old]
                tally.changed += 1
            else:
                read.append(file)
        if gone:
            tally.removed += self._store.remove(gone)
        return read

    def read(
        self,
        files: Sequence[FileState],
        known: Container[FileKey],
        tally: Tally,
        *,
        order: Callable[[Sequence[FileState]], Sequence[FileState]] = lambda files: files,
        on_document: Callable[[int, int], None] = lambda done, total: None,
        stopped: Callable[[], bool] = lambda: False,
        paused: Callable[[], bool] = lambda: False,
        words_first: bool = False,
    ) -> Sequence[FileState]:
        """Read ``files`` into the store, count them in ``tally``, and return the files that were not read.

        If there are many files, ``words_first`` leaves their citations to ``find_citations``. ``order`` sorts
        the single-document files, which are read after catalogues. ``on_document`` is called after each
        document with the numbers of documents done and left. ``stopped`` is checked between documents; the
        next reconciliation finds the documents not done. Once ``paused``, workers only finish the files they
        have begun.
        """
        catalogues, others, corpora = self._sort(files)
        several = [*corpora]
        before = 0
        # Catalogues first, so that the files they describe need not be read twice.
        for group, behind in ((catalogues, [*others, *several]), (others, several)):
            asked = order(group) if group is others else group
            words_only = words_first and group is others and len(asked) >= POOL_FROM_FILES
            now = asked[:MOST_UNCITED] if words_only else asked
            done = 0
            for done, result in enumerate(self._prepared(now, stopped, paused, not words_only), start=1):
                self._write(result, result.file.key in known, tally)
                on_document(before + done, len(files) - before - done)
                if stopped():
                    break
            if done < len(asked):
                return [*asked[done:], *behind]
            before += done
        for place, file in enumerate(several):
            left = several[place:]

            def tell(read: int, expected: int, left: int = len(left)) -> None:
                on_document(read, expected - read + left - 1)

            if not self._read_corpus(file, corpora[file], tally, tell, stopped, paused):
                return left
        return ()

    def _sort(
        self, files: Sequence[FileState]
    ) -> tuple[list[FileState], list[FileState], dict[FileState, Corpus]]:
        """Divide the files into catalogues, single-document files and multi-document files. Each
        multi-document file is returned with the ``Corpus`` that reads it.
        """
        catalogues: list[FileState] = []
        others: list[FileState] = []
        corpora: dict[FileState, Corpus] = {}
        for file in files:
            if (corpus := self._find_corpus(file)) is not None:
                corpora[file] = corpus
            else:
                (catalogues if may_be_catalogue(file.key.relative) else others).append(file)
        return catalogues, others, corpora

    def find_citations(
        self,
        tally: Tally,
        *,
        on_document: Callable[[int, int], None] = lambda done, total: None,
        stopped: Callable[[], bool] = lambda: False,
        paused: Callable[[], bool] = lambda: False,
    ) -> None:
        """Read the citations of the ``uncited`` documents; the arguments are as in ``read``. Documents that
        were not done remain in ``uncited``.
        """
        files = list(self.uncited)
        batches = _batches(itertools.takewhile(lambda file: not paused(), files))
        waiting = ((batch, *self._schedule_citations(batch)) for batch in batches)
        for batch, documents, reading in _in_flight(waiting, stopped):
            found: dict[int, CitationRows | None] = {}
            with contextlib.suppress(*_FAULTS):
                found = dict(zip(documents, reading.result(), strict=True))
            for file in batch:
                document = self.uncited.pop(file)
                if (rows := found.get(document)) is not None:
                    self._store.put_citations(document, file.size, rows)
                elif document in documents:
                    # Read again as a whole and alone, the file either succeeds or shows what is wrong with
                    # it.
                    again = Tally()
                    for result in self._prepared_apart([file], stopped):
                        self._write(result, True, again)
                    tally.removed += again.removed
                    tally.failed += again.failed
                on_document(len(files) - len(self.uncited), len(self.uncited))

    def _schedule_citations(
        self, batch: Sequence[FileState]
    ) -> tuple[list[int], concurrent.futures.Future[list[CitationRows | None]]]:
        texts = self._store.read_uncited([self.uncited[file] for file in batch])
        work = (self._options, list(texts.values()))
        return list(texts), self._many_workers().submit(SECONDS_A_FILE, find_citations, *work)

    def _find_corpus(self, file: FileState) -> Corpus | None:
        """Return the ``Corpus`` that reads a multi-document file; None for any other file."""
        try:
            if os.path.splitext(file.key.relative)[1].lower() not in CORPUS_SUFFIXES:
                return None
            if is_catalogue(str(file.path)):
                return None
            return find_corpus(file.path, self._options.max_bytes, self._mappings.find(file.key.relative))
        except UnreadableFile:
            return None  # the next reader will report why

    def _read_corpus(
        self,
        file: FileState,
        corpus: Corpus,
        tally: Tally,
        tell: Callable[[int, int], None],
        stopped: Callable[[], bool],
        paused: Callable[[], bool],
    ) -> bool:
        """Read the new records of a multi-document file. Return whether the file was read to its end."""
        from lexls.index.corpus_update import CorpusUpdate

        update = CorpusUpdate(self._store, file, corpus)
        try:
            tally.removed += update.begin()
            fresh = itertools.takewhile(lambda record: not paused(), update.list_fresh())
            for result in self._prepared_few_or_many(fresh, stopped):
                added, changed = update.put(result)
                tally.added += added
                tally.changed += changed
                tell(update.count, update.estimate())
        except UnreadableFile as error:
            retry = isinstance(error.__cause__, OSError)
            self._write(FailedDocument(file, str(error), retry), True, tally)
            return True
        if not update.complete or stopped():
            return False
        removed, problems = update.end(corpus.missing)
        tally.removed += removed
        tally.failed += [FailedFile(file.path, problem) for problem in problems]
        return True

    def read_with_pictures(
        self, scan: ScannedFile, pictures: Mapping[int, ScannedPage], tally: Tally
    ) -> None:
        """Read a file again after OCR has read its scanned pages."""
        self._pictures = {scan.hash: pictures}
        try:
            self.read([scan.file], {scan.file.key: (0, 0)} if scan.was_known else {}, tally)
        finally:
            self._pictures = {}

    def _find_content(self, file: FileState, candidates: Sequence[FileKey]) -> FileKey | None:
        """Return the first of ``candidates`` whose stored hash equals that of ``file``; None if there is
        none.
        """
        if not candidates:
            return None
        try:
            digest = hash_file(file.path)
        except OSError:
            return None
        return next((key for key in candidates if self._store.file_hash(key) == digest), None)

    def _write(self, result: Outcome, was_known: bool, tally: Tally) -> None:
        file = result.file
        if isinstance(result, FailedDocument) and find_identity(file.key.library) is None:
            return  # the whole library is gone; keep its documents
        if isinstance(result, CatalogueRows):
            tally.removed += self._store.put_catalogue(result)
            tally.failed += [FailedFile(file.path, problem) for problem in result.problems]
            return
        if result.pictures and result.hash not in self._pictures:
            scan = ScannedFile(file, result.hash, result.pictures, was_known)
            if self._defer(scan):
                self._write_meanwhile(result)
                return
        if isinstance(result, DocumentRows):
            self._put(result)
            tally.changed += was_known
            tally.added += not was_known
        elif is_gone(file.path):
            tally.removed += self._store.remove([file.key])  # it was deleted while being read
        elif result.retry:
            reason = self._store.put_unread(file.key, file.mtime_ns, result.reason)
            tally.failed.append(FailedFile(file.path, reason))
        else:
            tally.removed += self._store.put_failure(file.key, file.size, file.mtime_ns, result.reason)
            tally.failed.append(FailedFile(file.path, result.reason))

    def _write_meanwhile(self, result: DocumentRows | FailedDocument) -> None:
        """Keep the old version of a file in the index until its scanned pages are read. Without an old
        version, index the text found so far, or record that pages await OCR.
        """
        file = result.file
        if self._store.file_hash(file.key) is not None:
            return
        # In any case the next reconciliation reads it again.
        if isinstance(result, DocumentRows):
            self._put(replace(result, file=replace(file, size=-1)))
        else:
            pages = f"{len(result.pictures)} page{'s' if len(result.pictures) > 1 else ''}"
            self._store.put_failure(
                file.key, -1, file.mtime_ns, f"{STILL_PICTURES}{pages} still to be read by OCR"
            )

    def _put(self, rows: DocumentRows) -> None:
        document, _ = self._store.put_document(rows)
        if rows.citations is None:
            self.uncited[rows.file] = document

    def _prepared(
        self,
        files: Sequence[FileState],
        stopped: Callable[[], bool],
        paused: Callable[[], bool],
        citations: bool,
    ) -> Iterator[Outcome]:
        # If workers are already running, even a few files go to them.
        if len(files) >= POOL_FROM_FILES or self._ready is not None or self._pool is not None:
            unpaused = itertools.takewhile(lambda file: not paused(), files)
            workers = self._choose_workers(files)
            yield from self._prepared_apart(unpaused, stopped, citations, workers)
            return
        for file in files:
            if not _needs_process(file):
                yield from prepare_files(self._options, [file], self._pictures, self._describe([file]))
        yield from self._prepared_apart(filter(_needs_process, files), stopped)

    def _prepared_few_or_many(
        self, records: Iterator[RecordState], stopped: Callable[[], bool]
    ) -> Iterator[Outcome]:
        first = list(itertools.islice(records, POOL_FROM_FILES))
        many = len(first) == POOL_FROM_FILES or sum(map(_size, first)) >= POOL_FROM_BYTES
        if many or self._ready is not None or self._pool is not None:
            every = itertools.chain(first, records)
            yield from self._prepared_apart(every, stopped, workers=self._choose_workers(first))
            return
        for each in first:
            yield from prepare_files(self._options, [each])
        # So that the iterator of records is exhausted.
        yield from self._prepared_apart(records, stopped)

    def _prepared_apart(
        self,
        files: Iterable[Asked],
        stopped: Callable[[], bool],
        citations: bool = True,
        workers: Workers | None = None,
    ) -> Iterator[Outcome]:
        def schedule(batch: Sequence[Asked]) -> Reading:
            work = (self._options, batch, self._pictures, self._describe(batch), citations)
            return (workers or self._many_workers()).submit(SECONDS_A_FILE, prepare_files, *work)

        waiting = ((batch, schedule(batch)) for batch in _batches(files))
        for batch, reading in _in_flight(waiting, stopped):
            yield from self._outcomes(batch, reading, schedule)

    def _choose_workers(self, files: Sequence[Asked]) -> Workers | None:
        """Return the process made ready if the files are few and small, else None: large files would bloat
        its memory.
        """
        few = len(files) < POOL_FROM_FILES and sum(map(_size, files)) < POOL_FROM_BYTES
        return self._ready if few else None

    def _many_workers(self) -> Workers:
        if self._pool is None:
            self._pool = Workers(_WORKERS, partial(begin_worker, self._options))
        return self._pool

    def _describe(self, batch: Sequence[Asked]) -> Mapping[FileKey, str]:
        """Return the catalogue descriptions of those ``files`` that have one."""
        keys = (each.key for each in batch if isinstance(each, FileState))
        return {key: said for key in keys if (said := self._store.descriptions.find(key))}

    def _outcomes(
        self,
        batch: Sequence[Asked],
        reading: Reading,
        schedule: Callable[[Sequence[Asked]], Reading],
        again: bool = False,
    ) -> list[Outcome]:
        try:
            return reading.result()
        except tuple(_FAULTS) as error:
            if len(batch) == 1 and isinstance(error, WorkerEnded) and error.gave_up:
                need = describe_need(find_most_memory(self._options.reader_megabytes))
                return [_fail(batch[0], f"its reader gave up; it is damaged, or {need}")]
            killed = isinstance(error, WorkerEnded) and error.killed
            late = isinstance(error, concurrent.futures.TimeoutError)
            if len(batch) == 1 and killed and again:
                return [replace(_fail(batch[0], _KILLED), retry=True)]
            # A clock change, or a machine that slept, looks like a reader that is too slow.
            if len(batch) == 1 and not killed and (again or not late):
                reason = next(reason for fault, reason in _FAULTS.items() if isinstance(error, fault))
                return [_fail(batch[0], reason)]
        # At most some of these files are at fault; reading each alone shows which.
        return [
            each for asked in batch for each in self._outcomes([asked], schedule([asked]), schedule, True)
        ]


def _in_flight(waiting: Iterator[T], stopped: Callable[[], bool]) -> Iterator[T]:
    """Yield the items of ``waiting`` in order, fetching some ahead, because fetching an item schedules its
    task. Stop once ``stopped`` returns true.
    """
    flight = deque(itertools.islice(waiting, 3 * _WORKERS))
    while flight and not stopped():
        yield flight.popleft()
        flight.extend(itertools.islice(waiting, 1))


def _batches(files: Iterable[A]) -> Iterator[Sequence[A]]:
    """Yield the files in order, in batches that combine small files."""
    batch: list[A] = []
    total = 0
    for file in files:
        size = BATCH_BYTES if _needs_process(file) else max(_size(file), BATCH_BYTES // 16)
        if batch and total + size >= BATCH_BYTES:
            yield batch
            batch, total = [], 0
        batch.append(file)
        total += size
    if batch:
        yield batch


def _size(asked: Asked) -> int:
    return len(asked.record.data) if isinstance(asked, RecordState) else asked.size


def _needs_process(asked: Asked) -> bool:
    if _size(asked) >= POOL_FROM_BYTES:
        return True
    # A record is JSON, whatever its file's suffix.
    suffix = "" if isinstance(asked, RecordState) else os.path.splitext(asked.key.relative)[1].lower()
    return suffix in FRAGILE_SUFFIXES


def _fail(asked: Asked, reason: str) -> FailedDocument:
    if isinstance(asked, RecordState):
        return FailedDocument(asked.file, reason, place=asked.record.place)
    return FailedDocument(asked, reason)
