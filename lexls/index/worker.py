"""Read a file into the rows that the index has of it, as worker processes do.

What reading takes is loaded where a file is read first: the process that only writes goes without.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from lexls.index.config import PrepareOptions
from lexls.index.reconcile import FileKey, FileState
from lexls.index.rows import CatalogueRows, DocumentRows, FailedDocument, RecordState

if TYPE_CHECKING:
    from lexls.index.prepare import Preparer
    from lexls.library.readers.ocr import ScannedPage

LOW_PRIORITY = 10
"""Niceness of the indexer and its workers."""
MOST_MEMORY = 8 * 2**30
"""Bytes of address space that a worker may take; 50 MB of judgments take a third of that."""


def prepare_files(
    options: PrepareOptions,
    files: Iterable[FileState | RecordState],
    pictures: Mapping[bytes, Mapping[int, ScannedPage]] = MappingProxyType({}),
    described: Mapping[FileKey, str] = MappingProxyType({}),
) -> list[DocumentRows | CatalogueRows | FailedDocument]:
    """The rows of each file or record; the preparer is made once a process.

    ``pictures`` are what OCR has read of files, by the hash of their bytes; ``described`` is what catalogues
    say of them.
    """
    preparer = _preparer(options)
    return [preparer.prepare(file, pictures, described) for file in files]


@lru_cache(maxsize=1)
def _preparer(options: PrepareOptions) -> Preparer:
    from lexls.index.prepare import Preparer

    return Preparer(options)


def lower_priority() -> None:
    """Let everything else on the machine go first, where the platform has a way to say so."""
    if hasattr(os, "nice"):
        os.nice(max(0, LOW_PRIORITY - os.nice(0)))


def begin_worker() -> None:
    """Make ready a process that reads files: behind all else, and within ``MOST_MEMORY`` where the platform
    has such a limit. What would take more raises ``MemoryError``.
    """
    lower_priority()
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if not 0 <= soft <= MOST_MEMORY:
            with contextlib.suppress(OSError, ValueError):  # macOS may refuse it
                resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, hard))
