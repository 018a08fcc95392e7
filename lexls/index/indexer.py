"""Reconcile the index with the files on disk, then keep it up to date.

The indexer is the only process that writes to the index. It computes vectors on a separate thread.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, replace
from functools import partial
from pathlib import Path

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.index.config import IndexerConfig
from lexls.index.embedding import Embedder, open_embedder
from lexls.index.reconcile import OF_PATHS, FileKey, FileState, FolderScan, Watched, compare, find_identity
from lexls.index.records import FailedFile, IndexProgress
from lexls.index.scans import ScanQueue
from lexls.index.siblings import take_over_vectors
from lexls.index.soundness import IndexDamaged, check_soundness, find_loose_ends
from lexls.index.store import Store
from lexls.index.unread import count_kinds
from lexls.index.update import Tally, Updater
from lexls.index.wanted import RENEW, RESCAN, WantedReader, put_cited_first
from lexls.index.watch import Watcher
from lexls.library.catalogue_names import list_sidecars
from lexls.models.messages import ModelUnavailable, Prompts
from lexls.text.cancel import CancelToken

Vectors = NDArray[np.float32]
Event = Callable[[], None]
"""Work to be done on the main thread."""
Job = Callable[[Embedder], Event]
"""Work for the embedding thread; returns what to do with the vectors on the main thread."""


class EmbedWorker:
    """Runs embedding jobs in order on its own thread.

    ``deliver`` is called on that thread with each event. The first event is ``ready``, with the model's name
    and the dimension of its vectors, or else ``failed``, with the reason for the user why there will be no
    vectors. Then comes the result of each job. The caller keeps a job or two queued, so that the thread never
    waits for the index.
    """

    def __init__(
        self,
        model: str,
        prompts: Prompts,
        deliver: Callable[[Event], None],
        ready: Callable[[str, int], None],
        failed: Callable[[str], None],
    ) -> None:
        self._model = model
        self._prompts = prompts
        self._deliver = deliver
        self._ready = ready
        self._failed = failed
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lexls-embed", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Queue a job after those already submitted."""
        self._jobs.put(job)

    def stop(self) -> None:
        """Finish the current job and discard the others."""
        self._stopped.set()
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        try:
            embedder = open_embedder(self._model, chosen=self._prompts)
            self._deliver(partial(self._ready, embedder.name, embedder.dimension))
            while (job := self._jobs.get()) is not None and not self._stopped.is_set():
                self._deliver(job(embedder))
        except ModelUnavailable as error:
            self._deliver(partial(self._failed, str(error)))
        except Exception as error:
            # A native library may raise anything. The failure must be reported; keyword search still works.
            reason = f"the embedding model failed ({type(error).__name__})"
            self._deliver(partial(self._failed, reason))


def encode_precedents(
    embedder: Embedder, batch: Sequence[tuple[int, str, str]]
) -> tuple[Sequence[int], Vectors, Sequence[Vectors | None]]:
    """Embed precedents, given as (id, proposition, entities joined by line feeds).

    Return their ids, the unit vectors of their propositions, and the unit vectors of their entities (None for
    a precedent without entities).
    """
    precedents, propositions, entities = zip(*batch, strict=True)
    named = list(dict.fromkeys(filter(None, entities)))
    # Propositions are compared with each other, entities with queries.
    of_propositions = embedder.encode(propositions, embedder.prompts.sentence)
    found = embedder.encode([names.replace("\n", " ") for names in named], embedder.prompts.passage)
    of_entities = dict(zip(named, found, strict=True))
    return precedents, of_propositions, [of_entities.get(names) for names in entities]


BATCH = 64
"""Passages per embedding batch: about a second of work, so that requests are answered soon."""
BATCHES_AHEAD = 2
BURST = 48
"""If fewer files than this are saved at once, they are read before all files that are still waiting."""
IDLE_SECONDS = 1.0
PAUSE_SECONDS = 0.25
"""Seconds between checks for the end of a pause."""
RETRY_SECONDS = 30.0
"""Seconds between checks of folders that cannot be watched."""
PROGRESS_SECONDS = 0.25
LOOK_NANOSECONDS = 86_400 * 10**9
"""Nanoseconds between integrity checks of an index that its writers have always closed properly."""


