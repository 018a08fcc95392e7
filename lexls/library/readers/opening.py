"""Open files without waiting for what is no file, and say in words why one cannot be read."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from lexls.library.document import UnreadableFile

MAX_BYTES = 50 * 2**20
"""Larger files are refused unless told otherwise."""
_REASONS: Mapping[int, str] = {
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ELOOP: "symbolic link loop",
    errno.ENAMETOOLONG: "file name too long",
    errno.EIO: "input/output error",
}


@contextmanager
def open_file(path: Path, max_bytes: int | None = None) -> Iterator[IO[bytes]]:
    """A regular file, open for reading. It is never opened otherwise: opening a FIFO would wait forever.

    Raises ``UnreadableFile`` with the reason, as for a file that is larger than ``max_bytes`` (None: any
    size).
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        reason = "broken symbolic link" if path.is_symlink() else "no such file"
        raise UnreadableFile(reason) from None
    except OSError as error:
        raise UnreadableFile(_reason(error)) from error
    _check(status, max_bytes)
    # O_NONBLOCK: should the path have become a FIFO meanwhile, opening it returns at once.
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    )
    try:
        with open(os.open(path, flags), "rb") as file:
            _check(os.fstat(file.fileno()), max_bytes)
            yield file
    except OSError as error:
        raise UnreadableFile(_reason(error)) from error


def read_bytes(path: Path, max_bytes: int) -> bytes:
    """The bytes of a regular file. Raises ``UnreadableFile`` with the reason."""
    with open_file(path, max_bytes) as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise UnreadableFile(_too_large(len(data), max_bytes))
    if not data:
        raise UnreadableFile("empty file")
    return data


def _check(status: os.stat_result, max_bytes: int | None) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFile("not a regular file")
    if max_bytes is not None and status.st_size > max_bytes:
        raise UnreadableFile(_too_large(status.st_size, max_bytes))


def _too_large(size: int, max_bytes: int) -> str:
    allowed = f"{max_bytes / 2**20:.1f}".removesuffix(".0")
    sizes = f"{size / 2**20:.1f} MB > {allowed} MB"
    return f"larger than the limit ({sizes}); raise index.maxFileMegabytes to read it"


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return _REASONS.get(error.errno or 0) or (error.strerror or "cannot be read").lower()
