"""Tell the indexer what readers wish: passages to embed first, files to read first, to look again, to pause.

Readers append lines to a file beside the index; the indexer, wherever it was started from, reads what is new.
An append of a few lines is atomic on every platform, so that no lock is needed, and a lost wish costs nothing
but time. That indexing shall pause is another file, which stays until it shall go on.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from dataclasses import astuple
from pathlib import Path

from lexls.index.beside import find_beside
from lexls.index.reconcile import FileKey

Wish = int | str | FileKey
"""A passage's id, to be embedded before others; ``RESCAN`` or ``RENEW``; an authority as a draft cites it, to
be read before others; or a file of which the index is wrong, to be read again."""
RESCAN = -1
"""Compare the folders with the index again."""
RENEW = -2
"""The index is damaged: make it anew."""
_LARGEST = 1 << 20
"""From this size in bytes on, readers stop adding wishes until the indexer has cleared the file."""


def find_wishes_file(index: Path) -> Path:
    """The file of wishes of an index file."""
    return find_beside(index, "-wanted")


def append_wishes(index: Path, wishes: Iterable[Wish]) -> None:
    """Append what the indexer of ``index`` shall do; the index need not be there yet.

    Where nobody may write, nothing is appended: no indexer is there either.
    """
    path = find_wishes_file(index)
    lines = (astuple(wish) if isinstance(wish, FileKey) else wish for wish in wishes)
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    if not data or (path.exists() and path.stat().st_size > _LARGEST):
        return
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, data)
        finally:
            os.close(descriptor)


class WantedReader:
    """The indexer's end: hands out each wish once."""

    def __init__(self, index: Path) -> None:
        self._path = find_wishes_file(index)
        self._read = 0

    def take(self) -> list[Wish]:
        """The wishes that came since the last call, oldest first."""
        try:
            size = self._path.stat().st_size
            if size < self._read:
                self._read = 0
            if size == self._read:
                return []
            with open(self._path, "rb") as stream:
                stream.seek(self._read)
                data = stream.read()
        except FileNotFoundError:
            self._read = 0
            return []
        whole = data.rfind(b"\n") + 1
        self._read += whole
        return [wish for line in data[:whole].splitlines() if (wish := _read(line)) is not None]

    def clear(self) -> None:
        """Empty the file, in idle time, when all of it was read."""
        try:
            if 0 < self._path.stat().st_size <= self._read:
                os.truncate(self._path, 0)
                self._read = 0
        except FileNotFoundError:
            self._read = 0


def _read(line: bytes) -> Wish | None:
    """The wish of a line; None for what no reader of this version wrote."""
    try:
        wish = json.loads(line)
    except ValueError:
        return None
    if isinstance(wish, list) and len(wish) == 2 and all(isinstance(each, str) for each in wish):
        return FileKey(*wish)
    return wish if isinstance(wish, int | str) else None


def set_paused(index: Path, paused: bool) -> None:
    """Have the indexer of ``index`` pause, now and whenever it is started, or go on."""
    path = _pause_file(index)
    if paused:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    else:
        path.unlink(missing_ok=True)


def is_paused(index: Path) -> bool:
    """Whether the indexer of ``index`` shall pause."""
    return _pause_file(index).exists()


def _pause_file(index: Path) -> Path:
    return find_beside(index, "-paused")
