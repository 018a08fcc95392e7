"""First pages on the forms of courts and tribunals, whose labels tell what the rest is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.library.document import SourceDocument
from tests.library.drawn_pdfs import draw_page

Reader = Callable[[str, str | bytes], SourceDocument]

BODY = "\n\nThe carrier answers for the goods that it was given. So it was held in Ash v Oak [2001] UKHL 7.\n"
FORMS = {
    # The name has no "v", the day has its label in two words.
    "New South Wales": (
        """
                          Supreme Court
                         New South Wales

Case Name:                The Estate of Ada Mary Tarn, late of Dubbo

Medium Neutral Citation:  [2017] NSWSC 2245

Hearing Date(s):          28 August 2017

Decision Date:            15 September 2017

Before:                   Quill J

Cases Cited:              Pell v Ryle (2013) 183 NSWLR 100

Parties:                  Ben Tarn (Plaintiff)
                          Cora Tarn (Defendant)

File Number(s):           2016/00287734
""",
        "The Estate of Ada Mary Tarn, late of Dubbo",
        "Supreme Court of New South Wales",
        "2017-09-15",
        "2016/00287734",
    ),
    # The colons stand at the values.
    "Western Australia": (
        """
JURISDICTION   : STATE ADMINISTRATIVE TRIBUNAL

CITATION       : AT and PUBLIC TRUSTEE [2016] WASAT 188

MEMBER         : MS V QUILL (MEMBER)

HEARD          : 4 JULY 2016

DELIVERED      : 27 JULY 2016

FILE NO/S      : GAA 2719 of 2016

BETWEEN        : BT
                 Applicant

                 AND

                 PUBLIC TRUSTEE
                 Respondent
""",
        "At and Public Trustee",
        "State Administrative Tribunal of Western Australia",
        "2016-07-27",
        "GAA 2719 of 2016",
    ),
    # Neither colons nor a "v".
    "a form of New South Wales": (
        """
Form 40 (version 4)
UCPR 35.1

              AFFIDAVIT OF CORA RYLE
                           14 MAY 2024

COURT DETAILS
Court                         Supreme Court of New South Wales
Division                      Equity
Case number                   2023/00418846

TITLE OF PROCEEDINGS
Plaintiff                     Ada Tarn

Defendant                     Ben Pell as executor of the estate of
                              the late Finn Pell
""",
        "Ada Tarn v Ben Pell",
        "Supreme Court of New South Wales",
        "2024-05-14",
        "2023/00418846",
    ),
    # Roles before the parties, several on one side.
    "Queensland": (
        """
                                             SUPREME COURT OF QUEENSLAND

                                             REGISTRY:  Townsville
                                             NUMBER:    TS 341/18


First Plaintiff:             QUILL HAULAGE PTY LTD
                             ACN 098 214 720

                             AND

Second Plaintiff:            ADA TARN

                             AND

Defendant:                   PELL MILLING CO-OPERATIVE LIMITED


                                AFFIDAVIT
""",
        "Quill Haulage Pty Ltd v Pell Milling Co-Operative Limited",
        "Supreme Court of Queensland",
        "",
        "TS 341/18",
    ),
    # The registry's notice before the pleading.
    "Federal Court of Australia": (
        """
                         NOTICE OF FILING

This document was lodged electronically in the FEDERAL COURT OF AUSTRALIA (FCA) on
17/06/2021 3:56:20 PM AEST and has been accepted for filing under the Court's Rules.

                      Details of Filing

Document Lodged:         Statement of Claim - Form 17 - Rule 8.06(1)(a)
File Number:             VID936/2021
File Title:              ADA TARN v QUILL FUNDS LIMITED ACN 005 981 947 & ANOR
Registry:                VICTORIA REGISTRY - FEDERAL COURT OF AUSTRALIA

                                        Dated: 18/06/2021 9:14:02 AM AEST    Registrar
