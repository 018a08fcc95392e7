"""First pages as courts issue them: what each prints in its own way, and what was read of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from lexls.library.captions import read_caption
from lexls.library.case_heads import read_case_name
from lexls.library.columns import Stamp, arrange
from lexls.library.court_lines import read_court
from lexls.library.dockets import read_docket
from lexls.library.document import SourceDocument
from tests.library.dated_papers import date_by_lines
from tests.library.drawn_pdfs import draw_page

Reader = Callable[[str, str | bytes], SourceDocument]

BODY = "\n\nThe court below was right. The carrier answers for the goods that it was given.\n"
UTAH = "United States District Court, District of Utah"
PAPERS = {
    # The clerk's stamp beside the court and the parties, each line centred on the others.
    "ink stamp": (
        """
               United States Court of Appeals
                    for the Fifth Circuit
                                     ____________                        United States Court of Appeals
                                                                                  Fifth Circuit

                                      No. 22-50318                              FILED
                                     ____________                           April 11, 2023
                                                                              Bea F. Ryle
   Tarn Disposal, L.P.; Quill Haulers,                                           Clerk
   Incorporated,

                                              Plaintiffs—Appellants,

                                           versus

   Pell Indemnity Company,

                                              Defendant—Appellee.
""",
        "Tarn Disposal, L.P. v. Pell Indemnity Company",
        "United States Court of Appeals for the Fifth Circuit",
        "2023-04-11",
        "22-50318",
    ),
    # Line numbers far from the edge, and the court's name again on its side.
    "numbered pleading": (
        "".join(
            f"{number:>36}    {line}\n"
            for number, line in enumerate(
                [
                    "",
                    "           UNITED STATES DISTRICT COURT",
                    "                 DISTRICT OF UTAH",
                    "",
                    "ADA TARN,                          Case No. 21-cv-01061-BFR",
                    "              Plaintiff,",
                    "        v.                         ORDER GRANTING IN PART MOTION",
                    "                                   FOR SUMMARY JUDGMENT",
                    "PELL SYSTEMS, INC., et al.,",
                    "              Defendants.          Re: Dkt. No. 61",
                ],
                start=1,
            )
        )
        + "District of Utah\n United States District Court\n",
        "Ada Tarn v. Pell Systems, Inc.",
        UTAH,
        "",
        "21-cv-01061-BFR",
    ),
    # What a party is goes on below its name, in the first column of two.
    "descriptions": (
        """                       UNITED STATES DISTRICT COURT
                             DISTRICT OF UTAH

      TARN HOMEOWNERS                     Case No. 2:21-cv-01061
      ASSOCIATION, a Utah
      nonprofit mutual benefit corporation;
      BEA RYLE-QUILL, an                  ORDER GRANTING IN PART
      individual; and DOES 1 through 10,  MOTION FOR SUMMARY
                                          JUDGMENT
                    Plaintiffs,
             v.
      PELL INSURANCE
      COMPANY, a Nevada corporation;
      QUILL SERVICES, INC., a
      Nevada corporation,
                   Defendants.
""",
        "Tarn Homeowners Association v. Pell Insurance Company",
        UTAH,
        "",
        "2:21-cv-01061",
    ),
    "trustee and successor": (
        """UNITED STATES DISTRICT COURT
DISTRICT OF UTAH

ADA TARN, individually and
as successor in interest to Ben Tarn,
deceased; et al.,
                 Plaintiffs,
   v.
COUNTY OF QUILL, a public
entity; BEA RYLE, Deputy,
                 Defendants.
""",
        "Ada Tarn v. County of Quill",
        UTAH,
        "",
        "",
    ),
    "Ohio": (
        """[Until this opinion appears in the advance sheets, it may be cited as
State ex rel. Tarn v. Indus. Comm., Slip Opinion No. 2022-Ohio-9217.]

                         SLIP OPINION NO. 2022-OHIO-9217
   THE STATE EX REL. TARN, APPELLANT, v. INDUSTRIAL COMMISSION OF
                           OHIO ET AL., APPELLEES.
      (No. 2021-0488—Submitted March 29, 2022—Decided June 30, 2022.)
