"""Invented cases in the volumes of real reporters, written as CourtListener's bulk tables have them."""

from __future__ import annotations

import bz2
import csv
import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from lexls.citations.grammar import Grammar

_BEGINNINGS = """
    Al Bar Bren Cal Car Cor Dan Del Dor El Fal Fen Gar Gil Hal Har Hol Jar Kel Lan Lor Mar Mel Nor Or Pel Quin
    Ran Ros Sal Stan Tal Tor Ul Van Wal Wes Yar Zel
"""
_MIDDLES = "a e i o an en er in or ar on el ing ber der man ton"
_ENDINGS = "by dale don ford gate ham holt ley low man mark mere ner ridge sen son stead ton ward well wick"
_FORMS = (*[""] * 5, " Corp.", " Co.", " Industries, Inc.", " Insurance Company", " Transportation, Inc.")
_GIVEN = (*[""] * 4, "John ", "Mary ", "James L. ", "Anna ", "Robert ", "Estate of ")


@dataclass(frozen=True, slots=True)
class Series:
    """A reporter with its volumes and their years, its courts by CourtListener's identifiers, and how these
    are cited; "" where the reporter tells the court.
    """

    name: str
    volumes: int
    first: int
    last: int
    courts: tuple[tuple[str, str], ...]
    office: str
    parallel: str = ""

    def year(self, volume: int) -> int:
        """The year of a volume, between the years that lexls knows of volumes around it."""
        known = find_anchors(self.name)
        around = [(0, self.first), *known, (self.volumes + 1, self.last)]
        (low, begun), (high, ended) = next(each for each in pairwise(around) if each[1][0] >= volume)
        return begun + (ended - begun) * (volume - low) // max(1, high - low)


@cache
def find_anchors(report: str) -> list[tuple[int, int]]:
    """The volumes of a report whose years lexls knows, with the first year of each."""
    forms = (form for form in Grammar.load().forms if form.jurisdiction == "US" and report in form.volumes)
    return [(volume, first) for form in forms for volume, first, _ in form.volumes[report]]


_CIRCUITS = tuple(
    (f"ca{number}", f"{number}{'st' if number == 1 else 'd' if number in (2, 3) else 'th'} Cir.")
    for number in range(1, 12)
)
_DISTRICTS = (("nysd", "S.D.N.Y."), ("cand", "N.D. Cal."), ("ilnd", "N.D. Ill."), ("paed", "E.D. Pa."))
SERIES = (
    Series("F.3d", 999, 1993, 2021, _CIRCUITS, "United States"),
    Series("F. Supp. 2d", 999, 1998, 2014, _DISTRICTS, "United States"),
    Series("F.2d", 999, 1925, 1993, _CIRCUITS, "United States"),
    Series("S.W.3d", 600, 1999, 2020, (("tex", "Tex."), ("mo", "Mo."), ("ky", "Ky.")), "State"),
    Series("P.3d", 480, 2000, 2021, (("kan", "Kan."), ("colo", "Colo."), ("idaho", "Idaho")), "State"),
    Series("So. 2d", 999, 1941, 2008, (("fla", "Fla."), ("ala", "Ala."), ("la", "La.")), "State"),
    Series("N.E.2d", 999, 1936, 2014, (("ohio", "Ohio"), ("ind", "Ind."), ("mass", "Mass.")), "Commonwealth"),
    Series("Cal. App. 4th", 248, 1991, 2016, (("calctapp", ""),), "People", "Cal. Rptr. 2d"),
    Series("U.S.", 580, 1791, 2016, (("scotus", ""),), "United States", "S. Ct."),
)


@dataclass(frozen=True, slots=True)
class InventedCase:
    """A case in a reporter, with the citation of a parallel one or ""."""

    number: int
    name: str
    series: Series
    volume: int
    page: int
    length: int
    parallel: str
    court: tuple[str, str]
    date: str
    docket: str

    @property
    def citation(self) -> str:
        """The first citation."""
        return f"{self.volume} {self.series.name} {self.page}"

    @property
    def year(self) -> int:
        """The year of the decision."""
        return int(self.date[:4])