""",
        "Ada Tarn v Quill Funds Limited",
        "Federal Court of Australia",
        "2021-06-17",
        "VID936/2021",
    ),
    # No roles: the tribunal's own citation says that it is a decision.
    "Fair Work Commission": (
        """
[2024] FWC 1917

                                               DECISION

Fair Work Act 2009
s.394—Unfair dismissal


Ben Tarn
v
Quill Haulage Pty Ltd
(U2024/3218)

DEPUTY PRESIDENT RYLE                              PERTH, 18 JULY 2024
""",
        "Ben Tarn v Quill Haulage Pty Ltd",
        "Fair Work Commission",
        "2024-07-18",
        "U2024/3218",
    ),
    # The name runs on below the label, beside other labels.
    "Supreme Court of Canada": (
        """
                    SUPREME COURT OF CANADA


CITATION: Tarn First Nation v.          APPEAL HEARD: January 19, 2021
Quill Pipelines Ltd., 2021 SCC 137      JUDGMENT RENDERED: July 23, 2021
                                        DOCKET: 48991


BETWEEN:

                     Tarn First Nation
                           Appellant

                              and

          Quill Pipelines Ltd. and Canada Tolls Tribunal
                          Respondents
""",
        "Tarn First Nation v. Quill Pipelines Ltd.",
        "Supreme Court of Canada",
        "2021-07-23",
        "48991",
    ),
    "Alberta": (
        """
COURT FILE NUMBER      2301 - 19944                 CLERK OF THE COURT

COURT                  COURT OF KING'S BENCH OF ALBERTA

JUDICIAL CENTRE        CALGARY

PLAINTIFF              TARN DRILLING LTD.

DEFENDANTS             QUILL PETROLEUM INC., BEN RYLE and
                       CORA PELL

DOCUMENT               STATEMENT OF CLAIM
""",
        "Tarn Drilling Ltd. v Quill Petroleum Inc",
        "Court of King's Bench of Alberta",
        "",
        "2301-19944",
    ),
    # The parties stand above their roles, on a form without a "v".
    "county court": (
        """
General Form of Judgment or Order            In the County Court at
                                                    Stoke-on-Trent

                                             Claim Number    H27YX508

                                             Date            3 November 2021


 TARN VEHICLE RENTALS LIMITED                         1st Claimant
                                                      Ref RTA/8914/KS

 MR BEN PELL                                          1st Defendant
                                                      Ref

                                                      ( SEAL )


Before District Judge Quill sitting at the County Court at Stoke-on-Trent, Bethesda
Street, Hanley, Stoke-on-Trent, ST1 3BP.
""",
        "Tarn Vehicle Rentals Limited v Ben Pell",
        "County Court at Stoke-on-Trent",
        "2021-11-03",
        "H27YX508",
    ),
    # A party's description goes on in brackets.
    "High Court of South Africa": (
        """
               IN THE HIGH COURT OF SOUTH AFRICA
                  GAUTENG DIVISION, PRETORIA

                                             CASE NO: 58213/2019

(1)  REPORTABLE: NO
(2)  REVISED.

     18 MAY 2021            ______________________
     DATE                   SIGNATURE

In the matter between:

ADA TARN N.O.                                       First Applicant
(in her capacity as executrix of the estate
late Ben Tarn)

ADA TARN                                            Second Applicant

and

QUILL PLATINUM MINES (PTY) LTD                      First Respondent

THE REGISTRAR OF DEEDS                              Second Respondent

                           JUDGMENT
""",
        "Ada Tarn N.O. v Quill Platinum Mines (Pty) Ltd",
        "High Court of South Africa, Gauteng Division, Pretoria",
        "2021-05-18",
        "58213/2019",
    ),
    # A label above each side, counsel among the parties, and the day in two eras.
    "Kerala": (
        """
              IN THE HIGH COURT OF KERALA AT ERNAKULAM

                              PRESENT

           THE HONOURABLE MR. JUSTICE BEN RYLE

  TUESDAY, THE 9TH DAY OF JANUARY 2024 / 19TH POUSHA, 1945

                     WP(C) NO. 38817 OF 2022

