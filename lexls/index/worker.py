"""Read files into index rows, in worker processes.

The modules needed for reading are loaded when the first file is read, so a process that only writes does not
load them.
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
    """Return the rows of each file or record, creating the preparer once per process.

    ``pictures`` are OCR results by the SHA-256 of a file's bytes, and ``described`` are catalogue
    descriptions of files. If ``citations`` is false, the citations of files are not read.
    """
    preparer = _preparer(options)
    return [preparer.prepare(file, pictures, described, citations=citations) for file in files]


def get_ready(options: PrepareOptions) -> None:
    """Load in advance everything that reading the first file would load."""
    _preparer(options).get_ready()


def find_citations(options: PrepareOptions, documents: Iterable[UncitedText]) -> list[CitationRows | None]:
    """Return the citations of each document, or None for a document on which a bug in lexls caused an error.
    The error will be reported when the whole document is read.
    """
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
    """Lower the process's priority, if the platform supports it."""
    if hasattr(os, "nice"):
        os.nice(max(0, LOW_PRIORITY - os.nice(0)))


def begin_worker(options: PrepareOptions, least: int = 0) -> None:
    """Initialise a process that reads files: with low priority, and with a memory limit, which is the one in
    ``options``, or ``least`` bytes if that is more. Exceeding the limit raises ``MemoryError``.
    """
    lower_priority()
    limit_memory(max(least, find_most_memory(options.reader_megabytes)))
