"""Tell the indexer what readers wish: passages to embed first, or "look at the folders again".

Readers append fixed-size records to a file beside the index; the indexer, wherever it was started from,
reads what is new. An append of one record is atomic on every platform, so that no lock is needed, and a
lost wish costs nothing but time.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from pathlib import Path

_RECORD = struct.Struct("<q")
RESCAN = -1
_LARGEST = 1 << 20
"""From this size in bytes on, readers stop adding wishes until the indexer has cleared the file."""


def find_wishes_file(index: Path) -> Path:
    """The file of wishes of an index file."""
    return index.with_name(index.name + "-wanted")


def append_wishes(index: Path, records: Iterable[int]) -> None:
    """Append passage ids (or ``RESCAN``) for the indexer of ``index``."""
    path = find_wishes_file(index)
    data = b"".join(_RECORD.pack(record) for record in records)
    if not data or (path.exists() and path.stat().st_size > _LARGEST):
        return
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)


class WantedReader:
    """The indexer's end: hands out each record once."""

    def __init__(self, index: Path) -> None:
        self._path = find_wishes_file(index)
        self._read = 0

    def take(self) -> list[int]:
        """The records that came since the last call, oldest first."""
        try:
            size = self._path.stat().st_size
            if size < self._read:
                self._read = 0
            if size - self._read < _RECORD.size:
                return []
            with open(self._path, "rb") as stream:
                stream.seek(self._read)
                data = stream.read()
        except FileNotFoundError:
            self._read = 0
            return []
        whole = len(data) - len(data) % _RECORD.size
        self._read += whole
        return [record for (record,) in _RECORD.iter_unpack(data[:whole])]

    def clear(self) -> None:
        """Empty the file, in idle time, when all of it was read."""
        try:
            if 0 < self._path.stat().st_size <= self._read:
                os.truncate(self._path, 0)
                self._read = 0
        except FileNotFoundError:
            self._read = 0
