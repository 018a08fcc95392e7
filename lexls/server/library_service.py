"""Keep a library open and up to date for the server: its indexer process, its index and its embedder."""

from __future__ import annotations

import logging
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexls.index.config import IndexerConfig
    from lexls.index.embedding import Embedder
    from lexls.index.library import Library
    from lexls.index.records import IndexProgress
    from lexls.models.process import ModelProcess

log = logging.getLogger(__name__)

RESTART_SECONDS = (1.0, 5.0, 30.0, 120.0)
"""Seconds to wait before a failed indexer is restarted: after the first failure, the second, and so on."""
STEADY_SECONDS = 60.0
"""Seconds an indexer has to run before its earlier failures no longer count."""
SETTLED_SECONDS = 10.0
"""Seconds a restarted indexer has to run before the reported problem is cleared."""
OPEN_SECONDS = 3.0
"""Seconds to wait before retrying to open an index."""


class LibraryService:
    """The library of one configuration, shared by all folders and drafts that use it.

    ``tick`` is called regularly on a background thread. It starts the indexer, opens the index once it
    exists, and updates the library. Heavy modules are imported there, never when the server starts.

    The process for heavy models is ended ``models_idle_seconds`` after its last use (0: never). ``on_change``
    is called on a thread when this service's indexer may have changed the index; the next tick picks the
    change up.
    """

    def __init__(
        self,
        config: IndexerConfig,
        models_idle_seconds: float = 600.0,
        on_change: Callable[[], None] | None = None,
    ) -> None:
        self.config = config
        self._on_change = on_change
        self._models_idle_seconds = models_idle_seconds
        self._models: ModelProcess | None = None
        self._models_lock = threading.Lock()
        self._indexer: subprocess.Popen[str] | None = None
        self._started_at = 0.0
        self._deaths = 0
        self._own: Library | None = None
        self._before: LibraryService | None = None
        self._opened = threading.Event()
        self.embedder: Embedder | None = None
        """The model that embeds queries. None until loaded, or while the index has another's vectors."""
        self._loaded: Embedder | None = None
        self._embedder_tried = False
        self.problem = ""
        """The reason why the library cannot be used, as shown to the user; "" if it can."""
        self.news = ""
        self._renewed = time.time_ns()
        self._open_at = 0.0
        self._cited: set[str] = set()
        self._closed = False
        self._tick_lock = threading.Lock()

    @property
    def models(self) -> ModelProcess:
        """The process for models that are too heavy for the server's own process. It starts when a model is
        first used.
        """
        from lexls.models.process import ModelProcess

        with self._models_lock:
            if self._models is None:
                self._models = ModelProcess(idle_seconds=self._models_idle_seconds)
                if self._closed:
                    self._models.close()
            return self._models

    @property
    def library(self) -> Library | None:
        """The library, or the previous service's library until this service's index can be read. None if
        there is neither.
        """
        before = self._before
        return self._own or (before.library if before is not None else None)

    @library.setter
    def library(self, library: Library | None) -> None:
        self._own = library

    def may_follow(self, before: LibraryService) -> bool:
        """Return whether the library of the service ``before`` can be used until this service's library can
        be read.
        """
        alike = self.config.options.exhibits == before.config.options.exhibits
        return self._own is None and alike and not set(self.config.folders).isdisjoint(before.config.folders)

    def follow(self, before: LibraryService) -> None:
        """Use the library of the service ``before`` until this service's library can be read, then close that
        service.

        The caller has to end that service's indexer.
        """
        self.embedder = before.embedder
        self._before = before

    def wait(self, seconds: float) -> Library | None:
        """Wait for the library and return it. Returns None after ``seconds``, or at once if the library
        cannot be used.
        """
        if not self.problem and self.library is None:
            self._opened.wait(seconds)
        return self.library

    def tick(self) -> bool:
        """Check the indexer and update the library. Return whether documents or vectors have changed."""
        with self._tick_lock:
            if self._closed:
                return False
            self._look_after_indexer()
            opened = self._own is None and self._open()
            if self._own is None:
                return False
            try:
                changed = self._own.refresh()
            except Exception as error:
                if not self._is_damaged(error):
                    raise
                return False
            self._load_embedder()
            self._hear_of_renewal()
            before, self._before = self._before, None
        if before is not None:
            before.close()
        return changed or opened

    def progress(self) -> IndexProgress | None:
        """Return the indexer's progress, or None if there is no index yet."""
        return self._own.status.progress() if self._own is not None else None

    def indexes(self) -> bool:
        """Return whether this server's own indexer process is running."""
        return self._indexer is not None and self._indexer.poll() is None

    def reindex(self) -> None:
        """Ask the library's indexer, even another server's, to compare the folders with the index again. Ends
        a pause.
        """
        from lexls.index.wanted import RESCAN, append_wishes

        self.pause(False)
        append_wishes(self.config.index, [RESCAN])

    def pause(self, paused: bool) -> None:
        """Pause or resume the library's indexer, even another server's. A pause lasts until indexing is
        resumed.
        """
        from lexls.index.wanted import set_paused

        set_paused(self.config.index, paused)

    @property
    def complete(self) -> bool:
        """True if the whole library has been read once."""
        return self._own is not None and self._own.complete

    def read_first(self, cited: Iterable[str]) -> None:
        """Ask the indexer to read authorities cited in drafts first. ``cited`` are citations as written; each
        is requested once.
        """
        from lexls.index.wanted import append_wishes

        new = dict.fromkeys(each for each in cited if each not in self._cited)
        self._cited.update(new)
        append_wishes(self.config.index, new)

    def close(self) -> None:
        """End the indexer and the models, and close the index."""
        with self._models_lock:
            self._closed = True
            models = self._models
        if models is not None:
            models.close()  # first, since a tick may be waiting for a model to load
        self.end_indexer()
        with self._tick_lock:
            self._let_go()
            before, self._before = self._before, None
            self._opened.set()
        if before is not None:
            before.close()

    def end_indexer(self) -> None:
        """End this service's indexer for good; the library stays open."""
        self._closed = True
        with self._tick_lock:
            if self._indexer is not None and self._indexer.stdin is not None:
                self._indexer.stdin.close()
                try:
                    self._indexer.wait(timeout=3)
                except subprocess.TimeoutExpired:
                    self._indexer.kill()
            self._indexer = None

    def _look_after_indexer(self) -> None:
        from lexls.index.beside import is_indexer_running
        from lexls.index.process import EXIT_BUSY, start_indexer
        from lexls.index.soundness import describe_exit, describe_failure

        if self._indexer is not None:
            code = self._indexer.poll()
            steady = time.monotonic() - self._started_at > STEADY_SECONDS
            if code is None:
                if steady:
                    self._deaths = 0
                if self.problem and time.monotonic() - self._started_at > SETTLED_SECONDS:
                    self.problem = ""
                return
            self._indexer = None
            if code not in (0, EXIT_BUSY):
                self._deaths = 1 if steady else self._deaths + 1
                log.warning("the indexer ended with status %s", code)
                if reason := describe_exit(code, self.config.index):
                    self.problem = reason
                elif self._deaths >= len(RESTART_SECONDS) - 1:
                    self.problem = f"the indexer keeps ending (status {code}): lexls doctor may tell why"
        wait = RESTART_SECONDS[min(self._deaths, len(RESTART_SECONDS)) - 1] if self._deaths else 1.0
        if time.monotonic() - self._started_at < wait and self._started_at:
            return
        self._started_at = time.monotonic()
        # Another editor's server may be this library's indexer. If it ends, this server takes over.
        try:
            if not is_indexer_running(self.config.index):
                self._indexer = start_indexer(self.config, self._on_change)
        except OSError as error:
            self.problem = describe_failure(error, self.config.index)
            self._deaths += 1

    def _open(self) -> bool:
        from lexls.index.beside import is_indexer_running
        from lexls.index.connection import IndexTooOld, SchemaNotReady
        from lexls.index.library import Library
        from lexls.index.soundness import describe_failure

        if time.monotonic() < self._open_at or not self.config.index.exists():
            return False
        try:
            self._own = Library(self.config.index, self.config.milvus)
        except SchemaNotReady as error:
            # Another editor's indexer is using it. That indexer will update it, or ours when that one ends.
            held = error.older and not self.indexes() and is_indexer_running(self.config.index)
            self.problem = describe_failure(IndexTooOld(), self.config.index) if held else self.problem
            return False
        except Exception as error:
            words = describe_failure(error, self.config.index)
            if not self._is_damaged(error) and not words:
                raise
            self.problem = words
            self._open_at = time.monotonic() + OPEN_SECONDS
            return False
        self.problem = ""
        self._opened.set()
        return True

    def meet_damage(self, error: Exception) -> bool:
        """Return whether an error while reading means that the index is damaged. If so, have the index
        rebuilt.

        Do not call this on a tick's thread.
        """
        with self._tick_lock:
            return self._is_damaged(error)

    def _is_damaged(self, error: Exception) -> bool:
        """Return whether an error means that the index is damaged. If so, ask the indexer to rebuild it and
        close the library until it can be reopened.
        """
        from lexls.index.soundness import DAMAGE, IndexDamaged, describe_failure
        from lexls.index.wanted import RENEW, append_wishes

        if not isinstance(error, DAMAGE):
            return False
        index = self.config.index
        self.problem = describe_failure(error, index) or describe_failure(IndexDamaged(), index)
        append_wishes(self.config.index, [RENEW])
        self._let_go()
        self._open_at = time.monotonic() + OPEN_SECONDS
        return True

    def _let_go(self) -> None:
        if self._own is not None:
            self._own.close()
            self._own = None

    def _hear_of_renewal(self) -> None:
        """Report that the indexer has rebuilt a damaged index, and close the library if the rebuilt index is
        a new file.
        """
        assert self._own is not None
        renewed = self._own.status.renewed()
        if renewed > self._renewed:
            self._renewed = renewed
            folders = ", ".join(map(str, self.config.folders))
            self.news = f"the index of {folders} was damaged and is being rebuilt from its files"
        if not self._own.is_current():
            self._let_go()

    def take_news(self) -> str:
        """Return a message to show the user once, or ""."""
        news, self.news = self.news, ""
        return news

    def _load_embedder(self) -> None:
        """Load the embedder from the settings once the index has vectors. It is used only if these vectors
        are from the same model: the index may still have another model's vectors, which the indexer has to
        replace.
        """
        assert self._own is not None
        if not self._own.has_vectors:
            return
        if self.config.embedder and not self._embedder_tried:
            self._embedder_tried = True
            self._loaded = self._open_embedder()
        loaded = self._loaded
        fits = loaded is not None and loaded.name == self._own.status.embedder
        self.embedder = loaded if fits else None

    def _open_embedder(self) -> Embedder | None:
        from lexls.index.embedding import open_embedder
        from lexls.models.messages import ModelUnavailable

        try:
            embedder = open_embedder(self.config.embedder, process=self.models, chosen=self.config.prompts)
            embedder.encode(["warm"])  # the first run of a graph is slow; do it before a request
        except ModelUnavailable as error:
            log.warning("%s", error)
            return None
        return embedder


REOPENED = "the index of the library was opened anew meanwhile; ask again"


def explain_failure(error: Exception, services: Sequence[LibraryService]) -> str:
    """Return why a request failed if an index is the cause, or "".

    A damaged index is rebuilt. The error does not say which index it concerns. If there are several, each is
    checked, which takes as long as reading it. Do not call this on a tick's thread.
    """
    from lexls.index.soundness import CLOSED, DAMAGE, check_soundness

    if isinstance(error, CLOSED):  # the index was closed while the request was being answered
        return next((each.problem for each in services if each.problem), REOPENED)
    if not isinstance(error, DAMAGE):
        return ""
    for each in services:
        if (len(services) == 1 or check_soundness(each.config.index)) and each.meet_damage(error):
            return each.problem
    return REOPENED  # another request found the damage first, and the index has been reopened
