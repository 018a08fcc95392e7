"""Read texts, structures, places and passages of documents from the index file."""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.index.catalogue import CatalogueEntry
from lexls.index.connection import Connect, read_meta, select
from lexls.index.reconcile import FileKey
from lexls.index.records import Authority, PassageRecord, Place, ScannedPlace
from lexls.library.document import Block, SourceDocument
from lexls.library.pages import count_own_pages
from lexls.library.places import NumberedPlaces, find_places, list_labels
from lexls.text.cancel import CancelToken
from lexls.text.memory import Memory

if TYPE_CHECKING:
    from lexls.library.readers.ocr import ScannedPage


KEPT_DOCUMENTS = 64
"""Number of documents whose texts and structures are cached for hovers and pinpoints."""
_KEPT_LABELS = 200_000
"""Maximum number of pinpoint labels cached, over all documents: checking a pinpoint in a draft needs all
labels of its authority.
"""


class Contents:
    """The documents of an index file, by id; the most recently used are cached.

    Safe from any thread. A document's content never changes: a document that is read again gets a new id.
    """

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._kept = Memory[int, Content](KEPT_DOCUMENTS)
        self._numbered = Memory[int, NumberedPlaces](KEPT_DOCUMENTS)
        self._labels = Memory[tuple[int, PinpointKind], tuple[str, ...]](_KEPT_LABELS, len)

    def forget(self, documents: Iterable[int] | None) -> None:
        """Drop deleted documents from the cache (None: all)."""
        self._kept.forget(documents)
        self._numbered.forget(documents)
        self._labels.forget()

    def get(self, document: int) -> Content | None:
        """Return the text and structure of a document, or None if it is gone."""
        known = self._kept.get(document)
        if known is None:
            with self._connect(None) as connection:
                known = read_content(connection, document)
            if known is not None:
                self._kept.keep(document, known)
        return known

    def text(self, document: int) -> str:
        """Return a document's text, to which all its offsets refer; "" if it is gone."""
        content = self.get(document)
        return content.text if content else ""

    def outline(self, document: int) -> tuple[Block, ...]:
        """Return a document's blocks in order."""
        content = self.get(document)
        return content.blocks if content else ()

    def find_places(self, document: int, pinpoint: Pinpoint, *, fallback: bool = False) -> list[Place]:
        """Return the places that a pinpoint names; empty if there are none. With ``fallback``, a missing
        place is replaced by the nearest one that encloses it.
        """
        content = self.get(document)
        if content is None:
            return []
        pages, length = (content.page_starts, content.page_numbers), len(content.text)
        numbered = self._numbered.recall(document, lambda: NumberedPlaces(content.blocks))
        found = find_places(numbered, *pages, length, pinpoint, fallback=fallback)
        return [
            Place(document, start, end, label, content.page_at(start), content.text[start:end])
            for label, start, end in found
        ]

    def find_scan(self, document: int, offset: int) -> ScannedPlace | None:
        """Return the page at ``offset`` of a document's text if the page was read by OCR; None otherwise."""
        content = self.get(document)
        return content.scan_at(offset) if content else None

    def scanned_pages(self, document: int) -> dict[int, ScannedPage]:
        """Return the OCR results for a document's file, by page (from 1)."""
        from lexls.library.readers.ocr import ScannedPage

        sql = """SELECT page, content FROM scanned_pages
                 WHERE hash = (SELECT hash FROM documents WHERE id = ?)"""
        with self._connect(None) as connection:
            return {page: ScannedPage.unpack(packed) for page, packed in select(connection, sql, (document,))}

    def list_labels(self, document: int, kind: PinpointKind) -> tuple[str, ...]:
        """Return every label that a pinpoint of this kind can name; empty if the document has no such
        numbering.
        """
        return self._labels.recall((document, kind), lambda: self._read_labels(document, kind))

    def has_numbers(self, document: int, kind: PinpointKind) -> bool:
        """Return whether any passage of a document has a page number (if ``kind`` is "page") or a paragraph
        label (for other kinds). Does not read the text.
        """
        column = "page != 0" if kind == "page" else "paragraph != ''"
        with self._connect(None) as connection:
            sql = f"SELECT 1 FROM passages WHERE document = ? AND {column} LIMIT 1"
            return next(iter(select(connection, sql, (document,))), None) is not None

    def _read_labels(self, document: int, kind: PinpointKind) -> tuple[str, ...]:
        content = self.get(document)
        return list_labels(content.blocks, content.page_starts, content.page_numbers, kind) if content else ()

    def passages(self, document: int) -> tuple[PassageRecord, ...]:
        """Return all passages of a document in order; none if it is gone."""
        sql = """SELECT id, document, "start", "end", paragraph, page, heading, role, speaker, label
                 FROM passages WHERE document = ? ORDER BY id"""
        with self._connect(None) as connection:
            rows = list(select(connection, sql, (document,)))
        text = self.text(document) if rows else ""
        return tuple(PassageRecord(*(*row[:7], text[row[2] : row[3]], *row[7:])) for row in rows if text)

    def passage_records(
        self, passages: Iterable[int], token: CancelToken | None = None
    ) -> list[PassageRecord]:
        """Return the passages with these ids in the given order, skipping any that are gone."""
        records = []
        with self._connect(token) as connection:
            for passage in passages:
                row = connection.execute(f"{_RECORD} WHERE id = ?", (int(passage),)).fetchone()
                if row is not None:
                    records.append(PassageRecord(*row))
        return records

    def find_passage(self, document: int, offset: int) -> PassageRecord | None:
        """Return the passage that contains ``offset`` of a document's text, or None."""
        where = 'WHERE document = ? AND "start" <= ? AND "end" > ? LIMIT 1'
        with self._connect(None) as connection:
            row = connection.execute(f"{_RECORD} {where}", (document, offset, offset)).fetchone()
        return PassageRecord(*row) if row is not None else None


