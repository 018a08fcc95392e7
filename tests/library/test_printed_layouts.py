"""Heads as they are printed: columns made of white space, tables, rules, letters set apart, stamps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from lexls.library.captions import read_caption
from lexls.library.columns import RULE, arrange
from lexls.library.court_lines import read_court
from lexls.library.dockets import read_docket
from lexls.library.document import SourceDocument
from tests.library.dated_papers import date_by_lines

Reader = Callable[[str, str | bytes], SourceDocument]

COURT = "UNITED STATES DISTRICT COURT\nDISTRICT OF UTAH\n"
BODY = "\nThe motion is denied. The carrier answers for the goods that it was given.\n"
LEFT = (
    "ADA TARN, a minor by her mother, and",
    "BEN QUILL,",
    "",
    "     Plaintiffs,",
    "  v.",
    "PELL LINE, INC.,",
)
HEADINGS = (
    ("Case No. 2:21-cv-01061", "", "ORDER ON CROSS-MOTIONS FOR", "SUMMARY JUDGMENT", "", ""),
    ("", "No. 2:21-cv-01061", "MEMORANDUM OPINION", "AND ORDER", "", ""),
    ("Civ. No. 2:21-cv-01061", "ORDER DENYING MOTION", "TO COMPEL", "", "Judge Ryle", ""),
)


@pytest.mark.parametrize("right", HEADINGS)
@pytest.mark.parametrize("width", [40, 48, 60])
@pytest.mark.parametrize("numbered", [False, True])
def test_a_right_hand_column_of_white_space_names_no_party(
    read_as: Reader, right: Sequence[str], width: int, numbered: bool
) -> None:
    rows = [f"{one:{width}}{other}".rstrip() for one, other in zip(LEFT, right, strict=True)]
    lines = [*COURT.splitlines(), "", *rows, "     Defendant.", "", BODY.strip()]
    if numbered:
        lines = [f" {number:<4}{line}" for number, line in enumerate(lines, start=1)]
    found = read_as("order.txt", "\n".join(lines)).metadata
    assert (found.title, found.docket) == ("Ada Tarn v. Pell Line, Inc.", ("2:21-cv-01061",))


@pytest.mark.parametrize(
    "table",
    [
        "| | |\n|---|---|\n| ADA TARN,<br><br>Plaintiff,<br>v.<br>PELL LINE, INC. "
        "| Case No. 2:21-cv-01061<br>**ORDER** |",
        "| **ADA TARN** | **Plaintiff** |\n|---|---|\n| **v.** | |\n| **PELL LINE, INC.** | **Defendant** |"
        "\n\nCase No. 2:21-cv-01061",
    ],
)
def test_a_caption_in_a_table_is_read(read_as: Reader, table: str) -> None:
    found = read_as("order.md", f"{COURT}\n{table}\n{BODY}").metadata
    assert (found.title, found.docket) == ("Ada Tarn v. Pell Line, Inc.", ("2:21-cv-01061",))


def test_the_cells_of_a_table_are_parted() -> None:
    assert arrange(["| a | b |", "| - | - |", "| c | d |"]) == (["a   b", "c   d"], [])


@pytest.mark.parametrize("rule", ["═" * 20, "─" * 20, r"\_" * 12, "_" * 20, "- " * 12])
def test_a_drawn_line_is_no_column(rule: str) -> None:
    lines, _ = arrange([rule, "NO. 21-0344", rule, "ADA TARN,"])
    assert [line for line in lines if line.strip()] == [RULE, "NO. 21-0344", RULE, "ADA TARN,"]


@pytest.mark.parametrize("space", [" ", "  "])
def test_letters_set_apart_are_words(space: str) -> None:
    line = f"   {space.join('UNITED')}{space}  {space.join('STATES')}{space}  {space.join('COURT')}"
    wanted = ["   UNITED STATES COURT"] if space == " " else [line]
    assert arrange([line])[0] == wanted


@pytest.mark.parametrize(
    ("head", "title"),
    [
        # The first word ends in "no".
        (
            "LLANO WIND, LLC AND TARN OF\nTHE PLAINS, INC., PETITIONERS,\nv.\nPELL,\nRESPONDENT",
            "Llano Wind, LLC",
        ),
        ("CASINO PELL,\nPlaintiff,\nv.\nPELL,\nDefendant.", "Casino Pell"),
        # The party sues in another's stead.
        (
            "ADA TARN, Individually\nand as Executor of the ESTATE OF\nBEN TARN,\nPlaintiff,\nvs.\nPELL",
            "Ada Tarn",
        ),
        # Lines that go on with the name above, and the State for which somebody sues.
        (
            "TARN TRUCKING, INC.,\nd/b/a TARN HAULING,\nPlaintiff,\nv.\nPELL,\nDefendant.",
            "Tarn Trucking, Inc.",
        ),
        (
            "UNITED STATES OF AMERICA\nex rel. ADA TARN,\nPlaintiff,\nv.\nPELL,\nDefendant.",
            "United States ex rel. Ada Tarn",
        ),
        ("TARN PARTNERS,\nLLLP,\nPlaintiff,\nvs.\nPELL,\nDefendant.", "Tarn Partners, LLLP"),
        # The judge, the clerk and the heading in the next column, its lines put between those of the parties.
        (
            "ADA TARN,\nPlaintiff,\nBEA F. RYLE\nv.   UNITED STATES DISTRICT JUDGE\nPELL,\nDefendant.",
            "Ada Tarn",
        ),
        ("BEA RYLE, CLERK\nADA TARN,\nPlaintiff,\nv.\nMEMORANDUM*\nPELL,\nDefendant.", "Ada Tarn"),
        ("ADA TARN   UNPUBLISHED\nv.   No. 355820   Quill Circuit Court\nPELL,\nDefendant.", "Ada Tarn"),
        # Names that begin like a description, a report's signal or an alias.
        ("AGE CONCERN TARN,\nClaimant\nv.\nPELL\nDefendant", "Age Concern Tarn"),
        ("ADULT LEARNING LTD,\nClaimant\nv.\nPELL\nDefendant", "Adult Learning Ltd"),
        ("SEE v. PELL", "See"),
        ("TARN GROUP LTD\nGUARDIAN QUILL LTD\nClaimants\nv.\nPELL\nDefendant", "Tarn Group Ltd"),
        ("TARN LTD\nDA SILVA LTD\nClaimants\nv.\nPELL\nDefendant", "Tarn Ltd"),
        # The court below stands between the parties.
        (
            "ADA TARN   APPELLANT\nAPPEAL FROM QUILL CIRCUIT COURT\nv.   HONORABLE BEA RYLE, JUDGE\nPELL",
            "Ada Tarn",
        ),
        # A judge's second name is no "v.".
        ("Judge Bea V. Ryle\nADA TARN,\nPlaintiff,\nv.\nPELL,\nDefendant.", "Ada Tarn"),
        ("The Honorable Bea V. Ryle\nADA TARN,\nPlaintiff,\nv.\nPELL,\nDefendant.", "Ada Tarn"),
        # A line has both parties; an address stands above.
        ("Quill & Ryle\nPort Tarn 84101\nNo. 21-30177   Ada Tarn v. Pell", "Ada Tarn"),
        ("SUPERIOR COURT\nCIVIL ACTION\nADA TARN\nvs.\nPELL & others¹", "Ada Tarn"),
    ],
)
def test_what_stands_beside_the_parties_is_none_of_them(head: str, title: str) -> None:
    caption = read_caption([tuple(line.split("   ")) for line in head.splitlines()])
    assert caption is not None
    assert caption.title.replace("vs.", "v.") == f"{title} v. Pell"


@pytest.mark.parametrize(
    ("head", "court"),
    [
        ("COMMONWEALTH OF KENTUCKY\nCOURT OF APPEALS", "Court of Appeals of Kentucky"),
        ("STATE OF MAINE\nSUPREME JUDICIAL COURT", "Supreme Judicial Court of Maine"),
        (
            "COMMONWEALTH OF MASSACHUSETTS\nSUFFOLK, ss.   SUPERIOR COURT",
            "Superior Court of Massachusetts, Suffolk County",
        ),
        ("STATE OF MAINE\nUNITED STATES DISTRICT COURT", "United States District Court"),
        (
            "U.S. District Court\nNorthern District of Georgia (Atlanta)",
            "United States District Court, Northern District of Georgia (Atlanta)",
        ),
        (
            "IN THE UNITED STATES COURT OF APPEALS\nFOR THE FIFTH CIRCUIT   United States Court of Appeals",
            "United States Court of Appeals for the Fifth Circuit",
        ),
        (
            "UNITED STATES COURT OF APPEALS\nBEA RYLE, CLERK\nU.S. COURT OF APPEALS\nFOR THE NINTH CIRCUIT",
            "United States Court of Appeals for the Ninth Circuit",
        ),
        (
            "SUPERIOR COURT OF QUILL COUNTY\nSTATE OF GEORGIA\nADA TARN,",
            "Superior Court of Quill County, State of Georgia",
        ),
        (
            "Court of Appeals\nDivision I\nIN THE COURT OF APPEALS OF THE STATE OF WASHINGTON",
            "Court of Appeals of the State of Washington",
        ),
        (
            "ADA TARN AND   NO. 21-CA-377\nVERSUS   COURT OF APPEAL\nPELL, AND   STATE OF LOUISIANA",
            "Court of Appeal, State of Louisiana",
        ),
        (
            "IN THE SUPREME COURT OF VICTORIA   Not Restricted\nCOMMON LAW DIVISION   S ECI 2019 07713",
            "Supreme Court of Victoria, Common Law Division",
        ),
        (
            "IN THE INTEREST OF: Z.M.K., A   IN THE SUPERIOR COURT OF\nMINOR   PENNSYLVANIA",
            "Superior Court of Pennsylvania",
        ),
        (
            "Appellate Division, Third Department",
            "Supreme Court of the State of New York, Appellate Division, Third Department",
        ),
    ],
)
def test_a_court_is_named_with_its_place(head: str, court: str) -> None:
    found = read_court([tuple(line.split("   ")) for line in head.splitlines()])
    assert found is not None
    assert found.name == court


@pytest.mark.parametrize("line", ["Justice of the Superior Court", "Chief Justice of the Supreme Court"])
def test_a_judge_is_no_court(line: str) -> None:
    assert read_court([(line,)]) is None


@pytest.mark.parametrize("ink", ["ENTERED", "Received", "FILED"])
@pytest.mark.parametrize(
    "closing",
    [
        "SIGNED this 21st day of September, 2020.",
        "SEP 21 2020   ______",
        "Port Tarn, Utah, this 21st day of September 2020",
    ],
)
def test_the_court_signed_before_the_clerk_entered(read_as: Reader, ink: str, closing: str) -> None:
    stamp = f"United States District Court\n{ink}\nSeptember 22, 2020\n"
    head = f"{stamp}\n{COURT}\nADA TARN,\nPlaintiff,\nv.\nPELL,\nDefendant.\n"
    found = read_as("order.txt", f"{head}\nORDER\n{BODY}\nIt is so ORDERED.\n\n{closing}\n").metadata
    assert found.date == "2020-09-21"


def test_an_older_day_at_the_end_is_not_the_decisions() -> None:
    lines = [
        "COURT OF APPEALS",
        "TARN v. PELL",
        "Decided September 22, 2020",
        BODY,
        "It is so ordered.",
        "Dated: May 1, 2020",
    ]
    assert date_by_lines(lines, "US") == "2020-09-22"


@pytest.mark.parametrize(
    ("row", "date"),
    [
        (("(Opinion filed: January 8, 2020)",), "2020-01-08"),
        (("Filed 3/4/21 Tarn v. Pell CA2/6",), "2021-03-04"),
        (("York, on the 8th day of October, two thousand twenty-one.",), "2021-10-08"),
        # Days of something else.
        (("FILED ON OR AFTER JANUARY 1, 2007, IS PERMITTED AND IS GOVERNED BY FEDERAL RULE OF",), ""),
    ],
)
def test_a_day_of_filing_is_the_decisions(row: tuple[str, ...], date: str) -> None:
    assert date_by_lines([row], "US") == date


@pytest.mark.parametrize(
    ("row", "docket"),
    [
        (("Case No. 19-cv-2210 (SRB/HCT)",), "19-cv-2210 (SRB/HCT)"),
        (("Civil Action No. 17-1993 (QMR)",), "17-1993 (QMR)"),
        (("2d Civ. No. B301177",), "B301177"),
        (("Court of Appeal File No. C68991",), "C68991"),
        (("532871",), "532871"),
        (("File number: NSD 1877 of 2016",), "NSD 1877 of 2016"),
    ],
)
def test_a_number_is_read_as_the_court_prints_it(row: tuple[str, ...], docket: str) -> None:
    assert read_docket([row]) == (docket,)


def test_the_number_of_a_decision_is_no_docket() -> None:
    assert read_docket([("Tarn v Pell (No 2) [2018] FCA 9944",), ("File number: NSD 1877 of 2016",)]) == (
        "NSD 1877 of 2016",
    )


@pytest.mark.parametrize("office", ["VICE CHANCELLOR", "Chief Judge"])
def test_a_letter_of_the_court_is_called_by_its_re_line(read_as: Reader, office: str) -> None:
    court = "COURT OF CHANCERY\nOF THE\nSTATE OF DELAWARE"
    head = f"{court}\n\nBEN V. RYLE\n{office}\n\nDate Decided: October 31, 2019\n"
    subject = "Re:    Ada Tarn v. Pell Line, Inc., et al.,\n       C.A. No. 2019-0441-KVT"
    letter = f"{head}\n{subject}\n\nDear Counsel:\n"
    found = read_as("letter.txt", letter + BODY).metadata
    assert (found.title, found.kind) == ("Ada Tarn v. Pell Line, Inc.", "case")
    assert found.date == "2019-10-31"


def test_a_summons_is_no_case(read_as: Reader) -> None:
    text = f"IN THE CIRCUIT COURT OF QUILL COUNTY\n\nPlaintiff(s)\nv.\nDefendant(s)\n\nSUMMONS\n{BODY}"
    assert read_as("form.txt", text).metadata.kind == "other"


def test_the_end_of_a_sentence_is_no_day() -> None:
    rows = [("motion is denied, except as to the opinions in the report",), ("of January 7, 2022.",)]
    assert date_by_lines(rows, "US") == ""


def test_of_two_days_below_their_labels_the_second_is_the_decisions() -> None:
    rows = [("Heard at Quill Decision & Reasons Promulgated",), ("On 3rd August 2021 On 26th August 2021",)]
    assert date_by_lines(rows, "UK") == "2021-08-26"


@pytest.mark.parametrize(
    "line", ["See Heath v. Pell, Inc., 791 F.3d 112", "Fed. R. Civ. P. 56(a); Pell v. Ryle"]
)
def test_a_cited_case_is_no_caption(line: str) -> None:
    assert read_caption([(line,), ("Defendant.",)]) is None


def test_a_paper_of_many_cases_is_called_by_its_matter(read_as: Reader) -> None:
    left = ("IN RE: TARN PUMP", "LITIGATION", "", "This Document Relates to:", "Quill v. Pell, No. 7:20cv317")
    right = ("Case No. 3:20md2977", "", "Judge Bea Ryle", "", "")
    rows = [f"│ {one:32} │ {other:24} │" for one, other in zip(left, right, strict=True)]
    text = "\n".join(
        [COURT, f"┌{'─' * 34}┬{'─' * 26}┐", *rows, f"└{'─' * 34}┴{'─' * 26}┘", "", "ORDER", BODY]
    )
    found = read_as("order.txt", text).metadata
    assert (found.title, found.docket) == ("In re Tarn Pump Litigation", ("3:20md2977",))


@pytest.mark.parametrize(
    "stem",
    [
        "Tarn v. Pell _ Open Library",
        "Tarn v. Pell (per curiam) _ Open Library",
        "Tarn v. Pell, 593 U.S. 12 (2021)",
    ],
)
def test_the_site_is_no_part_of_a_name(read_as: Reader, stem: str) -> None:
    caption = "ADA TARN v. BEN PELL, WARDEN\n\nON PETITION FOR WRIT OF CERTIORARI"
    decided = "No. 20-7733. Decided June 28, 2021\n\nPER CURIAM."
    text = f"SUPREME COURT OF THE UNITED STATES\n\n{caption}\n\n{decided}\n{BODY}"
    assert read_as(f"{stem}.txt", text).metadata.title == "Tarn v. Pell"


@pytest.mark.parametrize(
    "sentence",
    [
        "entered default on July 5, 2022. Dkt. No. 12. Defendant has not appeared.",
        "The following facts come from the Complaint (Doc. 1), filed May 31, 2022. The",
        "Upon the motion, entered an interim order on July 8, 2022; and the hearing having been held",
    ],
)
@pytest.mark.parametrize("closing", ["", "Dated this 1st day of November, 2022, at Port Tarn."])
def test_a_day_of_running_text_is_not_the_decisions(read_as: Reader, sentence: str, closing: str) -> None:
    head = f"{COURT}\nADA TARN,\nPlaintiff,\nv.\nPELL,\nDefendant.\n\nMEMORANDUM\n"
    found = read_as("order.txt", f"{head}\n{sentence}\n{BODY}\n{closing}\n").metadata
    assert found.date == ("2022-11-01" if closing else "")


@pytest.mark.parametrize(
    "lines",
    [
        ["slipped in the galley of the BOAT STAR. Trial is set to begin", "on June 26, 2023.", "DENIED."],
        ["Plaintiff filed this action on May 3, 2020."],
        ["We affirm this judgment of May 3, 2020."],
        ["In Tarn, this court, on the 3rd day of May, 2020, held so."],
    ],
)
def test_a_day_within_a_sentence_closes_nothing(lines: list[str]) -> None:
    assert date_by_lines(lines, "US") == ""