PETITIONER/S:

            ADA TARN
            AGED 47 YEARS
            W/O. FINN TARN, TARN HOUSE,
            OLAVAKKODE P.O., PALAKKAD, PIN - 678002

            BY ADVS.
            CORA QUILL

RESPONDENT/S:

    1       THE DISTRICT COLLECTOR
            CIVIL STATION, PALAKKAD, PIN - 678001

    2       THE REVENUE DIVISIONAL OFFICER
            PALAKKAD
""",
        "Ada Tarn v The District Collector",
        "High Court of Kerala at Ernakulam",
        "2024-01-09",
        "WP(C) NO. 38817 OF 2022",
    ),
    # A table of three columns, "Vs." in the middle one.
    "income tax": (
        """
              IN THE INCOME TAX APPELLATE TRIBUNAL
                      "C" BENCH : BANGALORE

                   ITA No. 912/Bang/2023

---------------------------------------------------------------------
 M/s. Tarn Silk Exports,           |      | The Deputy Commissioner
 No. 88, Avenue Road,              | Vs.  | of Income Tax,
 Bengaluru – 560 002.              |      | Circle 4(2)(1),
 PAN : AABFT4471K                  |      | Bengaluru.
---------------------------------------------------------------------
          APPELLANT                |      |      RESPONDENT
---------------------------------------------------------------------

 Date of Pronouncement : 16.10.2023

                            ORDER
""",
        "Tarn Silk Exports v. The Deputy Commissioner of Income Tax",
        "Income Tax Appellate Tribunal",
        "2023-10-16",
        "ITA No. 912/Bang/2023",
    ),
    # Numbered parties with their descriptions, below what the petition is about.
    "Bombay": (
        """
          IN THE HIGH COURT OF JUDICATURE AT BOMBAY
               ORDINARY ORIGINAL CIVIL JURISDICTION

               WRIT PETITION (L) NO. 21873 OF 2022

                         In the matter of Articles 14 and 226
                         of the Constitution of India;

1. Tarn Sands Co-operative Housing Society Ltd.       ]
   a society registered under the Maharashtra         ]
   Co-operative Societies Act, 1960, having its       ]
   office at Plot 41, Sion (East), Mumbai 400 022     ]
                                                      ]
2. Ada Quill, aged 61 years,                          ]
   Indian Inhabitant                                  ]   ...Petitioners

                    Versus

1. The State of Maharashtra, through the              ]
   Government Pleader, Original Side                  ]
2. The Collector of Stamps, Kurla                     ]   ...Respondents
""",
        "Tarn Sands Co-operative Housing Society Ltd. v The State of Maharashtra",
        "High Court of Judicature at Bombay",
        "",
        "WRIT PETITION (L) NO. 21873 OF 2022",
    ),
    # The day ends on the next line.
    "Ireland": (
        """
                         AN ARD-CHÚIRT
                         THE HIGH COURT

                                                  [Record No. 2020/714 JR]

BETWEEN

         TARN ESTUARY CLG AND ADA QUILL

                                                       APPLICANTS

                                 AND

          AN BORD PLEANÁLA

                                                       RESPONDENT


JUDGMENT of Mr. Justice Ben Ryle delivered on the 21st day of
September, 2021
""",
        "Tarn Estuary CLG and Ada Quill v An Bord Pleanála",
        "High Court of Ireland",
        "2021-09-21",
        "2020/714 JR",
    ),
    # The order's heading beside the matter.
    "Securities and Exchange Commission": (
        """
                          UNITED STATES OF AMERICA
                                Before the
                    SECURITIES AND EXCHANGE COMMISSION

SECURITIES EXCHANGE ACT OF 1934
Release No. 97713 / December 12, 2019

