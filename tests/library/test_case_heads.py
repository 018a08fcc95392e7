"""What the head of a judgment without mark-up says: parties, court, date, number."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.library.captions import read_caption, read_matter
from lexls.library.case_heads import is_case_title
from lexls.library.court_lines import choose_court, read_court
from lexls.library.dockets import read_docket
from lexls.library.document import SourceDocument
from lexls.library.title_case import write_title_case
from tests.library.dated_papers import date_by_lines

Reader = Callable[[str, str | bytes], SourceDocument]


def rows(head: str) -> list[tuple[str, ...]]:
    """The lines of a head; a bar parts the cells of a table."""
    return [tuple(cell.strip() for cell in line.split("|")) for line in head.strip().splitlines()]


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("Between:\n(1) TARN GRAIN LIMITED\n(2) ABEL TARN\nClaimants\n- and -\nPELL LINE PLC\nDefendant",
         "Tarn Grain Limited v Pell Line PLC"),
        ("B E T W E E N :\nTARN GRAIN LTD | Claimant\n-and-\nPELL LINE GMBH | Defendant",
         "Tarn Grain Ltd v Pell Line GmbH"),
        ("Between\nMRS ADA TARN – FIRST APPELLANT\nBT – SECOND APPELLANT\nAppellants\nand\n"
         "THE HARBOUR BOARD\nRespondent", "Ada Tarn v The Harbour Board"),
        ("Between:\nTHE KING\nON THE APPLICATION OF\nADA TARN\nClaimant\nand\nTHE HARBOUR MASTER\n"
         "FOR PELL QUAY\nDefendant\nand\nORRIN LIMITED\nInterested Party",
         "R (on the application of Ada Tarn) v The Harbour Master for Pell Quay"),
        ("_______\nR E G I N A\n- v -\nADA TARN\n_______\nMr E Pell appeared on behalf of the Applicant",
         "R v Ada Tarn"),
        ("Tarn (Appellant) v Pell (AP) (Respondent) (Scotland)", "Tarn v Pell"),
        ("LORD JUSTICE ORRIN\n- - -\nTARN BOROUGH COUNCIL\nClaimant/Appellant\n-v-\nADA PELL\n"
         "Defendant/Respondent",
         "Tarn Borough Council v Ada Pell"),
        ("No. 20-101\nCHAPEL OF TARN,\nPlaintiff, Appellant,\nv.\n"
         "ADA M. PELL, in her official capacity as Governor,\nDefendant, Appellee.",
         "Chapel of Tarn v. Ada M. Pell"),
        ("Ada Tarn, Employee,\nv.\nPell U.S. Holdings, Employer,", "Ada Tarn v. Pell U.S. Holdings"),
        ("In the matter between:\nTARN (PTY) LTD | Appellant\nand\nTHE MINISTER OF GRAIN | Respondent",
         "Tarn (Pty) Ltd v The Minister of Grain"),
        ("BETWEEN | ADA TARN\nAppellant\nAND | THE QUEEN\nRespondent", "Ada Tarn v R"),
        ("Applicant: Ada Tarn\nRespondent: The Harbour Board", "Ada Tarn v The Harbour Board"),
        ("ADA TARN …Appellant(s)\nVERSUS\nSTATE OF VIDARBHA & ORS. …Respondent(s)",
         "Ada Tarn v State of Vidarbha & Ors"),
    ],
)  # fmt: skip
def test_parties_stand_as_the_case_is_cited(head: str, title: str) -> None:
    caption = read_caption(rows(head))
    assert caption is not None
    assert caption.title == title


@pytest.mark.parametrize(
    "head",
    [
        "The claim\nIt is about grain and",
        "Between:\nTARN GRAIN LTD",
        "LORD JUSTICE ORRIN\nand\nMR JUSTICE PELL",
    ],
)
def test_lines_without_two_sides_are_no_caption(head: str) -> None:
    assert read_caption(rows(head)) is None


def test_parties_without_the_roles_of_a_court_are_not_sure() -> None:
    caption = read_caption(
        rows("BETWEEN:\nTARN GRAIN LTD (the “Seller”)\n- and -\nPELL LINE LTD (the “Buyer”)")
    )
    assert caption is None or not caption.sure


@pytest.mark.parametrize(
    ("head", "matter"),
    [
        ("In the matter of:\nTarn (Children)", "Tarn (Children)"),
        ("RE: TARN (A CHILD)", "Re Tarn (A Child)"),
        ("In the matter of the Harbours Act 1988\nRe Tarn", "Re Tarn"),
        ("In the Matter of an Arbitration Claim", ""),
    ],
)
def test_a_matter_names_a_case_without_parties(head: str, matter: str) -> None:
    assert read_matter(rows(head)) == matter


@pytest.mark.parametrize(
    ("head", "court"),
    [
        ("IN THE HIGH COURT OF JUSTICE\nKING'S BENCH DIVISION\nADMINISTRATIVE COURT\nRoyal Courts of Justice",
         "High Court of Justice, King's Bench Division, Administrative Court"),
        ("Upper Tribunal\n(Lands Chamber)\nTarn Hall", "Upper Tribunal (Lands Chamber)"),
        ("IN THE SUPREME COURT OF JUDICATURE\nIN THE COURT OF APPEAL (CIVIL DIVISION)\nON APPEAL FROM\n"
         "THE HIGH COURT OF JUSTICE", "Court of Appeal (Civil Division)"),
        ("United States Court of Appeals\nFor the First Circuit",
         "United States Court of Appeals for the First Circuit"),
        ("UNITED STATES COURT OF APPEALS\nFOR THE\nSECOND CIRCUIT",
         "United States Court of Appeals for the Second Circuit"),
        ("(Supreme Court, Appellate Division, Second Department.\nIn re TARN et al.\nFebruary 28, 1913.)",
         "Supreme Court, Appellate Division, Second Department"),
        ("In The\nCourt of Appeals\nFor The\nFirst District of Texas",
         "Court of Appeals for the First District of Texas"),
        ("The European Court of Human Rights (Fourth Section), sitting as a Chamber composed of:",
         "European Court of Human Rights (Fourth Section)"),
    ],
)  # fmt: skip
def test_a_court_is_read_with_its_division(head: str, court: str) -> None:
    found = read_court(rows(head))
    assert found is not None
    assert found.name == court


@pytest.mark.parametrize(
    "line",
    [
        "Royal Courts of Justice",
        "(Sitting as a Judge of the High Court)",
        "Official Shorthand Writers to the Court",
        "ON APPEAL FROM TARN COUNTY COURT",
        "COURTS – Federal Court – whether leave is needed",
        "The Court was asked whether grain is a good.",
    ],
)
def test_a_line_about_a_court_is_no_court(line: str) -> None:
    assert read_court([(line,)]) is None


def test_the_citation_tells_the_court_where_the_lines_do_not() -> None:
    assert choose_court("", "Family Court") == "Family Court"
    assert choose_court("The Supreme Court", "Supreme Court of the United Kingdom") == (
        "Supreme Court of the United Kingdom"
    )
    printed = "High Court of Justice, King's Bench Division, Administrative Court"
    assert choose_court(printed, "High Court of Justice, Administrative Court") == printed
    assert choose_court("Federal Court Rules", "Supreme Court of Victoria") == "Supreme Court of Victoria"


@pytest.mark.parametrize(
    ("head", "date"),
    [
        ("Date: 05/09/2018\nHearing dates: 3 and 4 July 2018", "2018-09-05"),
        ("Heard: 3 July 2018\nDecided: 5 September 2018", "2018-09-05"),
        ("Heard at Tarn | Decision & Reasons Promulgated\nOn 3 July 2018 | 5 September 2018", "2018-09-05"),
        ("JUDGMENT GIVEN ON\n5 September 2018\nHeard on 3 July 2018", "2018-09-05"),
        ("Hearing date: 3 July 2018\nJudgment circulated in draft: 5 September 2018", ""),
        ("Wednesday 5th September 2018", "2018-09-05"),
        ("Tarn v Pell [2018] ASC 4 (5 September 2018)", "2018-09-05"),
        ("This judgment was handed down remotely at 10.30am on 5 September 2018 by e-mail.", "2018-09-05"),
        ("(From the judgment dated 5 November 1996)", ""),
        ("Docket Nos. 1-13, 2-14, Filed September 5, 2018.", "2018-09-05"),
    ],
)
def test_only_the_day_of_the_decision_is_the_date(head: str, date: str) -> None:
    assert date_by_lines(rows(head), "UK") == date


@pytest.mark.parametrize(
    ("head", "numbers"),
    [
        ("Case No: CO/123/2019\nCO/124/2019", ("CO/123/2019", "CO/124/2019")),
        ("Claim No QB- 2017- 001637", ("QB-2017-001637",)),
        ("B2/2004/2060\nNeutral Citation Number: [2005] EWCA Civ 639", ("B2/2004/2060",)),
        ("No. 20-1507", ("20-1507",)),
        (") Docket No. 2018-06-1735 )", ("2018-06-1735",)),
        ("Appeal (Crl.) 1533 of 2004", ("Appeal (Crl.) 1533 of 2004",)),
        ("Criminal Appeal No. 16 of 2011 (Arising out of S.L.P. No. 4 of 2010)",
         ("Criminal Appeal No. 16 of 2011",)),
        ("Writ Petitions Nos. 409-10, 411-12/80, 358 and 807-808/84.",
         ("Writ Petitions Nos. 409-10, 411-12/80, 358 and 807-808/84",)),
        ("CIVIL APPEAL NO. 8 OF 2012\n(Arising out of SLP No. 9 of 2011)\nWITH\nCIVIL APPEAL NO. 9 OF 2012\n"
         "From the Judgment dated 5-12-74 of the High Court in\nCivil Writ Petition No. 6344/74",
         ("CIVIL APPEAL NO. 8 OF 2012", "CIVIL APPEAL NO. 9 OF 2012")),
        (f"CRIMINAL APPELLATE JURISDICTION: Criminal.Appeal. No . 9/ 1980 (Arising out of {'SLP ' * 60})",
         ("Criminal.Appeal. No . 9/ 1980",)),
        (". C.A. No. 61 of 1963", ("C.A. No. 61 of 1963",)),
        ("Nos. 11–391 and 11–394", ("11-391", "11-394")),
        ("Tel No: 020 7404 1400", ()),
        ("ON APPEAL FROM THE COUNTY COURT\nCase No: F02YM752", ()),
    ],
)  # fmt: skip
def test_the_courts_own_number(head: str, numbers: tuple[str, ...]) -> None:
    assert read_docket(rows(head)) == numbers


def test_capitals_become_a_title() -> None:
    written = write_title_case("MCKEE v NHS ENGLAND AND PELL GMBH (FORMERLY KNOWN AS TARN plc)")
    assert written == "McKee v NHS England and Pell GmbH (Formerly Known as Tarn plc)"


def test_a_judgment_without_mark_up_is_read_as_a_form(read_as: Reader) -> None:
    source = (
        "Neutral Citation Number: [2023] EWHC 0412 (Admin)\n\nCase No: CO/88/2022\n\n"
        "IN THE HIGH COURT OF JUSTICE\n\n"
        "KING'S BENCH DIVISION\n\nADMINISTRATIVE COURT\n\nRoyal Courts of Justice\n\nStrand, London\n\n"
        "Date: 7 March 2023\n\nBefore :\n\nMRS JUSTICE ORRIN\n\n- - - - -\n\n"
        "Between :\n\n(1) TARN GRAIN LTD\n\n"
        "(2) ADA TARN\n\nClaimants\n\n- and -\n\nPELL HARBOUR BOARD\n\nDefendant\n\n- - - - -\n\n"
        "Mr A Orrin KC (instructed by Luff LLP) for the Claimants\n\nHearing date: 2 February 2023\n\n"
        "Approved Judgment\n\n1. This claim is about grain.\n\n2. It fails.\n\n3. So be it.\n"
    )
    document = read_as("x.txt", source)
    found = document.metadata
    assert (
        found.title,
        found.citation,
        found.court,
        found.date,
        found.docket,
        found.jurisdiction,
        found.kind,
    ) == (
        "Tarn Grain Ltd v Pell Harbour Board",
        "[2023] EWHC 412 (Admin)",
        "High Court of Justice, King's Bench Division, Administrative Court",
        "2023-03-07",
        ("CO/88/2022",),
        "UK",
        "case",
    )
    assert document.sources["title"] == document.sources["docket"] == "head"


def test_a_court_by_its_neutral_citation(read_as: Reader) -> None:
    title = "Tarn Grain Ltd v Pell Line Pty Ltd"
    source = f"{title} [2006] FCA 9999 (5 January 2006)\n\nORDERS\n\n1. The claim fails.\n"
    found = read_as("x.txt", source).metadata
    assert (found.title, found.citation, found.court, found.date, found.jurisdiction) == (
        "Tarn Grain Ltd v Pell Line Pty Ltd",
        "[2006] FCA 9999",
        "Federal Court of Australia",
        "2006-01-05",
        "AU",
    )


@pytest.mark.parametrize("title", ["", " ", "\x00", ":"])
def test_what_holds_no_words_is_no_title_of_a_case(title: str) -> None:
    assert not is_case_title(title)


RUNNING = "which binds the district court as it binds this one, and we affirm"


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize(
    "reported", [", 644 S.W.2d 949, 951 (Tex. 1982).", ", 284 Va. 936, 944", " (1982) 44 Cal.3d 962,"]
)
@pytest.mark.parametrize(
    ("above", "sentence", "below"),
    [
        ("Analysis", "We review such an order for abuse of discretion. Pell v. Ryle", RUNNING),
        ("Analysis", "The best interest of the child comes before all else, as in Pell v. Ryle", RUNNING),
        ("We review the construction of the statute and the rule de novo.", "Pell v. Ryle", RUNNING),
        ("the order was signed by the judge who had heard the trial,", "Pell Care Servs. v. Ryle", RUNNING),
        (f"The father was held in contempt, {RUNNING} with", "4907-2, styled Pell v. Ryle", "Conclusion"),
    ],
)
def test_a_case_cited_in_the_text_is_not_the_title(
    read_as: Reader, above: str, sentence: str, below: str, reported: str, gap: str
) -> None:
    lines = (
        "C.T., the father of the child, appeals from an order in a suit to",
        "modify the parent-child relationship, and raises four issues.",
        above,
        f"{sentence}{reported}",
        below,
    )
    source = (
        "In The\nCourt of Appeals\nSeventh District of Texas at Amarillo\n\nNo. 07-23-00968-CV\n\n"
        "IN THE INTEREST OF K.T.B., A CHILD\n\nOn Appeal from the 99th District Court\n"
        "Lubbock County, Texas\n\nJanuary 30, 2024\n\nMEMORANDUM OPINION\n\n" + gap.join(lines)
    )
    assert read_as("x.txt", source).metadata.title == "In the interest of K.T.B., a Child"


@pytest.mark.parametrize("stamp", ["FILED", "RECEIVED", "ENTERED", "E-FILED", "Electronically Filed"])
@pytest.mark.parametrize("below", ["", "Case 1:24-cv-00971 Document 71 Filed 02/07/24 Page 1 of 4\n"])
def test_a_stamp_is_not_the_title(read_as: Reader, stamp: str, below: str) -> None:
    source = (
        f"{stamp}\n{below}2/7/2024 4:45 PM\n\nThe goods were lost at sea, and the carrier answers for them.\n"
    )
    assert read_as("paper.txt", source).metadata.title == "paper"
