"""``lexls read`` on documents that say of themselves what they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Run = Any
"""``Run`` of conftest.py."""

JUDGMENT = """Neutral Citation Number: [2035] EWHC 77 (Comm)
Case No: CL-2034-000512

IN THE HIGH COURT OF JUSTICE
BUSINESS AND PROPERTY COURTS OF ENGLAND AND WALES
COMMERCIAL COURT

Date: 9 May 2035

Before:
MR JUSTICE WHIMBREL

Between:
PLOVER SHIPPING LIMITED
Claimant
- and -
AVOCET CHANDLERS LIMITED
Defendant

Hearing dates: 2 and 3 April 2035

JUDGMENT

1. The claimant bought rope that did not hold. It had been sold as fit for towing a barge of two hundred tons
in a swell, and it parted on the first day, in calm water, with a barge of eighty tons behind the tug.

2. The defendant knew what the rope was wanted for. Its own manager had been shown the barge, and had said
that anything thinner would not do. It cannot now be heard to say that the claimant should have chosen.

3. There will be judgment for the claimant for the price of the rope and for the cost of bringing in the
barge, to be assessed if it is not agreed within twenty-eight days of the date of this judgment.
"""


def test_facts_come_with_where_they_were_taken_from(lexls: Run, matter: Path) -> None:
    (matter / "judgment.txt").write_text(JUDGMENT, encoding="utf-8")
    found = lexls("read", "judgment.txt", "--json").json
    assert found["title"] == "Plover Shipping Limited v Avocet Chandlers Limited"
    assert found["citations"] == ["[2035] EWHC 77 (Comm)"]
    assert "High Court" in found["court"]
    assert "Commercial Court" in found["court"]
    assert found["date"] == "2035-05-09"  # not the days of the hearing
    assert found["docket"] == ["CL-2034-000512"]
    assert found["paragraphs"] == ["1", "2", "3"]
    assert found["sources"]["date"] == "head"
    front = lexls("read", "library/cases/lorne.md", "--json").json
    assert (front["format"], front["sources"]["date"]) == ("markdown", "front matter")


def test_a_name_of_a_file_is_said_to_be_one(lexls: Run, matter: Path) -> None:
    (matter / "dredging-notes.txt").write_text("12 and 13 fathoms, by the lead line.\n", encoding="utf-8")
    found = lexls("read", "dredging-notes.txt", "--json").json
    assert found["sources"] == {"title": "file name"}


def test_each_file_has_a_line_and_what_cannot_be_read_its_reason(lexls: Run, matter: Path) -> None:
    (matter / "bad.docx").write_bytes(b"no zip")
    result = lexls("read", "bad.docx", "library/dunlin.md", "gone.txt", "--json")
    bad, good, gone = map(json.loads, result.out.splitlines())
    assert result.code == 3
    assert bad == {"path": "bad.docx", "problem": "not a DOCX file (no ZIP archive)"}
    assert (good["title"], good["problem"]) == ("Re Dunlin's Will", None)
    assert gone["problem"] == "no such file"


def test_people_see_head_outline_and_first_passages(lexls: Run, matter: Path) -> None:
    (matter / "judgment.txt").write_text(JUDGMENT, encoding="utf-8")
    result = lexls("read", "judgment.txt")
    assert result.code == 0
    assert "Plover Shipping Limited v Avocet Chandlers Limited  (likely: head)" in result.out
    assert "3: 1 to 3" in result.out
    assert "rope that did not hold" in result.out


def test_of_several_documents_in_a_file_each_has_a_line(lexls: Run, matter: Path) -> None:
    records = [
        {
            "id": "p7",
            "title": "Plover v Avocet",
            "court": "Court of Session",
            "text": "Rope that did not hold. " * 9,
        },
        {"title": "Teal v Smew", "citation": "[2019] EWHC 7 (Ch)", "text": "A mooring that did. " * 9},
    ]
    lines = [json.dumps(records[0]), "{broken", json.dumps(records[1])]
    (matter / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    result = lexls("read", "cases.jsonl", "--json")
    first, broken, second = map(json.loads, result.out.splitlines())
    assert result.code == 3
    assert (first["part"], first["title"], first["court"]) == ("p7", "Plover v Avocet", "Court of Session")
    assert broken == {"path": "cases.jsonl", "part": "line 2", "problem": "not valid JSON"}
    assert (second["part"], second["citations"]) == ("line 3", ["[2019] EWHC 7 (Ch)"])
    assert "cases.jsonl, line 3 (record)" in lexls("read", "cases.jsonl").out


def test_what_other_files_say_of_one_is_surer_than_its_head(lexls: Run, matter: Path) -> None:
    folder = matter / "library" / "copies"
    folder.mkdir()
    (folder / "judgment.txt").write_text(JUDGMENT, encoding="utf-8")
    (folder / "notes.txt").write_text("12 and 13 fathoms, by the lead line.\n", encoding="utf-8")
    (folder / "notes.toml").write_text('court = "Harbour Court"\n', encoding="utf-8")
    (matter / "library" / "metadata.csv").write_text(
        "file,title,date\ncopies/notes.txt,Re Soundings,2015\njudgment.txt,Plover v Avocet,\n",
        encoding="utf-8",
    )
    (matter / "library" / "refs.bib").write_text(
        "@case{x, title={Of Depths}, number={[2015] EWHC 1 (Ch)}, file={copies/notes.txt}}", encoding="utf-8"
    )
    found = lexls("read", "library/copies/notes.txt", "--json").json
    assert (found["title"], found["court"], found["date"]) == ("Re Soundings", "Harbour Court", "2015")
    assert (found["citations"], found["kind"]) == (["[2015] EWHC 1 (Ch)"], "case")
    assert set(found["sources"].values()) == {"catalogue"}
    found = lexls("read", "library/copies/judgment.txt", "--json").json
    assert (found["title"], found["sources"]["title"]) == ("Plover v Avocet", "catalogue")
    assert found["sources"]["date"] == "head"
