from __future__ import annotations

import pytest

from lexls.citations.case_names.compare import is_other_name, list_name_words, same_name
from lexls.citations.case_names.shorten import list_short_names
from lexls.citations.case_names.strangers import Stranger, find_strangers
from lexls.citations.grammar import Grammar


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Carrow v Dunne", "Carrow v. Dunne"),
        ("Carrow v Dunne", "CARROW VS DUNNE"),
        ("Carrow Shipping Ltd v Dunne & Co", "Carrow Shipping v. Dunne"),
        ("Carrow & Sons v Dunne", "Carrow and Sons v Dunne"),
        ("Rao v. State of Bihar and Ors.", "Rao vs State of Bihar"),
        ("Nat'l Bank v. Comm'r", "National Bank v. Commissioner"),
        ("In re Halloran", "Re Halloran"),
        ("Ex parte Poole", "Poole"),
        ("R v Smith", "R. v. Smith"),
        ("The Mayor of Stannick v Pell", "Mayor of Stannick v Pell"),
        ("Carrow v Dunne", "Carrow"),
        ("Loewe v Hale", "Loewe v. Hale, et al."),
        ("Löwe v Hale", "Lowe v Hale"),
        ("Carrow v Dunne", "Dunne v Carrow"),
        (
            "Nat'l Grain Ass'n v. Dep't of Transp.",
            "National Grain Association v. Department of Transportation",
        ),
        ("E. Wool Co. v. Cent. Mgmt. Bd.", "Eastern Wool Company v. Central Management Board"),
        ("N.M. Rao v. State of Bihar", "N M Rao vs. State of Bihar & Anr."),
        ("Laxmi Narain v. Choudhary", "Lakshmi Narayan v. Chowdhury"),
        ("Regina v Smith", "The Queen v Smith"),
        ("Commissioner of Tides v Pell", "Secretary of State v Pell"),
        ("Pell v. GRC", "Pell v. Grain Regulatory Commission"),
        ("Arden Bank v. Carrow (In re Carrow)", "In re Carrow"),
        ("Orr v. U. S.", "Orr v. United States"),
        ("CARROW SHIPPING CORP v. STATE", "Carrow Shipping v. State of Aldmoor"),
        ("Carrow v Dunne (1968)", "Carrow v Dunne"),
        ("T. R. Velan v Dunne", "Velan T. R. v Dunne"),
        ("Carrow v Dunne 1996 (1) TOLE (SP) 42", "Carrow v Dunne"),
    ],
)
def test_two_ways_of_writing_a_name(first: str, second: str) -> None:
    assert same_name(first, second)
    assert same_name(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Carrow v Dunne", "Carrow v Ryle"),
        ("R v Smith", "R v Jones"),
        ("Roe v. Wade", "Bush v. Gore"),
        ("Carrow", "Dunne"),
        ("Carrow v Dunne", ""),
        ("", ""),
        ("Bank v Orr", "Banner v Orr"),
        ("Kasi v Orr", "K. Mani v Orr"),
    ],
)
def test_names_of_two_cases(first: str, second: str) -> None:
    assert not same_name(first, second)
    assert not same_name(second, first)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Carrow v Dunne", "Pell v Ryle"),
        ("Carrow v Dunne", "Carrow v Ryle"),
        ("R v Smith", "R v Jones"),
        ("In re Halloran", "In re Dunne"),
    ],
)
def test_a_name_that_is_certainly_another_case(name: str, title: str) -> None:
    assert is_other_name(name, title)
    assert is_other_name(title, name)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Carrow v Dunne", "Carrow v Dunne"),
        ("Bihar v. N.M. Rao", "Board of Revenue, Bihar v. N.M. Rao"),
        ("Carrow v Secretary of State", "Carrow v Dunne"),
        ("Orrin v Dunne", "Carrow and Orrin v Dunne"),
        ("Lasker v Dunne", "Carrow v Dunne"),
        ("Pell, 531 at 98) and Orr v Ryle", "Carrow v Dunne"),
        ("Ors.", "Carrow v Dunne"),
        ("In re Halloran", "Carrow v Dunne"),
        ("Union of Tollen v. Garrodkumar", "Union of Tollen v Garrud Kumar Samal and Another"),
        ("Tollen Harbour Authority", "Ryle Carrow v Tollen Harbour Authority of Aldmoor and Others"),
    ],
)
def test_a_name_that_may_be_the_case_after_all(name: str, title: str) -> None:
    assert not is_other_name(name, title)