ADMINISTRATIVE PROCEEDING
File No. 3-29597

In the Matter of                     ORDER INSTITUTING CEASE-AND-DESIST
                                     PROCEEDINGS PURSUANT TO SECTION 8A OF
    TARN LENDING CLUB, INC.          THE SECURITIES ACT OF 1933, MAKING
    and BEN RYLE,                    FINDINGS, AND IMPOSING A
                                     CEASE-AND-DESIST ORDER
Respondents.
""",
        "In the matter of Tarn Lending Club, Inc",
        "Securities and Exchange Commission",
        "2019-12-12",
        "3-29597",
    ),
    # The name with the number behind it, below a notice.
    "National Labor Relations Board": (
        """
NOTICE: This opinion is subject to formal revision before publication in the bound
volumes of NLRB decisions.

Tarn Linen Supply, Inc. and Quill and Allied
Workers Joint Board, Local 311. Cases 22–CA–361904
and 22–CA–364417
May 26, 2021

DECISION AND ORDER
""",
        "Tarn Linen Supply, Inc. and Quill and Allied Workers Joint Board, Local 311",
        "National Labor Relations Board",
        "2021-05-26",
        "22-CA-361904",
    ),
    "Board of Immigration Appeals": (
        """
U.S. Department of Justice                        Decision of the Board of Immigration Appeals
Executive Office for Immigration Review

Falls Church, Virginia 22041


File: AXXX-XX9-713 – Elizabeth, NJ                          Date:   MAY 11 2017

In re: T-A-R-N- a.k.a. T-A-

IN REMOVAL PROCEEDINGS

APPEAL AND MOTION
""",
        "In re T-A-R-N-",
        "Board of Immigration Appeals",
        "2017-05-11",
        "AXXX-XX9-713",
    ),
    # Those who sat stand right above the parties.
    "Federal Energy Regulatory Commission": (
        """
                      UNITED STATES OF AMERICA
               FEDERAL ENERGY REGULATORY COMMISSION


Before Commissioners:  Ada Quill, Chairwoman;
                       Ben Ryle, Cora Ash,
                       and Finn Oak.

Tarn Ridge Storage, LLC                   Docket No.  EL21-197-000

          v.

Pell Transmission Company


               ORDER DENYING COMPLAINT

                    (Issued March 17, 2022)
""",
        "Tarn Ridge Storage, LLC v. Pell Transmission Company",
        "Federal Energy Regulatory Commission",
        "2022-03-17",
        "EL21-197-000",
    ),
    # A party is described below its name, and the stamp begins with the year.
    "King County": (
        """
                                                            FILED
                                                  2021 JUN 18 09:00 AM
                                                       KING COUNTY
                                                  SUPERIOR COURT CLERK

           IN THE SUPERIOR COURT OF THE STATE OF WASHINGTON
                    IN AND FOR THE COUNTY OF KING

     ADA TARN and BEN TARN,               )
     a marital community,                 )  No. 20-2-25077-1
                       Plaintiffs,        )
          v.                              )  ORDER TO COMPEL
     QUILL BUILDERS, INC., a              )
     Washington corporation,              )
                       Defendant.         )
     _____________________________________)

                Noted for hearing: July 2, 2021
""",
        "Ada Tarn v. Quill Builders, Inc.",
        "Superior Court of the State of Washington, In and for the County of King",
        "2021-06-18",
        "20-2-25077-1",
    ),
    # A party's description runs over into lines beside its role.
    "Hong Kong": (
        """
DCCJ 5417/2018
[2021] HKDC 2266

                   IN THE DISTRICT COURT OF THE
            HONG KONG SPECIAL ADMINISTRATIVE REGION
                 CIVIL ACTION NO 5417 OF 2018

BETWEEN

          ADA TARN, the administratrix of the             Plaintiff
          estate of BEN TARN, deceased

                              and

          QUILL DECORATION LIMITED                    1st Defendant

          CORA PELL                                   2nd Defendant

