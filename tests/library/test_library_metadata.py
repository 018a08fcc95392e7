"""What an authority is, from front matter and from the heads of texts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.library.document import SourceDocument
from lexls.text.dates import find_dates, normalise_date

Reader = Callable[[str, str | bytes], SourceDocument]


def told(document_reader: Reader, name: str, content: str) -> dict[str, object]:
    """The metadata that is known, by field."""
    found = document_reader(name, content).metadata
    return {field: value for field in found.__slots__ if (value := getattr(found, field))}


def test_front_matter_gives_everything_and_is_no_passage(read_as: Reader) -> None:
    document = read_as(
        "carrow.md",
        '---\ntitle: "Carrow v Meridian"\ncitation: "[2014] ASC 12"\nparallel_citations:\n'
        "  - (2014) 2 AldLR 88\n"
        "court: Supreme Court of Aldmoor\ndate: 2014-06-19\nkind: case\n"
        "jurisdiction: Aldmoor\nshort_title: Carrow\n"
        "judges: 3\n---\n\n# Carrow v Meridian\n\n[1] The appeal is allowed.\n",
    )
    found = document.metadata
    assert (found.title, found.citation, found.parallel_citations) == (
        "Carrow v Meridian", "[2014] ASC 12", ("(2014) 2 AldLR 88",),
    )  # fmt: skip
    assert (found.court, found.date, found.kind) == ("Supreme Court of Aldmoor", "2014-06-19", "case")
    assert (found.jurisdiction, found.short_title) == ("Aldmoor", "Carrow")
    assert document.warnings == ()
    assert document.text[document.blocks[0].start :].startswith("# Carrow v Meridian")


def test_front_matter_that_is_no_yaml_is_read_line_by_line_with_a_warning(read_as: Reader) -> None:
    document = read_as(
        "a.md", "---\ntitle: Carrow: the appeal\ncitation: [2014] ASC 12\n---\n\nThe appeal.\n"
    )
    assert document.metadata.title == "Carrow: the appeal"
    assert document.metadata.citation == "[2014] ASC 12"
    assert document.warnings == ("front matter is not valid YAML (line 2); it was read line by line",)
    assert document.text[document.blocks[0].start : document.blocks[0].end] == "The appeal."


@pytest.mark.parametrize("nested", ["- " * 30_000, "notes: " + "[" * 30_000, "a: &a [1]\nb: [*a, *a]"])
def test_front_matter_that_would_fill_the_stack_or_the_memory_is_read_line_by_line(
    read_as: Reader, nested: str
) -> None:
    document = read_as("a.md", f"---\ntitle: Carrow v Meridian\n{nested}\n---\n\nThe appeal.\n")
    assert document.metadata.title == "Carrow v Meridian"
    assert "read line by line" in document.warnings[0]


def test_values_of_the_wrong_kind_are_left_out(read_as: Reader) -> None:
    document = read_as(
        "file name.md",
        "---\ntitle: [1, 2]\nkind: novel\ndate: soon\n---\n\nthe dues, which nobody liked, rose in May.\n",
    )
    assert told(read_as, "file name.md", document.text) == {"title": "file name", "kind": "other"}


def test_a_rule_of_dashes_is_no_front_matter(read_as: Reader) -> None:
    document = read_as("a.md", "---\n\nA text between rules.\n\n---\n\nMore of it.\n")
    assert document.blocks[-1].kind == "text"
    assert "A text between rules." in [document.text[block.start : block.end] for block in document.blocks]


def test_an_indian_judgment(read_as: Reader) -> None:
    source = (
        "Prakash Textiles and Another v State of Vidarbha\nSupreme Court of India\n\n7  May  1997\n"
        "C.A. No. 3449 of 1997 (From the Judgment dated 5 November 1996)\n"
        "The Judgment was delivered by: K. Rao, J.\n1. Leave granted. See AIR 1973 SC 1461.\n"
    )
    assert told(read_as, "C1.txt", source) == {
        "title": "Prakash Textiles and Another v State of Vidarbha",
        "court": "Supreme Court of India",
        "date": "1997-05-07",
        "kind": "case",
        "jurisdiction": "IN",
        "docket": ("C.A. No. 3449 of 1997",),
    }


def test_a_neutral_citation_line_is_the_judgments_own(read_as: Reader) -> None:
    source = (
        "Neutral Citation Number: [2021] EWCA Civ 1234\n\nIN THE COURT OF APPEAL (CIVIL DIVISION)\n\n"
        "Heard: 3 March 2021\n\nDate: 12 August 2021\n\nTARN GRAIN LTD v PELL LINE LTD\n\nJUDGMENT\n\n"
        "1. The judge followed [2019] UKSC 41.\n\n2. He was right.\n"
    )
    assert told(read_as, "x.txt", source) == {
        "title": "Tarn Grain Ltd v Pell Line Ltd",
        "citation": "[2021] EWCA Civ 1234",
        "court": "Court of Appeal (Civil Division)",
        "date": "2021-08-12",
        "kind": "case",
        "jurisdiction": "UK",
    }


def test_a_citation_in_the_title_is_taken_off_it(read_as: Reader) -> None:
    found = told(
        read_as, "x.md", "# Tarn Grain v Pell Line [2019] UKSC 41\n\n[1] The appeal fails.\n\n[2] So be it.\n"
    )
    assert (found["title"], found["citation"], found["kind"]) == (
        "Tarn Grain v Pell Line",
        "[2019] UKSC 41",
        "case",
    )


def test_citations_of_the_body_are_never_the_documents_own(read_as: Reader) -> None:
    source = (
        "Tarn Grain v Pell Line\nHigh Court\n4 May 2001\n"
        "This case is about grain and follows what was said in Upper Tarn v Lower Tarn [1992] HCA 23.\n"
        "1. As was held in [1992] HCA 23, carriers carry.\n2. They do.\n3. Always.\n"
    )
    assert "citation" not in told(read_as, "x.txt", source)


def test_a_slip_opinion_takes_its_name_from_a_file_that_agrees(read_as: Reader) -> None:
    source = (
        "(Slip Opinion)\n\nOCTOBER TERM, 2010\n\n1\n\nSUPREME COURT OF THE UNITED STATES\n\nSyllabus\n\n"
        "WIDGET WORKS, INC., ET AL. v. ORRIN, SECRETARY OF \n\nGRAIN\n\nCERTIORARI TO THE UNITED STATES\n"
        "COURT OF APPEALS\n\nNo. 10–238. Argued March 28, 2011—Decided June 27, 2011\n\nThe law.\n"
    )
    expected = {
        "court": "Supreme Court of the United States",
        "date": "2011-06-27",
        "kind": "case",
        "jurisdiction": "US",
        "docket": ("10-238",),
    }
    assert told(read_as, "Widget Works, Inc. v. Orrin.txt", source) == {
        "title": "Widget Works, Inc. v. Orrin", **expected,
    }  # fmt: skip
    assert told(read_as, "10-238.txt", source) == {"title": "Widget Works, Inc. v. Orrin", **expected}


@pytest.mark.parametrize(
    "writ", ["PETITION FOR WRIT", "PETITIONS FOR WRITS", "PETITIONS FOR A WRIT", "WRITS"]
)
def test_a_denial_of_one_petition_or_of_several_has_its_day(read_as: Reader, writ: str) -> None:
    source = (
        "Cite as: 565 U. S. ____ (2011)\n\n1\n\nORRIN, J., dissenting\n\nSUPREME COURT OF THE UNITED STATES\n"
        "WIDGET WORKS ASSOCIATION\n10–1276\nv.\nPELL, INC., ET AL.\n\n10–1297\n\nKANE ET AL.\nv.\n"
        f"PELL, INC., ET AL.\n\nON {writ} OF CERTIORARI TO THE UNITED \n\nSTATES COURT OF APPEALS FOR THE "
        "TENTH CIRCUIT\n\nNos. 10–1276 and 10–1297. Decided October 31, 2011\n\n\nThe petitions are denied.\n"
    )
    read = told(read_as, "Widget Works v. Pell, Inc..txt", source)
    assert (read["date"], read["docket"]) == ("2011-10-31", ("10-1276", "10-1297"))


def test_a_slip_opinion_may_print_its_numbers_above_its_name(read_as: Reader) -> None:
    source = (
        "Cite as: 558 U. S. ____ (2010)\n\n1\n\nSUPREME COURT OF THE UNITED STATES\n\n_________\n\n"
        "Nos. 09A648 and 09A651\n\n_________\n\nADA TARN ET AL. v. EBEN PELL ET AL.\n\n"
        "ON APPLICATION FOR STAY\n\n[January 13, 2010]\n\nThe stay is granted.\n"
    )
    found = told(read_as, "9.txt", source)
    assert (found["title"], found["docket"]) == ("Ada Tarn v. Eben Pell", ("09A648", "09A651"))
    found = told(read_as, "9.txt", source.replace("PELL ET AL.", "PELL\n\nORRIN GRAIN, INC. v. CARA ORRIN"))
    assert found["title"] == "Ada Tarn v. Eben Pell"


def test_an_act_by_its_title_and_long_title(read_as: Reader) -> None:
    source = (
        "PILOTAGE ACT 1988\n\nNo 31 of 1988\n\nAn Act to license pilots.\n\n[1 December 1988]\n\n"
        "1 Short title\n\nThis.\n"
    )
    assert told(read_as, "x.txt", source) == {
        "title": "Pilotage Act 1988",
        "citation": "Pilotage Act 1988",
        "parallel_citations": ("No 31 of 1988",),
        "date": "1988-12-01",
        "kind": "statute",
    }


def test_regulations(read_as: Reader) -> None:
    found = told(
        read_as, "x.md", "# Harbour Dues Regulations 2003\n\nMade on 5 March 2003.\n\n1. Dues are payable.\n"
    )
    assert (found["kind"], found["citation"], found["date"]) == (
        "regulation", "Harbour Dues Regulations 2003", "2003-03-05",
    )  # fmt: skip


def test_a_title_of_the_united_states_code(read_as: Reader) -> None:
    source = (
        "-CITE-\n    8 USC TITLE 8 - WIDGETS AND GRAIN       01/15/2013\n\n-HEAD-\n   TITLE 8 - WIDGETS\n"
    )
    assert told(read_as, "t.txt", source) == {
        "title": "Title 8 – Widgets and Grain",
        "citation": "8 U.S.C.",
        "date": "2013-01-15",
        "kind": "statute",
        "jurisdiction": "US",
    }


def test_a_section_kept_as_title_and_description(read_as: Reader) -> None:
    found = told(read_as, "S1.txt", "Title: Burden of showing care\nDesc: (1) The carrier shall show it.\n")
    assert found == {"title": "Burden of showing care", "kind": "statute"}


@pytest.mark.parametrize(
    ("name", "source", "title"),
    [
        (
            "x.txt",
            "EXHIBIT 10.1\n\nBERTH AGREEMENT\n\nThis Agreement is made on 5 May 2011.\n",
            "Berth Agreement",
        ),
        (
            "x.txt",
            "Exhibit 10.1 BERTH AGREEMENT THIS BERTH AGREEMENT is made on 5 May 2011.",
            "Berth Agreement",
        ),
        ("x.txt", "This Berth Agreement is made on 5 May 2011 by and between A and B.", "Berth Agreement"),
        (
            "x.md",
            "# Charterparty: *Linnet Rose*\n\nMade on 5 May 2011; it is agreed:\n",
            "Charterparty: Linnet Rose",
        ),
        ("Pell_20110505_EX-10.1_Berth Agreement.txt", "Schedule one, made on 5 May 2011.", "Berth Agreement"),
        ("Pell_20110505_EX-10.1_Berth Agreement2.txt", "Schedule B, made on 5 May 2011.", "Berth Agreement"),
        (
            "x.txt",
            "EXECUTION VERSION BERTH AGREEMENT (Agreement No. 17-B)\n\nWHEREAS it is made on 5 May 2011\n",
            "Berth Agreement",
        ),
        (
            "x.txt",
            "EXHIBIT 10.1 BERTH AGREEMENT (PELL QUAY)\n\nMade on 5 May 2011 by and between Tarn and Pell.\n\n"
            "Agreement\n",
            "Berth Agreement",
        ),
        (
            "x.txt",
            "FIRST AMENDMENT TO\n\nBERTH AGREEMENT\n\nMade on 5 May 2011 by and between Tarn and Pell.\n",
            "First Amendment to Berth Agreement",
        ),
    ],
)
def test_contracts(read_as: Reader, name: str, source: str, title: str) -> None:
    assert told(read_as, name, source) == {"title": title, "date": "2011-05-05", "kind": "contract"}


@pytest.mark.parametrize(
    ("name", "source", "title"),
    [
        ("note_on_dues.txt", "this text, without any title at all, only goes on and on.", "note on dues"),
        ("x.md", "Words.\n\n# A note on dues\n\nMore words.\n", "A note on dues"),
        ("x.txt", "A note on dues\n\nThe dues were raised in May.\n", "A note on dues"),
        ("x.html", "<title>Dues | Site</title><h1>A note on dues</h1><p>text.</p>", "A note on dues"),
        (
            "x.html",
            "<title>A note on dues</title><p>it goes on and on, without a heading.</p>",
            "A note on dues",
        ),
    ],
)
def test_a_text_of_no_known_kind_has_at_least_a_title(
    read_as: Reader, name: str, source: str, title: str
) -> None:
    assert told(read_as, name, source) == {"title": title, "kind": "other"}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("26 September 1973", ["1973-09-26"]),
        ("September 26, 1973", ["1973-09-26"]),
        ("the 21st day of June, 1972", ["1972-06-21"]),
        ("on 9th of February 2024", ["2024-02-09"]),
        ("2014-03-09", ["2014-03-09"]),
        ("29/3/2018 and 3/29/2018", ["2018-03-29", "2018-03-29"]),
        ("March 1998", ["1998-03"]),
        ("14, 15 and 30 March 1961", ["1961-03-30"]),
        ("41/41/1999, 99 May 1999", ["1999-05"]),
        ("nothing here 1973", []),
    ],
)
def test_dates(written: str, expected: list[str]) -> None:
    assert [date for _, _, date in find_dates(written)] == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1998, "1998"),
        ("1998-03", "1998-03"),
        ("1998-03-05T10:00", "1998-03-05"),
        ("5 March 1998", "1998-03-05"),
        ("", ""),
    ],
)
def test_dates_of_front_matter(value: object, expected: str) -> None:
    assert normalise_date(value) == expected
