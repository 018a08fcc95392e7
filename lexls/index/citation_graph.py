"""Who cites whom in a library, and what is remembered of it."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from lexls.index import graph
from lexls.index.catalogue import Catalogue
from lexls.index.connection import select
from lexls.index.most_quoted import most_quoted
from lexls.index.records import CitingPassage, MostQuoted, TreatedIn
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    from lexls.index.contents import Contents
    from lexls.index.reader_pool import Connect

KEPT_HOLDINGS = 4096
"""Of how many documents the words quoted most stay in memory."""

Neighbours = Mapping[int, frozenset[int]]


class CitationGraph:
    """The citations between the documents of one generation. Safe from any thread.

    Its ``Library`` tells of changes with ``use``. What is learnt for all documents at once is kept until the
    next generation.
    """

    def __init__(self, connect: Connect, lock: AbstractContextManager[object], contents: Contents) -> None:
        self._connect = connect
        self._lock = lock
        self._contents = contents
        self._catalogue = Catalogue()
        self._generation = 0
        self._worst: tuple[int, Mapping[int, TreatedIn]] | None = None
        self._quoted: OrderedDict[tuple[int, int], MostQuoted | None] = OrderedDict()
        self._citers: tuple[int, Neighbours] | None = None
        self._cited_by: tuple[int, Neighbours] | None = None

    def use(self, catalogue: Catalogue, generation: int) -> None:
        """Answer from now on for these authorities; called with the lock held."""
        self._catalogue, self._generation = catalogue, generation

    def citing(self, document: int) -> list[CitingPassage]:
        """Every citation of a document by another one of the library."""
        keys = self._keys_of(document)
        if not keys:
            return []
        with self._connect(None) as connection:
            return graph.citing(connection, keys, document)

    def citing_count(self, document: int) -> int:
        """How many other documents of the library cite a document."""
        keys = self._keys_of(document)
        if not keys:
            return 0
        marks = ",".join("?" * len(keys))
        with self._connect(None) as connection:
            row = connection.execute(
                f"SELECT count(DISTINCT document) FROM edges WHERE key IN ({marks}) AND document != ?",
                (*keys, document),
            ).fetchone()
        assert row is not None
        return int(row[0])

    def treatments(self, document: int) -> list[TreatedIn]:
        """How other documents treat an authority, beyond citing it: worst first, each sentence once."""
        with self._lock:
            keys, catalogue = self._catalogue.keys_of(document), self._catalogue
        if not keys:
            return []
        with self._connect(None) as connection:
            return graph.treatments(connection, catalogue, keys, document)

    def worst_treatment(self, document: int) -> TreatedIn | None:
        """The worst that the library says of an authority; None if nothing in it warns one off.

        Learnt for all documents at once, once a generation.
        """
        with self._lock:
            generation, catalogue, known = self._generation, self._catalogue, self._worst
        if known is None or known[0] != generation:
            with self._connect(None) as connection:
                known = (generation, graph.worst_treatments(connection, catalogue))
            with self._lock:
                self._worst = known
        return known[1].get(document)

    def most_quoted(self, document: int) -> MostQuoted | None:
        """The words of an authority that other documents point at most, by pinpoint or quotation; None if
        none does. Remembered for the authorities asked for last.
        """
        with self._lock:
            generation, keys = self._generation, self._catalogue.keys_of(document)
            if (generation, document) in self._quoted:
                self._quoted.move_to_end((generation, document))
                return self._quoted[generation, document]
        found: MostQuoted | None = None
        if keys:
            with self._connect(None) as connection:
                found = most_quoted(
                    connection,
                    keys,
                    document,
                    lambda: self._contents.text(document),
                    lambda pinpoint: self._contents.places(document, pinpoint),
                )
        with self._lock:
            self._quoted[generation, document] = found
            while len(self._quoted) > KEPT_HOLDINGS:
                self._quoted.popitem(last=False)
        return found

    def citers(self, document: int) -> frozenset[int]:
        """The other documents of the library that cite a document; learnt for all at once."""
        return self._all_citers()[1].get(document, frozenset())

    def cited_by(self, document: int) -> frozenset[int]:
        """The other documents of the library that a document cites; learnt for all at once."""
        citers = self._all_citers()
        with self._lock:
            known = self._cited_by
        if known is None or known[0] != citers[0]:
            found: dict[int, set[int]] = {}
            for cited, citing in citers[1].items():
                for each in citing:
                    found.setdefault(each, set()).add(cited)
            known = (citers[0], {citing: frozenset(cited) for citing, cited in found.items()})
            with self._lock:
                self._cited_by = known
        return known[1].get(document, frozenset())

    def cited(self, document: int) -> list[tuple[CitingPassage, int | None]]:
        """Every citation in a document, with the authority it names if that is in the library."""
        with self._connect(None) as connection:
            rows = graph.cited(connection, document)
        with self._lock:
            return [(each, next(iter(self._catalogue.find_folded(key)), None)) for each, key in rows]

    def cited_in(self, passages: Iterable[int], token: CancelToken | None = None) -> list[tuple[int, int]]:
        """Which authorities of the library are cited inside these passages: pairs (passage, authority).

        In the order given; each pair once; what a document cites of itself is left out.
        """
        wanted = [int(passage) for passage in passages]
        with self._connect(token) as connection:
            rows = list(
                select(
                    connection,
                    """SELECT p.id, p.document, e.key FROM json_each(?) AS w
                   JOIN passages AS p ON p.id = w.value
                   JOIN edges AS e
                     ON e.document = p.document AND e."start" >= p."start" AND e."start" < p."end"
                   ORDER BY w.key, e."start" """,
                    (json.dumps(wanted),),
                )
            )
        pairs: dict[tuple[int, int], None] = {}
        with self._lock:
            for passage, document, key in rows:
                for target in self._catalogue.find_folded(key)[:1]:
                    if target != document:
                        pairs[passage, target] = None
        return list(pairs)

    def _keys_of(self, document: int) -> tuple[str, ...]:
        with self._lock:
            return self._catalogue.keys_of(document)

    def _all_citers(self) -> tuple[int, Neighbours]:
        with self._lock:
            generation, catalogue, known = self._generation, self._catalogue, self._citers
            keys = catalogue.all_keys() if known is None or known[0] != generation else ()
        if known is None or known[0] != generation:
            with self._connect(None) as connection:
                known = (generation, graph.citers(connection, catalogue, keys))
            with self._lock:
                self._citers = known
        return known
