"""Catalogues in the index: sidecars, tables and bibliographies that say what files are."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_law import judgment

from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.status import NAMED_ROWS

Open = Callable[[], Library]
UNNAMED = "The lighter lay at the quay."
NOTES = f"{UNNAMED}\n\n" + "Nothing is said here of who sued whom, or where. " * 4


def facts(library: Library) -> dict[str, tuple[str, str, str, str]]:
    library.refresh()
    return {
        each.relative: (each.title, each.citation, each.court, each.date) for each in library.catalogue.all()
    }


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_describes_files_beside_and_below(folder: Path, indexer: Indexer, open_library: Open) -> None:
    write(folder, "a.txt", NOTES)
    write(folder, "old/b.txt", NOTES)
    write(folder, "old/deep/c.txt", NOTES)
    write(folder, "d.md", judgment(4, "The pilot answers."))
    write(
        folder,
        "metadata.csv",
        "File Name;Case name;Neutral citation;Other citations;Court;Date of decision;Docket No.;Type\n"
        "a.txt;Smew v Teal;[2015] UKSC 11;[2015] 1 WLR 7;Supreme Court;2 March 2015;UKSC 2014/9;judgment\n"
        "old\\b.txt;Dunlin v Knot;;;;;;\n"
        "c;Plover v Avocet;[2015] UKSC 13; ;;2015;;case\n"
        "d.md;Not this name;[1999] UKHL 1;;High Court;;;\n",
    )
    assert indexer.reconcile().added == 4
    library = open_library()
    assert facts(library) == {
        "a.txt": ("Smew v Teal", "[2015] UKSC 11", "Supreme Court", "2015-03-02"),
        "old/b.txt": ("Dunlin v Knot", "", "", ""),
        "old/deep/c.txt": (
            "Plover v Avocet",
            "[2015] UKSC 13",
            "Supreme Court of the United Kingdom",
            "2015",
        ),
        # What the file says itself is surer.
        "d.md": ("Ostler v Harbour Board (No 4)", "[2015] UKSC 4", "High Court", ""),
    }
    (found,) = library.catalogue.find_key("[2015] 1 WLR 7")
    first = library.catalogue.get(found)
    assert first is not None
    assert (first.docket, first.kind) == (("UKSC 2014/9",), "case")
    assert dict(first.sources)["title"] == "catalogue"
    assert library.status.failed() == []
    assert library.status.unread() == []


def test_only_what_a_changed_table_describes_is_read_again(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        write(folder, name, NOTES)
    table = write(folder, "metadata.csv", "file,title\na.txt,Smew v Teal\nb.txt,Dunlin v Knot\n")
    indexer.reconcile()
    library = open_library()
    before = {each.relative: each.id for each in library.catalogue.all()}
    write(folder, "metadata.csv", "file,title\na.txt,Smew v Teal\nb.txt,Dunlin v Godwit\n")
    tally = indexer.update_paths(frozenset({str(table)}))
    assert (tally.added, tally.changed, tally.removed) == (0, 1, 0)
    assert facts(library)["b.txt"][0] == "Dunlin v Godwit"
    after = {each.relative: each.id for each in library.catalogue.all()}
    assert {name for name in after if after[name] != before[name]} == {"b.txt"}
    table.unlink()
    assert indexer.update_paths(frozenset({str(table)})).changed == 2
    assert facts(library)["a.txt"][0] == UNNAMED
    assert indexer.reconcile().changed == 0


def test_rows_that_are_wrong_are_named(folder: Path, indexer: Indexer, open_library: Open) -> None:
    write(folder, "a.txt", NOTES)
    write(
        folder,
        "metadata.csv",
        "file,title,date,kind\na.txt,Smew v Teal,32.13.2015,casse\ngone.pdf,Knot v Smew,,\n,Nobody,,\n",
    )
    indexer.reconcile()
    library = open_library()
    assert [each.reason for each in library.status.failed()] == [
        'line 2: "32.13.2015" is no date',
        'line 2: the kind "casse" is none of case, statute, regulation, contract, treaty, article, other',
        "line 4: no file is named",
        'line 3: there is no file "gone.pdf"',
    ]
    assert {each.path.name for each in library.status.failed()} == {"metadata.csv"}
    assert facts(library)["a.txt"][0] == "Smew v Teal"
    table = write(folder, "metadata.csv", "file,title\n" + "".join(f"{n}.pdf,A v B\n" for n in range(50)))
    indexer.update_paths(frozenset({str(table)}))
    reasons = [each.reason for each in library.status.failed()]
    assert (len(reasons), reasons[-1]) == (NAMED_ROWS + 1, "30 more rows name files that are not there")
    table = write(folder, "metadata.csv", "name,date\nSmew v Teal,2015\n")
    indexer.update_paths(frozenset({str(table)}))
    assert [each.reason for each in library.status.failed()] == ['no column names the files: call it "file"']
    assert facts(library)["a.txt"][0] == UNNAMED


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Carrow.txt.toml", 'title = "Smew v Teal"\ncitation = "[2015] UKSC 11"\ndate = 2015-03-02\n'),
        ("Carrow.toml", 'title = "Smew v Teal"\ncitation = "[2015] UKSC 11"\ndate = 2015-03-02\n'),
        ("Carrow.yaml", 'title: Smew v Teal\ncitation: "[2015] UKSC 11"\ndate: 2015-03-02\n'),
        ("Carrow.yml", 'title: Smew v Teal\ncitation: "[2015] UKSC 11"\ndate: 2015-03-02\n'),
        ("Carrow.json", '{"title": "Smew v Teal", "citation": "[2015] UKSC 11", "date": "2015-03-02"}'),
        ("Carrow.txt.json", '{"title": "Smew v Teal", "citation": "[2015] UKSC 11", "date": "2015-03-02"}'),
    ],
)
def test_a_sidecar_describes_the_file_beside_it(
    folder: Path, indexer: Indexer, open_library: Open, name: str, text: str
) -> None:
    sidecar = write(folder, name, text)
    indexer.reconcile()
    document = write(folder, "Carrow.txt", NOTES)
    indexer.update_paths(frozenset({str(document)}))
    library = open_library()
    expected = ("Smew v Teal", "[2015] UKSC 11", "Supreme Court of the United Kingdom", "2015-03-02")
    assert facts(library) == {"Carrow.txt": expected}
    assert library.status.failed() == []
    write(folder, name, text.replace("Smew", "Knot"))
    assert indexer.update_paths(frozenset({str(sidecar)})).changed == 1
    assert facts(library)["Carrow.txt"][0] == "Knot v Teal"
    write(folder, name, "[[[")
    indexer.update_paths(frozenset({str(sidecar)}))
    assert [each.path.name for each in library.status.failed()] == [name]
    sidecar.unlink()
    indexer.update_paths(frozenset({str(sidecar)}))
    assert facts(library)["Carrow.txt"][1] == ""
    assert library.status.failed() == []


def test_other_settings_beside_files_are_left_alone(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    write(folder, "lexls.toml", "jurisdiction = 'UK'\n")
    write(folder, "a.yaml", "title: [\n")
    write(folder, "b.txt", NOTES)
    write(folder, "b.json", '{"date": "2015-03-02", "court": "Clay"}')
    write(folder, "refs.bib", "@book{x, title={Of Quays}}\n@case{broken, title = {\n")
    indexer.reconcile()
    library = open_library()
    assert library.status.failed() == []
    assert [(kind.suffix, kind.count) for kind in library.status.unread()] == [(".json", 1)]
    assert facts(library) == {"b.txt": (UNNAMED, "", "", "")}


BIB = r"""
@jurisdiction{smew2015,
  title = {Smew v {Teal}},
  shorttitle = {Smew},
  date = {2015-03-02},
  institution = {Supreme Court},
  number = {[2015] UKSC 11},
  file = {Full Text PDF:%s:application/pdf;Snapshot:files/9/page.html:text/html}
}
@legislation{quays, title = {Quays Act 1999}, file = {other/quays.txt}}
"""


@pytest.mark.parametrize(
    "written",
    [
        "storage/ABCD1234/smew.txt",
        r"storage\\ABCD1234\\smew.txt",
        r"C\:\\Users\\Ann\\Zotero\\storage\\ABCD1234\\smew.txt",
        "/home/ann/Zotero/storage/ABCD1234/smew.txt",
    ],
)
def test_a_bibliography_names_what_is_attached(
    folder: Path, indexer: Indexer, open_library: Open, written: str
) -> None:
    write(folder, "storage/ABCD1234/smew.txt", NOTES)
    write(folder, "storage/EFGH5678/smew.txt", NOTES)
    write(folder, "other/quays.txt", NOTES)
    write(folder, "library.bib", BIB % written)
    indexer.reconcile()
    library = open_library()
    found = facts(library)
    expected = ("Smew v Teal", "[2015] UKSC 11", "Supreme Court", "2015-03-02")
    assert found["storage/ABCD1234/smew.txt"] == expected
    assert found["storage/EFGH5678/smew.txt"][0] == UNNAMED
    kinds = {each.relative: each.kind for each in library.catalogue.all()}
    assert (kinds["storage/ABCD1234/smew.txt"], kinds["other/quays.txt"]) == ("case", "statute")
    assert library.status.failed() == []


def test_csl_json_names_what_is_attached(folder: Path, indexer: Indexer, open_library: Open) -> None:
    write(folder, "cases/smew.txt", NOTES)
    write(folder, "cases/knot.txt", NOTES)
    items: list[dict[str, Any]] = [
        {
            "id": "smew",
            "type": "legal_case",
            "title": "Smew v Teal",
            "authority": "Supreme Court",
            "issued": {"date-parts": [[2015, 3, 2]]},
            "number": "UKSC 2014/9",
            "file": "cases/smew.txt",
        },
        {"id": "knot", "type": "legal_case", "title": "Re Knot", "attachments": [{"path": "cases/knot.txt"}]},
    ]
    write(folder, "library.json", json.dumps(items))
    indexer.reconcile()
    library = open_library()
    assert facts(library) == {
        "cases/smew.txt": ("Smew v Teal", "", "Supreme Court", "2015-03-02"),
        "cases/knot.txt": ("Re Knot", "", "", ""),
    }
    assert (library.status.failed(), library.status.unread()) == ([], [])


def test_a_change_while_nobody_looked_is_found(folder: Path, indexer: Indexer, open_library: Open) -> None:
    write(folder, "a.txt", NOTES)
    write(folder, "b.txt", NOTES)
    table = write(folder, "metadata.csv", "file,title\na.txt,Smew v Teal\n")
    indexer.reconcile()
    library = open_library()
    write(folder, "metadata.csv", "file,title\na.txt,Knot v Teal\n")
    # Killed between the table and the documents that it describes.
    indexer._read_described = lambda tally: None  # type: ignore[method-assign]
    indexer.update_paths(frozenset({str(table)}))
    assert facts(library)["a.txt"][0] == "Smew v Teal"
    del indexer._read_described
    assert indexer.reconcile().changed == 1
    assert facts(library)["a.txt"][0] == "Knot v Teal"
    os.rename(folder / "a.txt", folder / "b.txt")
    indexer.reconcile()
    assert facts(library)["b.txt"][0] == UNNAMED