""",
        "The State ex rel. Tarn v. Industrial Commission of Ohio",
        "Supreme Court of Ohio",
        "2022-06-30",
        "2021-0488",
    ),
    "Massachusetts": (
        """NOTICE: All slip opinions and orders are subject to formal revision.

SJC-12999

            COMMONWEALTH   vs.   BEN TARN.

         Quill.     December 3, 2019. - March 26, 2020.

      Present:   Ryle, C.J., Pell, & Katz, JJ.
""",
        "Commonwealth vs. Ben Tarn",
        "Supreme Judicial Court of Massachusetts",
        "2020-03-26",
        "SJC-12999",
    ),
    "Virginia": (
        """PRESENT: All the Justices

COMMONWEALTH OF VIRGINIA
                                                             OPINION BY
v.   Record No. 190999                          JUSTICE BEA RYLE
                                                          October 22, 2020
BEN TARN, JR.

              FROM THE COURT OF APPEALS OF VIRGINIA
""",
        "Commonwealth of Virginia v. Ben Tarn, Jr.",
        "Supreme Court of Virginia",
        "2020-10-22",
        "190999",
    ),
    "Wisconsin": (
        """         COURT OF APPEALS
             DECISION                                              NOTICE
         DATED AND FILED                      This opinion is subject to further editing.

            June 15, 2021

     Appeal No.      2019AP2299                                    Cir. Ct. No. 2018CV61

STATE OF WISCONSIN                                    IN COURT OF APPEALS
                                                         DISTRICT III

VILLAGE OF TARN,

                 PLAINTIFF-RESPONDENT,

         V.

PELL QUARRY, LLC AND BEN QUILL,

                 DEFENDANTS-APPELLANTS.
""",
        "Village of Tarn v. Pell Quarry, LLC",
        "Court of Appeals of Wisconsin, District III",
        "2021-06-15",
        "2019AP2299",
    ),
    "Texas": (
        """Affirmed and Memorandum Opinion filed August 31, 2021.

                                      In The
                    Fourteenth Court of Appeals
                               NO. 14-20-00399-CV

                    ADA TARN, Appellant
                                        V.
      PELL CONTRACTORS, INC., Appellee

                   On Appeal from the 240th District Court
""",
        "Ada Tarn v. Pell Contractors, Inc.",
        "Court of Appeals of Texas, Fourteenth District",
        "2021-08-31",
        "14-20-00399-CV",
    ),
    "New York term": (
        """FILED: QUILL COUNTY CLERK 03/15/2019 11:42 AM            INDEX NO. 512299/2016
NYSCEF DOC. NO. 118                                RECEIVED NYSCEF: 03/15/2019

                                    At an IAS Term, Part 52 of the Supreme Court of
                                    the State of New York, held in and for the County
                                    of Quill, at the Courthouse, at Port Tarn,
                                    New York, on the 11th day of March, 2019.
P R E S E N T:
HON. BEA V. RYLE,
                        Justice.
-----------------------------------X
ADA TARN, as Administratrix of the
Estate of BEN TARN,
                        Plaintiff,
        - against -                            Index No. 512299/16
PELL PAVILION, P.C., and
BEN QUILL, M.D.,
                        Defendants.
-----------------------------------X
The following papers numbered 1 to 9 read herein:           Papers Numbered
Notice of Motion and Affidavits Annexed                          1-4
""",
        "Ada Tarn v. Pell Pavilion, P.C.",
        "Supreme Court of the State of New York, County of Quill",
        "2019-03-11",
        "512299/16",
    ),
    "federal agency": (
        """                 UNITED STATES OF AMERICA
             MERIT SYSTEMS PROTECTION BOARD

ADA TARN,                            DOCKET NUMBER
              Appellant,             AT-0752-16-0399-I-1
           v.