@pytest.mark.parametrize(
    ("name", "title", "strange"),
    [
        ("Orrin Lal Carrow v. Dunne", "Pell Lal Carrow v Dunne", [("Orrin",)]),
        ("Orrin Lal Carrow Velan v. Dunne", "Pell Lal Carrow Alias Velan v Dunne", [("Orrin",)]),
        ("Carrow v. Stark Harbour Board", "Carrow v. Pell Harbour Board", [("Stark",)]),
        ("Carrow v. State of Tollen", "Carrow v. State of Stannick", [("Tollen",)]),
        ("Board of Trade of Tollen v. Dunne", "United States v. Dunne", [("Tollen",)]),
        ("Commissioner v. Dunne", "Carrow v. Dunne", [("commissioner",)]),
        ("State v. Dunne", "Carrow v. Dunne", [("state",)]),
        ("United States v. S.R.B.", "United States v. Dunne", [("S.R.B.",)]),
        ("Carrow v. O’Dunne", "Carrow v. Pell", [("O’Dunne",)]),
        ("Pell v. Ryle", "In re Carrow", [("Pell",), ("Ryle",)]),
        ("In re Pell", "Carrow v. Dunne", [("Pell",)]),
        ("May v. Commissioner", "In re Carrow", [("commissioner",)]),
        ("Orrin Carrow Carro v. Dunne", "Carrod Carrow Carro v Dunne", [("Orrin",)]),
        (
            "State of Tollen v. Orrin for Grain Rights, Tollen",
            "State of Tollen v Committee for Grain Rights, Tollen",
            [("Orrin",)],
        ),
        ("Orrin Finance and Tollen Bank v. Dunne", "Carrow Finance v. Dunne", [("Orrin",)]),
        ("Ashgrove Velan v. Dunne", "Ashok Velan v. Dunne", [("Ashgrove",)]),
        ("Carrow v. Orrin’s Ltd", "Carrow v. Pell", [("Orrin’s",)]),
        ("Carrowmere., Inc. v. Dunne", "Orrin, Inc. v. Dunne", [("Carrowmere.",)]),
        ("THC Ltd v. State of Tollen", "Carrow v. State of Tollen", [("THC",)]),
        ("Stark v. Dunne", "Orrin s/o Kane v. Dunne", [("Stark",)]),
    ],
)
def test_the_parties_that_a_title_does_not_have(
    name: str, title: str, strange: list[tuple[str, ...]]
) -> None:
    assert [each.words for each in find_strangers(name, title)] == strange


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Orrinkant Velan v Dunne", "Orrin Kant Velan and Others v Dunne"),
        ("U.O.I. v. Pell", "Union of Indra and Another v Pell"),
        ("Carrow v. THC", "Carrow v. Tollen Harbour Commission"),
        ("Estate of Pell v. Comm’r", "Estate of Pell v. Commissioner"),
        ("Lal Saheb v. State of T.", "Orrin Mohan Singh @ Lai Saheb v State of Tollen"),
        ("Carrow v. Dunne", "Carrow v. Dunne (In re Dunne)"),
        ("Pell v. Dunne", "In re Dunne"),
        ("the Coal Control Case", "Carrow v. Dunne"),
        ("", "Carrow v. Dunne"),
        ("Bam Singh v. Dunne", "Bani Singh v. Dunne"),
        ("Re CDT (A Child)", "CTD (A Child)"),
        ("Orr v. Velan", "Velan, T. R. v. Orr"),
        ("Carrow v. Dunne, 2000.8 TLR 25", "Carrow v. Dunne"),
    ],
)
def test_a_title_that_may_have_the_parties(name: str, title: str) -> None:
    assert find_strangers(name, title) == ()


