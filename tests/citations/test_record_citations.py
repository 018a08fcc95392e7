"""Citations of a record in sentences, what only looks so, and the names of files that hold papers."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.record import RecordCitation, find_record_citations, make_record_key
from lexls.citations.record_files import name_papers
from lexls.citations.record_names import load_record_forms
from lexls.citations.scan import Scan

FOLDER = Path(__file__).parent
LINES = (FOLDER / "record_in_sentences.tsv").read_text(encoding="utf-8").splitlines()
CITED = [line.split("\t") for line in LINES if line and not line.startswith("#")]
OTHERS = (FOLDER / "no_record_in_sentences.txt").read_text(encoding="utf-8").splitlines()


def read(text: str) -> list[RecordCitation]:
    return find_record_citations(Scan(text))


def labels_of(citation: RecordCitation) -> str:
    return ";".join(citation.pinpoint.labels) if citation.pinpoint is not None else ""


@pytest.mark.parametrize(("sentence", "key", "labels"), CITED, ids=[row[0] for row in CITED])
def test_a_citation_of_the_record_is_read(sentence: str, key: str, labels: str) -> None:
    found = read(sentence)
    assert [(each.paper.keys[0], labels_of(each)) for each in found] == [(key, labels)]


@pytest.mark.parametrize("sentence", [row[0] for row in CITED], ids=[row[0] for row in CITED])
def test_id_behind_it_is_no_case_cited_before(grammar: Grammar, sentence: str) -> None:
    before = "The rule is old. Harlan v. Pike, 531 U.S. 98, 104 (2001)."
    for short in ("Id. at 104.", "Id.", "Id. ¶ 12."):
        *_, last = grammar.find(f"{before} {sentence} {short}", "US")
        assert (last.form, last.key, last.unread) == ("id", "", True)


@pytest.mark.parametrize("sentence", OTHERS)
def test_what_only_looks_like_one_is_none(sentence: str) -> None:
    assert [each.paper.keys[0] for each in read(sentence)] == []


def test_spans_hold_the_name_and_the_place() -> None:
    text = "He left at nine (see Oakes Supp. Decl. ¶¶ 2–3) and came back. Tr. 45:12–18, 46:1."
    found = read(text)
    assert [each.core.of(text) for each in found] == ["Oakes Supp. Decl.", "Tr."]
    assert [each.span.of(text) for each in found] == ["Oakes Supp. Decl. ¶¶ 2–3", "Tr. 45:12–18, 46:1"]
    assert [labels_of(each) for each in found] == ["2-3", "45:12-45:18;46:1"]


def test_a_citation_tries_what_says_less() -> None:
    (found,) = read("So he swore. Jane Marlow Dep. vol. 2, 14:3.")
    assert found.paper.keys[:2] == ("dep jane marlow vol 2", "dep jane marlow vol any")
    assert "dep any marlow vol 2" in found.paper.keys


def test_an_exhibit_of_a_paper_knows_its_name_without_it() -> None:
    found = [*read("See Oakes Decl. Ex. A at 2."), *read("Def.'s Ex. 12.")]
    assert [each.paper.owned for each in found] == ["ex a", "ex 12"]


@pytest.mark.parametrize("joint", [", ", " & ", " and "])
def test_an_exhibit_behind_the_place_of_a_paper_may_be_of_it(joint: str) -> None:
    _, exhibit = read(f"She was seen. Smith Decl. ¶ 4{joint}Ex. B.")
    assert (exhibit.paper.keys, exhibit.paper.owned, exhibit.paper.label) == (
        ("decl smith ex b",),
        "ex b",
        "",
    )


def test_every_name_of_every_paper_begins_with_a_word_it_is_found_by() -> None:
    forms = load_record_forms()
    assert {paper.key for papers in forms.by_word.values() for paper in papers} == forms.papers.keys()


def test_keys_of_attachments_are_told_from_longer_numbers() -> None:
    assert make_record_key("dkt 31-2") != make_record_key("dkt 312")


@pytest.mark.parametrize(
    ("file", "key"),
    [
        ("Ex. 4 - License.pdf", "ex 4"),
        ("ex-4-license.pdf", "ex 4"),
        ("Exhibit A (Invoice).pdf", "ex a"),
        ("EX. P-4.pdf", "ex p4"),
        ("PX 14.pdf", "pl ex 14"),
        ("Defendant's Exhibit 12.docx", "def ex 12"),
        ("Plaintiff/Ex 4.pdf", "pl ex 4"),
        ("Smith Decl/Ex A.pdf", "decl smith ex a"),
        ("Compl. Ex. B.pdf", "compl ex b"),
        ("031-2 Smith Decl.pdf", "dkt 31-2"),
        ("031-2 Smith Decl.pdf", "decl smith"),
        ("Dkt 31.pdf", "dkt 31"),
        ("ECF 31-2.pdf", "dkt 31-2"),
        ("gov.uscourts.nysd.12345.31.2.pdf", "dkt 31-2"),
        ("gov.uscourts.nysd.12345.31.0.pdf", "dkt 31"),
        ("Complaint.md", "compl"),
        ("2024-03-01 Complaint.pdf", "compl"),
        ("First Amended Complaint.pdf", "am compl"),
        ("Answer to Complaint.pdf", "answer"),
        ("Smith Depo Vol 1.txt", "dep smith vol 1"),
        ("Smith Depo Vol 1.txt", "dep smith"),
        ("Declaration of Edna Marlow.pdf", "decl marlow"),
        ("Declaration of Edna Marlow.pdf", "decl e marlow"),
        ("smith_decl.pdf", "decl any smith"),
        ("Oakes 1.pdf", "ws oakes 1"),
        ("Second Witness Statement of John Smith.pdf", "ws smith 2"),
        ("Bundle B/Tab 2 - Letter.pdf", "bundle b 2"),
        ("Bundle B.pdf", "bundle b"),
        ("HB.pdf", "bundle hb"),
        ("Tab 4.pdf", "tab 4"),
        ("AR Tab 3.pdf", "ar tab 3"),
        ("1 RT.pdf", "rt vol 1"),
        ("Clerk's Transcript Vol. 2.pdf", "ct vol 2"),
        ("Transcript Day 2.txt", "tr day 2"),
        ("Particulars of Claim.docx", "poc"),
    ],
)
def test_a_file_is_called_as_the_paper_it_holds(file: str, key: str) -> None:
    assert key in name_papers(file, "")


@pytest.mark.parametrize(
    ("file", "key"),
    [
        ("Answer to Complaint.pdf", "compl"),
        ("Complaint Ex. A.pdf", "compl"),
        ("Smith Decl/Ex A.pdf", "ex a"),
        ("Ex. 4 - Smith Decl.pdf", "decl smith"),
        ("First Amended Complaint.pdf", "compl"),
    ],
)
def test_a_file_is_not_what_its_name_only_speaks_of(file: str, key: str) -> None:
    assert key not in name_papers(file, "")


@pytest.mark.parametrize(
    "file", ["Notes.md", "10-K.pdf", "Invoice 2019-12.pdf", "Exhibits A-C.pdf", "Lease.pdf"]
)
def test_a_name_that_tells_nothing_gives_no_key(file: str) -> None:
    assert name_papers(file, "") == ()


@pytest.mark.parametrize(
    ("head", "keys"),
    [
        ("# IN THE COURT\n\nA v B\n\n# FIRST AMENDED COMPLAINT\n\n1. The barge sank.", ["am compl"]),
        ("Case 2:10-cv-00123-ABC Document 31-2 Filed 03/04/21 Page 1 of 9\n\nOrder", ["dkt 31-2"]),
        ("DEPOSITION OF RUTH OAKES\n\n1  Q. When?", ["dep ruth oakes", "dep oakes"]),
        ("The complaint says otherwise.\nComplaint forms are at the desk.", []),
    ],
)
def test_the_head_tells_where_the_name_does_not(head: str, keys: list[str]) -> None:
    found = name_papers("scan0001.txt", head)
    assert set(keys) <= set(found)
    assert bool(found) == bool(keys)
    assert name_papers("Ex. 9.txt", head) == ("ex 9",)
