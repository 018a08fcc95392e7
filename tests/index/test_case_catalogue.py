"""The catalogue of cases as it is read while lists come and go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from made_case_lists import CASES, MadeCase, write_lists

from lexls.citations.grammar import Grammar
from lexls.citations.report_places import PlaceReader, ReportPlace
from lexls.index.case_catalogue import CaseCatalogue, CatalogueFile, CatalogueUnusable
from lexls.index.case_catalogue_update import add_list, change_catalogue, remove_lists
from lexls.library.case_lists import BrokenList, find_list


def add(path: Path, folder: Path, cases: Sequence[MadeCase] = CASES, form: str = "csv") -> None:
    """Add cases as a list of a form."""
    folder.mkdir(exist_ok=True)
    (listed,) = write_lists(folder, form, "", cases)
    add_list(path, find_list(listed), PlaceReader(Grammar.load(), "US"), lambda count: None)


def place(page: int, volume: int = 712, series: str = "# F.3d #") -> ReportPlace:
    return ReportPlace(series, volume, page, True)


def test_what_is_around_a_place(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite3"
    add(path, tmp_path / "lists", form="cap")
    cases = CaseCatalogue(path)
    before, after = cases.find_around(place(1195))
    assert before is not None
    assert after is not None
    assert (before.case.name, before.page, before.last_page) == ("Pell v. Stark", 1190, 1199)
    assert (after.case.name, after.page) == ("In re Vane", 1200)
    assert cases.find_around(place(3))[0] is None
    assert cases.find_around(place(3000))[1] is None
    assert cases.find_around(place(5, volume=9)) == (None, None)
    assert (cases.count_places(place(1)), cases.count_places(place(1, volume=9))) == (3, 0)
    assert cases.find_years(place(1)) == (2013, 2013)
    assert cases.find_years(place(1, volume=9)) is None
    assert cases.has_series(place(1, volume=9))
    assert not cases.has_series(place(1, series="# F.2d #"))
    cases.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_is_found_by_its_name_and_year(tmp_path: Path, case: MadeCase) -> None:
    path = tmp_path / "catalogue.sqlite3"
    add(path, tmp_path / "lists")
    cases = CaseCatalogue(path)
    assert [each.name for each in cases.find_named(case.name, [2013])] == [case.name]
    assert [each.name for each in cases.find_named(case.name.upper(), [2012, 2013, 2014])] == [case.name]
    assert cases.find_named(case.name, [2010]) == cases.find_named(case.name, []) == []
    cases.close()


def test_one_case_of_two_lists_is_one(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite3"
    add(path, tmp_path / "one")
    add(path, tmp_path / "two", form="jsonl")
    cases = CaseCatalogue(path)
    assert [each.name for each in cases.find_at(place(1184))] == ["Carrow v. Luff"]
    assert cases.count_places(place(1)) == 3
    assert len(cases.list_sources()) == 2
    cases.close()


def test_a_reader_sees_lists_come_and_go(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite3"
    file = CatalogueFile(path)
    assert file.current() is None
    add(path, tmp_path / "one", CASES[:1])
    cases = file.current()
    assert cases is not None
    first = cases.generation
    assert [bool(cases.find_at(place(each))) for each in (1184, 1190)] == [True, False]
    add(path, tmp_path / "two", CASES[1:2])
    assert file.current() is cases
    assert cases.generation > first
    assert [bool(cases.find_at(place(each))) for each in (1184, 1190)] == [True, True]
    assert remove_lists(path, [str(tmp_path / "one" / "cases.csv")])
    assert [bool(cases.find_at(place(each))) for each in (1184, 1190)] == [False, True]
    for each in (path, *tmp_path.glob("catalogue.sqlite3-*")):
        each.unlink()
    assert file.current() is None
    add(path, tmp_path / "one", CASES[:1])
    again = file.current()
    assert again is not None
    assert [bool(again.find_at(place(each))) for each in (1184, 1190)] == [True, False]
    file.close()


def test_a_reader_sees_the_old_lists_until_new_ones_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite3"
    add(path, tmp_path / "one")
    cases = CaseCatalogue(path)
    broken = tmp_path / "one" / "cases.csv"
    broken.write_text("case name,citation\nElm v. Ash,1 F.3d 1\nElm v. Oak,\n")
    with pytest.raises(BrokenList, match="line 3: no citation"):
        add_list(path, find_list(broken), PlaceReader(Grammar.load(), "US"), lambda count: None)
    assert [each.cases for each in cases.list_sources()] == [len(CASES)]
    assert cases.find_at(place(1184))
    with change_catalogue(path), pytest.raises(CatalogueUnusable, match="another command"):
        add(path, tmp_path / "two")
    cases.close()


def test_a_file_that_is_none_is_told_once_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite3"
    path.write_text("no database, and long enough to be looked at as one; " * 100)
    file = CatalogueFile(path)
    assert file.current() is None
    assert str(path) in file.problem
    with pytest.raises(CatalogueUnusable):
        add(path, tmp_path / "one")
    assert path.read_text().startswith("no database")
