"""Add CourtListener's bulk tables to the user's catalogue, joining them by id in SQLite.

Only cited clusters and their dockets are kept, so little memory is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import apsw

from lexls.citations.model import join_spaces
from lexls.citations.report_places import PlaceReader
from lexls.index.case_catalogue import ListedSource
from lexls.index.case_catalogue_update import Addition, OnRead, change_catalogue, name_files, remove_sources
from lexls.library.case_lists import BrokenList, CaseList, ListKind
from lexls.library.case_rows import read_day

_BATCH = 1000
"""Number of rows passed to SQLite at once."""
_Row = tuple[Any, ...]
_TEMPORARY = """
CREATE TEMP TABLE cited(cluster INTEGER, series INTEGER, volume INTEGER, page INTEGER,
    PRIMARY KEY (cluster, series, volume, page)) WITHOUT ROWID;
CREATE TEMP TABLE clusters(id INTEGER PRIMARY KEY, name TEXT, date INTEGER, docket INTEGER);
CREATE TEMP TABLE dockets(id INTEGER PRIMARY KEY, court TEXT, number TEXT);
"""
_CITED = "INSERT OR IGNORE INTO cited VALUES (?, ?, ?, ?)"
_CLUSTERS = """INSERT OR REPLACE INTO clusters SELECT ?1, ?2, ?3, ?4
               WHERE EXISTS (SELECT 1 FROM cited WHERE cluster = ?1)"""
_DOCKETS = """INSERT OR REPLACE INTO dockets SELECT ?1, ?2, ?3
              WHERE EXISTS (SELECT 1 FROM clusters WHERE docket = ?1)"""
_JOINED = """SELECT clusters.id, name, date, court, number, series, volume, page
             FROM clusters LEFT JOIN dockets ON dockets.id = docket JOIN cited ON cluster = clusters.id
             ORDER BY clusters.id"""


@dataclass(frozen=True, slots=True)
class BulkTables:
    """CourtListener's bulk tables of one day; without ``dockets`` the courts are unknown."""

    citations: CaseList
    clusters: CaseList
    dockets: CaseList | None = None

    @property
    def files(self) -> list[Path]:
        """The files in the order in which they are read."""
        return [each.path for each in (self.citations, self.clusters, self.dockets) if each is not None]


BULK_KINDS: tuple[ListKind, ...] = ("citations", "clusters", "dockets")


def find_bulk_tables(lists: Sequence[CaseList]) -> BulkTables | None:
    """Find CourtListener's bulk tables among the lists; return None if there are none. Raises ``BrokenList``
    if a required table is missing or a table is given twice.
    """
    found = {kind: [each for each in lists if each.kind == kind] for kind in BULK_KINDS}
    given = [each for each in lists if each.kind in BULK_KINDS]
    if not given:
        return None
    for kind, files in found.items():
        if len(files) > 1:
            raise BrokenList(files[1].path, f"a second table of {kind}; give one of each")
        if not files and kind != "dockets":
            raise BrokenList(given[0].path, f"CourtListener's table of {kind} must be given with it")
    dockets = found["dockets"]
    return BulkTables(found["citations"][0], found["clusters"][0], dockets[0] if dockets else None)


def add_bulk_tables(path: Path, tables: BulkTables, places: PlaceReader, on_read: OnRead) -> ListedSource:
    """Add the tables to the catalogue at ``path`` in one transaction. Return what was added.

    Courts are stored as CourtListener's identifiers. Raises ``BrokenList``, and the errors of
    ``change_catalogue``.
    """
    with change_catalogue(path) as connection:
        remove_sources(connection, [name_files(tables.files)])
        connection.execute(_TEMPORARY)
        added = Addition(connection, places)
        read = _Progress(on_read)
        _insert(connection, _CITED, _read_cited(tables.citations, added), read)
        _insert(connection, _CLUSTERS, _convert(tables.clusters, _read_cluster), read)
        connection.execute("CREATE INDEX temp.dockets_of_clusters ON clusters(docket)")
        if tables.dockets is not None:
            _insert(connection, _DOCKETS, _convert(tables.dockets, _read_docket), read)
        for name, date, court, docket, found in _join(connection):
            added.add_case(name, court, date, docket, found)
        for table in ("cited", "clusters", "dockets"):
            connection.execute(f"DROP TABLE temp.{table}")
        return added.finish(tables.files)


@dataclass(slots=True)
class _Progress:
    on_read: OnRead
    count: int = 0

    def add(self, count: int) -> None:
        self.count += count
        self.on_read(self.count)


def _insert(connection: apsw.Connection, sql: str, rows: Iterator[_Row], read: _Progress) -> None:
    while batch := list(islice(rows, _BATCH)):
        connection.executemany(sql, batch)
        read.add(len(batch))


def _read_cited(listed: CaseList, added: Addition) -> Iterator[_Row]:
    """Yield the citations in the form in which the catalogue stores them, and count those that cannot be
    parsed.
    """
    for row, record in listed.read_rows():
        cluster = _read_number(listed, row, record, "cluster_id")
        place = added.places.read(f"{record['volume']} {record['reporter']} {record['page']}")
        if place is None:
            added.count_unread(1)
        else:
            yield cluster, added.number_series(place), place.volume, place.page


def _convert(listed: CaseList, read: Callable[[CaseList, str, Mapping[str, Any]], _Row]) -> Iterator[_Row]:
    return (read(listed, row, record) for row, record in listed.read_rows())


def _read_cluster(listed: CaseList, row: str, record: Mapping[str, Any]) -> _Row:
    number = _read_number(listed, row, record, "id")
    docket = _read_number(listed, row, record, "docket_id") if record["docket_id"] else None
    name = record["case_name"] or record.get("case_name_short") or record.get("case_name_full") or ""
    try:
        date = read_day(record["date_filed"])
    except ValueError as error:
        raise BrokenList(listed.path, str(error), row) from None
    return number, join_spaces(name), date, docket


def _read_docket(listed: CaseList, row: str, record: Mapping[str, Any]) -> _Row:
    return _read_number(listed, row, record, "id"), record["court_id"], join_spaces(record["docket_number"])


def _read_number(listed: CaseList, row: str, record: Mapping[str, Any], column: str) -> int:
    text = record[column]
    if not text.isdecimal():
        raise BrokenList(listed.path, f"{column} is no number but {text[:40]!r}", row)
    return int(text)


def _join(
    connection: apsw.Connection,
) -> Iterator[tuple[str, int, str, str, list[tuple[int, int, int, int]]]]:
    """Yield each case with its citations, as (name, date, court, docket, places)."""
    for _, rows in groupby(connection.execute(_JOINED), key=itemgetter(0)):
        found: list[Any] = list(rows)
        _, name, date, court, docket, *_ = found[0]
        yield name, date, court or "", docket or "", [(*each[5:], 0) for each in found]
