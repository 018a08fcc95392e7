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
from lexls.index.rows import (
    CatalogueRows,
    CitationRows,
    DocumentRows,
    FailedDocument,
    RecordState,
    UncitedText,
)

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
    citations: bool = True,
) -> list[DocumentRows | CatalogueRows | FailedDocument]:
    """The rows of each file or record; the preparer is made once a process.

    ``pictures`` are what OCR has read of files, by the hash of their bytes; ``described`` is what catalogues
    say of them; ``citations`` says whether those of files are read.
    """
    preparer = _preparer(options)
    return [preparer.prepare(file, pictures, described, citations=citations) for file in files]


def get_ready(options: PrepareOptions) -> None:
    """Load what the first file would wait for."""
    _preparer(options).get_ready()


def find_citations(options: PrepareOptions, documents: Iterable[UncitedText]) -> list[CitationRows | None]:
    """What each document cites; None where a fault in lexls shows, which reading it whole will name."""
    preparer = _preparer(options)
    found: list[CitationRows | None] = []
    for document in documents:
        try:
            found.append(preparer.find_citations(document))
        except Exception:
            found.append(None)
    return found


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
    has such a limit. What would take more raises ``MemoryError``."""
    lower_priority()
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if not 0 <= soft <= MOST_MEMORY:
            with contextlib.suppress(OSError, ValueError):  # macOS may refuse it
                resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, hard))
