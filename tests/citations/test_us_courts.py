from itertools import product

import pytest
from courts_db import courts

from lexls.citations.courts import abbreviate, load_abbreviations, write_court_and_year
from lexls.citations.grammar import Grammar
from lexls.citations.same_court import compare_bracketed_rank, compare_courts, compare_report


@pytest.mark.parametrize(
    ("citation", "court", "date", "expected"),
    [
        ("531 U.S. 98", "Supreme Court of the United States", "2000-12-12", " (2000)"),
        (
            "239 F.3d 1004",
            "United States Court of Appeals for the Ninth Circuit",
            "2001-02-12",
            " (9th Cir. 2001)",
        ),
        (
            "62 F.2d 1",
            "United States Court of Appeals for the District of Columbia Circuit",
            "1932",
            " (D.C. Cir. 1932)",
        ),
        (
            "307 F. Supp. 2d 1085",
            "United States District Court for the Northern District of California",
            "2004-02-19",
            " (N.D. Cal. 2004)",
        ),
        (
            "1 F. Supp. 1",
            "United States District Court for the Southern District of New York",
            "1932",
            " (S.D.N.Y. 1932)",
        ),
        (
            "1 F. Supp. 1",
            "United States District Court for the District of Columbia",
            "1932",
            " (D.D.C. 1932)",
        ),
        (
            "1 F. Supp. 1",
            "United States District Court for the District of Massachusetts",
            "1932",
            " (D. Mass. 1932)",
        ),
        (
            "217 B.R. 1004",
            "United States Bankruptcy Court for the Southern District of Ohio",
            "1998-03-05",
            " (Bankr. S.D. Ohio 1998)",
        ),
        (
            "332 B.R. 432",
            "United States Bankruptcy Appellate Panel for the Tenth Circuit",
            "2005",
            " (B.A.P. 10th Cir. 2005)",
        ),
        (
            "91 F. 525",
            "United States Circuit Court for the Southern District of New York",
            "1899",
            " (C.C.S.D.N.Y. 1899)",
        ),
        ("", "Supreme Court of the United States", "2012-06-25", " (U.S. 2012)"),
        ("", "Michigan Supreme Court", "2012", " (Mich. 2012)"),
        ("497 Mich. 197", "Michigan Supreme Court", "2015-04-08", " (2015)"),
        ("303 Mich. App. 651", "Michigan Court of Appeals", "2014-01-14", " (2014)"),
        ("842 N.W.2d 7", "Michigan Court of Appeals", "2014-01-14", " (Mich. Ct. App. 2014)"),
        ("842 N.W.2d 7", "North Dakota Supreme Court", "2014-01-14", " (N.D. 2014)"),
        ("16 T.C. 244", "United States Tax Court", "1951", " (1951)"),
        ("66 A.2d 1", "Superior Court of Pennsylvania", "1949", " (Pa. Super. Ct. 1949)"),
        ("66 A.2d 1", "Court of Appeals of Maryland", "1949", " (Md. 1949)"),
        ("66 S.E.2d 1", "Supreme Court of Appeals of West Virginia", "1951", " (W. Va. 1951)"),
        ("5 Misc. 2d 1", "New York Supreme Court, Delaware County", "1990", " (N.Y. Sup. Ct. 1990)"),
        ("5 N.Y.S.2d 1", "Supreme Court of the State of New York", "1990", " (N.Y. Sup. Ct. 1990)"),
        ("5 N.E.2d 1", "New York Court of Appeals", "1990", " (N.Y. 1990)"),
        ("5 N.Y.2d 1", "New York Court of Appeals", "1990", " (1990)"),
        ("5 Cal. Rptr. 1", "Court of Appeal of the State of California", "1990", " (Cal. Ct. App. 1990)"),
        (
            "5 A.2d 1",
            "Superior Court of New Jersey, Appellate Division",
            "1990",
            " (N.J. Super. Ct. App. Div. 1990)",
        ),
        ("5 S.W.2d 1", "Texas Courts of Appeals", "1990", " (Tex. App. 1990)"),
        ("5 S.W.2d 1", "Texas Courts of Civil Appeals", "1970", " (Tex. Civ. App. 1970)"),
        ("5 A.2d 1", "Delaware Court of Chancery", "1990", " (Del. Ch. 1990)"),
        ("5 A.2d 1", "District of Columbia Court of Appeals", "1990", " (D.C. 1990)"),
        ("5 Va. Cir. 1", "Loudoun County Circuit Court", "1990", " (1990)"),
        ("5 Pa. D. & C. 1", "Dauphin County Court of Common Pleas", "1990", " (1990)"),
        (
            "5 M.J. 1",
            "United States Air Force Court of Criminal Appeals",
            "1990",
            " (A.F. Ct. Crim. App. 1990)",
        ),
        ("5 M.J. 1", "United States Court of Appeals for the Armed Forces", "1990", " (C.A.A.F. 1990)"),
        ("5 Cl. Ct. 1", "United States Claims Court", "1990", " (1990)"),
        ("5 F. Supp. 1", "United States Court of International Trade", "1990", " (Ct. Int'l Trade 1990)"),
        ("5 F.3d 1", "United States Court of Appeals for the Third Circuit", "1990", " (3d Cir. 1990)"),
        # A county of this name lies in two states.
        ("5 X.Y. 1", "Delaware County Court of Common Pleas", "1990", " (1990)"),
        ("5 X.Y. 1", "Court of the Moon", "1951", " (1951)"),
        ("2018 CO 3", "Colorado Supreme Court", "2018", ""),
        ("531 U.S. 98", "Supreme Court of the United States", "", ""),
    ],
)
def test_the_court_and_year_behind_an_american_citation(
    citation: str, court: str, date: str, expected: str
) -> None:
    assert write_court_and_year(citation, court, date) == expected


