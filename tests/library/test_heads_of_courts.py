"""Heads as courts of many countries print them: what is read is right, and nothing wrong is said."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.library.document import SourceDocument

Reader = Callable[[str, str | bytes], SourceDocument]

BODY = "\n\n".join(
    f"[{number}] The respondent carries grain by sea from the quay to the mill, as the appellant knew."
    for number in range(1, 8)
)
SOUTH_AFRICA = """REPUBLIC OF SOUTH AFRICA

IN THE HIGH COURT OF SOUTH AFRICA
GAUTENG DIVISION, PRETORIA

CASE NO: 45678/2019

(1) REPORTABLE: NO

In the matter between:

ADA TARN                                Plaintiff

and

HARBOUR ACCIDENT FUND                   Defendant

JUDGMENT

FERN AJ

INTRODUCTION
"""
IRELAND = """AN CHÚIRT UACHTARACH
THE SUPREME COURT

Supreme Court Record No: S:AP:IE:2020:000099
[2021] IESC 44

Quill J.

Between/

ADA TARN

Plaintiff/Appellant

and

PELL LINE DESIGNATED ACTIVITY COMPANY

Defendant/Respondent

Judgment of Mr. Justice Quill delivered the 21st day of July 2021
"""
SINGAPORE = """IN THE COURT OF APPEAL OF THE REPUBLIC OF SINGAPORE

[2021] SGCA 99

Civil Appeal No 12 of 2021

Between

Tarn Grain Pte Ltd
… Appellant

And

Pell Line Ltd
… Respondent

GROUNDS OF DECISION

Tarn Grain Pte Ltd
v
Pell Line Ltd

Court of Appeal — Civil Appeal No 12 of 2021
Fern CJ, Quill JCA and Elm JAD
2 August 2021

5 October 2021

Fern CJ (delivering the grounds of decision of the court):
"""
HONG_KONG = """HCA 1234/2019
[2021] HKCFI 3456

IN THE HIGH COURT OF THE
HONG KONG SPECIAL ADMINISTRATIVE REGION
COURT OF FIRST INSTANCE
ACTION NO 1234 OF 2019
____________

BETWEEN

TARN GRAIN (ASIA) LIMITED               Plaintiff

and

PELL LINE LIMITED                       1st Defendant
EBEN PELL                               2nd Defendant

____________

Before: Hon Fern J in Chambers
Date of Hearing: 2 November 2021
Date of Decision: 19 November 2021
"""
QUEBEC = """COUR D'APPEL

CANADA
PROVINCE DE QUÉBEC

N° : 500-09-012345-201

DATE : 9 mars 2022

CORAM : LES HONORABLES MARIE FERN, J.C.A.
PIERRE QUILL, J.C.A.

GRAINS TARN INC.
APPELANTE – défenderesse
c.

LIGNE PELL LTÉE
INTIMÉE – demanderesse

ARRÊT
"""
CANADA = """Date: 20210614

Docket: T-1234-19

Citation: 2021 FC 999

BETWEEN:

TARN GRAIN INC.

Applicant

and

MINISTER OF QUAYS

Respondent

JUDGMENT AND REASONS
"""
NIGERIA = """IN THE SUPREME COURT OF NIGERIA
HOLDEN AT ABUJA
ON FRIDAY, THE 12TH DAY OF JULY, 2019

BEFORE THEIR LORDSHIPS

MARY FERN                               JUSTICE, SUPREME COURT

SC. 123/2008

BETWEEN:

ADA TARN                                APPELLANT

AND

1. EBEN PELL
2. TARN LOCAL GOVERNMENT COUNCIL        RESPONDENTS

JUDGMENT
(DELIVERED BY MARY FERN, JSC)
"""
KENYA = """REPUBLIC OF KENYA

IN THE HIGH COURT OF KENYA AT NAIROBI

COMMERCIAL AND TAX DIVISION

CIVIL SUIT NO. 123 OF 2017

TARN GRAIN LIMITED…………………………PLAINTIFF

VERSUS

PELL LINE LIMITED…………………………1ST DEFENDANT

RULING
"""
NEW_ZEALAND = """IN THE HIGH COURT OF NEW ZEALAND
AUCKLAND REGISTRY

I TE KŌTI MATUA O AOTEAROA

CIV-2019-404-001234
[2020] NZHC 2345

IN THE MATTER OF an application for leave

BETWEEN ADA TARN
Plaintiff

AND PELL LINE LIMITED
First Defendant

Hearing:                   3 August 2020

Appearances: M Ash for Plaintiff

Judgment:                  8 September 2020

JUDGMENT OF FERN J
"""
MALAYSIA = """IN THE COURT OF APPEAL OF MALAYSIA
(APPELLATE JURISDICTION)
CIVIL APPEAL NO. W-02(A)-123-01/2018

BETWEEN

TARN GRAIN SDN BHD
(Company No. 123456-X) ... APPELLANT

AND

PELL LINE BHD ... RESPONDENT

(In the Matter of Kuala Lumpur High Court Civil Suit No. 22NCC-45-02/2016

Between

Tarn Grain Sdn Bhd ... Plaintiff)

JUDGMENT OF THE COURT
"""
DELHI = """* IN THE HIGH COURT OF DELHI AT NEW DELHI
% Date of decision: 9th November, 2021
+ CS(COMM) 123/2020 & I.A. 4567/2020
TARN GRAIN PRIVATE LIMITED ..... Plaintiff
Through: Mr. M. Ash, Advocate.
versus
PELL LINE & ANR. ..... Defendants
Through: Mr. J. Oak, Advocate.
"""
EUROPEAN_UNION = """JUDGMENT OF THE COURT (Third Chamber)

16 September 2021 (*)

