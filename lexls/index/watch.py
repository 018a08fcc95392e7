"""Collect file system events into sets of changed paths."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from watchdog.events import (
    DirMovedEvent,
    FileClosedEvent,
    FileClosedNoWriteEvent,
    FileMovedEvent,
    FileOpenedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, EventQueue, ObservedWatch

QUIET_SECONDS = 0.08
"""A burst of events ends after this many seconds without an event."""
LONGEST_BURST_SECONDS = 0.4
"""A longer burst is reported in parts after this many seconds."""

Hear = Callable[[Collection[str], str, bool], None]


class Watcher(FileSystemEventHandler):
    """Watches folders recursively and reports the paths that changed.

    ``on_paths`` is called on the watcher's own thread with absolute paths of files and folders, once per
    burst of events. Only paths are reported, not the kind of change; the caller must examine the files.

    A single saved file is reported as soon as it is completely written; later events form a new burst. The
    watcher waits for more events only if folders changed, or if files for which ``matters`` is true were
    deleted or are being written. Temporary files that editors write while saving are ignored here.
    """

    def __init__(
        self,
        folders: Iterable[Path],
        on_paths: Callable[[frozenset[str]], None],
        matters: Callable[[str], bool] = lambda path: True,
    ) -> None:
        self._folders = tuple(folders)
        self._on_paths = on_paths
        self._matters = matters
        self._changed = threading.Condition()
        self._paths: set[str] = set()
        self._first = self._last = 0.0
        self._begins = False
        """True if these paths began a new burst and include no folder."""
        self._unfinished: set[str] = set()
        self._saved = False
        self._stopped = False
        self._links: set[str] = set()
        self._observer: BaseObserver | None = None
        self._unwatched = False
        self._thread = threading.Thread(target=self._hand_on, name="lexls-watch", daemon=True)
        logging.getLogger("watchdog.observers.inotify").addFilter(_is_problem)

    def start(self) -> list[Path]:
        """Start watching. Return the folders that cannot be watched (missing, no permission, or no handles
        left).
        """
        with contextlib.suppress(OSError):
            observer = Observer()
            observer.start()  # started before folders are added: one that cannot be watched would stop it
            self._observer = observer
        self._thread.start()
        unwatched = [folder for folder in self._folders if not self._watch(self, str(folder))]
        # A missing folder that returns is recognised by its identity.
        self._unwatched = any(folder.is_dir() for folder in unwatched)
        return unwatched

    def follow(self, links: Iterable[str]) -> None:
        """Also watch the targets of these links, since watching a folder does not cover the targets of links
        in it.
        """
        for link in links:
            if link not in self._links:
                target = os.path.realpath(link)
                if self._watch(_Behind(link, target, self.hear), target):
                    self._links.add(link)
                else:
                    self._unwatched = True

    def misses(self) -> bool:
        """Return whether changes may go unnoticed, so that the folders must be scanned again.

        If the system allows no more watches, some subfolders may be unwatched, and ``watchdog`` does not
        report this.
        """
        if self._unwatched or self._observer is None or sys.platform != "linux":
            return self._unwatched
        return not _takes_watches()

    def _watch(self, handler: FileSystemEventHandler, folder: str) -> bool:
        """Watch a folder and everything below it. Return whether this succeeded."""
        if self._observer is None:
            return False
        try:
            self._observer.schedule(handler, folder, recursive=True)
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """Stop watching; ``on_paths`` is not called any more."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
        self._thread.join()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Handle an event from ``watchdog``."""
        self.hear(_paths_of(event), _saved_by(event), event.is_directory)

    def hear(self, paths: Collection[str], saved: str = "", of_folder: bool = False) -> None:
        """Record that these paths changed; ``saved`` is the one of them that is a completely written file (""
        if none).
        """
        if not paths:
            return
        with self._changed:
            now = time.monotonic()
            if not self._paths:
                self._first = now
                self._begins = now - self._last >= QUIET_SECONDS
                self._saved = False
                self._unfinished.clear()
            self._last = now
            self._paths.update(paths)
            self._begins &= not of_folder
            if self._begins:
                self._look_at(paths, saved)
            self._changed.notify()

    def _look_at(self, paths: Collection[str], saved: str) -> None:
        for path in filter(self._matters, paths):
            # Some programs first empty a file and then open it again.
            if path == saved and not _is_empty(path):
                self._unfinished.discard(path)
                self._saved = True
            else:
                self._unfinished.add(path)

    def _hand_on(self) -> None:
        while True:
            with self._changed:
                while not self._paths and not self._stopped:
                    self._changed.wait()
                if self._stopped:
                    return
                until = min(self._last + QUIET_SECONDS, self._first + LONGEST_BURST_SECONDS)
                wait = until - time.monotonic()
                if wait > 0 and not (self._begins and self._saved and not self._unfinished):
                    self._changed.wait(wait)
                    continue
                paths, self._paths = frozenset(self._paths), set()
            self._on_paths(paths)


def _is_problem(record: logging.LogRecord) -> bool:
    """Return whether a message of ``watchdog`` is worth printing. If its thread is stopped while it waits for
    the next event, it calls that an error.
    """
    return "called when the thread is inactive" not in record.getMessage()


def _takes_watches() -> bool:
    """Return whether Linux allows another watch."""
    from watchdog.observers.inotify import InotifyEmitter

    probe = InotifyEmitter(EventQueue(), ObservedWatch(os.sep, recursive=False))
    try:
        probe.on_thread_start()
    except OSError:
        return False
    finally:
        probe.on_thread_stop()
    return True


class _Behind(FileSystemEventHandler):
    """Reports changes in a link's target under the link's own path."""

    def __init__(self, link: str, target: str, hear: Hear) -> None:
        self._link = link
        self._target = target
        self._hear = hear

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Translate an event from ``watchdog``."""
        shown = {
            path: self._link + path[len(self._target) :]
            for path in _paths_of(event)
            if path.startswith(self._target)
        }
        self._hear(shown.values(), shown.get(_saved_by(event), ""), event.is_directory)


def _paths_of(event: FileSystemEvent) -> set[str]:
    """Return the paths that an event reports as changed."""
    if isinstance(event, FileOpenedEvent | FileClosedNoWriteEvent):
        return set()  # reading changes nothing, and our own reads would cause endless events
    if event.is_directory and event.event_type == "modified":
        return set()  # changes inside it have their own events
    paths = {os.fsdecode(event.src_path)}
    if isinstance(event, FileMovedEvent | DirMovedEvent):
        paths.add(os.fsdecode(event.dest_path))
    return paths


def _saved_by(event: FileSystemEvent) -> str:
    """Return the file that was closed after writing or moved into place; "" if none was."""
    if isinstance(event, FileClosedEvent):
        return os.fsdecode(event.src_path)
    return os.fsdecode(event.dest_path) if isinstance(event, FileMovedEvent) else ""


def _is_empty(path: str) -> bool:
    try:
        return os.stat(path).st_size == 0
    except OSError:
        return True
