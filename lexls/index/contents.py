"""What the documents of an index say: texts, structures, places and passages, read when asked for."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.index.connection import select
from lexls.index.documents import read_structure, read_text
from lexls.index.records import PassageRecord, Place
from lexls.library.document import Block
from lexls.library.places import find_places, labels_of
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    from lexls.index.documents import Structure
    from lexls.index.reader_pool import Connect

KEPT_DOCUMENTS = 64
"""How many documents' texts and structures stay in memory for hovers and pinpoints."""


@dataclass(frozen=True, slots=True)
class Content:
    """A document's text and its structure."""

    text: str
    structure: Structure


class Contents:
    """The documents of an index file, by id; the last ones asked for stay in memory.

    Safe from any thread. What a document says never changes: one that is read again has another id.
    """

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, Content] = OrderedDict()

    def forget(self, documents: Iterable[int] | None) -> None:
        """Let go of documents that are gone (None: of all)."""
        with self._lock:
            if documents is None:
                documents = list(self._kept)
            for document in documents:
                self._kept.pop(document, None)

    def get(self, document: int) -> Content | None:
        """The text and structure of a document, None if it is gone."""
        with self._lock:
            if document in self._kept:
                self._kept.move_to_end(document)
                return self._kept[document]
        with self._connect(None) as connection:
            text = read_text(connection, document)
            structure = read_structure(connection, document)
        if text is None or structure is None:
            return None
        content = Content(text, structure)
        with self._lock:
            self._kept[document] = content
            while len(self._kept) > KEPT_DOCUMENTS:
                self._kept.popitem(last=False)
        return content

    def text(self, document: int) -> str:
        """The text that all offsets of a document count in; "" if it is gone."""
        content = self.get(document)
        return content.text if content else ""

    def outline(self, document: int) -> tuple[Block, ...]:
        """The structure of a document, in order."""
        content = self.get(document)
        return content.structure.blocks if content else ()

    def places(self, document: int, pinpoint: Pinpoint, *, fallback: bool = False) -> list[Place]:
        """What a pinpoint names; empty if it is not there. ``fallback``: what encloses it then."""
        content = self.get(document)
        if content is None:
            return []
        s = content.structure
        found = find_places(
            s.blocks, s.page_starts, s.page_numbers, len(content.text), pinpoint, fallback=fallback
        )
        return [
            Place(document, start, end, label, s.page_at(start), content.text[start:end])
            for label, start, end in found
        ]

    def labels(self, document: int, kind: PinpointKind) -> tuple[str, ...]:
        """Every label a pinpoint of this kind can name; empty if the document has no such numbering."""
        content = self.get(document)
        if content is None:
            return ()
        s = content.structure
        return labels_of(s.blocks, s.page_starts, s.page_numbers, kind)

    def passages(self, document: int) -> tuple[PassageRecord, ...]:
        """All passages of a document, in order; none if it is gone."""
        with self._connect(None) as connection:
            rows = list(
                select(
                    connection,
                    """SELECT id, document, "start", "end", paragraph, page, heading, role
                   FROM passages WHERE document = ? ORDER BY id""",
                    (document,),
                )
            )
        content = self.get(document) if rows else None
        if content is None:
            return ()
        return tuple(PassageRecord(*(*row[:7], content.text[row[2] : row[3]], row[7])) for row in rows)

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

    def passage_at(self, document: int, offset: int) -> PassageRecord | None:
        """The passage that ``offset`` of a document's text lies in, None if in none."""
        with self._connect(None) as connection:
            row = connection.execute(
                f'{_RECORD} WHERE document = ? AND "start" <= ? AND "end" > ? LIMIT 1',
                (document, offset, offset),
            ).fetchone()
        return PassageRecord(*row) if row is not None else None


_RECORD = """SELECT id, document, "start", "end", paragraph, page, heading,
                    (SELECT substr(text, "start" + 1, "end" - "start") FROM texts
                     WHERE texts.document = passages.document),
                    role
             FROM passages"""
