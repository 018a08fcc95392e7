"""Court papers as courts print them and lawyers download them: each fact is read from its own lines."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sheets import Sheet, words

from lexls.library.captions import read_caption
from lexls.library.case_heads import is_filing
from lexls.library.columns import arrange
from lexls.library.dockets import read_docket
from lexls.library.document import SourceDocument
from lexls.text.dates import find_dates
from tests.library.dated_papers import date_by_lines

Reader = Callable[[str, str | bytes], SourceDocument]

BODY = "The motion is denied. In Harlan v. Pratt, 401 U.S. 133 (1971), the carrier answered for the goods."
PARTIES = "ADA TARN,\nPlaintiff,\nv.\nPELL LINE, INC.,\nDefendant.\n\n"
COURTS = (
    ("UNITED STATES DISTRICT COURT\nSOUTHERN DISTRICT OF NEW YORK", "US"),
    ("UNITED STATES DISTRICT COURT\nFOR THE WESTERN DISTRICT OF NORTH CAROLINA\nASHEVILLE DIVISION", "US"),
    ("UNITED STATES COURT OF APPEALS\nFOR THE NINTH CIRCUIT", "US"),
    ("IN THE SUPREME COURT OF OHIO", "US"),
    ("SUPERIOR COURT OF NEW JERSEY\nAPPELLATE DIVISION", "US"),
    ("FEDERAL COURT OF AUSTRALIA\nVICTORIA DISTRICT REGISTRY", "AU"),
)


@pytest.mark.parametrize(("court", "place"), COURTS)
@pytest.mark.parametrize("suffix", [".txt", ".md", ".html"])
def test_a_courts_line_is_no_party(read_as: Reader, court: str, place: str, suffix: str) -> None:
    text = f"{court}\n\n{PARTIES}OPINION\n\n{BODY}\n"
    if suffix == ".html":
        text = "".join(f"<p>{line}</p>" for line in text.splitlines() if line)
    found = read_as(f"order{suffix}", text).metadata
    assert (found.title, found.kind, found.jurisdiction) == ("Ada Tarn v. Pell Line, Inc.", "case", place)
    assert found.court


LONG = "Pell Line and Company (Eastern Ports), Limited, and Others v Commissioner of Harbours and Another"


@pytest.mark.parametrize("name", [LONG, LONG[12:], "Tarn v Pell"])
@pytest.mark.parametrize(
    "below",
    [
        "Supreme Court of India",
        "High Court of Kerala",
        "Federal Court of Australia",
        "4 November 1997",
        "Case No. 41 of 1997",
        "Appeal No: 41/97",
    ],
)
def test_a_long_name_does_not_go_on_with_the_next_fact(read_as: Reader, name: str, below: str) -> None:
    rest = "Supreme Court of India\n\n4 November 1997\nCr.A. No. 1019 of 1997"
    text = f"{name}\n{below}\n{rest}\nThe Judgment was delivered by : A. Quill, J.\n1.  {BODY}\n"
    assert read_as("judgment.txt", text).metadata.title == name


@pytest.mark.parametrize("court", ["SUPREME COURT OF INDIA", "High Court of Kerala", "COURT OF APPEAL"])
def test_a_court_below_the_parties_is_no_part_of_a_name(court: str) -> None:
    rows = [("ADA TARN",), ("v",), ("COMMISSIONER OF",), ("HARBOURS",), (court,), ("JUDGMENT",)]
    caption = read_caption(rows)
    assert caption is not None
    assert caption.title == "Ada Tarn v Commissioner of Harbours"


@pytest.mark.parametrize("judge", ["COSTS JUDGE QUILL", "(SITTING AS A JUDGE OF THE HIGH COURT)"])
def test_a_judge_above_the_parties_is_none(read_as: Reader, judge: str) -> None:
    head = f"IN THE HIGH COURT OF JUSTICE\n\nDate: 8 July 2022\n\nBefore:\n\n{judge}\n\n"
    for parties, title in (("REGINA\n\nv\n\nTARN", "R v Tarn"), ("In the matter of:\n\nRe T\n\n", "Re T")):
        found = read_as("judgment.txt", f"{head}{parties}\n\nJUDGMENT\n\n1. {BODY}\n").metadata
        assert found.title == title


@pytest.mark.parametrize("mark", [")", ":", "§", "*", "]", "|", "\uf8f4", "│"])
@pytest.mark.parametrize("numbered", [False, True])
def test_columns_are_read_one_after_the_other(read_as: Reader, mark: str, numbered: bool) -> None:
    left = ("ADA TARN,", "", "     Plaintiff,", "", "v.", "", "PELL LINE, INC.,", "", "     Defendant.")
    right = ("", "", "Case No. 2:21-cv-01061", "", "Judge QUILL", "", "OPINION AND ORDER", "", "")
    rows = [f"{one:32} {mark}  {other}".rstrip() for one, other in zip(left, right, strict=True)]
    lines = ["UNITED STATES DISTRICT COURT", "DISTRICT OF UTAH", *rows, "ORDER"]
    if numbered:
        lines = [f"{number:2}  {line}" for number, line in enumerate(lines, start=1)]
    found = read_as("order.txt", "\n".join([*lines, "", BODY, ""])).metadata
    assert found.title == "Ada Tarn v. Pell Line, Inc."
    assert found.docket == ("2:21-cv-01061",)
    assert found.court == "United States District Court, District of Utah"


@pytest.mark.parametrize(
    "lines",
    [
        ("The carrier (a firm) kept it.", "So it said (twice).", "Nobody asked (why)."),
        ("Before: Quill J", "Date: 4 March 2021", "Between: Tarn and Pell"),
        (
            "GRAIN ACT 1983",
            *(line for at in range(1, 12) for line in (f"{at} Grain", "(1) It is a good.", "(2) So is oil.")),
        ),
    ],
)
def test_punctuation_makes_no_columns(lines: tuple[str, ...]) -> None:
    assert arrange(lines) == ([*lines], [])


@pytest.mark.parametrize(
    ("line", "docket"),
    [
        ("Case 1:21-cv-01061-ABC Document 1 Filed 03/04/21 Page 1 of 9", "1:21-cv-01061-ABC"),
        ("Appellate Case: 21-8001  Document: 010110  Date Filed: 03/04/2021  Page: 1", "21-8001"),
        ("USCA Case #21-5001 Document #1884 Filed: 03/04/2021 Page 1 of 12", "21-5001"),
        ("FILED 03/04/2021", ""),
        ("2:21-cv-01061-ABC-DEF Doc # 3 Filed 03/04/21 Pg 1 of 9 Pg ID 1", "2:21-cv-01061-ABC-DEF"),
    ],
)
def test_a_stamp_is_kept_beside_the_lines(line: str, docket: str) -> None:
    lines, stamps = arrange([line, "ADA TARN,"])
    assert [each for each in lines if each] == ["ADA TARN,"]
    assert [each.docket for each in stamps] == [docket]


@pytest.mark.parametrize(
    "stamp",
    [
        "Case 1:21-cv-01061-ABC   Document 4   Filed 03/05/21   Page {} of 4",
        "1:21-cv-01061-ABC   Doc # 4   Filed 03/05/21   Pg {} of 4   Pg ID {}",
    ],
)
@pytest.mark.parametrize("top", [True, False])
def test_a_stamp_on_each_page_is_kept_from_the_text_and_read(read_as: Reader, stamp: str, top: bool) -> None:
    sheet = Sheet()
    for number in range(1, 5):
        sheet.page()
        sheet.text(72, 30 if top else 770, stamp.format(number, number))
        sheet.paragraph(72, 120, words(160, number))
    found = read_as("paper.pdf", bytes(sheet.pdf.output()))
    assert "Filed" not in found.text
    facts = found.metadata
    assert (facts.docket, facts.date, facts.jurisdiction) == (("1:21-cv-01061-ABC",), "2021-03-05", "US")


@pytest.mark.parametrize("sign", ["v.", "vs.", "VERSUS", "-against-", "- v. -", "-v-"])
@pytest.mark.parametrize("within", [False, True])
def test_every_sign_between_parties_is_the_same(read_as: Reader, sign: str, within: bool) -> None:
    gap = " " if within else "\n"
    parties = f"ADA TARN, Plaintiff,{gap}{sign}{gap}PELL LINE, INC., Defendant."
    head = f"UNITED STATES DISTRICT COURT\nDISTRICT OF UTAH\n\n{parties}"
    title = read_as("order.txt", f"{head}\n\nORDER\n\n{BODY}\n").metadata.title
    assert title == "Ada Tarn v. Pell Line, Inc."


@pytest.mark.parametrize(
    ("line", "place", "date"),
    [
        ("Date Filed: 10/01/2019", "US", "2019-10-01"),
        ("Date: 10/01/2019", "UK", "2019-01-10"),
        ("Date: 10/01/2019", "CA", ""),
        ("Date: 10/01/2019", "", ""),
        ("Date: 25/01/2019", "", "2019-01-25"),
        ("Date: 01/25/2019", "UK", "2019-01-25"),
        ("Date: 7/7/2019", "", "2019-07-07"),
    ],
)
def test_figures_are_read_in_the_order_of_the_country(line: str, place: str, date: str) -> None:
    assert date_by_lines([(line,)], place) == date


def test_figures_of_running_text_are_day_first() -> None:
    assert [found[2] for found in find_dates("on 10/01/2019")] == ["2019-01-10"]


@pytest.mark.parametrize(
    ("closing", "date"),
    [
        ("SO ORDERED this 31st day of May, 2023.", "2023-05-31"),
        ("DONE and ORDERED in Chambers, in Tampa, this 5th day of June, 2021.", "2021-06-05"),
        ("Dated: June 5, 2021", "2021-06-05"),
        ("Signed: June 5, 2021", "2021-06-05"),
        ("The carrier asks for a stay that would keep the gates shut, as expected,\non June 5, 2021.", ""),
        ("The carrier asks for a stay that would keep the gates of the lock shut\non June 5, 2021.", ""),
    ],
)
def test_an_order_is_of_the_day_at_its_end(read_as: Reader, closing: str, date: str) -> None:
    moved = "Before the court is the motion filed on May 2, 2020. "
    text = f"UNITED STATES DISTRICT COURT\nDISTRICT OF UTAH\n\n{PARTIES}ORDER\n\n{moved}{BODY}\n\n{closing}\n"
    assert read_as("order.txt", text).metadata.date == date


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("21 Civ. 4471 (JSR)", ("21 Civ. 4471 (JSR)",)),
        ("No. 21 C 4471", ("21 C 4471",)),
        ("Case No. CV 08-6117 PA (KSx)", ("CV 08-6117",)),
        ("WD70412", ("WD70412",)),
        ("S20A1234. TARN v. THE STATE.", ("S20A1234",)),
        ("CIVIL DOCKET FOR CASE #: 1:21-cv-01061-ABC", ("1:21-cv-01061-ABC",)),
        ("Case No.: 17−cv−10310", ("17-cv-10310",)),
        ("2019-1361", ("2019-1361",)),
        ("D.C. No. 3:18-cv-04865-EMC", ()),
        ("41 Quay Rd., #160", ()),
        ("12 Harbor Street, Suite #4", ()),
        ("Case No. 1:21-cv-____", ()),
    ],
)
def test_a_docket_is_whole_and_the_courts_own(line: str, numbers: tuple[str, ...]) -> None:
    assert read_docket([(line,)]) == numbers


@pytest.mark.parametrize(
    ("lines", "filing"),
    [
        (("BRIEF OF APPELLANT",), True),
        (("DEFENDANTS’ NOTICE OF MOTION AND MOTION FOR SUMMARY JUDGMENT",), True),
        (("MEMORANDUM OF LAW IN SUPPORT OF DEFENDANTS’ MOTION TO DISMISS",), True),
        (("ENTRY OF APPEARANCE",), True),
        (("TRANSCRIPT OF MOTION HEARING",), True),
        (("Re: Tarn v. Pell", "Dear Counsel:"), True),
        (("EX-PARTE MOTION FOR TEMPORARY RESTRAINING ORDER",), True),
        (("Designation & Statement of Issues",), True),
        (("CORPORATE DISCLOSURE STATEMENT",), True),
        (("DEFENDANT TARN ROOFING & SONS, LLC’S MOTION TO DISMISS",), True),
        (("DEFENDANT’S SENTENCING MEMORANDUM",), True),
        (("PLAINTIFF TARN LLC’S OPENING CLAIM CONSTRUCTION BRIEF",), True),
        (("JOINT MEMORANDUM OF COUNSEL",), True),
        (("AFFIDAVIT",), True),
        (("DEFENDANT TARN LLC’S ANSWER AND COUNTERCLAIM",), True),
        (("NOTICE OF LISTING",), True),
        (("Notice of Trial Date",), True),
        (("Petition for Review of a Final Order of the", "Wharves Commission"), False),
        (("ORDER ON DEFENDANT’S SENTENCING MEMORANDUM",), False),
        (("(Computer-Aided Transcript of the Stenograph Notes of Tarn Ltd)",), False),
        (("LETTER OPINION", "Dear Counsel:"), False),
        (("ORDER GRANTING MOTION FOR SUMMARY JUDGMENT",), False),
        (("MEMORANDUM",), False),
        (("MEMORANDUM OPINION AND ORDER",), False),
        (
            (
                "The petitioner asks this court to stay an execution that",
                "is to be held this evening, as is explained by the",
                "Brief for the United States as friend of the court",
            ),
            False,
        ),
    ],
)
def test_what_a_party_or_clerk_wrote_is_no_case(lines: tuple[str, ...], filing: bool) -> None:
    assert is_filing([(line,) for line in lines]) is filing


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("IN RE: PELL LINE ANTITRUST\nLITIGATION\n\nMDL No. 41", "In re Pell Line Antitrust Litigation"),
        ("In re:\n\nPELL LINE, LLC, d/b/a TARN LINES,\n\nDebtor.", "In re Pell Line, LLC"),
        ("CIVIL MINUTES\n\nTitle      Ada Tarn v. Pell Line, Inc.", "Ada Tarn v. Pell Line, Inc."),
        ("LETTER OPINION\n\nRe: Ada Tarn v. Pell Line, Inc., No. 21-cv-1061", "Ada Tarn v. Pell Line, Inc."),
    ],
)
def test_a_case_is_called_by_its_own_line(read_as: Reader, head: str, title: str) -> None:
    text = f"UNITED STATES DISTRICT COURT\nDISTRICT OF UTAH\n\n{head}\n\nORDER\n\n{BODY}\n"
    assert read_as("order.txt", text).metadata.title == title


@pytest.mark.parametrize(
    ("left", "name"),
    [
        (["ADA TARN,", "BEN QUILL,", "CARA ASH,", "Plaintiffs,"], "Ada Tarn"),
        (["ADA TARN,", "BEN QUILL", "Plaintiffs,"], "Ada Tarn"),
        (["ADA TARN,", "Plaintiff–Appellant,", "BEN QUILL,", "Appellant,"], "Ada Tarn"),
        (
            ["ADA TARN,", "Kit W. Ash", "Plaintiff–Appellant,", "Clerk", "BEN QUILL,", "Appellant,"],
            "Ada Tarn",
        ),
        (["PELL LINE,", "INC.,", "Plaintiff,"], "Pell Line, Inc."),
        (["PELL LINE, LTD.,", "Plaintiff,", ">", "No. 19-1235"], "Pell Line, Ltd."),
        (["PELL LINE", "on behalf of themselves and others similarly situated,", "Plaintiffs,"], "Pell Line"),
        (["ADA TARN, Secretary of State,", "Plaintiff,"], "Ada Tarn"),
        (["ADA TARN, Acting Warden,", "Plaintiff,"], "Ada Tarn"),
    ],
)
@pytest.mark.parametrize(
    "signs",
    [
        ["v."],
        ["-against-"],
        ["VERSUS"],
        ["v.", "Hon.: Kit Ash", "Mag.: Lee Ash"],
        ["vs.", "Case No.:", "Hon.:"],
    ],
)
def test_a_side_is_called_by_its_first_party(
    read_as: Reader, left: list[str], name: str, signs: list[str]
) -> None:
    lines = [*left, *signs, "MARCUS VANE, President of the Harbor Board, et al.,", "Defendants.", "", "ORDER"]
    text = "\n".join(["UNITED STATES DISTRICT COURT", "DISTRICT OF UTAH", "", *lines, "", BODY, ""])
    title = read_as("order.txt", text).metadata.title
    assert title.replace(" v. ", " v ") == f"{name} v Marcus Vane"


@pytest.mark.parametrize("judge", ["QUILL, J.", "Quill, Circuit Judge.", "Mr. Justice QUILL", "QUILL, P.J."])
def test_a_judge_is_no_title(read_as: Reader, judge: str) -> None:
    page = f'<opinion type="majority"><author>{judge}</author><p>{BODY}</p></opinion>'
    assert read_as("Tarn_v_Pell.html", page).metadata.title == "Tarn v Pell"


@pytest.mark.parametrize(
    "cited", ["556 U. S. 662", "49 F. 4th 700", "307 Ga. 477", "[2013] UKSC 41", "2021 IL App (1st) 190112"]
)
@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("The court took what the complaint says as true, as it must under", ", and asked what follows."),
        (
            "A government that speaks takes a view.” Ash v. Quill,",
            ", 234. While an official may speak freely",
        ),
        (
            "The carrier kept the goods, as in Ash v. Quill, until the holder came,",
            "and so it was held before.",
        ),
        (
            "He asks for a stay.\n\nThe carrier had to keep the goods in its hold until they were",
            "and no more.",
        ),
    ],
)
@pytest.mark.parametrize("suffix", [".txt", ".md", ".html"])
def test_a_citation_in_a_line_of_its_own_is_no_identity(
    read_as: Reader, cited: str, above: str, below: str, suffix: str
) -> None:
    for label, citation in (("", ""), ("Cite as:\n\n602 U.S. 175\n\n", "602 U.S. 175")):
        head = f"UNITED STATES DISTRICT COURT\nDISTRICT OF UTAH\n\n{PARTIES}{label}"
        text = f"{head}{above}\n{cited}\n{below}\n"
        if suffix == ".html":
            text = "".join(f"<p>{line}</p>" for line in text.splitlines() if line)
        found = read_as(f"order{suffix}", text).metadata
        assert (found.citation, found.parallel_citations) == (citation, ())


@pytest.mark.parametrize(
    "name",
    [
        "In re Inquiry into the Loss of the Fair Isobel",
        "Ada Tarn and Others v Commissioner for the Harbours of Pell",
        "R (on the application of Tarn) v Secretary of State for Harbours",
        "Reference under section 36 of the Harbours and Piers Act by Ada Tarn",
    ],
)
@pytest.mark.parametrize("cited", ["[2013] UKSC 41", "49 F.4th 700"])
def test_a_citation_below_a_long_name_is_the_documents_own(read_as: Reader, name: str, cited: str) -> None:
    text = f"{name}\n\n{cited}\n\nSupreme Court\n\nJudgment: 18 March 2010\n\n1. {BODY}\n"
    assert read_as("judgment.txt", text).metadata.citation == cited


def test_a_cited_case_is_not_the_identity_of_a_family_judgment(read_as: Reader) -> None:
    head = "FAMILY COURT OF AUSTRALIA\n\nTARN & PELL    [2015] FamCA 912\n\nFAMILY LAW – CHILDREN\n\n"
    cited = (
        "QUILL & ASHBY [2013] FamCA 901\n\nFILE NUMBER:  SYC 5083 of 2014\n\nDATE DELIVERED:  3 June 2015\n\n"
    )
    found = read_as("order.txt", f"{head}{cited}REASONS FOR JUDGMENT\n\n1. {BODY}\n").metadata
    assert (found.title, found.citation, found.date) == ("Tarn & Pell", "[2015] FamCA 912", "2015-06-03")


def test_notes_are_no_paragraphs(read_as: Reader) -> None:
    pieces: list[str] = []
    for number in range(1, 16):
        pieces += [
            f"{BODY} {BODY}",
            f"{number}. See Pell v. Ryle, 819 F.3d 880, {880 + number} (6th Cir. 2016).",
        ]
    document = read_as("opinion.txt", "TARN v PELL\n\nJUDGMENT\n\n" + "\n\n".join(pieces))
    assert not [block for block in document.blocks if block.kind == "paragraph"]


def test_an_extract_keeps_the_paragraphs_before_its_gap(read_as: Reader) -> None:
    numbers = (1, 2, 3, *range(40, 52))
    text = "TARN v PELL\n\n" + "\n\n".join(f"[{number}] {BODY}" for number in numbers)
    labels = [block.label for block in read_as("extract.txt", text).blocks if block.kind == "paragraph"]
    assert labels == [*map(str, numbers)]


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("page.html", "<p>He said \x93no\x94 \x96 twice; it\x92s a good.</p>"),
        ("page.txt", "He said \x93no\x94 \x96 twice; it\x92s a good."),
    ],
)
def test_signs_of_windows_are_dashes_and_quotation_marks(read_as: Reader, name: str, page: str) -> None:
    assert read_as(name, page).text.strip() == "He said “no” – twice; it’s a good."


@pytest.mark.parametrize(
    ("front", "kind", "place"),
    [
        ("citation: 819 F.3d 880", "case", "US"),
        ("court: Supreme Court of Ohio", "case", "US"),
        ("citation: Grain Act 1968 (Cth)", "statute", "AU"),
    ],
)
def test_front_matter_implies_kind_and_jurisdiction(
    read_as: Reader, front: str, kind: str, place: str
) -> None:
    found = read_as("note.md", f"---\ntitle: Tarn v. Pell\n{front}\n---\n\n{BODY}\n").metadata
    assert (found.kind, found.jurisdiction) == (kind, place)