def invent_party(chance: random.Random, office: str) -> str:
    """A person, a company or, one time in six, an office."""
    if chance.random() < 0.16:
        return office
    first, middle, last = _BEGINNINGS.split(), ["", *_MIDDLES.split()], _ENDINGS.split()
    word = chance.choice(first) + chance.choice(middle) + chance.choice(last)
    form = chance.choice(_FORMS)
    return f"{'' if form else chance.choice(_GIVEN)}{word}{form}"


def invent_name(chance: random.Random, office: str) -> str:
    """A name with two parties of which one at most is an office, or "In re"."""
    first, second = invent_party(chance, office), invent_party(chance, "")
    while not second:
        second = invent_party(chance, "")
    if chance.random() < 0.04:
        return f"In re {second}"
    return f"{first} v. {second}" if chance.random() < 0.7 or first != office else f"{second} v. {first}"


def invent_cases(count: int, seed: int = 7) -> Iterator[InventedCase]:
    """Cases that fill volume after volume of each reporter, a few of a page and most of several."""
    chance = random.Random(seed)
    number = 0
    total = sum(each.volumes for each in SERIES)
    share = max(1, count // total)
    for series in SERIES:
        for volume in range(1, series.volumes + 1):
            page = 1
            for _ in range(share):
                number += 1
                length = 1 if chance.random() < 0.15 else chance.randint(2, max(3, 2400 // share))
                date = f"{series.year(volume)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
                name = invent_name(chance, series.office)
                parallel = f"{volume} {series.parallel} {page}" if series.parallel else ""
                docket = f"{date[2:4]}-{chance.randint(100, 9999)}"
                court = chance.choice(series.courts)
                yield InventedCase(number, name, series, volume, page, length, parallel, court, date, docket)
                page += length
                if number >= count:
                    return


class BulkWriter:
    """Writes cases into CourtListener's three tables in a folder, with columns that lexls does not read."""

    def __init__(self, folder: Path, packed: bool) -> None:
        suffix = ".csv.bz2" if packed else ".csv"
        self.paths = [folder / f"{name}{suffix}" for name in ("citations", "opinion-clusters", "dockets")]
        self.rows = 0
        self._open = ExitStack()
        self._writers = []
        open_text: Any = bz2.open if packed else open
        for path, columns in zip(self.paths, (_CITATIONS, _CLUSTERS, _DOCKETS), strict=True):
            file = self._open.enter_context(open_text(path, "wt", encoding="utf-8"))
            file.write(",".join(columns.split()) + "\n")
            self._writers.append(csv.writer(file, quoting=csv.QUOTE_ALL, doublequote=False, escapechar="\\"))

    def write(self, case: InventedCase) -> None:
        """Write a row for each citation, one for the cluster and one for the docket."""
        citations, clusters, dockets = self._writers
        number, name = case.number, case.name
        made = ("2020-01-01 00:00:00+00",) * 2
        for cite in filter(None, (case.citation, case.parallel)):
            volume, rest = cite.split(" ", 1)
            reporter, _, page = rest.rpartition(" ")
            self.rows += 1
            citations.writerow((self.rows, *made, volume, reporter, page, 1, number))
        slug = name.lower().replace(" ", "-")
        status = ("C", 0, "", "", "Published")
        clusters.writerow((number, *made, "", case.date, "f", slug, "", name, "", *status, number))
        dockets.writerow((number, *made, case.court[0], name, slug, case.docket, "", case.date))

    def close(self) -> None:
        """Close the files."""
        self._open.close()


_CITATIONS = "id date_created date_modified volume reporter page type cluster_id"
_CLUSTERS = """
    id date_created date_modified judges date_filed date_filed_is_approximate slug case_name_short case_name
    case_name_full source citation_count syllabus headnotes precedential_status docket_id
"""
_DOCKETS = "id date_created date_modified court_id case_name slug docket_number assigned_to_str date_filed"