@pytest.mark.parametrize(
    "line",
    [
        "United States {court} Court, {part} District of {state}",
        "United States {court} Court {part} District of {state}",
        "UNITED STATES {COURT} COURT FOR THE {PART} DISTRICT OF {STATE}",
        "United States {court} Court, {letter}.D. {state}",
        "United States {court} Court, {letter}. D. {state}.",
        "United States {court} Court in and for the {part} District of {state}",
        "United States {court} Court, {part} District of {state}, Northern Division",
    ],
)
def test_a_district_is_abbreviated_however_its_line_is_printed(line: str) -> None:
    states = [state for state in load_abbreviations()["states"] if not state.startswith("District of")]
    for state, court, part in product(states, ("District", "Bankruptcy"), ("Eastern", "Middle", "Southern")):
        canonical = abbreviate(f"United States {court} Court for the {part} District of {state}")
        printed = line.format(
            court=court, part=part, state=state, letter=part[0],
            COURT=court.upper(), PART=part.upper(), STATE=state.upper(),
        )  # fmt: skip
        assert canonical
        assert abbreviate(printed) == canonical, printed


def test_every_court_is_read_behind_a_docket_number(grammar: Grammar) -> None:
    written = {each["citation_string"].strip() for each in courts} - {""}
    # The number of a circuit behind a comma is the database's: nobody cites so.
    cited = sorted(each for each in written if not each[-1].isdecimal())
    assert len(cited) > 1500
    for each in cited:
        text = f"It is settled. See Orme v. Dask, No. 12-345 ({each} Mar. 3, 2012). It is followed."
        (found,) = (one for one in grammar.find(text, "US") if one.kind == "case")
        assert (found.text, found.year) == (f"Orme v. Dask, No. 12-345 ({each} Mar. 3, 2012)", 2012)


UNLIKE = {
    "C. Cal.": 'a circuit court of the United States, whose "C." reads as the Central District',
    "Bankr. D. Iowa": "the database gives one name to two districts",
    "Bankr. N.D.W. Va.": "the database names the district court",
    "Washington Cir. Ct.": "the county in Virginia, not the State",
}


def test_no_court_is_another_than_itself() -> None:
    for each in courts:
        if each["citation_string"] and each["citation_string"] not in UNLIKE:
            assert compare_courts(each["citation_string"], each["name"]) != "other", each["citation_string"]


def test_a_court_that_might_be_any_is_not_abbreviated() -> None:
    lines = [line for each in courts for line in (each["name"], *(each.get("examples") or ()))]
    assert not [line for line in lines if abbreviate(line) in ("U.S. Dist. Ct.", "U.S. Cir. Ct.")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("United States District Court N D Georgia Rome Division", "N.D. Ga."),
        ("U.S. District Court, E.D. New York", "E.D.N.Y."),
        ("United States Bankruptcy Appellate Panel of the Ninth Circuit", "B.A.P. 9th Cir."),
    ],
)
def test_a_court_is_known_by_the_lines_of_old_reports(line: str, expected: str) -> None:
    assert abbreviate(line) == expected


@pytest.mark.parametrize(
    ("written", "court", "expected"),
    [
        ("D. Cal.", "United States District Court for the Northern District of California", "open"),
        ("D.Ca.", "United States Bankruptcy Court for the Central District of California", "open"),
        ("D. Nev.", "United States District Court for the Northern District of California", "other"),
        ("S.D. Cal.", "United States District Court for the Northern District of California", "other"),
        ("Bankr. Minn.", "United States Bankruptcy Court for the District of Minnesota", "same"),
        ("Bankr. E. Mich.", "United States Bankruptcy Court for the Eastern District of Michigan", "same"),
        ("Bankr. E. Mich.", "United States Bankruptcy Court for the Western District of Michigan", "other"),
        ("C.A.A.F.", "United States Army Court of Criminal Appeals", "other"),
        ("A. Ct. Crim. App.", "United States Army Court of Criminal Appeals", "same"),
    ],
)
def test_a_court_is_told_from_another_as_far_as_it_is_named(written: str, court: str, expected: str) -> None:
    assert compare_courts(written, court) == expected


@pytest.mark.parametrize(
    ("key", "court", "expected"),
    [
        ("936 F. Supp. 1053", "United States Court of International Trade", "open"),
        ("936 F.3d 1053", "United States Court of International Trade", "open"),
        ("2010 Ohio 504", "Ohio Court of Appeals", "open"),
        ("148 Ohio St. 504", "Ohio Court of Appeals", "open"),
        ("148 Wis. 2d 844", "Wisconsin Court of Appeals", "other"),
    ],
)
def test_a_report_tells_the_courts_that_it_prints(key: str, court: str, expected: str) -> None:
    assert compare_report(key, court) == expected


def test_a_rank_in_brackets_is_that_of_the_state_of_the_report() -> None:
    assert compare_bracketed_rank("148 Wis. 2d 844", "Ct. App.", "Wisconsin Court of Appeals") == "same"
    assert compare_bracketed_rank("148 Wis. 2d 844", "Ct. App.", "Wisconsin Supreme Court") == "other"
    assert compare_bracketed_rank("148 F.2d 844", "Ct. App.", "Wisconsin Court of Appeals") == "open"
