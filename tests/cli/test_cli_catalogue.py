"""`lexls catalogue`: lists are added whole or not at all, listed and removed."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_case_lists import CASES, FORMS, PACKED, write_court_listener, write_csv, write_lists

from lexls.citations.courts import name_american_court
from lexls.citations.grammar import Grammar
from lexls.citations.report_places import ReportPlace, find_place
from lexls.index.case_catalogue import CaseCatalogue

Run = Any
"""``Run`` of conftest.py."""


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the catalogue lies, by the settings of the current folder."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(folder)
    return tmp_path / "data" / "lexls" / "catalogue.sqlite3"


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_list_is_added(
    lexls: Run, catalogue: Path, tmp_path: Path, form: str, packed: str
) -> None:
    files = write_lists(tmp_path, form, packed)
    done = lexls("catalogue", "add", *map(str, files), "--jurisdiction", "US", "--json")
    assert done.code == 0, done.err
    (added,) = json.loads(done.out)["added"]
    assert (added["cases"], added["unread"]) == (len(CASES), 0)
    listed = CaseCatalogue(catalogue)
    for case in CASES:
        for cite in case.citations:
            place = find_place(cite, Grammar.load(), "US")
            assert place is not None
            (found,) = listed.find_at(place)
            assert (found.name, name_american_court(found.court)) == (case.name, case.court_name)
            assert str(found.date) == case.date.replace("-", "")
            assert [each.citation for each in listed.list_places(found)] == [*case.citations]
    listed.close()


def test_a_list_is_replaced_by_a_newer_one_and_removed(lexls: Run, catalogue: Path, tmp_path: Path) -> None:
    (path,) = write_lists(tmp_path, "csv", "")
    other = tmp_path / "other.jsonl"
    other.write_text('{"title": "Elm v. Ash", "citation": "1 F.3d 1", "date": "1993"}\n')
    for _ in range(2):
        assert lexls("catalogue", "add", str(path), str(other), "--jurisdiction", "US").code == 0
    listed = json.loads(lexls("catalogue", "list", "--json").out)
    assert [(each["path"], each["cases"]) for each in listed["lists"]] == [(str(path), 7), (str(other), 1)]
    assert "7 cases at 9 places" in lexls("catalogue", "list").out
    assert lexls("catalogue", "remove", str(path)).code == 0
    listed = json.loads(lexls("catalogue", "list", "--json").out)
    assert [each["path"] for each in listed["lists"]] == [str(other)]
    assert lexls("catalogue", "remove", str(path)).code == 2
    kept = CaseCatalogue(catalogue)
    found = [kept.find_at(place) for each in ("712 F.3d 1184", "1 F.3d 1") if (place := _place(each))]
    assert [[case.name for case in each] for each in found] == [[], ["Elm v. Ash"]]
    kept.close()


def _place(citation: str) -> ReportPlace | None:
    return find_place(citation, Grammar.load(), "US")


def test_columns_are_named(lexls: Run, catalogue: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("Sache;Fundstelle;Jahr\nElm v. Ash;1 F.3d 1;1993\n")
    columns = ["--columns", "name=Sache", "citation=Fundstelle", "date=Jahr"]
    assert lexls("catalogue", "add", str(path), "--jurisdiction", "US", *columns).code == 0
    assert "no column" in lexls("catalogue", "add", str(path), "--columns", "name=Other").err
    assert "FIELD=COLUMN" in lexls("catalogue", "add", str(path), "--columns", "title=Sache").err


def test_neutral_citations_are_added_a_line_each(lexls: Run, catalogue: Path, tmp_path: Path) -> None:
    path = tmp_path / "judgments.txt"
    path.write_text("[2014] UKSC 12\n\n[2014] UKSC 13\n2014 ONCA 5\n")
    assert lexls("catalogue", "add", str(path)).code == 0
    assert json.loads(lexls("catalogue", "list", "--json").out)["lists"][0]["places"] == 3


def _break_row(row: int, change: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    def broken(data: bytes) -> bytes:
        lines = data.split(b"\n")
        lines[row] = change(lines[row])
        return b"\n".join(lines)

    return broken


BROKEN = {
    "an open quote": ("cases.csv", _break_row(3, lambda line: b'"' + line), "line 4: a quotation mark opens"),
    "no date": ("cases.csv", lambda data: data.replace(b"2013-05-06", b"soon"), "line 4: 'soon' is no date"),
    "no citation": ("cases.csv", lambda data: data.replace(b"713 F.3d 5", b""), "line 5: no citation"),
    "cut short": ("cases.csv", lambda data: data[:-30], "line 8: 3 cells, but the first row names 5"),
    "too many cells": ("cases.csv", _break_row(2, lambda line: line + b",x,y"), "line 3: 7 cells"),
    "cut short, packed": ("cases.csv.gz", lambda data: gzip.compress(data)[:-20], "damaged or cut short"),
    "cut short, bz2": ("cases.csv.bz2", lambda data: bz2.compress(data)[:-20], "damaged or cut short"),
    "nothing": ("cases.csv", lambda data: b"", "the file is empty"),
    "no JSON": (
        "cases.jsonl",
        lambda data: b'{"title": "A", "citation": "1 F.3d 1"}\n{"title"\n',
        "line 2: not valid JSON",
    ),
    "JSON of another kind": (
        "cases.json",
        lambda data: b'[{"citation": "1 F.3d 1"}, 7]',
        "item 2: not a JSON object",
    ),
    "no list": ("cases.csv", lambda data: b"a,b\n1,2\n", "no column has citations"),
    "volumes": (
        "VolumesMetadata.json",
        lambda data: b'[{"volume_number": "1", "publication_year": 1880}]',
        "item 1: a volume and no case",
    ),
    "nothing is read": (
        "cases.csv",
        lambda data: b"citation\nsee above\n",
        "no citation of a case in it was read",
    ),
}


@pytest.mark.parametrize(("name", "change", "reason"), BROKEN.values(), ids=BROKEN)
def test_of_a_broken_list_nothing_is_added(
    lexls: Run, catalogue: Path, tmp_path: Path, name: str, change: Callable[[bytes], bytes], reason: str
) -> None:
    path = tmp_path / name
    path.write_bytes(change(write_csv(CASES)["cases.csv"]))
    done = lexls("catalogue", "add", str(path), "--jurisdiction", "US")
    assert done.code == 3
    assert str(path) in done.err
    assert reason in done.err
    assert not catalogue.exists()
    good = tmp_path / "good.jsonl"
    good.write_text('{"title": "Elm v. Ash", "citation": "1 F.3d 1", "date": "1993"}\n')
    assert lexls("catalogue", "add", str(good), "--jurisdiction", "US").code == 0
    assert lexls("catalogue", "add", str(path), "--jurisdiction", "US").code == 3
    assert len(json.loads(lexls("catalogue", "list", "--json").out)["lists"]) == 1


@pytest.mark.parametrize(
    ("table", "before", "after", "reason"),
    [
        ("citations", b'"20"', b'"twenty"', "line 4: cluster_id is no number but 'twenty'"),
        ("opinion-clusters", b'"2013-05-03"', b'"soon"', "'soon' is no date"),
        ("opinion-clusters", b'"200"', b'"none"', "docket_id is no number but 'none'"),
        ("dockets", b'"200"', b'"none"', "line 4: id is no number but 'none'"),
    ],
)
def test_of_broken_bulk_tables_nothing_is_added(
    lexls: Run, catalogue: Path, tmp_path: Path, table: str, before: bytes, after: bytes, reason: str
) -> None:
    files = []
    for name, data in write_court_listener(CASES).items():
        files.append(tmp_path / name)
        files[-1].write_bytes(data.replace(before, after) if name.startswith(table) else data)
    done = lexls("catalogue", "add", *map(str, files))
    assert (done.code, catalogue.exists()) == (3, False)
    assert reason in done.err
    assert f"{table}-2026-01-01.csv" in done.err


def test_bulk_tables_are_given_together(lexls: Run, catalogue: Path, tmp_path: Path) -> None:
    citations, clusters, _ = map(str, write_lists(tmp_path, "court-listener", ""))
    assert "table of clusters must be given with it" in lexls("catalogue", "add", citations).err
    assert "table of citations must be given with it" in lexls("catalogue", "add", clusters).err
    assert lexls("catalogue", "add", citations, clusters).code == 0


def test_another_file_is_no_catalogue(lexls: Run, catalogue: Path, tmp_path: Path) -> None:
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text("something else, which is long enough to be read as a file of some kind" * 20)
    (path,) = write_lists(tmp_path, "csv", "")
    for command in (["add", str(path)], ["list"], ["remove", str(path)]):
        done = lexls("catalogue", *command)
        assert done.code == 3
        assert str(catalogue) in done.err
    assert catalogue.read_text().startswith("something else")