class Indexer:
    """Writes the index of ``config``. The caller holds the index's lock (``lexls.index.beside``).

    ``reconcile``, ``read_scans`` and ``embed`` update it once; ``follow`` does the same and then keeps it up
    to date. ``stop`` may be called from any thread. ``on_progress`` is called now and then on the calling
    thread, and ``on_change`` after each change that readers of the index may see. While ``paused``,
    ``follow`` neither reads nor embeds.
    """

    def __init__(
        self,
        config: IndexerConfig,
        on_progress: Callable[[IndexProgress], None] = lambda progress: None,
        paused: Callable[[], bool] = lambda: False,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._config = config
        self._watched = Watched(config.folders, (*config.excluded, str(config.index)))
        self._store = Store(config.index)
        self._updater = Updater(self._store, config.options, lambda scan: self._scans.add(scan))
        self._scans = ScanQueue(
            self._store,
            config.options,
            lambda event: self._events.put(event),
            lambda scan, pictures: self._updater.read_with_pictures(scan, pictures, self._scanned),
        )
        self._scanned = Tally()
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._saved: queue.SimpleQueue[frozenset[str]] = queue.SimpleQueue()
        self._few_saved = threading.Event()
        self._many_saved = threading.Event()
        self._wishes = WantedReader(config.index)
        self._wanted: list[int] = []
        self._cited: dict[str, None] = {}
        self._paused = paused
        self._on_progress = on_progress
        self._on_change = on_change
        self._progress_at = 0.0
        self._progress = IndexProgress("idle", 0, 0)
        self._stopped = False
        self._watcher: Watcher | None = None
        self._worker: EmbedWorker | None = None
        self._check = threading.Thread()
        self._end_of_checking = CancelToken()
        self._embedder_ready = False
        self._unread: set[FileKey] = set()
        self._unfinished = False
        self._looked_up: set[bytes] = set()
        self._in_flight: list[tuple[int, ...]] = []
        self._precedents_in_flight = 0
        self._embedded = self._passages = 0

    def close(self) -> None:
        """Stop the workers and close the file."""
        self._end_of_checking.cancel()
        if self._worker is not None:
            self._worker.stop()
        self._updater.close()
        self._scans.rest()
        self._store.close()

    def stop(self) -> None:
        """Ask ``follow``, ``reconcile`` or ``embed`` to return soon. Safe from any thread."""
        self._stopped = True
        self._events.put(lambda: None)

    def mend(self, keys: Iterable[FileKey]) -> None:
        """Read these files again even if the index considers them current, and repair inconsistent rows."""
        files = {key for key in keys if key.relative}
        self._store.forget_states(files)
        files |= self._store.mend()
        self.update_paths(frozenset(str(key.path) for key in files))

    def keep_scanned_pages(self, other: Path) -> None:
        """Copy OCR results from another index."""
        self._store.keep_scanned_pages(other)

    # -- documents -------------------------------------------------------------------------------------

    def reconcile(self) -> Tally:
        """Compare the folders with the index by size, mtime and content, and read the files that differ."""
        self._say(IndexProgress("scanning", 0, 0), force=True)
        last = max(int(self._store.meta(key) or 0) for key in ("reconciling", "reconciled"))
        self._store.set_meta("reconciling", last + 1)
        if self._store.meta("fingerprint") != self._config.fingerprint():
            self._store.forget_files()
            # Now, not at the end, so that what an interrupted run has read is not read again by the next.
            self._store.set_meta("fingerprint", self._config.fingerprint())
        scan = self._find_emptied(self._watched.scan())
        self._note_folders(scan)
        self._follow_links(scan)
        self._unread = set(scan.unread)
        self._describe_unread()
        # Only the first time: until it is over, readers report that the library is incomplete.
        tally = self._apply(scan, self._store.known_files(), not self._store.meta("reconciled"))
        self._scanned = tally
        self._unfinished = True
        self._finish_reconciling()
        self._on_change()
        return tally

    def _note_folders(self, scan: FolderScan) -> None:
        """Record the library folders. If new folders have more files than all others, the index counts as
        incomplete until they are read. Otherwise their files are treated like files added to a known
        folder.
        """
        folders = sorted(map(str, self._config.folders))
        known = set(json.loads(self._store.meta("folders") or self._store.meta("places") or "[]"))
        if 2 * sum(key.library not in known for key in scan.files) > len(scan.files):
            self._store.set_meta("reconciled", "")
        self._store.set_meta("folders", json.dumps(folders))

    def _find_emptied(self, scan: FolderScan) -> FolderScan:
        """Treat an empty folder as missing if it is not the same folder that had files before, as when a
        drive is unmounted. Record the folders, and the missing ones, for all readers of the index.
        """
        places: dict[str, list[int]] = json.loads(self._store.meta("places") or "{}")
        missing = set(scan.missing)
        for folder in map(str, self._config.folders):
            identity = find_identity(folder)
            if identity is None:
                continue
            try:
                with os.scandir(folder) as entries:
                    empty = next(entries, None) is None
            except OSError:  # it was just removed
                missing.add(folder)
                continue
            if not empty:
                places[folder] = list(identity)
            elif places.get(folder, list(identity)) != list(identity):
                missing.add(folder)
        for key, value in (("places", json.dumps(places)), ("missing", json.dumps(sorted(missing)))):
            if value != (self._store.meta(key) or "[]"):
                self._store.set_meta(key, value)
        return replace(scan, missing=frozenset(missing))

    def _finish_reconciling(self) -> None:
        """Mark the index as complete once everything has been read."""
        if self._unfinished and not self._stopped and not self._scans:
            self._store.forget_scanned_pages()
            self._store.set_meta("reconciled", self._store.meta("reconciling") or 0)
            self._unfinished = False

    def update_paths(self, paths: frozenset[str]) -> Tally:
        """Update the index after changes to these absolute paths, which may be files or folders."""
        files: dict[FileKey, FileState] = {}
        problems: dict[FileKey, str] = {}
        known: dict[FileKey, tuple[int, int]] = {}
        unread: set[FileKey] = set(self._unread)
        # A new file may turn files next to it into sidecars.
        keys = ((path, self._watched.key_of(path)) for path in paths)
        came = [path for path, key in keys if key is not None and not self._store.known_at(key)]
        beside = {each for path in came for each in list_sidecars(path)} - paths
        for path in (*paths, *beside):
            if not self._watched.holds(path):
                continue
            state = self._watched.state(path)
            key = self._watched.folder_key(path) if state is None else self._watched.key_of(path)
            if key is None:
                continue
            if isinstance(state, FileState):
                files[key] = state
            elif state is not None:
                problems[key] = state
            else:
                known |= self._store.known_below(key)
                unread = {each for each in unread if not _is_at_or_below(each, key)}
                if other := self._watched.unread_key(path):
                    unread.add(other)
                if os.path.isdir(path):
                    scan = self._watched.scan_under(path)
                    files |= scan.files
                    problems |= scan.problems
                    unread |= scan.unread
                    self._follow_links(scan)
                    continue
            if path not in beside:
                # It was changed even if its time is the same, so compare its content.
                known |= {each: (size, -1) for each, (size, _) in self._store.known_at(key).items()}
        if unread != self._unread:
            self._unread = unread
            self._describe_unread()
        return self._apply(FolderScan(files, problems, self._watched.list_missing()), known)

    def _apply(
        self, scan: FolderScan, known: dict[FileKey, tuple[int, int]], words_first: bool = False
    ) -> Tally:
        tally = Tally()
        changes = compare(scan, known)
        for key in changes.gone:
            self._scans.drop(key)
        for key, reason in scan.problems.items():
            if reason in OF_PATHS:
                tally.removed += self._store.put_failure(key, -1, 0, reason)
            else:
                reason = self._store.put_unread(key, 0, reason)
            tally.failed.append(FailedFile(key.path, reason))
        left: Sequence[FileState] = self._updater.settle(changes, known, tally)
        before = 0

        def tell(phase: str, before: int, done: int, left: int) -> None:
            self._say(IndexProgress(phase, before + done, before + done + left))

        def is_left() -> bool:
            return bool(left or (words_first and self._updater.uncited)) and not self._stopped

        while is_left():
            self._wait_while_paused()
            count = len(left)
            left = self._updater.read(
                left,
                known,
                tally,
                order=lambda files: put_cited_first(files, self._cited, self._store.descriptions.find),
                on_document=partial(tell, "reading", before),
                stopped=self._is_stopped,
                paused=self._is_interrupted,
                words_first=words_first,
            )
            before += count - len(left)
            if words_first and not self._stopped:
                self._updater.find_citations(
                    tally,
                    on_document=partial(tell, "citations", 0),
                    stopped=self._is_stopped,
                    paused=self._is_interrupted,
                )
            if is_left():
                self._updates_meanwhile()
        if not self._stopped:
            self._read_described(tally)
        return tally

    def _is_stopped(self) -> bool:
        return self._stopped

    def _is_interrupted(self) -> bool:
        """Return whether something more urgent has come up: a pause, a saved file, or new requests for
        documents that drafts cite.
        """
        before = len(self._cited)
        self._hear_wishes()
        return len(self._cited) > before or self._few_saved.is_set() or self._paused()

    def _wait_while_paused(self) -> None:
        while self._paused() and not self._stopped:
            self._say(replace(self._progress, phase="paused"))
            time.sleep(PAUSE_SECONDS)

    def _read_described(self, tally: Tally) -> None:
        """Read the files again whose catalogue descriptions have changed since the files were read."""
        if not self._store.descriptions.changed:
            return
        stale = self._store.descriptions.list_stale()
        states = (self._watched.state(str(key.path)) for key in stale)
        files = [state for state in states if isinstance(state, FileState)]
        if not self._updater.read(files, set(stale), tally, stopped=self._is_stopped) and not self._stopped:
            self._store.descriptions.changed = False

    def _describe_unread(self) -> None:
        """Record the kinds of files that no reader supports, so that all readers of the index can report
        them.
        """
        kinds = json.dumps([astuple(kind) for kind in count_kinds(self._unread)])
        if kinds != (self._store.meta("unread") or "[]"):
            self._store.set_meta("unread", kinds)

    def _updates_meanwhile(self) -> None:
        """Process files saved during a long reading, if only few were saved at once, without waiting for the
        reading to end.
        """
        self._few_saved.clear()
        paths: frozenset[str] = frozenset()
        for saved in [self._saved.get() for _ in range(self._saved.qsize())]:
            if len(saved) < BURST:
                paths |= saved
            else:
                self._saved.put(saved)
        if paths:
            self.update_paths(paths)
            self._on_change()

    def _update_saved(self) -> None:
        # The files may have been processed already, while others were being read.
        if not self._saved.empty():
            self.update_paths(self._saved.get())

    def _hear(self, paths: frozenset[str]) -> None:
        self._saved.put(paths)
        self._events.put(self._update_saved)
        if len(paths) < BURST:
            self._few_saved.set()
        else:
            self._many_saved.set()

    # -- scans -----------------------------------------------------------------------------------------

    def read_scans(self) -> None:
        """Run OCR on the scanned pages found by the last reconciliation, and add the results to the tally of
        that reconciliation.
        """
        while not self._stopped and self._feed_scans():
            self._events.get()()

    def _feed_scans(self) -> bool:
        busy = self._scans.feed()
        if busy:
            self._say(IndexProgress("ocr", self._scans.done, self._scans.total))
        else:
            self._finish_reconciling()
        return busy

    # -- vectors ---------------------------------------------------------------------------------------

    def embed(self) -> str:
        """Compute all missing vectors. Return why there are none, or "" if all went well."""
        self._start_embedding()
        while not self._stopped and (
            self._feed_embedder() or (self._worker is not None and not self._embedder_ready)
        ):
            self._events.get()()
        self._say(IndexProgress("idle", 0, 0), force=True)
        return self._store.meta("embedder_problem")

    def _start_embedding(self) -> None:
        if self._worker is None and self._config.embedder:
            self._worker = EmbedWorker(
                self._config.embedder,
                self._config.prompts,
                self._events.put,
                self._use_embedder,
                self._do_without_embedder,
            )
        elif not self._config.embedder:
            self._store.set_meta("embedder_problem", "no embedding model is set (embeddings.model)")

    def _feed_embedder(self) -> bool:
        """Keep the worker's queue filled with batches. Return whether any batch is being embedded."""
        if not self._embedder_ready or self._worker is None:
            return False
        self._hear_wishes()
        while len(self._in_flight) < BATCHES_AHEAD:
            busy = {passage for batch in self._in_flight for passage in batch}
            wanted = [p for p in dict.fromkeys(self._wanted) if p not in busy][:BATCH]
            found = self._store.pending(BATCH + len(busy), wanted)
            if wanted and not any(passage in set(wanted) for passage, _ in found):
                self._wanted = []
            batch = [(passage, text) for passage, text in found if passage not in busy][:BATCH]
            if not batch:
                break
            passages = tuple(passage for passage, _ in batch)
            if take_over_vectors(self._store, self._config, passages, self._looked_up):
                continue
            self._in_flight.append(passages)
            self._worker.submit(partial(self._encode, batch))
        # Precedents are embedded after all passages.
        while not self._in_flight and self._precedents_in_flight < BATCHES_AHEAD:
            precedents = self._store.pending_precedents(BATCH)
            if not precedents:
                break
            self._precedents_in_flight += 1
            self._worker.submit(partial(self._encode_precedents, precedents))
        return bool(self._in_flight) or self._precedents_in_flight > 0

    def _hear_wishes(self) -> None:
        wishes = self._wishes.take()
        if wrong := [wish for wish in wishes if isinstance(wish, FileKey)]:
            self._events.put(partial(self.mend, wrong))
        if RENEW in wishes:
            self._events.put(partial(self._describe_damage, "a reader found it damaged"))
        if RESCAN in wishes:
            self._events.put(self._rescan)
        self._wanted.extend(wish for wish in wishes if isinstance(wish, int) and wish >= 0)
        self._cited.update(dict.fromkeys(wish for wish in wishes if isinstance(wish, str)))

    def _use_embedder(self, name: str, dimension: int) -> None:
        self._store.use_embedder(name, dimension)
        self._store.set_meta("embedder_problem", "")
        self._embedder_ready = True

    def _do_without_embedder(self, reason: str) -> None:
        self._store.set_meta("embedder_problem", reason)
        self._embedder_ready = False
        self._in_flight.clear()
        self._precedents_in_flight = 0
        self._worker = None

    def _encode(self, batch: Sequence[tuple[int, str]], embedder: Embedder) -> Event:
        passages, texts = zip(*batch, strict=True)
        return partial(self._put_vectors, passages, embedder.encode(texts, embedder.prompts.passage))

    def _encode_precedents(self, batch: Sequence[tuple[int, str, str]], embedder: Embedder) -> Event:
        return partial(self._put_precedent_vectors, *encode_precedents(embedder, batch))

    def _put_precedent_vectors(
        self, precedents: Sequence[int], propositions: Vectors, entities: Sequence[Vectors | None]
    ) -> None:
        self._precedents_in_flight -= 1
        self._store.put_precedent_vectors(precedents, propositions, entities)

    def _put_vectors(self, passages: tuple[int, ...], vectors: Vectors) -> None:
        self._in_flight.remove(passages)
        self._store.put_vectors(passages, vectors)
        if self._passages == 0 or not self._in_flight:
            self._embedded, self._passages = self._store.embedding_counts()
        else:
            self._embedded += len(passages)
        if not self._scans:
            self._say(IndexProgress("embedding", self._embedded, self._passages))

    # -- following -------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Reconcile, embed, and keep the index up to date. Return after ``stop``, or once the index file has
        been moved or deleted, so that a new one can be made. Raises ``IndexDamaged``.
        """
        places = self._find_places()
        watcher = self._watch()
        retry_at = time.monotonic() + RETRY_SECONDS
        try:
            self._look_through()
            self.reconcile()
            self._start_embedding()
            ready_at = time.monotonic() + IDLE_SECONDS
            while not self._stopped and self._store.is_current():
                self._wait_while_paused()
                reads_scans = self._feed_scans()
                busy = self._feed_embedder() or reads_scans
                if not busy:
                    self._say(IndexProgress("idle", 0, 0))
                    self._wishes.clear()
                    self._cited.clear()
                if time.monotonic() > ready_at:
                    self._updater.make_ready()
                try:
                    event = self._events.get(timeout=IDLE_SECONDS)
                except queue.Empty:
                    self._updater.rest()
                    self._hear_wishes()
                    if self._many_saved.is_set():
                        # If there are too many events, the system drops some without saying which.
                        self._many_saved.clear()
                        self.reconcile()
                    if not busy:
                        self._store.compact_vectors()
                else:
                    event()
                    self._on_change()
                if time.monotonic() > retry_at:
                    retry_at = time.monotonic() + RETRY_SECONDS
                    self._look_through()
                    # A folder was ejected, moved or restored, or the system allowed no more watches.
                    if self._find_places() != places or watcher.misses():
                        watcher.stop()
                        places = self._find_places()
                        watcher = self._watch()
                        self.reconcile()
        finally:
            watcher.stop()

    def _look_through(self) -> None:
        """Check the index's integrity in the background, once a day. No other check finds damage done by the
        disk.
        """
        now = time.time_ns()
        if self._check.is_alive() or abs(now - self._store.looked_through) < LOOK_NANOSECONDS:
            return

        def check() -> None:
            with contextlib.suppress(apsw.Error):
                if damage := check_soundness(self._config.index, self._end_of_checking):
                    self._events.put(partial(self._describe_damage, damage))
                    return
                if find_loose_ends(self._config.index, self._end_of_checking):
                    self._events.put(partial(self.mend, ()))
                self._events.put(partial(setattr, self._store, "looked_through", now))

        self._check = threading.Thread(target=check, name="lexls-check", daemon=True)
        self._check.start()

    def _describe_damage(self, reason: str) -> None:
        self._store.looked_through = 0
        raise IndexDamaged(reason)

    def _find_places(self) -> list[tuple[int, int] | None]:
        return [find_identity(str(folder)) for folder in self._config.folders]

    def _watch(self) -> Watcher:
        watcher = Watcher(
            self._config.folders, self._hear, lambda path: self._watched.key_of(path) is not None
        )
        self._watcher = watcher
        watcher.start()
        return watcher

    def _follow_links(self, scan: FolderScan) -> None:
        if self._watcher is not None:
            self._watcher.follow(scan.links)

    def _rescan(self) -> None:
        self.reconcile()
        self._start_embedding()

    def _say(self, progress: IndexProgress, force: bool = False) -> None:
        """Publish progress to all readers of the index, but at most every ``PROGRESS_SECONDS`` within a phase
        unless ``force`` is true.
        """
        now = time.monotonic()
        changed = progress.phase != self._progress.phase
        if progress == self._progress or not (force or changed or now - self._progress_at > PROGRESS_SECONDS):
            return
        self._progress, self._progress_at = progress, now
        self._store.set_progress(progress)
        self._on_progress(progress)


def _is_at_or_below(file: FileKey, key: FileKey) -> bool:
    """Return whether ``file`` is the file at ``key`` or is in the folder at ``key`` ("": the whole
    library).
    """
    below = f"{key.relative}/" if key.relative else ""
    return file == key or (file.library == key.library and file.relative.startswith(below))
