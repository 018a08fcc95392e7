"""Gather file system events into sets of paths."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from watchdog.events import (
    DirMovedEvent,
    FileClosedNoWriteEvent,
    FileMovedEvent,
    FileOpenedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

QUIET_SECONDS = 0.08
"""A burst is over when nothing happened for so long."""
LONGEST_BURST_SECONDS = 0.4
"""… or when it has lasted so long: what it changed so far is handed on."""


class Watcher(FileSystemEventHandler):
    """Watches folders with everything below and hands on the paths that something happened to.

    ``on_paths`` is called on the watcher's own thread with absolute paths of files and folders, each
    burst in one call. It hears of a path, not of what happened: whoever listens looks at the disk.
    """

    def __init__(self, folders: Iterable[Path], on_paths: Callable[[frozenset[str]], None]) -> None:
        self._folders = tuple(folders)
        self._on_paths = on_paths
        self._changed = threading.Condition()
        self._paths: set[str] = set()
        self._first = self._last = 0.0
        self._stopped = False
        self._links: set[str] = set()
        self._observer = Observer()
        self._thread = threading.Thread(target=self._hand_on, name="lexls-watch", daemon=True)

    def start(self) -> list[Path]:
        """Begin to watch; returns the folders that cannot be watched (missing, no permission, no handles)."""
        unwatched = []
        for folder in self._folders:
            try:
                self._observer.schedule(self, str(folder), recursive=True)
            except OSError:
                unwatched.append(folder)
        self._observer.start()
        self._thread.start()
        return unwatched

    def follow(self, links: Iterable[str]) -> None:
        """Also watch these links to folders, which watching the folder they lie in does not reach."""
        for link in links:
            if link not in self._links:
                with contextlib.suppress(OSError):
                    target = os.path.realpath(link)
                    self._observer.schedule(_Behind(link, target, self.hear), target, recursive=True)
                    self._links.add(link)

    def stop(self) -> None:
        """Stop watching; no call of ``on_paths`` follows."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        self._observer.stop()
        self._observer.join()
        self._thread.join()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Gather one event of ``watchdog``."""
        self.hear(_paths_of(event))

    def hear(self, paths: Iterable[str]) -> None:
        """Something happened to these paths."""
        with self._changed:
            self._last = time.monotonic()
            if not self._paths:
                self._first = self._last
            self._paths.update(paths)
            self._changed.notify()

    def _hand_on(self) -> None:
        while True:
            with self._changed:
                while not self._paths and not self._stopped:
                    self._changed.wait()
                if self._stopped:
                    return
                until = min(self._last + QUIET_SECONDS, self._first + LONGEST_BURST_SECONDS)
                wait = until - time.monotonic()
                if wait > 0:
                    self._changed.wait(wait)
                    continue
                paths, self._paths = frozenset(self._paths), set()
            self._on_paths(paths)


class _Behind(FileSystemEventHandler):
    """Tells what happens behind a link under the link's own path."""

    def __init__(self, link: str, target: str, hear: Callable[[Iterable[str]], None]) -> None:
        self._link = link
        self._target = target
        self._hear = hear

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Translate one event of ``watchdog``."""
        self._hear(
            self._link + path[len(self._target) :]
            for path in _paths_of(event)
            if path.startswith(self._target)
        )


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
