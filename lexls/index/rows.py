"""Define the results of reading a file: its rows for the index, or the reason why it has none.

Rows are tuples of plain values: passing them between processes takes a tenth of the time of dataclasses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexls.index.reconcile import FileState

if TYPE_CHECKING:
    from lexls.library.readers.corpora import CorpusRecord

Rows = tuple[tuple[Any, ...], ...]
Postings = tuple[bytes, bytes, bytes]
"""Offsets, terms and frequencies of ``ForwardPostings``."""
RecordPlace = tuple[str, int, int, int]
"""A record's place in its file, as in ``record_places``: description, line, first byte, length in bytes."""
STILL_PICTURES = "a scan: "
"""Beginning of the reason why a file is not in the index: its pages still await OCR."""

NOT_NOW = "could not be read just now"
"""Beginning of the reason why a file cannot be read at present, if its earlier version is still in
the index.
"""


@dataclass(frozen=True, slots=True)
class RecordState:
    """A record of a multi-document file that must be read."""

    file: FileState
    record: CorpusRecord


@dataclass(frozen=True)
class CitationRows:
    """The citations of a document, as stored in the index's tables but without the ids assigned by the store.

    Rows of ``precedent_keys`` begin with the index of their precedent in ``precedents``. ``postings`` are
    those of the precedents; their terms are indexes into ``vocabulary``.
    """

    edges: Rows
    treatments: Rows
    precedents: Rows
    precedent_keys: Rows
    vocabulary: tuple[str, ...]
    postings: Postings


@dataclass(frozen=True, slots=True)
class UncitedText:
    """A document whose citations must still be read; ``name`` is the name of its file, and ``keys`` are its
    own folded keys.
    """

    name: str
    text: str
    kind: str
    jurisdiction: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class DocumentRows:
    """A document as stored in the index's tables, but without the ids and the generation assigned by the
    store.

    ``hash`` is the SHA-256 of the bytes from which the document was read. ``document`` has its columns from
    the title on. Terms of ``postings`` are indexes into ``vocabulary``. ``citations`` is None if they must
    still be read. ``part`` identifies the document among several in its file ("" if it is the only one), and
    ``place`` is where it is in the file. ``pictures`` are scanned pages (from 1) not yet read by OCR.
    ``described`` is the file's catalogue description.
    """

    file: FileState
    hash: bytes
    text: str
    structure: bytes
    document: tuple[Any, ...]
    passages: Rows
    vocabulary: tuple[str, ...]
    postings: Postings
    citations: CitationRows | None
    part: str = ""
    place: RecordPlace | None = None
    pictures: tuple[int, ...] = ()
    described: str = ""


@dataclass(frozen=True)
class CatalogueRows:
    """A file's descriptions of other files. Each row has the target, rank, line, the file's name as written,
    and the facts as a JSON object. ``problems`` describes what could not be read.
    """

    file: FileState
    descriptions: Rows
    problems: tuple[str, ...]


@dataclass(frozen=True)
class FailedDocument:
    """A file that could not be read, with a reason for the user.

    If ``retry``, the next reconciliation tries again even if the file did not change, since permissions may
    change without changing the file. Until then, the index keeps the file's earlier content. ``place`` is the
    place of a record, "" for a whole file; ``hash`` and ``pictures`` are as in ``DocumentRows``.
    """

    file: FileState
    reason: str
    retry: bool = False
    place: str = ""
    hash: bytes = b""
    pictures: tuple[int, ...] = ()