Date of Decision:        3 November 2021
""",
        "Ada Tarn v Quill Decoration Limited",
        "District Court of the Hong Kong Special Administrative Region",
        "2021-11-03",
        "DCCJ 5417/2018",
    ),
    # What the Crown does for somebody stands between dashes, and a third party is none of the sides.
    "Administrative Court": (
        """
Case No: AC-2023-LON-012285

IN THE HIGH COURT OF JUSTICE
KING'S BENCH DIVISION
ADMINISTRATIVE COURT

Date: 9 May 2024

Between :

                                   THE KING
                           -on the application of-
                                   ADA TARN                       Claimant

                                   - and -

                         QUILL BOROUGH COUNCIL                    Defendant

                                   - and -

                             MINISTRY OF TOLLS                    Interested Party
""",
        "R (on the application of Ada Tarn) v Quill Borough Council",
        "High Court of Justice, King's Bench Division, Administrative Court",
        "2024-05-09",
        "AC-2023-LON-012285",
    ),
    "Maricopa County": (
        """
                       SUPERIOR COURT OF ARIZONA
                           MARICOPA COUNTY

CV 2021-024473                                                    02/06/2023


                                                    CLERK OF THE COURT
HONORABLE CORA B. QUILL                                B. Ryle
                                                         Deputy


TARN MESA HOMEOWNERS                                BEN P. ASH
ASSOCIATION

v.

FINN PELL, et al.                                   FINN PELL
                                                    8114 E QUILL PL
                                                    MESA AZ 85207


                              MINUTE ENTRY
""",
        "Tarn Mesa Homeowners Association v. Finn Pell",
        "Superior Court of Arizona, Maricopa County",
        "2023-02-06",
        "CV 2021-024473",
    ),
    # The state and the county stand left of the court, a clerk's stamp above; columns have no mark between.
    "Minnesota": (
        """
                                                        27-CV-21-1234
                                              Filed in District Court
                                                   State of Minnesota
                                                  3/4/2021 9:42 AM

STATE OF MINNESOTA                                      DISTRICT COURT

COUNTY OF HENNEPIN                            FOURTH JUDICIAL DISTRICT
                                               Case Type: Contract

Tarn Cabinetry, Inc.,                      Court File No. 27-CV-21-1234

                 Plaintiff,
                                                AFFIDAVIT OF
vs.                                             ADA TARN

Quill Lofts, LLC, a
Minnesota limited company,

                 Defendant.
""",
        "Tarn Cabinetry, Inc. v. Quill Lofts, LLC",
        "District Court of Minnesota, Fourth Judicial District",
        "2021-03-04",
        "27-CV-21-1234",
    ),
    # A notice stands in a column beside the court's name; a marriage is no dispute.
    "Illinois": (
        """
NOTICE                              2021 IL App (4th) 210123-U
This Order was filed under                                          FILED
Supreme Court Rule 23 and is              NO. 4-21-0123          April 12, 2021
not precedent except in the                                      Kit Vane
limited circumstances allowed        IN THE APPELLATE COURT    4th District Appellate
under Rule 23(e)(1).                                               Court, IL
                                          OF ILLINOIS

                                        FOURTH DISTRICT

In re MARRIAGE OF                             )    Appeal from the
ADA TARN,                                     )    Circuit Court of
                                              )    Quill County
          Petitioner-Appellee,                )    No. 17D291
          and                                 )
BEN TARN,                                     )
          Respondent-Appellant.               )    Honorable
                                              )    Lee Ash,
                                              )    Judge Presiding.
