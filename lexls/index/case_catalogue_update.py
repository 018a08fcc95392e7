"""Add lists of cases to the user's catalogue, and remove them, each in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import apsw

from lexls.citations.case_names.lookup import hash_name
from lexls.citations.report_places import PlaceReader, ReportPlace
from lexls.index.beside import find_beside
from lexls.index.case_catalogue import SCHEMA, CatalogueUnusable, ListedSource, check_catalogue
from lexls.index.connection import open_writer
from lexls.library.case_lists import BrokenList, CaseList
from lexls.library.case_rows import ListedRow

_BATCH = 1000
"""Number of rows passed to SQLite at once."""
_TEMPORARY = """
CREATE TEMP TABLE new_places(series INTEGER, volume INTEGER, page INTEGER, case_id INTEGER, last INTEGER);
CREATE TEMP TABLE new_names(hash INTEGER, case_id INTEGER);
"""
_SORTED = """
INSERT OR IGNORE INTO places SELECT * FROM new_places ORDER BY series, volume, page, case_id;
INSERT OR IGNORE INTO names SELECT * FROM new_names ORDER BY hash, case_id;
DROP TABLE new_places;
DROP TABLE new_names;
"""
"""SQL that inserts the rows sorted by key, so that SQLite fills its pages in sequence. With unsorted rows, it
would have to read pages again.
"""
OnRead = Callable[[int], None]
"""Callback that receives the number of rows read so far."""


@contextmanager
def change_catalogue(path: Path) -> Iterator[apsw.Connection]:
    """Open the catalogue for one transaction, creating it if missing. A failed transaction leaves no trace.

    Raises ``CatalogueUnusable`` if the file is not a catalogue, cannot be written, or is being changed.
    """
    new = not path.exists()
    try:
        with _begin(path) as connection:
            yield connection
        new = False
    except apsw.BusyError:
        raise CatalogueUnusable(f"{path}: another command is changing the catalogue") from None
    except (apsw.Error, OSError) as error:
        raise CatalogueUnusable(f"{path}: {error}") from error
    finally:
        if new:
            for each in (path, find_beside(path, "-wal"), find_beside(path, "-shm")):
                each.unlink(missing_ok=True)


@contextmanager
def _begin(path: Path) -> Iterator[apsw.Connection]:
    connection = open_writer(path)
    try:
        connection.execute("PRAGMA temp_store = FILE; PRAGMA cache_size = -3000; BEGIN IMMEDIATE")
        if not connection.execute("SELECT count(*) FROM sqlite_master").get:
            connection.execute(SCHEMA)
        check_catalogue(connection, path)
        yield connection
        connection.execute("UPDATE state SET generation = generation + 1; COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    finally:
        connection.close()


def add_list(path: Path, listed: CaseList, places: PlaceReader, on_read: OnRead) -> ListedSource:
    """Add a list with one case per row to the catalogue at ``path``, replacing an earlier list from the same
    file. Return what was added. Raises ``BrokenList``, and the errors of ``change_catalogue``.
    """
    with change_catalogue(path) as connection:
        remove_sources(connection, [str(listed.path)])
        added = Addition(connection, places)
        for count, row in enumerate(listed.read_cases(), 1):
            added.add(row)
            if count % _BATCH == 0:
                on_read(count)
        return added.finish([listed.path])


@dataclass(slots=True)
class Addition:
    """Cases being added to the catalogue: call ``add`` for each, then ``finish``."""

    connection: apsw.Connection
    places: PlaceReader
    _first: int = 0
    _next: int = 0
    _placed: int = 0
    _unread: int = 0
    _series: dict[str, int] = field(default_factory=dict)
    _courts: dict[str, int] = field(default_factory=dict)
    _cases: list[tuple[object, ...]] = field(default_factory=list)
    _new_places: list[tuple[int, ...]] = field(default_factory=list)
    _names: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.connection.execute(_TEMPORARY)
        last = self.connection.execute("SELECT max(last_case) FROM sources").get
        self._first = self._next = (last or 0) + 1
        self._series.update(self.connection.execute("SELECT written, id FROM series"))
        self._courts.update(self.connection.execute("SELECT name, id FROM courts"))

    def add(self, row: ListedRow) -> None:
        """Add a case, unless none of its citations can be parsed. Citations that cannot be parsed are
        counted.
        """
        read = [self.places.read(each, row.year or None) for each in row.citations]
        found = [each for each in read if each is not None]
        self._unread += len(read) - len(found)
        if found:
            first = row.first_page or found[0].page
            lasts = [row.last_page if each.page == first else 0 for each in found]
            series = [self.number_series(each) for each in found]
            keys = [
                (number, each.volume, each.page, last)
                for number, each, last in zip(series, found, lasts, strict=True)
            ]
            self.add_case(row.name, row.court, row.date, row.docket, keys)

    def number_series(self, place: ReportPlace) -> int:
        """Return the number of a citation's series, assigning one if the series is new."""
        number = self._series.get(place.series)
        if number is None:
            number = self._series[place.series] = len(self._series) + 1
            sql = "INSERT INTO series VALUES (?, ?, ?)"
            self.connection.execute(sql, (number, place.series, int(place.paged)))
        return number

    def add_case(
        self, name: str, court: str, date: int, docket: str, places: Iterable[tuple[int, int, int, int]]
    ) -> None:
        """Add a case with its report citations: the series number, volume, first page and last page (0:
        unknown) of each.
        """
        case, self._next = self._next, self._next + 1
        row = (case, name, self._number_court(court) if court else None, date or None, docket or None)
        self._cases.append(row)
        listed = [(*each[:3], case, each[3] or None) for each in places]
        self._new_places += listed  # type: ignore[arg-type]
        self._placed += len(listed)
        if name and date:
            self._names += ((each, case) for each in hash_name(name, date // 10_000))
        if len(self._cases) >= _BATCH:
            self._write()

    def _number_court(self, court: str) -> int:
        number = self._courts.get(court)
        if number is None:
            number = self._courts[court] = len(self._courts) + 1
            self.connection.execute("INSERT INTO courts VALUES (?, ?)", (number, court))
        return number

    def _write(self) -> None:
        self.connection.executemany("INSERT INTO cases VALUES (?, ?, ?, ?, ?)", self._cases)
        self.connection.executemany("INSERT INTO temp.new_places VALUES (?, ?, ?, ?, ?)", self._new_places)
        self.connection.executemany("INSERT INTO temp.new_names VALUES (?, ?)", self._names)
        self._cases.clear()
        self._new_places.clear()
        self._names.clear()

    def count_unread(self, count: int) -> None:
        """Count citations that could not be parsed."""
        self._unread += count

    def finish(self, files: Sequence[Path]) -> ListedSource:
        """Write the remaining rows, sorted by key, and record the files they came from.

        Raises ``BrokenList`` if no case was added.
        """
        self._write()
        self.connection.execute(_SORTED)
        cases = self._next - self._first
        if not cases:
            raise BrokenList(files[0], "no citation of a case in it was read")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        size = sum(each.stat().st_size for each in files)
        source = ListedSource(name_files(files), now, size, cases, self._placed, self._unread)
        row = (*(getattr(source, each) for each in _COLUMNS), self._first, self._next - 1)
        columns = ", ".join(_COLUMNS)
        sql = f"INSERT INTO sources({columns}, first_case, last_case) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        self.connection.execute(sql, row)
        return source


_COLUMNS = ("path", "added", "size", "cases", "places", "unread")


def name_files(files: Sequence[Path]) -> str:
    """Return a name for a list that consists of several files."""
    return "; ".join(map(str, files))


def remove_sources(connection: apsw.Connection, paths: Iterable[str]) -> list[str]:
    """Remove the lists with these paths and their cases. Return the paths that were found."""
    removed = []
    for path in paths:
        sql = "SELECT id, first_case, last_case FROM sources WHERE path = ?"
        for source, first, last in connection.execute(sql, (path,)).fetchall():
            for table, column in (("places", "case_id"), ("names", "case_id"), ("cases", "id")):
                where = f"{column} BETWEEN ? AND ?"
                connection.execute(f"DELETE FROM {table} WHERE {where}", (first, last))
            connection.execute("DELETE FROM sources WHERE id = ?", (source,))
            removed.append(path)
    return removed


def remove_lists(path: Path, lists: Sequence[str]) -> list[str]:
    """Remove lists from the catalogue at ``path`` and free their disk space. Return the lists that were
    found.
    """
    with change_catalogue(path) as connection:
        removed = remove_sources(connection, lists)
    connection = open_writer(path)
    connection.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return removed
