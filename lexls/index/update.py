"""Bringing the index up to date with a set of changed files."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType

from pebble import ProcessExpired, ProcessPool

from lexls.index.options import PrepareOptions
from lexls.index.prepare import (
    FailedDocument,
    PreparedDocument,
    hash_file,
    lower_priority,
    prepare_file,
)
from lexls.index.reconcile import Changes, FileKey, FileState
from lexls.index.records import FailedFile
from lexls.index.store import Store

POOL_FROM_FILES = 24
"""From so many files on, worker processes pay for their start."""
POOL_FROM_BYTES = 4 * 2**20
"""A file of this size is read in a worker process, so that the indexer stays responsive."""
FRAGILE_SUFFIXES = frozenset({".pdf", ".docx"})
"""Formats whose reader is native code or meets hostile archives: a crash must not take the indexer along."""
SECONDS_A_FILE = 300.0
"""A reader that takes longer is stopped and the file reported."""


@dataclass(slots=True)
class Tally:
    """What an update did; counts are documents."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    failed: list[FailedFile] = field(default_factory=list)


class Updater:
    """Applies changes to the store, reading files in worker processes where that pays.

    Use it as a context manager: leaving it ends the workers.
    """

    def __init__(self, store: Store, options: PrepareOptions) -> None:
        self._store = store
        self._options = options
        self._pool: ProcessPool | None = None

    def __enter__(self) -> Updater:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.rest()

    def rest(self) -> None:
        """End the worker processes; the next update starts new ones."""
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            self._pool.join()
            self._pool = None

    def settle(
        self, changes: Changes, known: Mapping[FileKey, tuple[int, int]], tally: Tally
    ) -> list[FileState]:
        """Do all of ``changes`` that needs no reading, and return the files that must be read.

        A file that was only touched is remembered as it is now; one that came for another of the same name
        and content was moved; what is gone is forgotten. ``known`` is what the store held (size, mtime) of
        the files that changed or are gone. Moves are only found among the changes of one call.
        """
        gone = dict.fromkeys(changes.gone)
        left: dict[tuple[str, int], list[FileKey]] = {}
        for key in gone:
            left.setdefault((os.path.basename(key.relative), known[key][0]), []).append(key)
        read: list[FileState] = []
        for file in changes.read:
            if self._same_content(file, known):
                continue
            old = self._moved_from(file, left)
            if old is None:
                read.append(file)
            else:
                self._store.move_document(old, file)
                del gone[old]
                tally.changed += 1
        if gone:
            tally.removed += self._store.remove(gone)
        return read

    def read(
        self,
        files: Sequence[FileState],
        known: Mapping[FileKey, tuple[int, int]],
        tally: Tally,
        *,
        on_document: Callable[[int], None] = lambda done: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Read ``files`` into the store and count them in ``tally``.

        ``on_document`` hears after each how many are done. ``stopped`` is asked between files; what is not
        done then is found by the next reconciliation.
        """
        for done, result in enumerate(self._prepared(files, stopped), start=1):
            self._write(result, result.file.key in known, tally)
            on_document(done)
            if stopped():
                break

    def _same_content(self, file: FileState, known: Mapping[FileKey, tuple[int, int]]) -> bool:
        """A file that was only touched: same size, same hash."""
        if known.get(file.key, (-1, 0))[0] != file.size:
            return False
        try:
            if self._store.file_hash(file.key) != hash_file(file.path):
                return False
        except OSError:
            return False
        self._store.touch_document(file)
        return True

    def _moved_from(self, file: FileState, left: dict[tuple[str, int], list[FileKey]]) -> FileKey | None:
        """The place that a file came from: one that is gone there, with its name, size and hash.

        ``left`` are the files that are gone, by name and size; the one found is taken out.
        """
        candidates = left.get((os.path.basename(file.key.relative), file.size), [])
        if not candidates:
            return None
        try:
            digest = hash_file(file.path)
        except OSError:
            return None
        for old in candidates:
            if self._store.file_hash(old) == digest:
                candidates.remove(old)
                return old
        return None

    def _write(self, result: PreparedDocument | FailedDocument, was_known: bool, tally: Tally) -> None:
        file = result.file
        if isinstance(result, FailedDocument):
            if not os.path.lexists(file.path):
                tally.removed += self._store.remove([file.key])  # it went away while it was being read
                return
            size = -1 if result.retry else file.size
            held = self._store.put_failure(file.key, size, file.mtime_ns, result.reason)
            tally.removed += held
            tally.failed.append(FailedFile(file.path, result.reason))
            return
        self._store.put_document(result)
        if was_known:
            tally.changed += 1
        else:
            tally.added += 1

    def _prepared(
        self, files: Sequence[FileState], stopped: Callable[[], bool]
    ) -> Iterator[PreparedDocument | FailedDocument]:
        apart = [f for f in files if len(files) >= POOL_FROM_FILES or self._needs_process(f)]
        here = [] if len(files) >= POOL_FROM_FILES else [f for f in files if not self._needs_process(f)]
        for file in here:
            yield prepare_file(self._options, file)
        yield from self._prepared_apart(apart, stopped)

    def _prepared_apart(
        self, files: Iterable[FileState], stopped: Callable[[], bool]
    ) -> Iterator[PreparedDocument | FailedDocument]:
        waiting = iter(files)
        flight: deque[tuple[FileState, concurrent.futures.Future[PreparedDocument | FailedDocument]]] = (
            deque()
        )
        workers = max(1, min(os.cpu_count() or 1, 8))
        for file in waiting:
            flight.append((file, self._schedule(file, workers)))
            if len(flight) >= 3 * workers:
                break
        while flight and not stopped():
            file, future = flight.popleft()
            yield _outcome(file, future)
            following = next(waiting, None)
            if following is not None:
                flight.append((following, self._schedule(following, workers)))

    def _schedule(
        self, file: FileState, workers: int
    ) -> concurrent.futures.Future[PreparedDocument | FailedDocument]:
        if self._pool is None:
            self._pool = ProcessPool(
                max_workers=workers,
                context=multiprocessing.get_context("spawn"),
                initializer=lower_priority,
            )
        future: concurrent.futures.Future[PreparedDocument | FailedDocument] = self._pool.schedule(
            prepare_file, args=(self._options, file), timeout=SECONDS_A_FILE
        )
        return future

    @staticmethod
    def _needs_process(file: FileState) -> bool:
        suffix = os.path.splitext(file.key.relative)[1].lower()
        return suffix in FRAGILE_SUFFIXES or file.size >= POOL_FROM_BYTES


def _outcome(
    file: FileState, future: concurrent.futures.Future[PreparedDocument | FailedDocument]
) -> PreparedDocument | FailedDocument:
    try:
        return future.result()
    except concurrent.futures.TimeoutError:
        return FailedDocument(file, f"took longer than {SECONDS_A_FILE:.0f} s to read")
    except ProcessExpired:
        return FailedDocument(file, "its reader crashed")
    except MemoryError:
        return FailedDocument(file, "too large for the memory of this machine")
