"""Read what the documents of an index say: texts, structures, places, passages and their roles."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.index.connection import Connect, select
from lexls.index.documents import Content, read_content
from lexls.index.records import PassageRecord, Place, ScannedPlace
from lexls.library.document import Block
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
        """What a pinpoint names; empty if it is not there. ``fallback``: what encloses it then."""
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
        """What OCR has read of a document's file, by page (from 1)."""
        from lexls.library.readers.ocr import ScannedPage

        sql = """SELECT page, content FROM scanned_pages
                 WHERE hash = (SELECT hash FROM documents WHERE id = ?)"""
        with self._connect(None) as connection:
            return {page: ScannedPage.unpack(packed) for page, packed in select(connection, sql, (document,))}

    def list_labels(self, document: int, kind: PinpointKind) -> tuple[str, ...]:
        """Every label a pinpoint of this kind can name; empty if the document has no such numbering."""
        return self._labels.recall((document, kind), lambda: self._read_labels(document, kind))

    def has_numbers(self, document: int, kind: PinpointKind) -> bool:
        """Whether any passage of a document has a page, or a label of another kind; its text is not read."""
        column = "page != 0" if kind == "page" else "paragraph != ''"
        with self._connect(None) as connection:
            sql = f"SELECT 1 FROM passages WHERE document = ? AND {column} LIMIT 1"
            return next(iter(select(connection, sql, (document,))), None) is not None

    def _read_labels(self, document: int, kind: PinpointKind) -> tuple[str, ...]:
        content = self.get(document)
        return list_labels(content.blocks, content.page_starts, content.page_numbers, kind) if content else ()

    def passages(self, document: int) -> tuple[PassageRecord, ...]:
        """All passages of a document, in order; none if it is gone."""
        sql = """SELECT id, document, "start", "end", paragraph, page, heading, role FROM passages
                 WHERE document = ? ORDER BY id"""
        with self._connect(None) as connection:
            rows = list(select(connection, sql, (document,)))
        text = self.text(document) if rows else ""
        return tuple(PassageRecord(*(*row[:7], text[row[2] : row[3]], row[7])) for row in rows if text)

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
                    role
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
        """Which of ``passages`` are among these."""
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