DEPARTMENT OF PELL                   DATE: April 12, 2022
  AFFAIRS,
              Agency.
""",
        "Ada Tarn v. Department of Pell Affairs",
        "Merit Systems Protection Board",
        "2022-04-12",
        "AT-0752-16-0399-I-1",
    ),
    "immigration": (
        """Cite as 28 I&N Dec. 999 (BIA 2022)                         Interim Decision #4912

            Matter of T-R-N-, Respondent
                 Decided February 9, 2022
               U.S. Department of Justice
             Board of Immigration Appeals
""",
        "Matter of T-R-N-",
        "Board of Immigration Appeals",
        "2022-02-09",
        "",
    ),
    "Northern Ireland": (
        """     IN THE HIGH COURT OF JUSTICE IN NORTHERN IRELAND
              QUEEN'S BENCH DIVISION (JUDICIAL REVIEW)
     IN THE MATTER OF AN APPLICATION BY ADA TARN
                 FOR JUDICIAL REVIEW
     AND IN THE MATTER OF A DECISION OF THE PELL TRUST
Delivered: 12/11/2020
""",
        "In the matter of an Application by Ada Tarn for Judicial Review",
        "High Court of Justice in Northern Ireland, Queen's Bench Division (Judicial Review)",
        "2020-11-12",
        "",
    ),
    "Ireland": (
        """THE HIGH COURT
                                                          [2018 No. 744 J.R.]
BETWEEN
                    TARN WINDFARM LIMITED
                                                                   APPLICANT
                                   AND
                           AN BORD PELL
                                                                  RESPONDENT
JUDGMENT of Ms. Justice Bea Ryle delivered on the 29th day of October,
2019
""",
        "Tarn Windfarm Limited v An Bord Pell",
        "High Court",
        "2019-10-29",
        "2018 No. 744 J.R.",
    ),
    "India": (
        """*    IN THE HIGH COURT OF DELHI AT NEW DELHI
%                                  Reserved on:   18th December, 2019
                                   Pronounced on: 6th January, 2020
+    CS(COMM) 899/2018 & I.A. 4499/2019
     TARN SPICES                                     ..... Plaintiff
                    Through:   Mr. Ben Quill, Senior Advocate
                               with Ms. Ada Ryle, Advocate.
                    versus
     BEN PELL TRADING AS
     PELL UDYOG                                      ..... Defendant