""",
        "In re Marriage of Ada Tarn and Ben Tarn",
        "Appellate Court of Illinois, Fourth District",
        "2021-04-12",
        "4-21-0123",
    ),
    # The roles stand above the names, which run over several lines; the clerk's box stands at the right.
    "Colorado": (
        """
  DISTRICT COURT, EL PASO COUNTY,
  STATE OF COLORADO                                   DATE FILED
                                                      November 12, 2021 5:03 PM
  270 Quill Street                                    FILING ID: 7C1A20EE4B9D1
  Colorado Springs, Colorado 80903                    CASE NUMBER: 2021CV31188

  Plaintiff:
  TARN RIDGE METROPOLITAN DISTRICT
  NO. 2, a quasi-municipal corporation and
  political subdivision of the State of Colorado,

  v.

  Defendants:
  PELL HOMES OF COLORADO, INC.;                           COURT USE ONLY
  ASH GRADING, LLC; and KIT
  T. VANE, P.E.
                                                      Case Number: 2021CV31188
  Attorneys for Defendant Pell Homes of
  Colorado, Inc.:

   DEFENDANT PELL HOMES OF COLORADO, INC.’S MOTION TO DISMISS
""",
        "Tarn Ridge Metropolitan District No. 2 v. Pell Homes of Colorado, Inc.",
        "District Court, El Paso County, State of Colorado",
        "2021-11-12",
        "2021CV31188",
    ),
    # Labels without colons, whose values run over several lines, beside a stamp.
    "Alberta, broken": (
        """
                                                           Clerk's Stamp
 COURT FILE NUMBER         2101 00917

 COURT                     COURT OF KING'S BENCH           FILED
                           OF ALBERTA                      DIGITALLY
                                                           2101 00917
 JUDICIAL CENTRE           CALGARY                         Oct 06, 2021
                                                           02:51 PM
 PLAINTIFF                 TARN SEED
                           GROWERS LTD.

 DEFENDANTS                ADA VANE, also known as
                           ADDIE VANE, and 1884402
                           ALBERTA LTD.

 DOCUMENT                  STATEMENT OF CLAIM
""",
        "Tarn Seed Growers Ltd. v Ada Vane",
        "Court of King's Bench of Alberta",
        "2021-10-06",
        "2101 00917",
    ),
    # The opinion's heading stands above the cause.
    "Scotland, petition": (
        """
                    OUTER HOUSE, COURT OF SESSION

                                                                       [2021] CSOH 215

                                                                              P617/21

                             OPINION OF LORD QUILL

                                     In the petition of

                         TARN ESTATES LIMITED

                                                                            Petitioner

     for judicial review of a decision of Pellshire Council dated 9 May 2020

                            Petitioner: Ash KC, Vane; Ryle LLP

                                    24 February 2021
""",
        "In the petition of Tarn Estates Limited",
        "Court of Session (Outer House)",
        "2021-02-24",
        "P617/21",
    ),
    # Who asked the Crown to act stands over two lines, the role beside the first.
    "England, Crown": (
        """
                                              Neutral Citation Number: [2021] EWCA Civ 2871

                                                                     Case No: CA-2021-001648
IN THE COURT OF APPEAL (CIVIL DIVISION)
ON APPEAL FROM THE HIGH COURT OF JUSTICE
                                                                             Date: 21/07/2021
                                      Before :

                           LADY JUSTICE QUILL
                        - - - - - - - - - - - - - - - - - - - - -
                                     Between :

                          THE KING                                      Appellant
               (on the application of ADA
                     TARN-VANE)

                           - and -

                SECRETARY OF STATE FOR THE                             Respondent
                      HOME DEPARTMENT
                        - - - - - - - - - - - - - - - - - - - - -
""",
        "R (on the application of Ada Tarn-Vane) v Secretary of State for the Home Department",
        "Court of Appeal (Civil Division)",
        "2021-07-21",
        "CA-2021-001648",
    ),
    # Colons stand in a column of their own, and values run over two lines.
    "property tribunal": (
        """
                        FIRST-TIER TRIBUNAL
                        PROPERTY CHAMBER (RESIDENTIAL PROPERTY)

