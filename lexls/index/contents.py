"""Read documents out of the index file: texts, structures, places and passages."""

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
"""How many documents' texts and structures stay in memory for hovers and pinpoints."""
_KEPT_LABELS = 200_000
"""How many labels of places stay in memory: each pinpoint of a draft asks for those of its authority."""


class Contents:
    """The documents of an index file, by id; the last ones asked for stay in memory.

    Safe from any thread. What a document says never changes: one that is read again has another id.
    """

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._kept = Memory[int, Content](KEPT_DOCUMENTS)
        self._numbered = Memory[int, NumberedPlaces](KEPT_DOCUMENTS)
        self._labels = Memory[tuple[int, PinpointKind], tuple[str, ...]](_KEPT_LABELS, len)

    def forget(self, documents: Iterable[int] | None) -> None:
        """Let go of documents that are gone (None: of all)."""
        self._kept.forget(documents)
        self._numbered.forget(documents)
        self._labels.forget()

    def get(self, document: int) -> Content | None:
        """The text and structure of a document, None if it is gone."""
        known = self._kept.get(document)
        if known is None:
            with self._connect(None) as connection:
                known = read_content(connection, document)
            if known is not None:
                self._kept.keep(document, known)
        return known

    def text(self, document: int) -> str:
        """The text that all offsets of a document count in; "" if it is gone."""
        content = self.get(document)
        return content.text if content else ""

    def outline(self, document: int) -> tuple[Block, ...]:
        """The structure of a document, in order."""
        content = self.get(document)
        return content.blocks if content else ()

    def find_places(self, document: int, pinpoint: Pinpoint, *, fallback: bool = False) -> list[Place]:
        """Return what a pinpoint names; empty if it is not there. ``fallback``: what encloses it then."""
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
        """The page that ``offset`` of a document's text lies on, if its words were read by OCR."""
        content = self.get(document)
        return content.scan_at(offset) if content else None

    def scanned_pages(self, document: int) -> dict[int, ScannedPage]:
        """Return what OCR has read of a document's file, by page (from 1)."""
        from lexls.library.readers.ocr import ScannedPage

        sql = """SELECT page, content FROM scanned_pages
                 WHERE hash = (SELECT hash FROM documents WHERE id = ?)"""
        with self._connect(None) as connection:
            return {page: ScannedPage.unpack(packed) for page, packed in select(connection, sql, (document,))}

    def list_labels(self, document: int, kind: PinpointKind) -> tuple[str, ...]:
        """Every label a pinpoint of this kind can name; empty if the document has no such numbering."""
        return self._labels.recall((document, kind), lambda: self._read_labels(document, kind))

    def has_numbers(self, document: int, kind: PinpointKind) -> bool:
        """Return whether any passage of a document has a page, or a label of another kind; its text is not
        read."""
        column = "page != 0" if kind == "page" else "paragraph != ''"
        with self._connect(None) as connection:
            sql = f"SELECT 1 FROM passages WHERE document = ? AND {column} LIMIT 1"
            return next(iter(select(connection, sql, (document,))), None) is not None

    def _read_labels(self, document: int, kind: PinpointKind) -> tuple[str, ...]:
        content = self.get(document)
        return list_labels(content.blocks, content.page_starts, content.page_numbers, kind) if content else ()

    def passages(self, document: int) -> tuple[PassageRecord, ...]:
        """All passages of a document, in order; none if it is gone."""
        sql = """SELECT id, document, "start", "end", paragraph, page, heading, role, speaker, label
                 FROM passages WHERE document = ? ORDER BY id"""
        with self._connect(None) as connection:
            rows = list(select(connection, sql, (document,)))
        text = self.text(document) if rows else ""
        return tuple(PassageRecord(*(*row[:7], text[row[2] : row[3]], *row[7:])) for row in rows if text)

    def passage_records(
        self, passages: Iterable[int], token: CancelToken | None = None
    ) -> list[PassageRecord]:
        """The passages with these ids, in the order given; those that are gone are left out."""
        records = []
        with self._connect(token) as connection:
            for passage in passages:
                row = connection.execute(f"{_RECORD} WHERE id = ?", (int(passage),)).fetchone()
                if row is not None:
                    records.append(PassageRecord(*row))
        return records

    def find_passage(self, document: int, offset: int) -> PassageRecord | None:
        """The passage that ``offset`` of a document's text lies in, None if in none."""
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
    """The passages of some roles: their ids, rising, and the documents they stand in."""

    ids: Ids
    documents: frozenset[int]

    def __contains__(self, passage: object) -> bool:
        return isinstance(passage, int) and bool(self.has(np.array([passage]))[0])

    def has(self, passages: Ids) -> NDArray[np.bool_]:
        """Return which of ``passages`` are among these."""
        places = np.searchsorted(self.ids, passages)
        return np.searchsorted(self.ids, passages, side="right") > places

    def best(self, search: Callable[[int], tuple[Ids, Scores]], k: int) -> tuple[Ids, Scores]:
        """The first ``k`` of these in the ranking whose first n entries ``search(n)`` returns.

        The search goes deeper until there are enough, so that the answer is that of a search among these.
        """
        depth = _DEEPER * max(k, 1)
        while True:
            ids, scores = search(depth)
            kept = np.flatnonzero(self.has(ids))[:k]
            if len(kept) == k or len(ids) < depth:
                return ids[kept], scores[kept]
            # As deep as the share found so far lets expect: every search reads all postings again.
            depth *= max(_DEEPER, 3 * k // (2 * max(len(kept), 1)))


def find_role_passages(connection: apsw.Connection, roles: Collection[str]) -> RolePassages:
    """The passages that have one of ``roles``."""
    sql = f"SELECT id, document FROM passages WHERE role IN ({', '.join('?' * len(roles))}) ORDER BY id"
    rows = list(select(connection, sql, sorted(roles)))
    return RolePassages(np.array([row[0] for row in rows], np.int64), frozenset(row[1] for row in rows))


TEXT_SUFFIXES = frozenset(
    {".txt", ".md", ".markdown", ".html", ".htm", ".xhtml", ".xml", ".akn", ".json", ".jsonl", ".ndjson"}
)
"""Files that an editor shows as text."""


def find_record_place(connection: apsw.Connection, document: int) -> tuple[int, int, int] | None:
    """The line (from 1) where a document of several begins in its file, its first byte and how many bytes it
    has; None for every other document, and where an editor has nothing to open."""
    sql = 'SELECT line, "start", length FROM record_places WHERE document = ? AND line > 0'
    return next(((row[0], row[1], row[2]) for row in select(connection, sql, (document,))), None)


@dataclass(frozen=True, slots=True)
class Content:
    """A document's text, blocks, pages, source map and what was read by OCR, as in ``SourceDocument``."""

    text: str
    blocks: tuple[Block, ...]
    page_starts: tuple[int, ...]
    page_numbers: tuple[str, ...]
    source_map: tuple[tuple[int, int, int], ...]
    scanned: Mapping[int, float]

    def count_empty_pages(self) -> int:
        """Return how many pages have no text: pictures that nobody has read, or nothing at all."""
        starts = self.page_starts[: count_own_pages(self.page_starts, self.page_numbers)]
        ends = (*starts[1:], len(self.text))
        return sum(not self.text[start:end].strip() for start, end in zip(starts, ends, strict=False))

    def page_at(self, offset: int) -> int:
        """The page that ``offset`` lies on, as ``find_printed_page`` has it; 0 if there are no pages."""
        return find_printed_page(self.page_numbers, self.position_at(offset))

    def scan_at(self, offset: int) -> ScannedPlace | None:
        """The page that ``offset`` lies on, if its words were read by OCR."""
        position = self.position_at(offset)
        confidence = self.scanned.get(position)
        return None if confidence is None else ScannedPlace(position, confidence)

    def position_at(self, offset: int) -> int:
        """The page that ``offset`` lies on, by its position from 1; 0 if there are no pages."""
        own = count_own_pages(self.page_starts, self.page_numbers)
        return bisect_right(self.page_starts, offset, hi=own)


def find_printed_page(page_numbers: Sequence[str], page: int) -> int:
    """The number that the ``page``-th page (from 1; 0: none) carries in print, else ``page`` itself.

    A law report in a PDF of its own begins at, say, page 301: that is what it is cited by.
    """
    if 0 < page <= len(page_numbers) and page_numbers[page - 1].isdigit():
        return int(page_numbers[page - 1])
    return page


def pack_structure(source: SourceDocument) -> bytes:
    """Blocks, pages and source map as compressed JSON."""
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
    """The content of a document, None if it is gone."""
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
    """The newest generation, and the authorities that came or changed after generation ``since``."""
    rows = select(
        connection,
        """SELECT keys, id, library, relative, part, title, short_title, citations, court, date, kind,
                  jurisdiction, docket, sources
           FROM documents WHERE generation > ? ORDER BY id""",
        (since,),
    )
    entries = []
    # Few combinations of sources recur in every document.
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
    """The documents removed after generation ``since``; None if that is no longer known."""
    if int(read_meta(connection, "horizon") or 0) > since > 0:
        return None
    rows = select(connection, "SELECT document FROM removals WHERE generation > ?", (since,))
    return [document for (document,) in rows]