""",
        "Tarn Spices v Ben Pell",
        "High Court of Delhi at New Delhi",
        "2020-01-06",
        "CS(COMM) 899/2018",
    ),
}


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_is_read_as_its_court_issues_it(read_as: Reader, name: str) -> None:
    text, title, court, date, docket = PAPERS[name]
    found = read_as("paper.txt", text + BODY).metadata
    assert (found.title, found.date, found.docket[:1]) == (title, date, (docket,) if docket else ())
    assert (found.court.removesuffix(" of Ireland"), found.kind) == (court, "case")


# The fonts that every viewer has draw no dashes, which part Ohio's number from its days.
@pytest.mark.parametrize("name", [name for name in PAPERS if name != "Ohio"])
def test_a_paper_is_read_the_same_as_pdf(read_as: Reader, name: str) -> None:
    text, title, court, date, docket = PAPERS[name]
    found = read_as("paper.pdf", draw_page(text + BODY)).metadata
    assert (found.title, found.date, found.docket[:1]) == (title, date, (docket,) if docket else ())
    assert (found.court.removesuffix(" of Ireland"), found.kind) == (court, "case")


@pytest.mark.parametrize("sign", ["v. ", "vs.", "-v-"])
@pytest.mark.parametrize("first", ["ADA TARN,", "Tarn LLC,"])
@pytest.mark.parametrize("second", ["PELL HAULAGE, INC., and\nBEN RYLE,", "Pell Haulage, Inc.,", "BEN RYLE"])
@pytest.mark.parametrize(
    "paper",
    ["ORDER DENYING|MOTION TO QUASH", "DECLARATION OF BEN|QUILL IN RESPONSE", "OPINION|[Re: ECF 421, 423]"],
)
def test_what_stands_beside_the_parties_is_none_of_them(
    read_as: Reader, sign: str, first: str, second: str, paper: str
) -> None:
    above, below = paper.split("|")
    beside = ["Case No. 21-cv-01061-BFR", above, below]
    left = [first, f"{'Plaintiff,':>27}", f"{sign:>9}"]
    rows = [f"{one:35}{other}" for one, other in zip(left, beside, strict=True)]
    head = "\n".join(
        ["UNITED STATES DISTRICT COURT\nDISTRICT OF UTAH\n", *rows, second, f"{'Defendants.':>28}"]
    )
    metadata = read_as("paper.txt", f"{head}\n{BODY}").metadata
    against = "Ben Ryle" if second[0] == "B" else "Pell Haulage, Inc"
    assert metadata.title.rstrip(".") == f"{'Ada Tarn' if first[0] == 'A' else 'Tarn LLC'} v. {against}"
    assert metadata.docket == ("21-cv-01061-BFR",)


def test_roles_beside_the_parties_stay_with_them() -> None:
    lines = [f"{'ADA TARN':50}Appellant", "v.", f"{'BEN PELL':50}Respondent"]
    assert arrange(lines) == (lines, [])


@pytest.mark.parametrize("word", ["FILED", "Entered", "RECEIVED"])
@pytest.mark.parametrize("day", ["April 11, 2023", "Mar 03, 2023", "DEC 30 2019", "2019 May-20  PM 02:14"])
@pytest.mark.parametrize("beside", [(), ("Bea F. Ryle", "Clerk of Court"), ("BEA F. RYLE, Clerk",)])
def test_an_ink_stamp_is_taken_out(word: str, day: str, beside: Sequence[str]) -> None:
    left = ["UNITED STATES COURT OF APPEALS", "FOR THE TENTH CIRCUIT", "ADA TARN,", "Petitioner,", "v."]
    stamp = [word, day, *beside]
    right = [*stamp, *[""] * (len(left) - len(stamp))]
    lines = [f"{one:50}{other:^40}".rstrip() for one, other in zip(left, right, strict=True)]
    kept, stamps = arrange(lines)
    assert [line.strip() for line in kept] == left
    assert len(stamps) == 1


def test_a_centred_court_is_no_stamp() -> None:
    lines = ["FILED ON BEHALF OF TARN".rjust(60), "UNITED STATES COURT OF APPEALS".center(80), "May 1, 2020"]
    assert arrange(lines) == (lines, [])


def test_a_county_clerks_stamp_says_the_number() -> None:
    line = "FILED: QUILL COUNTY CLERK 03/15/2019 11:42 AM            INDEX NO. 512299/2016"
    assert arrange([line])[1] == [Stamp("512299/2016")]


@pytest.mark.parametrize(
    ("head", "court"),
    [
        (
            "FILED\nU.S. DISTRICT COURT\nUNITED STATES DISTRICT COURT FOR THE\nDISTRICT OF UTAH",
            "United States District Court for the District of Utah",
        ),
        (
            "UNITED STATES DISTRICT COURT   USDC UTAH\nDISTRICT OF UTAH   DOC #:",
            "United States District Court, District of Utah",
        ),
        (
            "UNITED STATES BANKRUPTCY COURT\nDISTRICT OF UTAH   NOT FOR PUBLICATION",
            "United States Bankruptcy Court, District of Utah",
        ),
        (
            "United States District Court\nDistrict of Utah - CM/ECF NextGen 1.6.3 (Northern Division)",
            "United States District Court, District of Utah",
        ),
        ("IN THE APPELLATE COURT OF ILLINOIS\nFIRST DISTRICT", "Appellate Court of Illinois, First District"),
        (
            "SUPERIOR COURT OF THE STATE OF CALIFORNIA\nCOUNTY OF TARN",
            "Superior Court of the State of California, County of Tarn",
        ),
        ("Court of Filing FEDERAL COURT OF AUSTRALIA (FCA)", "Federal Court of Australia"),
        (
            "IN THE GENERAL DIVISION OF\nTHE HIGH COURT OF THE REPUBLIC OF SINGAPORE",
            "General Division of the High Court of the Republic of Singapore",
        ),
        (
            "IN THE NATIONAL COMPANY LAW TRIBUNAL\nMUMBAI BENCH, COURT – IV",
            "National Company Law Tribunal, Mumbai Bench",
        ),
        ("UNITED STATES OF AMERICA\nbefore the\nTARN EXCHANGE COMMISSION", "Tarn Exchange Commission"),
        ("APPROVAL OF THE APPELLATE DIVISION\nSUPERIOR COURT OF UTAH", "Superior Court of Utah"),
    ],
)
def test_a_court_is_read_with_what_tells_it_from_others(head: str, court: str) -> None:
    found = read_court([tuple(line.split("   ")) for line in head.splitlines()])
    assert found is not None
    assert found.name == court


@pytest.mark.parametrize(
    ("head", "title"),
    [
        # The other side only intervened.
        (
            "TARN GMBH,\nAppellant\nv.\nBEN PELL, PERFORMING THE\nDUTIES OF THE DIRECTOR,\nIntervenor",
            "Ben Pell",
        ),
        # What follows in small letters is the party's, not a line without one.
        ("TARN GMBH,\nAppellant\nv.\nPELL, by and through its\npersonal representative, Ada Ryle", "Pell"),
        # Numbers of courts below, and the court's district, stand beside the parties.
        ("TARN GMBH,\nAppellant\nv.   No. 20-6077\nPELL   (D.C. No. 5:19-CV-688)\n   (W.D. Okla.)", "Pell"),
        (
            "TARN GMBH\nVERSUS   NO: 20-1187\nPELL &   SECTION: “J” (3)\nQUILL, INC., ET AL.",
            "Pell & Quill, Inc.",
        ),
        # A line that begins with the "v".
        ("Tarn GmbH (Appellant)\nv Pell and another (Respondents)", "Pell"),
    ],
)
def test_the_other_side_is_read(head: str, title: str) -> None:
    caption = read_caption([tuple(cell for cell in line.split("   ") if cell) for line in head.splitlines()])
    assert caption is not None
    assert caption.title.replace("v.", "v").casefold() == f"tarn gmbh v {title}".casefold()


def test_a_caption_with_roles_stands_before_a_line_without() -> None:
    head = "20CA0499 Peo v Tarn 08-05-2021\n* * *\nThe People,\nPlaintiff,\nv.\nBen Tarn,\nDefendant"
    caption = read_caption([(line,) for line in head.splitlines()])
    assert caption is not None
    assert caption.title == "The People v. Ben Tarn"


@pytest.mark.parametrize(
    ("rows", "date"),
    [
        ([("Announced August 5, 2021",)], "2021-08-05"),
        ([("JUDGMENT of Ms. Justice Ryle delivered on the 3rd day of May,",), ("2019",)], "2019-05-03"),
        (
            [("At a stated term held at Port Tarn,",), ("on the 16th day of",), ("February, 2023.",)],
            "2023-02-16",
        ),
        ([("Reversed and Rendered and Opinion Filed May 3, 2021",)], "2021-05-03"),
    ],
)
def test_a_decision_is_dated_by_its_sentence(rows: list[tuple[str, ...]], date: str) -> None:
    assert date_by_lines(rows, "US") == date


@pytest.mark.parametrize(
    ("rows", "docket"),
    [
        ([("TARN,", "DOCKET NUMBER"), ("Appellant,", "AT-0752-16-0399-I-1")], "AT-0752-16-0399-I-1"),
        ([("File Number(s):",), ("2020/00217799",)], "2020/00217799"),
        ([("C.P. (IB) No. 2299/MB/2019",)], "C.P. (IB) No. 2299/MB/2019"),
        ([("Case No. 20 MA 0099",)], "20 MA 0099"),
        ([("In Case C‑799/99,",)], "C-799/99"),
        ([("Cases 06–CA–214499 and 06–CA–215099",)], "06-CA-214499"),
        ([("Consol. Court No. 18-00299",)], "18-00299"),
        ([("Admin. Proc. File No. 3-18899",)], "3-18899"),
        ([("S EAPCR 2021 0199",)], "S EAPCR 2021 0199"),
        ([("No. 2:17-cv-1190 KJM CKD P",)], "2:17-cv-1190 KJM CKD P"),
        ([("No. 1 CA-IC 16-0022",)], "1 CA-IC 16-0022"),
        ([("No. 16 B 18827",)], "16 B 18827"),
        ([("21-P-403",), ("ADA TARN",)], "21-P-403"),
        ([("2019-1288, 2019-1289",), ("Appeals from the Board in No. IPR2017-01144",)], "2019-1288"),
        (
            [("Appeal from the Court for Quill County",), ("No. 71344",), ("* * *",), ("No. M2018-01",)],
            "M2018-01",
        ),
        ([("No. 82266-3-I",), ("No. 82266-3-I/2",)], "82266-3-I"),
        (
            [
                ("No. 21-1",),
                ("the Board relied on Tarn v. Pell, decided below, and on its companion in No. 19-2",),
            ],
            "21-1",
        ),
    ],
)
def test_a_number_is_read_where_its_court_prints_it(rows: list[tuple[str, ...]], docket: str) -> None:
    assert read_docket(rows)[:1] == (docket,)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("S20A0931. TIDMORE v. THE STATE.", "Tidmore v. the State"),
        ("MOORE v. PELL", "Moore v. Pell"),
        ("Re: Tarn v. Pell", "Tarn v. Pell"),
        ("Filed 9/8/16 P. v. Galindo CA2/4", "People v. Galindo"),
    ],
)
def test_a_name_keeps_its_letters(line: str, name: str) -> None:
    assert read_case_name(line) == name


@pytest.mark.parametrize(
    ("lines", "date"),
    [
        (["So ordered.", "Entered: May 24, 2022."], "2022-05-24"),
        (["Delivered: December 5, 2019"], "2019-12-05"),
        (["Sills collected a print from the frame. On December 2, 2019, the", "State charged Tarn."], ""),
        (["Tarn v. Pell, No. 11-6043 (D. Utah June 25, 2012)."], ""),
        (["/s/ Ada K. Tarn", "Dated: May 24, 2022 ADA K. TARN"], "2022-05-24"),
        (["Signed: A Tarn                          Dated this 3rd day of June 2022"], "2022-06-03"),
        (["This the 3rd day of May, 2022."], "2022-05-03"),
        (
            ["Solemnly affirmed at Quill on this         Before me,", "the 19th day of July 2022 and"],
            "2022-07-19",
        ),
        (["MAY 24, 2022. Page 1 of 14"], "2022-05-24"),
        (["Hearing Date:         May 24, 2022"], ""),
        (
            ["fall on untreated ice in the parking lot of the Quill Condominium in Tarn on", "May 24, 2022."],
            "",
        ),
    ],
)
def test_a_decision_is_dated_at_its_end_by_no_sentence(lines: list[str], date: str) -> None:
    assert date_by_lines(lines, "US") == date


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("CHAMBERS OF\nBEA RYLE\n\nRE: Tarn v. Pell\n\nDear Counsel:", "case"),
        ("MEMORANDUM OPINION2\n\nNotice of motion was given.", "case"),
        ("OFFICIAL - SUBJECT TO FINAL REVIEW", "other"),
    ],
)
def test_whose_paper_it_is(read_as: Reader, heading: str, kind: str) -> None:
    court = "UNITED STATES DISTRICT COURT\nDISTRICT OF UTAH\n\n"
    assert read_as("paper.txt", f"{court}{heading}{BODY}").metadata.kind == kind
