"""Record and query which documents of a library cite which authorities, and how they treat them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import apsw

from lexls.citations.model import fold
from lexls.citations.treatment import ELSEWHERE, NEGATIVE, WORST_FIRST, TreatmentKind
from lexls.index.catalogue import Catalogue
from lexls.index.connection import Connect, select
from lexls.index.most_quoted import find_most_quoted, split_labels
from lexls.index.records import CitingPassage, MostQuoted, TreatedIn
from lexls.text.cancel import CancelToken
from lexls.text.memory import Memory

if TYPE_CHECKING:
    from lexls.index.contents import Contents


KEPT_HOLDINGS = 4096
"""Number of documents whose most quoted words are cached."""

_SEVERAL = 2
"""A volume is assumed to exist if at least this many documents cite it."""
_TOGETHER = 12
"""Maximum distance in code points between two parallel citations, which may have a pinpoint between them."""
_NUMBER = re.compile(r"\d+")

Neighbours = Mapping[int, frozenset[int]]


class CitationGraph:
    """The citations between the documents of one generation. Safe from any thread.

    Its ``Library`` reports changes through ``use``. Results computed for all documents at once are cached
    until the next generation.
    """

    def __init__(self, connect: Connect, lock: AbstractContextManager[object], contents: Contents) -> None:
        self._connect = connect
        self._lock = lock
        self._contents = contents
        self._catalogue = Catalogue()
        self._generation = 0
        self._worst = Memory[int, Mapping[int, TreatedIn]](1)
        self._quoted = Memory[tuple[int, int], MostQuoted | None](KEPT_HOLDINGS)
        self._citers = Memory[int, Neighbours](1)
        self._cited_by = Memory[int, Neighbours](1)

    def use(self, catalogue: Catalogue, generation: int) -> None:
        """Use this catalogue and generation from now on; the caller holds the lock."""
        self._catalogue, self._generation = catalogue, generation

    def find_citing(self, document: int) -> list[CitingPassage]:
        """Return every citation of a document by other documents of the library."""
        keys = self._keys_of(document)
        if not keys:
            return []
        with self._connect(None) as connection:
            wanted = (json.dumps(list(keys)), document)
            # A sentence that treats the authority but only names it counts as a citation.
            return [each for each, _ in _read_citations(connection, _CITING, wanted, "''")]

    def count_citing(self, document: int) -> int:
        """Return how many other documents of the library cite a document."""
        keys = self._keys_of(document)
        if not keys:
            return 0
        marks = ",".join("?" * len(keys))
        sql = f"SELECT count(DISTINCT document) FROM edges WHERE key IN ({marks}) AND document != ?"
        return self._count(sql, *keys, document)

    def attests(self, key: str, year: int) -> bool:
        """Return whether the library suggests that a citation exists.

        It does so if an authority in the library is from the same volume and year, or if several documents
        cite that volume and year. If the citation has no volume, several documents must cite the citation
        itself.
        """
        numbers = _NUMBER.findall(key)
        dated = str(year) in numbers
        begun = fold(key).removesuffix(numbers[-1]) if len(numbers) > 1 + dated else ""
        with self._lock:
            held = {
                document
                for each in self._catalogue.all_keys()
                if begun and each.startswith(begun) and each[len(begun) :].isdigit()
                for document in self._catalogue.find_folded(each)
            }
            authorities = [self._catalogue.get(document) for document in held]
        if any(each is not None and each.year == year for each in authorities):
            return True
        sql = "SELECT count(DISTINCT document) FROM edges WHERE key GLOB ? AND (? OR year = ?)"
        bindings = (f"{begun}[0-9]*" if begun else fold(key), dated, year)
        return self._count(sql, *bindings) >= _SEVERAL

    def count_names(self, key: str) -> dict[str, int]:
        """Return the folded names by which documents cite a key, with the number of documents for each."""
        with self._connect(None) as connection:
            sql = (
                "SELECT name, count(DISTINCT document) FROM edges WHERE key = ? AND name != '' GROUP BY name"
            )
            return {name: int(count) for name, count in select(connection, sql, (fold(key),))}

    def find_names_in(self, document: int) -> list[tuple[str, int, int]]:
        """Return the folded names of the cases that a document cites, with the span of each citation."""
        with self._connect(None) as connection:
            sql = """SELECT name, "start", "end" FROM edges WHERE document = ? AND name != '' """
            return [(name, int(start), int(end)) for name, start, end in select(connection, sql, (document,))]

    def count_citing_key(self, key: str, year: int | None = None) -> int:
        """Return how many documents cite a key, whether or not its authority is in the library. With a
        ``year``, count only documents that give that year.
        """
        sql = "SELECT count(DISTINCT document) FROM edges WHERE key = ?1 AND (?2 IS NULL OR year = ?2)"
        return self._count(sql, fold(key), year)

    def stand_together(self, key: str, other: str) -> bool:
        """Return whether any document cites the same case by both keys, close to each other."""
        sql = """SELECT EXISTS (SELECT 1 FROM edges AS a
                 JOIN edges AS b ON b.document = a.document AND b.name = a.name WHERE a.key = ? AND b.key = ?
                 AND min(abs(a."end" - b."start"), abs(b."end" - a."start")) <= ?)"""
        return self._count(sql, fold(key), fold(other), _TOGETHER) > 0

    def cites(self, document: int, key: str) -> bool:
        """Return whether a document cites a key."""
        sql = "SELECT EXISTS (SELECT 1 FROM edges WHERE key = ? AND document = ?)"
        return self._count(sql, fold(key), document) > 0

    def find_treatments(self, document: int) -> list[TreatedIn]:
        """Return how other documents treat an authority, worst first; plain citations are skipped, and each
        sentence is returned once.
        """
        with self._lock:
            keys, catalogue = self._catalogue.keys_of(document), self._catalogue
        if not keys:
            return []
        with self._connect(None) as connection:
            return _read_treatments(connection, catalogue, keys, document)

    def find_worst_treatment(self, document: int) -> TreatedIn | None:
        """Return the worst treatment of an authority in the library; None if no treatment is negative.

        Computed for all authorities at once, once per generation.
        """
        with self._lock:
            generation, catalogue = self._generation, self._catalogue

        def read() -> Mapping[int, TreatedIn]:
            with self._connect(None) as connection:
                return _read_worst_treatments(connection, catalogue)

        return self._worst.recall(generation, read).get(document)

    def find_most_quoted(self, document: int) -> MostQuoted | None:
        """Return the part of an authority's text that other documents cite or quote most; None if there is
        none. Cached for the most recently used authorities.
        """
        with self._lock:
            generation, keys = self._generation, self._catalogue.keys_of(document)

        def find() -> MostQuoted | None:
            if not keys:
                return None
            with self._connect(None) as connection:
                return find_most_quoted(
                    connection,
                    keys,
                    document,
                    lambda: self._contents.text(document),
                    lambda pinpoint: self._contents.find_places(document, pinpoint),
                )

        return self._quoted.recall((generation, document), find)

    def citers(self, document: int) -> frozenset[int]:
        """Return the other documents that cite a document; computed for all documents at once."""
        return self._all_citers()[1].get(document, frozenset())

    def cited_by(self, document: int) -> frozenset[int]:
        """Return the other documents that a document cites; computed for all documents at once."""
        generation, citers = self._all_citers()

        def turn() -> Neighbours:
            return _group((each, cited) for cited, citing in citers.items() for each in citing)

        return self._cited_by.recall(generation, turn).get(document, frozenset())

    def find_cited(self, document: int) -> list[tuple[CitingPassage, int | None]]:
        """Return every citation in a document, with the authority it refers to if that is in the library."""
        with self._connect(None) as connection:
            rows = _read_citations(connection, _CITED, (document,))
        with self._lock:
            return [(each, next(iter(self._catalogue.find_folded(key)), None)) for each, key in rows]

    def find_cited_in(
        self, passages: Iterable[int], token: CancelToken | None = None
    ) -> list[tuple[int, int]]:
        """Return which authorities in the library are cited within these passages: pairs (passage,
        authority).

        Pairs are in the order given, without duplicates; a document's citations of itself are skipped.
        """
        sql = """SELECT p.id, p.document, e.key FROM json_each(?) AS w
                 JOIN passages AS p ON p.id = w.value
                 JOIN edges AS e
                   ON e.document = p.document AND e."start" >= p."start" AND e."start" < p."end"
                 ORDER BY w.key, e."start" """
        with self._connect(token) as connection:
            rows = list(select(connection, sql, (json.dumps([int(passage) for passage in passages]),)))
        with self._lock:
            pairs = (
                (passage, target)
                for passage, document, key in rows
                for target in self._catalogue.find_folded(key)[:1]
                if target != document
            )
            return list(dict.fromkeys(pairs))

    def _count(self, sql: str, *bindings: object) -> int:
        with self._connect(None) as connection:
            return next(int(count) for (count,) in select(connection, sql, bindings))

    def _keys_of(self, document: int) -> tuple[str, ...]:
        with self._lock:
            return self._catalogue.keys_of(document)

    def _all_citers(self) -> tuple[int, Neighbours]:
        with self._lock:
            generation, catalogue = self._generation, self._catalogue

        def read() -> Neighbours:
            with self._lock:
                keys = catalogue.all_keys()
            with self._connect(None) as connection:
                return _read_citers(connection, catalogue, keys)

        return generation, self._citers.recall(generation, read)


_RANK: Mapping[TreatmentKind, int] = {kind: rank for rank, kind in enumerate(WORST_FIRST)}
_EXTENTS = ("", "in part", "on other grounds")


_CITING = "json_each(?) AS k JOIN {} AS e ON e.key = k.value WHERE e.document != ?"
_CITED = "{} AS e WHERE e.document = ?"


def _read_citations(
    connection: apsw.Connection, rows: str, bindings: Sequence[object], key: str = "e.key"
) -> list[tuple[CitingPassage, str]]:
    """Return the citations in these rows of the citation tables, in order of document and offset, each with
    its treatment and its ``key``. Each place and key is returned once.
    """
    found: dict[tuple[int, int, str], CitingPassage] = {}
    columns = f'SELECT e.document, e."start", e."end", {key}'
    edges = f"{columns}, e.pinpoint FROM {rows.format('edges')}"
    for source, start, end, cited, pinpoint in select(connection, edges, bindings):
        found.setdefault((source, start, cited), CitingPassage(source, start, end, split_labels(pinpoint)))
    treatments = f"{columns}, e.treatment FROM {rows.format('treatments')} AND e.by = ''"
    for source, start, end, cited, kind in select(connection, treatments, bindings):
        place = source, start, cited
        found[place] = _worse(found.get(place), CitingPassage(source, start, end, (), kind))
    return [(found[place], place[2]) for place in sorted(found)]


def _worse(known: CitingPassage | None, said: CitingPassage) -> CitingPassage:
    if known is None:
        return said
    if known.treatment != "cited" and _RANK[known.treatment] <= _RANK[said.treatment]:
        return known
    return replace(known, treatment=said.treatment)


def _read_treatments(
    connection: apsw.Connection, catalogue: Catalogue, keys: Collection[str], document: int
) -> list[TreatedIn]:
    """Return how other documents treat the authority with these ``keys``, worst first."""
    rows = select(
        connection,
        """SELECT t.document, t."start", t."end", t.treatment, t.extent, t.by,
                  t.sentence_start, t.sentence_end
           FROM json_each(?) AS k JOIN treatments AS t ON t.key = k.value""",
        (json.dumps(list(keys)),),
    )
    return _sort(_treated(rows, catalogue, document), catalogue)


def _read_worst_treatments(connection: apsw.Connection, catalogue: Catalogue) -> dict[int, TreatedIn]:
    """Return the worst negative treatment of each authority that has one."""
    rows = select(
        connection,
        """SELECT key, document, "start", "end", treatment, extent, by, sentence_start, sentence_end
           FROM treatments WHERE treatment IN (SELECT value FROM json_each(?))""",
        (json.dumps(sorted(NEGATIVE)),),
    )
    by_document: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for key, *values in rows:
        for document in catalogue.find_folded(key):
            by_document[document].append(tuple(values))
    worst = {
        document: _sort(_treated(values, catalogue, document), catalogue)[:1]
        for document, values in by_document.items()
    }
    return {document: found[0] for document, found in worst.items() if found}


def _treated(rows: Iterable[tuple[Any, ...]], catalogue: Catalogue, document: int) -> Iterable[TreatedIn]:
    """Convert the rows to records, skipping duplicates from the same sentence and statements of a document
    about itself.
    """
    seen: set[tuple[object, ...]] = set()
    for source, start, end, kind, extent, named, sentence_start, sentence_end in rows:
        treating: int | None = None
        if not named:
            treating = source
        elif named == ELSEWHERE:
            named = ""
        else:
            treating = next(iter(catalogue.find_folded(fold(named))), None)
        said = (source, sentence_start, kind, treating, named)
        if document in (source, treating) or said in seen:
            continue
        seen.add(said)
        by = named if treating is None else ""
        yield TreatedIn(kind, extent, treating, by, source, start, end, sentence_start, sentence_end)


def _sort(found: Iterable[TreatedIn], catalogue: Catalogue) -> list[TreatedIn]:
    """Sort treatments, worst first. Of the same kind, those of the whole authority precede those in part,
    then first-hand ones precede second-hand ones, then newer ones precede older ones.
    """

    def order(each: TreatedIn) -> tuple[int, int, int, str, int, int]:
        treating = catalogue.get(each.treating) if each.treating is not None else None
        # Reverse the ISO dates; authorities without a date come last.
        newest_first = treating.date.translate(_BACKWARDS) if treating is not None and treating.date else "~"
        hearsay = (
            0 if each.treating == each.citing else 1 if each.treating is not None else 2 if each.by else 3
        )
        rank, extent = _RANK[each.treatment], _EXTENTS.index(each.extent)
        return rank, extent, hearsay, newest_first, each.citing, each.start

    return sorted(found, key=order)


_BACKWARDS = str.maketrans("0123456789", "9876543210")


def _read_citers(
    connection: apsw.Connection, catalogue: Catalogue, keys: Collection[str]
) -> Mapping[int, frozenset[int]]:
    """Return, for each authority in the library, the documents that cite it, except itself. ``keys`` are the
    keys of all authorities.
    """
    rows = select(
        connection,
        """SELECT DISTINCT e.key, e.document FROM json_each(?) AS k
           JOIN edges AS e INDEXED BY edges_key ON e.key = k.value""",
        (json.dumps(list(keys)),),
    )
    return _group(
        (authority, document)
        for key, document in rows
        for authority in catalogue.find_folded(key)[:1]
        if authority != document
    )


def _group(pairs: Iterable[tuple[int, int]]) -> Neighbours:
    found: defaultdict[int, set[int]] = defaultdict(set)
    for each, other in pairs:
        found[each].add(other)
    return {each: frozenset(others) for each, others in found.items()}
