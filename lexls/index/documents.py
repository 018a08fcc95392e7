"""Read documents out of the index file."""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import apsw

from lexls.index.catalogue import CatalogueEntry
from lexls.index.connection import read_meta, select
from lexls.index.reconcile import FileKey
from lexls.index.records import Authority, ScannedPlace
from lexls.library.document import Block, SourceDocument
from lexls.library.pages import count_own_pages

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
        """How many pages have no text: pictures that nobody has read, or nothing at all."""
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
