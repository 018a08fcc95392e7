"""Gather file system events into sets of paths."""

from __future__ import annotations

import contextlib
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
"""A burst is over when nothing happened for so long."""
LONGEST_BURST_SECONDS = 0.4
"""… or when it has lasted so long: what it changed so far is handed on."""

Hear = Callable[[Collection[str], str, bool], None]


class Watcher(FileSystemEventHandler):
    """Watches folders with everything below and hands on the paths that something happened to.

    ``on_paths`` is called on the watcher's own thread with absolute paths of files and folders, each
    burst in one call. It hears of a path, not of what happened: whoever listens looks at the disk.

    A single saved file is handed on as soon as it stands there whole; what follows is a burst of its own. It
    is only waited for what else happens where files that ``matters`` names have gone or are being written,
    or folders changed; what editors write beside a file while they save it is none of these.
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
        """Whether it was quiet before these paths, and no folder is among them."""
        self._unfinished: set[str] = set()
        self._saved = False
        self._stopped = False
        self._links: set[str] = set()
        self._observer: BaseObserver | None = None
        self._unwatched = False
        self._thread = threading.Thread(target=self._hand_on, name="lexls-watch", daemon=True)

    def start(self) -> list[Path]:
        """Begin to watch; returns the folders that cannot be watched (missing, no permission, no handles)."""
        with contextlib.suppress(OSError):
            observer = Observer()
            observer.start()  # before it has folders: one that it cannot watch would end it
            self._observer = observer
        self._thread.start()
        unwatched = [folder for folder in self._folders if not self._watch(self, str(folder))]
        # A missing folder that comes back is noticed by its identity.
        self._unwatched = any(folder.is_dir() for folder in unwatched)
        return unwatched

    def follow(self, links: Iterable[str]) -> None:
        """Also watch these links to folders, which watching the folder they lie in does not reach."""
        for link in links:
            if link not in self._links:
                target = os.path.realpath(link)
                if self._watch(_Behind(link, target, self.hear), target):
                    self._links.add(link)
                else:
                    self._unwatched = True

    def misses(self) -> bool:
        """Return whether changes may go unnoticed, so that the folders must be read again.

        Where the system takes no more watches, folders below the watched ones may be without one, and
        ``watchdog`` does not tell.
        """
        if self._unwatched or self._observer is None or sys.platform != "linux":
            return self._unwatched
        return not _takes_watches()

    def _watch(self, handler: FileSystemEventHandler, folder: str) -> bool:
        """Watch a folder and everything below it; return whether that was possible."""
        if self._observer is None:
            return False
        try:
            self._observer.schedule(handler, folder, recursive=True)
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """Stop watching; no call of ``on_paths`` follows."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
        self._thread.join()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Gather one event of ``watchdog``."""
        self.hear(_paths_of(event), _saved_by(event), event.is_directory)

    def hear(self, paths: Collection[str], saved: str = "", of_folder: bool = False) -> None:
        """Something happened to these paths, after which ``saved`` is a file that stands there whole."""
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
            # Some writers empty a file first, and open it again.
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


def _takes_watches() -> bool:
    """Return whether Linux takes one more watch."""
    from watchdog.observers.inotify import InotifyEmitter

    # Its thread is never started: stopped at once, it would complain on standard error.
    probe = InotifyEmitter(EventQueue(), ObservedWatch(os.sep, recursive=False))
    try:
        probe.on_thread_start()
    except OSError:
        return False
    finally:
        probe.on_thread_stop()
    return True


class _Behind(FileSystemEventHandler):
    """Tells what happens behind a link under the link's own path."""

    def __init__(self, link: str, target: str, hear: Hear) -> None:
        self._link = link
        self._target = target
        self._hear = hear

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Translate one event of ``watchdog``."""
        shown = {
            path: self._link + path[len(self._target) :]
            for path in _paths_of(event)
            if path.startswith(self._target)
        }
        self._hear(shown.values(), shown.get(_saved_by(event), ""), event.is_directory)


def _paths_of(event: FileSystemEvent) -> set[str]:
    """The paths that an event says have changed."""
    if isinstance(event, FileOpenedEvent | FileClosedNoWriteEvent):
        return set()  # reading changes nothing, and our own reading would never end
    if event.is_directory and event.event_type == "modified":
        return set()  # its entries have events of their own
    paths = {os.fsdecode(event.src_path)}
    if isinstance(event, FileMovedEvent | DirMovedEvent):
        paths.add(os.fsdecode(event.dest_path))
    return paths


def _saved_by(event: FileSystemEvent) -> str:
    """The file that an event says was closed after writing, or took a place; "" where none was."""
    if isinstance(event, FileClosedEvent):
        return os.fsdecode(event.src_path)
    return os.fsdecode(event.dest_path) if isinstance(event, FileMovedEvent) else ""


def _is_empty(path: str) -> bool:
    try:
        return os.stat(path).st_size == 0
    except OSError:
        return True
