"""The numbers of a case, with those of other cases and of other things around them in its paper."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.library.document import SourceDocument

Reader = Callable[[str, str | bytes], SourceDocument]

OWN = "1:21-cv-04471-ABC"
PAPER = """
                     UNITED STATES DISTRICT COURT
                     SOUTHERN DISTRICT OF OHIO
{above}
ADA TARN,                          )
              Plaintiff,           )
                                   )
v.                                 )   Case No. {own}
                                   )
PELL STORAGE, INC.,                )
              Defendant.           )
{below}
     The plaintiff rented a unit from the defendant for three years and was billed for a fourth, which
she had never agreed to. {text}
the unit was emptied while the action was pending, and its contents were sold for less than was owed.

     SO ORDERED.

Dated: March 3, 2022
"""
NO_NUMBERS = {
    "above": (
        "                              JS-6",
        "J-A24017-23",
        "Our Ref: HUM12287",
        "(Super. Ct. No. 5150/18)",
    ),
    "below": (
        "ORDER GRANTING MOTION TO DISMISS [Dkt. No. 86]",
        "Bea Ryle (No. 035880)",
        "Orrin V. Quill, No. 33871",
        "File: 60418-3",
        "(Index No. 708812/18)",
        "No. 88, Avenue Road,",
        "Trial Court Case No. 2017-CR-3391",
        "District Court Docket No. 4:20-cv-00166",
    ),
    "text": (
        "She first sued in Tarn v. Quill, No. 19-cv-02290, and",
        "See Orrin v. State, No. 18-20141 (5th Cir. Dec. 4, 2018), where",
        "The local court dismissed her claim, Case No. 19STCV46120, before",
        "(Docket No. 12 at 3.) While she was away, as the notice shows,",
        "That action (Index No. 709916/2020) was given up, and",
        "Patent No. 9,998,114 was in the unit; moreover",
    ),
}


def cases() -> list[tuple[str, str]]:
    return [(place, line) for place, lines in NO_NUMBERS.items() for line in lines]


@pytest.mark.parametrize(("place", "line"), cases())
def test_numbers_of_other_things_are_not_the_cases(read_as: Reader, place: str, line: str) -> None:
    around = {"above": "", "below": "", "text": ""} | {place: line}
    assert read_as("order.txt", PAPER.format(own=OWN, **around)).metadata.docket == (OWN,)


@pytest.mark.parametrize(
    ("line", "number"),
    [("File: 60418-3", "60418-3"), ("(Index No. 708812/18)", "708812/18"), ("J-A24017-23", "J-A24017-23")],
)
def test_a_spare_number_is_taken_where_no_other_is(read_as: Reader, line: str, number: str) -> None:
    paper = PAPER.format(own="", above=line, below="", text="").replace("Case No.", "")
    assert read_as("order.txt", paper).metadata.docket == (number,)


@pytest.mark.parametrize(
    ("heading", "parties", "title"),
    [
        ("", "TYRELL TARN, #1188204,", "Tyrell Tarn v. Pell Storage, Inc."),
        ("", "TYRELL TARN, Inmate No. 204417,", "Tyrell Tarn v. Pell Storage, Inc."),
        ("                 CAMDEN VICINAGE", "TYRELL TARN,", "Tyrell Tarn v. Pell Storage, Inc."),
    ],
)
def test_what_stands_around_a_party_is_no_part_of_its_name(
    read_as: Reader, heading: str, parties: str, title: str
) -> None:
    paper = PAPER.format(own=OWN, above=heading, below="", text="").replace("ADA TARN,", parties)
    assert read_as("order.txt", paper).metadata.title == title


@pytest.mark.parametrize("sign", ["and", "v", "-v-"])
@pytest.mark.parametrize("name", ["Ms Ada Tarn", "(1) Mr O Quill"])
def test_roles_above_names_in_two_columns(read_as: Reader, name: str, sign: str) -> None:
    head = f"""
                    EMPLOYMENT TRIBUNALS

           Claimant                                        Respondent

     {name:20}            {sign}            Kestrel Parcels Ltd

     Held at:  Arden          On:  22 May 2023

     Representation
     Claimant:      In person
     Respondent:    Mr J Fulmer, Counsel

                            RESERVED JUDGMENT
"""
    side = name.rpartition(") ")[2].removeprefix("Ms ").removeprefix("Mr ")
    title = read_as("judgment.txt", head).metadata.title
    assert title.replace(" -v- ", " v ") == f"{side} v Kestrel Parcels Ltd"
