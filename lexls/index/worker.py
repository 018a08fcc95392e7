"""Read a file into the rows that the index has of it, as worker processes do.

What reading takes is loaded where a file is read first: the process that only writes goes without.
"""

from __future__ import annotations

import os
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
from lexls.index.workers import find_most_memory, limit_memory

if TYPE_CHECKING:
    from lexls.index.prepare import Preparer
    from lexls.library.readers.ocr import ScannedPage

LOW_PRIORITY = 10
"""Niceness of the indexer and its workers."""


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
    """Return what each document cites; None where a fault in lexls shows, which reading it whole will
    name."""
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


def begin_worker(options: PrepareOptions, least: int = 0) -> None:
    """Make ready a process that reads files: behind all else, and within the memory that ``options`` allow,
    or ``least`` bytes if that is more. What would take more raises ``MemoryError``."""
    lower_priority()
    limit_memory(max(least, find_most_memory(options.reader_megabytes)))
