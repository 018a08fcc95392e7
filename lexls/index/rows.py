"""Describe what comes of reading a file: the rows that the index has of it, or why there are none.

Rows of plain values cross from one process to another in a tenth of the time that dataclasses take.
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
"""Where a record stands in its file, as ``record_places`` has it: in words, line, first byte, bytes."""
STILL_PICTURES = "a scan: "
"""How the reason begins for which a file is not in the index whose pages are still to be read."""

NOT_NOW = "could not be read just now"
"""How the reason begins for which a file is in the index as it was before."""


@dataclass(frozen=True, slots=True)
class RecordState:
    """A record of a file of several documents, to be read."""

    file: FileState
    record: CorpusRecord


@dataclass(frozen=True)
class CitationRows:
    """What a document cites, as its tables hold it, each row without the ids that its writer gives.

    ``precedent_keys`` have the place of their precedent among ``precedents`` before their columns; the terms
    of ``postings``, those of the precedents, are places in ``vocabulary``.
    """

    edges: Rows
    treatments: Rows
    precedents: Rows
    precedent_keys: Rows
    vocabulary: tuple[str, ...]
    postings: Postings


@dataclass(frozen=True, slots=True)
class UncitedText:
    """A document whose citations are to be read. ``name`` is its file's, ``keys`` are its own, folded."""

    name: str
    text: str
    kind: str
    jurisdiction: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class DocumentRows:
    """A document as its tables hold it, each row without the ids and the generation that its writer gives.

    ``hash`` is the SHA-256 of the bytes that it was read from. ``document`` has its columns from the title.
    Terms of postings are places in ``vocabulary``. ``citations`` are None where they are still to be read.
    ``part`` is what names the document among several of its file, "" for the only one; ``place`` then is
    where it stands. ``pictures`` are pages (from 1) that are pictures and are not read yet. ``described`` is
    what catalogues said of its file.
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
    """What a file says of others: a row each of the target, rank, line, the file as it is written, and the
    facts as a JSON object. ``problems`` are what of it cannot be read, in words."""

    file: FileState
    descriptions: Rows
    problems: tuple[str, ...]


@dataclass(frozen=True)
class FailedDocument:
    """A file that could not be read, with the reason in words for the user.

    ``retry`` says that the next reconciliation should try again although the file did not change: a
    permission may be given without touching it. What the index holds of the file stays until then. ``place``
    is where a record stands, "" for a whole file; ``hash`` and ``pictures`` are as in ``DocumentRows``.
    """

    file: FileState
    reason: str
    retry: bool = False
    place: str = ""
    hash: bytes = b""
    pictures: tuple[int, ...] = ()