Case reference         :   LON/00AG/LSC/2021/0217

Property               :   Flats 1-14 Quill Mansions, Tarn
                           Avenue, London NW5 2RX

Applicants             :   Mr Kit Ash

Representative         :   Mr Ash in person

Respondent             :   Pell Estates (No. 3) Limited

Representative         :   Ms Lee Vane of counsel

Date of decision       :   29 April 2021
""",
        "Kit Ash v Pell Estates (No. 3) Limited",
        "First-Tier Tribunal, Property Chamber (Residential Property)",
        "2021-04-29",
        "LON/00AG/LSC/2021/0217",
    ),
    # What the motion is stands beside the parties, one of whom has a number for a name.
    "New York, motion": (
        """
FILED: NEW YORK COUNTY CLERK 03/22/2021 10:14 AM                        INDEX NO. 653309/2020
NYSCEF DOC. NO. 58                                           RECEIVED NYSCEF: 03/22/2021

                      SUPREME COURT OF THE STATE OF NEW YORK
                                NEW YORK COUNTY
 PRESENT:          HON. ADA QUILL                        PART                   14
                                                  Justice
 ---------------------------------------------------------------X  INDEX NO.       653309/2020
 1188 BOYNE REALTY LLC,
                                                                   MOTION DATE     01/12/2021
                                       Plaintiff,
                                                                   MOTION SEQ. NO.    002
                             - v -

 PELL CATERING CORP.,                                            DECISION + ORDER ON
                                                                         MOTION
                                       Defendant.
 ---------------------------------------------------------------X

 The following e-filed documents, listed by NYSCEF document number (Motion 002) 31, 32, 33, 34
 were read on this motion to/for                   JUDGMENT - SUMMARY              .
""",
        "1188 Boyne Realty LLC v. Pell Catering Corp.",
        "Supreme Court of the State of New York, New York County",
        "2021-03-22",
        "653309/2020",
    ),
    # The name and its citation stand in two lines, and a case that is cited in one.
    "a case cited": (
        """
                         FEDERAL COURT OF AUSTRALIA

               Pell and Tarn Securities Commission v
              Quill Wealth Management Pty Ltd [2021] FCA 2688


File number:               VID 441 of 2021

Judge:                     ASH J

Date of judgment:          22 May 2021

Cases cited:               Vane v Director, Fair Work Building Industry
                           Inspectorate [2001] HCA 246; (2001) 358 CLR 482

Date of hearing:           18 March 2021
""",
        "Pell and Tarn Securities Commission v Quill Wealth Management Pty Ltd",
        "Federal Court of Australia",
        "2021-05-22",
        "VID 441 of 2021",
    ),
}


def describe(document: SourceDocument) -> tuple[str, str, str, str]:
    found = document.metadata
    return found.title, found.court, found.date, found.docket[0] if found.docket else ""


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_read_by_its_labels(read_as: Reader, form: str) -> None:
    page, *expected = FORMS[form]
    assert describe(read_as("paper.txt", page + BODY)) == tuple(expected)


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_read_the_same_as_pdf(read_as: Reader, form: str) -> None:
    page, *expected = FORMS[form]
    assert describe(read_as("paper.pdf", draw_page(page + BODY))) == tuple(expected)


def test_a_case_cited_on_the_first_page_is_not_the_document(read_as: Reader) -> None:
    page = FORMS["a case cited"][0]
    for name, content in (("judgment.txt", page + BODY), ("judgment.pdf", draw_page(page + BODY))):
        assert read_as(name, content).metadata.citation == "[2021] FCA 2688"


@pytest.mark.parametrize("label", ["Hearing", "Trial", "Motion"])
def test_no_other_day_is_the_decisions(read_as: Reader, label: str) -> None:
    page = FORMS["Queensland"][0] + f"\n{label} Date: 11 March 2024\n"
    assert read_as("paper.txt", page + BODY).metadata.date == ""
