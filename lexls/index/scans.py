"""Read scans by OCR, page by page in the background: a page needs seconds, a long bundle an hour."""

from __future__ import annotations

import concurrent.futures
import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from lexls.index.config import PrepareOptions
from lexls.index.reconcile import FileKey, FileState
from lexls.index.store import Store
from lexls.index.worker import begin_worker
from lexls.index.workers import WorkerEnded, Workers
from lexls.library.document import UnreadableFile
from lexls.library.readers.ocr import MEMORY, ScannedPage, read_picture
from lexls.library.readers.opening import read_bytes

SECONDS_A_PAGE = 300.0
"""Maximum number of seconds for a page; a slower page is skipped."""
_WORKERS = max(1, min(os.cpu_count() or 1, 4))
"""Number of OCR processes. Each uses one core, and about 650 MB for the models."""

Event = Callable[[], None]


@dataclass(slots=True)
class ScannedFile:
    """A file with scanned pages (from 1); ``hash`` is the SHA-256 of the file's bytes.

    ``was_known`` is true if the file was already in the index. ``left`` are the pages not yet given to a
    worker. ``again`` are the pages whose worker was once killed from outside. ``open`` is the number of
    unfinished pages.
    """

    file: FileState
    hash: bytes
    pages: tuple[int, ...]
    was_known: bool
    left: list[int] = field(default_factory=list)
    again: list[int] = field(default_factory=list)
    open: int = 0


class FileChanged(Exception):
    """Raised if a file has changed since its scanned pages were listed; the watcher will report the
    change.
    """


def read_scanned_page(scan: ScannedFile, page: int, options: PrepareOptions) -> ScannedPage:
    """Read a page (from 1) of a file by OCR, in a worker process. Raises ``FileChanged``."""
    try:
        data = read_bytes(scan.file.path, options.max_bytes)
    except UnreadableFile:
        raise FileChanged from None
    if hashlib.sha256(data).digest() != scan.hash:
        raise FileChanged
    return read_picture(data, page, options.watermarks)


class ScanQueue:
    """The scans still to be read, those with the fewest pages first. Used on the main thread only.

    ``deliver`` is called on other threads with work for the main thread. ``finished`` is called on the main
    thread with a scan and the OCR results of its pages. Each page's result is stored at once, so nothing is
    read twice, even if the process ends.
    """

    def __init__(
        self,
        store: Store,
        options: PrepareOptions,
        deliver: Callable[[Event], None],
        finished: Callable[[ScannedFile, Mapping[int, ScannedPage]], None],
    ) -> None:
        self._store = store
        self._options = options
        self._deliver = deliver
        self._finished = finished
        self._waiting: dict[FileKey, ScannedFile] = {}
        self._in_flight = 0
        self._pool: Workers | None = None
        self.done = self.total = 0
        """Pages finished and pages in total, since the queue was last empty."""

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, scan: ScannedFile) -> bool:
        """Queue the pages of a scan that have not been read yet. Return whether OCR results exist or will
        come.
        """
        self.drop(scan.file.key)
        known = self._store.scanned_pages(scan.hash, self._options.ocr)
        if not known and not self._options.ocr:
            return False
        scan.left = [page for page in scan.pages if page not in known] if self._options.ocr else []
        scan.open = len(scan.left)
        self.total += scan.open
        self._waiting[scan.file.key] = scan
        return True

    def drop(self, key: FileKey) -> None:
        """Remove a file that has changed or is gone."""
        if scan := self._waiting.pop(key, None):
            self.total -= scan.open

    def feed(self) -> bool:
        """Give the workers pages to read. Return whether any scans remain."""
        for scan in [scan for scan in self._waiting.values() if not scan.open]:
            self._finish(scan)
        for scan in sorted(self._waiting.values(), key=lambda scan: scan.open):
            while scan.left and self._in_flight < 2 * _WORKERS:
                self._schedule(scan, scan.left.pop(0))
        if not self._waiting:
            self.done = self.total = 0
            self.rest()
        return bool(self._waiting)

    def rest(self) -> None:
        """Stop the worker processes at once."""
        if self._pool is not None:
            self._pool.stop()
            self._pool = None

    def _schedule(self, scan: ScannedFile, page: int) -> None:
        if self._pool is None:
            self._pool = Workers(_WORKERS, partial(begin_worker, self._options, MEMORY))
        self._in_flight += 1
        reading = self._pool.submit(SECONDS_A_PAGE, read_scanned_page, scan, page, self._options)
        reading.add_done_callback(lambda reading: self._deliver(partial(self._take, scan, page, reading)))

    def _take(self, scan: ScannedFile, page: int, reading: concurrent.futures.Future[ScannedPage]) -> None:
        self._in_flight -= 1
        try:
            self._store.put_scanned_page(scan.hash, page, self._options.ocr, reading.result())
        except FileChanged:
            if self._waiting.get(scan.file.key) is scan:
                self.drop(scan.file.key)
            return
        except WorkerEnded as error:
            if error.killed and page not in scan.again:
                scan.again.append(page)
                scan.left.append(page)
                return
        except Exception:
            # If a reader fails on a page, that page is skipped; the others are read.
            pass
        if self._waiting.get(scan.file.key) is scan:
            scan.open -= 1
            self.done += 1

    def _finish(self, scan: ScannedFile) -> None:
        del self._waiting[scan.file.key]
        known = self._store.scanned_pages(scan.hash, self._options.ocr)
        self._finished(scan, {page: known[page] for page in scan.pages if page in known})