_RECORD = """SELECT id, document, "start", "end", paragraph, page, heading,
                    (SELECT substr(text, "start" + 1, "end" - "start") FROM texts
                     WHERE texts.document = passages.document),
                    role, speaker, label
             FROM passages"""


Ids = NDArray[np.int64]
Scores = NDArray[np.float64]
_DEEPER = 4


@dataclass(frozen=True, slots=True)
class RolePassages:
    """The passages with some roles: their ids in ascending order, and the documents that contain them."""

    ids: Ids
    documents: frozenset[int]

    def __contains__(self, passage: object) -> bool:
        return isinstance(passage, int) and bool(self.has(np.array([passage]))[0])

    def has(self, passages: Ids) -> NDArray[np.bool_]:
        """Return a mask over ``passages``, true for those in this set."""
        places = np.searchsorted(self.ids, passages)
        return np.searchsorted(self.ids, passages, side="right") > places

    def best(self, search: Callable[[int], tuple[Ids, Scores]], k: int) -> tuple[Ids, Scores]:
        """Return the first ``k`` passages in a ranking that are in this set: ids and scores.

        ``search(n)`` must return the first n entries of the ranking. It is called with a larger n until
        enough are found, so the result is the same as if only this set were searched.
        """
        depth = _DEEPER * max(k, 1)
        while True:
            ids, scores = search(depth)
            kept = np.flatnonzero(self.has(ids))[:k]
            if len(kept) == k or len(ids) < depth:
                return ids[kept], scores[kept]
            # Estimate the depth from the share found so far, because every search reads all postings again.
            depth *= max(_DEEPER, 3 * k // (2 * max(len(kept), 1)))


def find_role_passages(connection: apsw.Connection, roles: Collection[str]) -> RolePassages:
    """Return the passages that have one of ``roles``."""
    sql = f"SELECT id, document FROM passages WHERE role IN ({', '.join('?' * len(roles))}) ORDER BY id"
    rows = list(select(connection, sql, sorted(roles)))
    return RolePassages(np.array([row[0] for row in rows], np.int64), frozenset(row[1] for row in rows))


TEXT_SUFFIXES = frozenset(
    {".txt", ".md", ".markdown", ".html", ".htm", ".xhtml", ".xml", ".akn", ".json", ".jsonl", ".ndjson"}
)
"""File suffixes that an editor shows as text."""


def find_record_place(connection: apsw.Connection, document: int) -> tuple[int, int, int] | None:
    """Return where a document begins in a multi-document file: its line (from 1), first byte and length in
    bytes. Return None for any other document, or if an editor cannot open that place.
    """
    sql = 'SELECT line, "start", length FROM record_places WHERE document = ? AND line > 0'
    return next(((row[0], row[1], row[2]) for row in select(connection, sql, (document,))), None)


@dataclass(frozen=True, slots=True)
class Content:
    """A document's text, blocks, pages, source map and OCR confidence by page, as in ``SourceDocument``."""

    text: str
    blocks: tuple[Block, ...]
    page_starts: tuple[int, ...]
    page_numbers: tuple[str, ...]
    source_map: tuple[tuple[int, int, int], ...]
    scanned: Mapping[int, float]

    def count_empty_pages(self) -> int:
        """Return the number of pages without text: blank pages, or images without OCR."""
        starts = self.page_starts[: count_own_pages(self.page_starts, self.page_numbers)]
        ends = (*starts[1:], len(self.text))
        return sum(not self.text[start:end].strip() for start, end in zip(starts, ends, strict=False))

    def page_at(self, offset: int) -> int:
        """Return the printed page number at ``offset`` (see ``find_printed_page``); 0 if there are no
        pages.
        """
        return find_printed_page(self.page_numbers, self.position_at(offset))

    def scan_at(self, offset: int) -> ScannedPlace | None:
        """Return the page at ``offset`` if it was read by OCR; None otherwise."""
        position = self.position_at(offset)
        confidence = self.scanned.get(position)
        return None if confidence is None else ScannedPlace(position, confidence)

    def position_at(self, offset: int) -> int:
        """Return the position (from 1) of the page at ``offset``; 0 if there are no pages."""
        own = count_own_pages(self.page_starts, self.page_numbers)
        return bisect_right(self.page_starts, offset, hi=own)


def find_printed_page(page_numbers: Sequence[str], page: int) -> int:
    """Return the number printed on the ``page``-th page (from 1), or ``page`` itself if none is printed.
    Return 0 for 0.

    For example, a law report in a PDF of its own may begin at page 301, and is cited by that number.
    """
    if 0 < page <= len(page_numbers) and page_numbers[page - 1].isdigit():
        return int(page_numbers[page - 1])
    return page


def pack_structure(source: SourceDocument) -> bytes:
    """Pack blocks, pages and source map as compressed JSON."""
    content: dict[str, object] = {
        "blocks": [(b.start, b.end, b.kind, b.label, b.level) for b in source.blocks],
        "page_starts": source.page_starts,
        "page_numbers": source.page_numbers,
        "source_map": source.source_map,
    }
    if source.scanned:
        content["scanned"] = list(source.scanned.items())
    return zlib.compress(json.dumps(content).encode(), level=1)


def read_content(connection: apsw.Connection, document: int) -> Content | None:
    """Read a document's content; None if it is gone."""
    row = connection.execute("SELECT text, structure FROM texts WHERE document = ?", (document,)).fetchone()
    if row is None:
        return None
    packed = json.loads(zlib.decompress(row[1]))
    return Content(
        text=str(row[0]),
        blocks=tuple(Block(*block) for block in packed["blocks"]),
        page_starts=tuple(packed["page_starts"]),
        page_numbers=tuple(packed["page_numbers"]),
        source_map=tuple((run[0], run[1], run[2]) for run in packed["source_map"]),
        scanned={int(page): float(confidence) for page, confidence in packed.get("scanned", ())},
    )


def load_entries(connection: apsw.Connection, since: int) -> tuple[int, list[CatalogueEntry]]:
    """Return the newest generation, and the authorities added or changed since generation ``since``."""
    rows = select(
        connection,
        """SELECT keys, id, library, relative, part, title, short_title, citations, court, date, kind,
                  jurisdiction, docket, sources
           FROM documents WHERE generation > ? ORDER BY id""",
        (since,),
    )
    entries = []
    # The same few combinations of sources recur in all documents.
    read_sources = cache(lambda packed: tuple(json.loads(packed).items()))
    for keys, document, library, relative, part, title, short, citations, *rest in rows:
        court, date, kind, state, docket, sources = rest
        path = FileKey(library, relative).path
        authority = Authority(
            document, path, Path(library), relative, title, short, tuple(json.loads(citations)),
            court, date, kind, state, path.suffix.lower() in TEXT_SUFFIXES,
            tuple(json.loads(docket)), read_sources(sources), part,
        )  # fmt: skip
        entries.append(CatalogueEntry(authority, tuple(json.loads(keys))))
    return int(read_meta(connection, "generation") or 0), entries


def list_forgotten(connection: apsw.Connection, since: int) -> list[int] | None:
    """Return the documents removed since generation ``since``; None if that is no longer recorded."""
    if int(read_meta(connection, "horizon") or 0) > since > 0:
        return None
    rows = select(connection, "SELECT document FROM removals WHERE generation > ?", (since,))
    return [document for (document,) in rows]