(Reference for a preliminary ruling – Carriage of goods by sea – Regulation (EC) No 9999/2001)

In Case C-123/20,

REQUEST for a preliminary ruling from the Landgericht Elm, in the proceedings

Tarn Getreide GmbH

v

Pell Line SA,

THE COURT (Third Chamber),

composed of M. Fern, President of the Chamber, J. Quill (Rapporteur), Judges,
"""
STRASBOURG = """FOURTH SECTION

CASE OF TARN v. PELLIA

(Application no. 12345/15)

JUDGMENT

STRASBOURG

12 October 2021

FINAL

12/01/2022

In the case of Tarn v. Pellia,

The European Court of Human Rights (Fourth Section), sitting as a Chamber composed of:

Mary Fern, President,
"""
NEW_YORK = """UNITED STATES DISTRICT COURT
SOUTHERN DISTRICT OF ELM
---------------------------------------x
ADA TARN,
                         Plaintiff,
         -against-                          20-CV-1234 (ABC)

PELL LINE, INC., et al.,                    OPINION AND ORDER

                         Defendants.
---------------------------------------x

MARY FERN, United States District Judge:
"""


@pytest.mark.parametrize(
    ("head", "title", "court", "date", "docket"),
    [
        (SOUTH_AFRICA, "Ada Tarn v Harbour Accident Fund",
         "High Court of South Africa, Gauteng Division, Pretoria", "", "45678/2019"),
        (IRELAND, "Ada Tarn v Pell Line Designated Activity Company",
         "Supreme Court of Ireland", "2021-07-21", "S:AP:IE:2020:000099"),
        (SINGAPORE, "Tarn Grain Pte Ltd v Pell Line Ltd",
         "Court of Appeal of the Republic of Singapore", "2021-10-05", "Civil Appeal No 12 of 2021"),
        (HONG_KONG, "Tarn Grain (Asia) Limited v Pell Line Limited",
         "High Court of the Hong Kong Special Administrative Region, Court of First Instance", "2021-11-19",
         "HCA 1234/2019"),
        (QUEBEC, "Grains Tarn Inc. v. Ligne Pell Ltée", "Cour D'appel", "2022-03-09", "500-09-012345-201"),
        (CANADA, "Tarn Grain Inc. v Minister of Quays", "Federal Court", "2021-06-14", "T-1234-19"),
        (NIGERIA, "Ada Tarn v Eben Pell", "Supreme Court of Nigeria", "2019-07-12", "SC. 123/2008"),
        (KENYA, "Tarn Grain Limited v Pell Line Limited",
         "High Court of Kenya at Nairobi, Commercial and Tax Division", "", "CIVIL SUIT NO. 123 OF 2017"),
        (NEW_ZEALAND, "Ada Tarn v Pell Line Limited", "High Court of New Zealand, Auckland Registry",
         "2020-09-08", "CIV-2019-404-001234"),
        (MALAYSIA, "Tarn Grain Sdn Bhd v Pell Line Bhd", "Court of Appeal of Malaysia", "",
         "W-02(A)-123-01/2018"),
        (DELHI, "Tarn Grain Private Limited v Pell Line & Anr", "High Court of Delhi at New Delhi",
         "2021-11-09", "CS(COMM) 123/2020"),
        (EUROPEAN_UNION, "Tarn Getreide GmbH v Pell Line SA", "Court of Justice of the European Union",
         "2021-09-16", ""),
        (STRASBOURG, "Tarn v. Pellia", "European Court of Human Rights (Fourth Section)", "2021-10-12",
         "12345/15"),
        (NEW_YORK, "Ada Tarn v. Pell Line, Inc.",
         "United States District Court, Southern District of Elm", "", "20-CV-1234 (ABC)"),
    ],
    ids=["ZA", "IE", "SG", "HK", "QC", "CA", "NG", "KE", "NZ", "MY", "IN", "EU", "ECHR", "US"],
)  # fmt: skip
def test_a_head(read_as: Reader, head: str, title: str, court: str, date: str, docket: str) -> None:
    found = read_as("1.txt", f"{head}\n{BODY}\n").metadata
    assert (found.title, found.court, found.date, found.kind) == (title, court, date, "case")
    assert docket in found.docket or not docket


@pytest.mark.parametrize(
    "head",
    [
        "BUNDESGERICHTSHOF\n\nIM NAMEN DES VOLKES\n\nURTEIL\n\nXII ZR 123/20\n\nin dem Rechtsstreit\n",
        "RÉPUBLIQUE FRANÇAISE\n\nAU NOM DU PEUPLE FRANÇAIS\n\nCOUR DE CASSATION\n\nAudience publique\n",
    ],
)
def test_a_head_in_a_form_that_is_not_known_gives_no_title(read_as: Reader, head: str) -> None:
    found = read_as("Tarn 2022.txt", f"{head}\n{BODY}\n").metadata
    assert (found.title, found.court, found.date) == ("Tarn 2022", "", "")


def test_a_number_of_the_court_is_no_citation_of_another_country(read_as: Reader) -> None:
    line = "Tarn v Pell & another (Civil Appeal 45 of 2019) [2022] KECA 123 (KLR) (4 March 2022) (Judgment)"
    found = read_as("1.txt", f"{line}\n\nRepublic of Kenya\n\nIn the Court of Appeal at Mombasa\n\n{BODY}\n")
    assert (found.metadata.title, found.metadata.citation) == ("Tarn v Pell & another", "[2022] KECA 123")
    assert (found.metadata.jurisdiction, found.metadata.date) == ("", "2022-03-04")


def test_a_first_line_in_small_letters_is_no_title(read_as: Reader) -> None:
    assert read_as("Tarn.txt", f"for depth, see overleaf.\n\n{BODY}\n").metadata.title == "Tarn"