@pytest.mark.parametrize(
    ("words", "office", "text", "named"),
    [
        (("Pell",), False, "The claim of PELL & Co. fails.", True),
        (("Pell",), False, "The claim fails. They pelled it.", False),
        (("Pell", "Tollen"), False, "Of Tollen nothing is known.", False),
        (("Pell", "Tollen"), False, "Pell, of the port of Tollen, appeals.", True),
        (("Pell", "Tollen"), False, f"Pell appeals. {'It is so. ' * 20} He came from Tollen.", False),
        (("O’Dunne",), False, "Mr. O'Dunne appeals.", True),
        (("state",), True, "The State appeals. " + "It is so. " * 300, True),
        (("state",), True, "The United States Code of the State Board. " + "It is so. " * 300, False),
        (("unitedstates",), True, "In Roe v. United States v. Pell, 12. " + "It is so. " * 300, False),
        (("unitedstates",), True, "UNITED STATES OF AMERICA " + "It is so. " * 300, True),
        (("commissioner",), True, "It is so. " * 300 + "The commissioner did not.", True),
        (("commissioner",), True, "It is so. " * 300, False),
        (("commissioner",), True, "It is so.", True),
    ],
)
def test_whether_a_judgment_speaks_of_a_party(
    words: tuple[str, ...], office: bool, text: str, named: bool
) -> None:
    assert Stranger(words, office).is_named_in(text) == named


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Carrow Shipping Ltd v Dunne", ("Carrow Shipping Ltd", "Carrow Shipping", "Dunne")),
        ("State of Kerala v. N.M. Rao and Ors.", ("N.M. Rao",)),
        ("R v Poole (No 2)", ("Poole",)),
        ("In re Halloran", ("Halloran",)),
        ("United States v. Ryle", ("Ryle",)),
        ("Human Rights Act 1998", ("Human Rights Act",)),
        ("Indian Penal Code, 1860", ("Indian Penal Code",)),
        ("Evidence Act 1995 (Cth)", ("Evidence Act",)),
        ("Charterparty of the Sable Star", ()),
        ("", ()),
    ],
)
def test_what_drafts_call_an_authority(title: str, names: tuple[str, ...]) -> None:
    assert list_short_names(title) == names


