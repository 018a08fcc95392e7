"""Look up cases in the user's catalogue of known cases, by report citation and by name.

The catalogue is a separate SQLite file in the user's data folder. Each case's name is stored once; lookups by
citation and by name use numeric keys only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import apsw

from lexls.citations.case_names.lookup import hash_name
from lexls.citations.report_places import ReportPlace
from lexls.index.connection import ReaderPool, find_file

APPLICATION = 0x6C786C73
VERSION = 1
SCHEMA = f"""
CREATE TABLE state(generation INTEGER NOT NULL);
INSERT INTO state VALUES (1);
CREATE TABLE sources(
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, added TEXT NOT NULL, size INTEGER NOT NULL,
    cases INTEGER NOT NULL, places INTEGER NOT NULL, unread INTEGER NOT NULL,
    first_case INTEGER NOT NULL, last_case INTEGER NOT NULL);
CREATE TABLE series(id INTEGER PRIMARY KEY, written TEXT NOT NULL UNIQUE, paged INTEGER NOT NULL);
CREATE TABLE courts(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE cases(id INTEGER PRIMARY KEY, name TEXT, court INTEGER, date INTEGER, docket TEXT);
CREATE TABLE places(
    series INTEGER, volume INTEGER, page INTEGER, case_id INTEGER, last_page INTEGER,
    PRIMARY KEY (series, volume, page, case_id)) WITHOUT ROWID;
CREATE INDEX places_of_cases ON places(case_id);
CREATE TABLE names(hash INTEGER, case_id INTEGER, PRIMARY KEY (hash, case_id)) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""
_MOST_OF_NAME = 50
"""Maximum number of cases compared with a name, since many cases of one year begin with the same words."""
_OF_CASES = """SELECT cases.id, cases.name, ifnull(courts.name, ''), ifnull(date, 0), ifnull(docket, '')
               FROM cases LEFT JOIN courts ON courts.id = cases.court"""


class CatalogueUnusable(Exception):
    """Raised if the file is not a catalogue, or was made by a newer lexls; the message says which."""


@dataclass(frozen=True, slots=True)
class ListedCase:
    """A case in the catalogue. ``date`` is YYYYMMDD with 00 for unknown parts, or 0 if unknown.

    ``court`` is a full name or a courts-db identifier.
    """

    id: int
    name: str
    court: str
    date: int
    docket: str

    @property
    def year(self) -> int | None:
        """The year of the decision, None if unknown."""
        return self.date // 10_000 or None


@dataclass(frozen=True, slots=True)
class Beginning:
    """A case, with its first and its last page in a report volume; the last page is 0 if unknown."""

    case: ListedCase
    page: int
    last_page: int


@dataclass(frozen=True, slots=True)
class ListedSource:
    """A list added to the catalogue; ``unread`` counts the citations in it that could not be parsed."""

    path: str
    added: str
    size: int
    cases: int
    places: int
    unread: int


def check_catalogue(connection: apsw.Connection, path: Path) -> None:
    """Raise ``CatalogueUnusable`` unless the file is a catalogue that this version of lexls can read."""
    if connection.pragma("application_id") != APPLICATION:
        raise CatalogueUnusable(f"{path} is not a catalogue")
    if int(connection.pragma("user_version")) > VERSION:
        raise CatalogueUnusable(f"{path} was made by a newer lexls; update lexls")


class CaseCatalogue:
    """The catalogue at ``path``. Safe from several threads; always reads the current file.

    Raises ``CatalogueUnusable`` if the file is missing or is not a catalogue.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.generation = 0
        self._pool = ReaderPool(path)
        try:
            with self._pool.lend() as connection:
                check_catalogue(connection, path)
            self.refresh()
        except apsw.Error as error:
            raise CatalogueUnusable(f"{path}: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._pool.close()

    def refresh(self) -> None:
        """Update ``generation``, which changes whenever lists are added or removed."""
        self.generation = next((int(each[0]) for each in self._select("SELECT generation FROM state")), 0)

    def find_at(self, place: ReportPlace) -> list[ListedCase]:
        """Return the cases that begin at a report citation; cases with the same name and date are returned
        once.
        """
        sql = f"{_OF_CASES} JOIN places ON case_id = cases.id JOIN series ON series.id = series"
        where = " WHERE written = ? AND volume = ? AND page = ?"
        found = (ListedCase(*row) for row in self._select(sql + where, _key(place)))
        return list({(each.name.casefold(), each.date): each for each in found}.values())

    def find_around(self, place: ReportPlace) -> tuple[Beginning | None, Beginning | None]:
        """Return the neighbours of a page in its volume: the last case that begins before it, and the first
        that begins after it; None for either if there is none.
        """
        sql = """SELECT page, last_page, case_id FROM places
                 WHERE series = (SELECT id FROM series WHERE written = ?) AND volume = ? AND page """
        before, after = "< ? ORDER BY page DESC LIMIT 1", "> ? ORDER BY page LIMIT 1"
        return self._begin(sql + before, place), self._begin(sql + after, place)

    def _begin(self, sql: str, place: ReportPlace) -> Beginning | None:
        for page, last_page, case in self._select(sql, _key(place)):
            return Beginning(self._get(case), page, last_page or 0)
        return None

    def find_named(self, name: str, years: Iterable[int]) -> list[ListedCase]:
        """Return cases of these years whose names may begin like ``name``; the caller must compare
        the names.
        """
        hashes = sorted({each for year in years for each in hash_name(name, year)})
        marks = ", ".join("?" * len(hashes))
        sql = f"""SELECT case_id FROM names WHERE hash IN ({marks}) GROUP BY case_id
                  ORDER BY count(*) DESC LIMIT {_MOST_OF_NAME}"""
        sql = f"{_OF_CASES} WHERE cases.id IN ({sql})"
        return [ListedCase(*row) for row in self._select(sql, hashes)] if hashes else []

    def list_places(self, case: ListedCase) -> list[ReportPlace]:
        """Return all report citations of a case."""
        sql = """SELECT written, volume, page, paged FROM places JOIN series ON series.id = series
                 WHERE case_id = ? ORDER BY series, volume, page"""
        return [ReportPlace(row[0], row[1], row[2], bool(row[3])) for row in self._select(sql, [case.id])]

    def has_series(self, place: ReportPlace) -> bool:
        """Return whether the catalogue has any case, in any volume, from the series of a citation."""
        sql = "SELECT 1 FROM places WHERE series = (SELECT id FROM series WHERE written = ?) LIMIT 1"
        return any(self._select(sql, [place.series]))

    def count_places(self, place: ReportPlace) -> int:
        """Return the number of distinct first pages or case numbers that the catalogue has in this volume."""
        sql = """SELECT count(DISTINCT page) FROM places
                 WHERE series = (SELECT id FROM series WHERE written = ?) AND volume = ?"""
        return next((int(row[0]) for row in self._select(sql, _key(place)[:2])), 0)

    def find_years(self, place: ReportPlace) -> tuple[int, int] | None:
        """Return the first and last year of the cases in a citation's volume; None if none is dated."""
        sql = """SELECT min(date) / 10000, max(date) / 10000 FROM places JOIN cases ON cases.id = case_id
                 WHERE series = (SELECT id FROM series WHERE written = ?) AND volume = ? AND date > 0"""
        return next(((row[0], row[1]) for row in self._select(sql, _key(place)[:2]) if row[0]), None)

    def list_sources(self) -> list[ListedSource]:
        """Return the lists that were added, in order."""
        sql = "SELECT path, added, size, cases, places, unread FROM sources ORDER BY id"
        return [ListedSource(*row) for row in self._select(sql)]

    def _get(self, case: int) -> ListedCase:
        return next(ListedCase(*row) for row in self._select(f"{_OF_CASES} WHERE cases.id = ?", [case]))

    def _select(self, sql: str, bindings: Iterable[object] = ()) -> Iterator[tuple]:  # type: ignore[type-arg]
        with self._pool.lend() as connection:
            yield from connection.execute(sql, tuple(bindings)).fetchall()


def _key(place: ReportPlace) -> tuple[str, int, int]:
    return place.series, place.volume, place.page


def find_catalogue_path(configured: Path | None) -> Path:
    """Return the catalogue's path: the one in the settings, or else one in the user's data folder."""
    from platformdirs import user_data_path

    return configured or user_data_path("lexls", appauthor=False) / "catalogue.sqlite3"


class CatalogueFile:
    """The catalogue at a path, opened when it appears there and reopened if another file replaces it.

    Safe from several threads. ``problem`` says why the current file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        self._opened: CaseCatalogue | None = None
        self._file: tuple[int, int] | None = None
        self._lock = Lock()

    def current(self) -> CaseCatalogue | None:
        """Return the current catalogue, or None if there is no usable one."""
        with self._lock:
            file = find_file(self.path)
            if file != self._file:
                self._close()
                self._file, self.problem = file, ""
                try:
                    self._opened = CaseCatalogue(self.path) if file else None
                except CatalogueUnusable as error:
                    self.problem = str(error)
            elif self._opened is not None:
                self._opened.refresh()
            return self._opened

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._close()
            self._file = None

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()
        self._opened = None


@contextmanager
def use_catalogue(path: Path) -> Iterator[CaseCatalogue | None]:
    """Open the catalogue at a path for a ``with`` block; None if missing. Raises ``CatalogueUnusable``."""
    catalogue = CaseCatalogue(path) if path.exists() else None
    try:
        yield catalogue
    finally:
        if catalogue is not None:
            catalogue.close()