def test_the_words_of_a_name_leave_out_what_tells_nothing() -> None:
    assert list_name_words("The Carrow Shipping Co. Ltd. v. Dunne & Ors.") == (
        "carrow",
        "shipping",
        "v",
        "dunne",
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "It was so held in 321 Ferries v. Orr, 307 F. Supp. 2d 1085 (N.D. Cal. 2004).",
            "321 Ferries v. Orr",
        ),
        ("20th Century Ferries v. Orr, 12 F.3d 34 (9th Cir. 1993).", "20th Century Ferries v. Orr"),
        ("See 84 Timber Co. v. Orr, 13 F.3d 35 (9th Cir. 1994).", "84 Timber Co. v. Orr"),
        ("See 1-800 Tides, Inc. v. Orr, 414 F.3d 400 (2d Cir. 2005).", "1-800 Tides, Inc. v. Orr"),
        # The number of a footnote, a year, a page.
        ("12 Carrow v. Orr, 12 F.3d 34 (9th Cir. 1993).", "Carrow v. Orr"),
        ("It was decided in 1994 Carrow v. Orr, 12 F.3d 34 (9th Cir. 1994).", "Carrow v. Orr"),
        ("So it is said at 44. Carrow v. Orr, 12 F.3d 34 (9th Cir. 1994).", "Carrow v. Orr"),
    ],
)
def test_a_name_may_begin_with_a_number(text: str, name: str) -> None:
    assert [each.name for each in Grammar.load().find(text, "US")] == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "See San Marlo Agri. Water Users Ass'n v. KNXT-TV, 531 U.S. 98.",
            "San Marlo Agri. Water Users Ass'n v. KNXT-TV",
        ),
        ("In re Redev. Auth. of Stannick, 531 U.S. 98.", "In re Redev. Auth. of Stannick"),
        ("In Ardmoor Condo. Ass'n V. Dunne, 531 U.S. 98.", "Ardmoor Condo. Ass'n V. Dunne"),
        (
            "In South Ardmoor Rlwys. and Another v. Dunne, 531 U.S. 98.",
            "South Ardmoor Rlwys. and Another v. Dunne",
        ),
        ("In State Of A.R. And Ors v. Dunne, 531 U.S. 98.", "State Of A.R. And Ors v. Dunne"),
        ("See Carrow v. Stann. Rys. Co., 531 U.S. 98.", "Carrow v. Stann. Rys. Co."),
        ("Citizens for a Better Harbour v. Dunne, 531 U.S. 98.", "Citizens for a Better Harbour v. Dunne"),
        ("See First Nat'l Bank of Stannick v. Dunne, 531 U.S. 98.", "First Nat'l Bank of Stannick v. Dunne"),
        (
            "See Pell & Ryle, Publishers, Inc. v. Dunne, 531 U.S. 98.",
            "Pell & Ryle, Publishers, Inc. v. Dunne",
        ),
        ("See Carrow, U.S.A. Inc. v. Dunne, 531 U.S. 98.", "Carrow, U.S.A. Inc. v. Dunne"),
        ("See Carrow, Executrix v. Dunne, 531 U.S. 98.", "Carrow, Executrix v. Dunne"),
        ("See Carrow et al. v. Dunne, 531 U.S. 98.", "Carrow et al. v. Dunne"),
        ("of the “Commonwealth.” Carrow v. Dunne, 531 U.S. 98.", "Carrow v. Dunne"),
        ("such a finding.—Carrow v. Dunne, 531 U.S. 98.", "Carrow v. Dunne"),
        ("Carrow v. Dunne, 6 Cir., 125 F.2d 995, 997.", "Carrow v. Dunne"),
        ("Carrow v. Dunne, supra, 33 Cal.4th 943.", "Carrow v. Dunne"),
        ("Carrow v. Dunne Corp. (“Dunne”), 531 U.S. 98.", "Carrow v. Dunne Corp."),
        ("Carrow v. Dunne, 590 U.S. ___, 141 S. Ct. 1937 (2021).", "Carrow v. Dunne"),
        ("Carrow v. Dunne, No. 3:10-CV-12-TJC, 2011 WL 123456.", "Carrow v. Dunne"),
        ("Carrow v. Dunne (2d Cir. 2007) 475 F.3d 83.", "Carrow v. Dunne"),
        ("Carrow v. Dunne, 524 U.S. at 749, 118 S. Ct. 2257.", "Carrow v. Dunne"),
        ("See Interest of H.G., 2001 ND 142.", "Interest of H.G."),
        ("Complaint of Carrow Shipping Co., 531 F. Supp. 98.", "Complaint of Carrow Shipping Co."),
        ("see also Carrow, Inc., 457 F. Supp. 2d 957.", "Carrow, Inc."),
        ("Cf. Carrow Flavor Co., 4 T. C. 1215.", "Carrow Flavor Co."),
        ("the Second Circuit, 273 F.3d 429.", ""),
        ("In Roe v. Wade. The Court in Carrow, 531 U.S. 98.", "Carrow"),
        ("under Rule 1921 and Carrow v. Dunne, 531 U.S. 98.", "Carrow v. Dunne"),
        ("519 U.S. 9 (2001) (Pell, J.) and Carrow v. Dunne, 531 U.S. 98.", "Carrow v. Dunne"),
        ("See Union Of Tollen & Ors v. Carrow, 531 U.S. 98.", "Union Of Tollen & Ors v. Carrow"),
        ("that of Orrin Carrow And Others v. Dunne, 531 U.S. 98.", "Orrin Carrow And Others v. Dunne"),
        (
            "See State of Tollen v. Orrin @ Velan and Others, 531 U.S. 98.",
            "State of Tollen v. Orrin @ Velan and Others",
        ),
        ("noticed the Carrow and another v. Dunne case, 531 U.S. 98.", "Carrow and another v. Dunne"),
        ("Pell v. Ryle was decided before Carrow's case, 531 U.S. 98.", "Carrow"),
    ],
)
def test_an_american_name_is_read_to_its_beginning_and_end(text: str, name: str) -> None:
    full = [citation for citation in Grammar.load().find(text, "US") if citation.form == "full"]
    assert full[-1].name == name


def test_the_year_before_a_report_in_the_californian_style() -> None:
    (found,) = Grammar.load().find("Carrow v. Dunne (1987) 43 Cal.3d 1379, 1386.", "US")
    assert (found.year, found.text) == (1987, "Carrow v. Dunne (1987) 43 Cal.3d 1379, 1386")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "No appeal lies vide ), Carrow & Ors. Vs. State of Kelby & Anr. 2000(6) SCC 359",
            "Carrow & Ors. Vs.",
        ),
        ("(saying “no board may tow.”) (footnote omitted) and Carrow v. Orr, 12 F.3d 34", "Carrow v. Orr"),
        ("(“The board alone may tow. So it is.”) and Carrow v. Orr, 12 F.3d 34", "Carrow v. Orr"),
        ("So it is in Carrow Narayan De,) v. Orr, 12 F.3d 34", "Carrow Narayan De,) v. Orr"),
        ("See Carrow Ltd (in liq) v. Orr, 12 F.3d 34", "Carrow Ltd (in liq) v. Orr"),
        ("See Mullen (trading as Carrow) v. Orr, 12 F.3d 34", "Mullen (trading as Carrow) v. Orr"),
    ],
)
def test_a_bracket_that_only_closes_ends_the_prose_before_a_name(text: str, name: str) -> None:
    (found,) = [each.name for each in Grammar.load().find(text) if each.kind == "case"]
    assert found.startswith(name)


@pytest.mark.parametrize("reported", ["reported in", "Reported in", "REPORTED IN", "since reported as"])
def test_where_a_case_is_reported_is_no_part_of_its_name(reported: str) -> None:
    (found,) = Grammar.load().find(f"See Carrow v. State of Kelby and Ors. {reported} 2000 (6) SCC 359")
    assert found.name == "Carrow v. State of Kelby and Ors."


@pytest.mark.parametrize(
    "suffix", ["P. A.", "N. A.", "S. A.", "P. C.", "L. P.", "L. L. C.", "L. L. P.", "P. L. L. C."]
)
@pytest.mark.parametrize("firm", ["Hale", "Hale Bank", "Hale & Ryle", "Hale, Ryle & Orr"])
@pytest.mark.parametrize("number", ["531 U.S. 98", "No. 08-1119, slip op. at 14 (U.S. Mar. 8, 2010)"])
def test_a_company_with_a_spaced_suffix_is_a_party(suffix: str, firm: str, number: str) -> None:
    name = f"{firm}, {suffix} v. Dunne"
    assert [each.name for each in Grammar.load().find(f"So it is. See {name}, {number}.", "US")] == [name]


@pytest.mark.parametrize("end", [".”", ".’”", "’.”", '."', ".'\"", "?”", "?’”", "!’”", "’”", ".’ ”"])
def test_a_quotation_that_ends_right_before_it_is_none_of_a_name(end: str) -> None:
    text = f"“It may not ‘regulate Commerce{end} Pell v. Dunne, 531 U.S. 98 (2000)."
    assert [each.name for each in Grammar.load().find(text, "US")] == ["Pell v. Dunne"]


@pytest.mark.parametrize("lead", ["See", "In", "So it was held in", "It is the rule of"])
@pytest.mark.parametrize("firm", ["Hale, Ryle & Orr", "Hale, Ryle & Orr, P. A.", "Hale, Ryle & Orr, LLP"])
def test_a_firm_in_italics_begins_at_their_mark(lead: str, firm: str) -> None:
    text = f"So it is. {lead}  {firm} v. Dunne , 531 U.S. 98 (2000)."
    assert [each.name for each in Grammar.load().find(text, "US")] == [f"{firm} v. Dunne"]
