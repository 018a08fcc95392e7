from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation

Check = Callable[..., tuple[Citation, ...]]

CARROW = "[2014] UKSC 12"
RYLE = "[2009] UKSC 31"


def last(check: Check, marked: str, jurisdiction: str = "UK") -> Citation:
    return check(marked, jurisdiction)[-1]


@pytest.mark.parametrize(
    ("short", "pinpoint"),
    [
        ("Carrow at [14]", ("14",)),
        ("Carrow, at [14]–[16]", ("14-16",)),
        ("Carrow [14]", ("14",)),
        ("Carrow, para 14", ("14",)),
        ("Carrow Shipping at [14]", ("14",)),
        ("Dunne at [14]", ("14",)),
        ("Carrow Shipping Ltd v Dunne at [14]", ("14",)),
    ],
)
def test_a_short_name_with_a_pinpoint(check: Check, short: str, pinpoint: tuple[str, ...]) -> None:
    citation = last(check, f"⟦Carrow Shipping Ltd v Dunne {CARROW}⟧. So ⟦{short}⟧.")
    assert (citation.form, citation.key, citation.antecedent) == ("short", CARROW, 0)
    assert citation.pinpoint is not None
    assert (citation.pinpoint.kind, citation.pinpoint.labels) == ("paragraph", pinpoint)


def test_a_full_name_alone_is_the_case_cited_before(check: Check) -> None:
    citation = last(check, f"⟦Carrow v Dunne {CARROW}⟧. In ⟦Carrow v Dunne⟧ the Court held otherwise.")
    assert (citation.form, citation.antecedent, citation.pinpoint) == ("short", 0, None)


def test_the_case_of_a_name(check: Check) -> None:
    citation = last(check, f"⟦Carrow v Dunne {CARROW}⟧. The ⟦Carrow case⟧ was about ships.")
    assert (citation.form, citation.antecedent) == ("short", 0)


def test_a_name_that_was_not_cited_is_no_short_form(check: Check) -> None:
    check(f"⟦Carrow v Dunne {CARROW}⟧. Merrow at [14] is a stranger, and so is Merrow v Poole.", "UK")


def test_the_later_of_two_cases_with_a_name_is_meant(check: Check) -> None:
    citation = last(check, f"⟦Carrow v Dunne {CARROW}⟧ and ⟦Carrow v Ryle {RYLE}⟧: ⟦Carrow v Dunne at [3]⟧.")
    assert citation.antecedent == 0


@pytest.mark.parametrize(
    ("short", "pinpoint"),
    [
        ("531 U.S., at 104", ("104",)),
        ("531 U. S. at 104-105", ("104-105",)),
        ("Bush, 531 U.S. at 104", ("104",)),
    ],
)
def test_a_volume_and_reporter_with_a_page(check: Check, short: str, pinpoint: tuple[str, ...]) -> None:
    citation = last(check, f"⟦Bush v. Gore, 531 U.S. 98 (2000)⟧. As ⟦{short}⟧ says.", "US")
    assert (citation.form, citation.key, citation.antecedent) == ("short", "531 U.S. 98", 0)
    assert citation.pinpoint is not None
    assert (citation.pinpoint.kind, citation.pinpoint.labels) == ("page", pinpoint)


def test_a_volume_that_was_not_cited_has_no_antecedent(check: Check) -> None:
    citation = last(check, "⟦Bush v. Gore, 531 U.S. 98 (2000)⟧. As ⟦505 U.S., at 517⟧ says.", "US")
    assert (citation.key, citation.antecedent) == ("", None)


@pytest.mark.parametrize(
    "short",
    [
        "Carrow, supra, at 14",
        "Carrow (supra)",
        "Carrow v Dunne (supra) at [14]",
        "Carrow, supra note 3",
        "Carrow above n 12",
    ],
)
def test_supra_points_back_by_name(check: Check, short: str) -> None:
    citation = last(
        check,
        f"⟦Carrow Shipping v Dunne {CARROW}⟧; ⟦Pell v Ryle {RYLE}⟧. So ⟦{short}⟧.".replace(" Shipping", ""),
    )
    assert (citation.form, citation.key, citation.antecedent) == ("supra", CARROW, 0)


def test_supra_with_a_name_of_several_words(check: Check) -> None:
    citation = last(
        check,
        "⟦Bell Atlantic Corp. v. Twombly, 550 U.S. 544 (2007)⟧. See ⟦Bell Atlantic, supra, at 570⟧.",
        "US",
    )
    assert (citation.form, citation.key) == ("supra", "550 U.S. 544")
    assert citation.pinpoint is not None
    assert citation.pinpoint.labels == ("570",)


def test_supra_of_a_case_that_was_not_read_has_no_key(check: Check) -> None:
    citation = last(check, f"⟦Carrow v Dunne {CARROW}⟧. So ⟦Merrow (supra)⟧.")
    assert (citation.form, citation.key, citation.antecedent) == ("supra", "", None)


def test_supra_without_a_name_speaks_of_the_text_itself(check: Check) -> None:
    check(f"⟦Carrow v Dunne {CARROW}⟧. See supra Part II.", "UK")


@pytest.mark.parametrize(
    ("short", "pinpoint"),
    [
        ("Id. at 14", ("14",)),
        ("id., at 14", ("14",)),
        ("Ibid at [14]", ("14",)),
        ("ibid., p 14", ("14",)),
        ("Ibid.", ()),
    ],
)
def test_id_is_what_was_cited_last(check: Check, short: str, pinpoint: tuple[str, ...]) -> None:
    see = "" if short[0].isupper() else "see "
    citation = last(check, f"⟦Carrow v Dunne {CARROW}⟧. Then ⟦Pell v Ryle {RYLE}⟧. ({see}⟦{short}⟧)")
    assert (citation.form, citation.key, citation.antecedent) == ("id", RYLE, 1)
    assert (citation.pinpoint.labels if citation.pinpoint else ()) == pinpoint


def test_id_after_parallel_citations_is_the_first_of_them(check: Check) -> None:
    citation = last(check, "⟦Roe v. Wade, 410 U.S. 113⟧, ⟦93 S. Ct. 705⟧. ⟦Id. at 120⟧.", "US")
    assert citation.antecedent == 0


def test_id_after_a_short_form_follows_it(check: Check) -> None:
    marked = f"⟦Carrow v Dunne {CARROW}⟧; ⟦Pell v Ryle {RYLE}⟧. ⟦Carrow at [3]⟧. ⟦Ibid at [4]⟧."
    assert last(check, marked).antecedent == 0


def test_id_of_an_act(check: Check) -> None:
    citation = last(check, "⟦Carriage of Goods Act 1994, s 3⟧. ⟦Ibid, s 4⟧.")
    assert (citation.kind, citation.key) == ("statute", "Carriage of Goods Act 1994")
    assert citation.pinpoint is not None
    assert (citation.pinpoint.kind, citation.pinpoint.labels) == ("section", ("4",))


def test_a_page_of_id_is_not_given_to_an_act(check: Check) -> None:
    marked = "⟦Bush v. Gore, 531 U.S. 98⟧ (on ⟦42 U.S.C. § 1983⟧). ⟦Id. at 104⟧."
    assert last(check, marked, "US").key == "531 U.S. 98"


def test_id_after_a_case_that_was_not_read_is_left_open(check: Check) -> None:
    marked = "⟦Bush v. Gore, 531 U.S. 98⟧. But see Smith v. Jones, 12 Xyz. Q. 3 (1990). ⟦Id. at 5⟧."
    citation = last(check, marked, "US")
    assert (citation.key, citation.antecedent) == ("", None)


@pytest.mark.parametrize(
    ("definition", "use"),
    [
        ('("the Act")', "the Act"),
        ("(“the 1994 Act”)", "the 1994 Act"),
        ('(hereinafter "the Carriage Act")', "Carriage Act"),
        ("(the “CGA”)", "the CGA"),
        ("(CGA)", "the CGA"),
        ("[‘CGA’]", "CGA"),
        ("(hereinafter referred to as “the Code”)", "the Code"),
    ],
)
def test_a_defined_term_is_its_act(check: Check, definition: str, use: str) -> None:
    marked = (
        f"By the ⟦Carriage of Goods Act 1994⟧ {definition} and the ⟦Pilotage Act 1988⟧, so ⟦{use}⟧ governs."
    )
    citation = last(check, marked)
    assert (citation.form, citation.key, citation.antecedent) == ("defined", "Carriage of Goods Act 1994", 0)


@pytest.mark.parametrize("use", ["section 9 of the Act", "s 9 of the Act", "the Act, s 9"])
def test_a_section_of_a_defined_act(check: Check, use: str) -> None:
    marked = f'The ⟦Carriage of Goods Act 1994⟧ ("the Act") and the ⟦Pilotage Act 1988⟧: ⟦{use}⟧.'
    citation = last(check, marked)
    assert (citation.form, citation.key) == ("defined", "Carriage of Goods Act 1994")
    assert citation.pinpoint is not None
    assert citation.pinpoint.labels == ("9",)


def test_a_section_behind_a_definition_belongs_to_the_act(check: Check) -> None:
    (citation,) = check('⟦Carriage of Goods Act 1994 ("the Act"), s 12(2)⟧ says so.')
    assert citation.pinpoint is not None
    assert citation.pinpoint.labels == ("12(2)",)


def test_a_defined_case(check: Check) -> None:
    marked = f'⟦Carrow Shipping Ltd v Dunne {CARROW}⟧ ("The Sable Star"). So ⟦The Sable Star at [7]⟧.'
    citation = last(check, marked)
    assert (citation.form, citation.key) == ("defined", CARROW)
    assert citation.pinpoint is not None
    assert citation.pinpoint.labels == ("7",)


@pytest.mark.parametrize("term", ["Amicus Brief", "Opinion Letter", "the Complaint"])
def test_a_term_for_a_paper_in_a_case_is_no_name_of_the_case(check: Check, term: str) -> None:
    check(f"It was filed in ⟦Carrow v Dunne {CARROW}⟧ (“{term}”). {term} says so.")


def test_a_case_about_a_paper_may_be_called_by_it(check: Check) -> None:
    check(f"⟦Re Complaint of Orr {CARROW}⟧ (“Orr Complaint”). ⟦Orr Complaint⟧ says so.")


def test_a_term_defined_at_a_later_mention_of_an_act_is_the_act(check: Check) -> None:
    marked = "⟦Carriage of Goods Act 1994⟧; the ⟦Carriage of Goods Act⟧ (“CGA”); ⟦the CGA⟧."
    citation = last(check, marked)
    assert (citation.form, citation.antecedent) == ("defined", 0)


def test_a_term_is_not_used_before_its_definition(check: Check) -> None:
    check("The CGA is old. ⟦Carriage of Goods Act 1994⟧ (“CGA”). ⟦CGA⟧ it is.")


@pytest.mark.parametrize(
    ("marked", "key"),
    [
        (
            "⟦Pilotage Act 1988⟧. ⟦Carriage of Goods Act 1994⟧. ⟦Section 9⟧ applies.",
            "Carriage of Goods Act 1994",
        ),
        (
            "⟦Pilotage Act 1988⟧. ⟦Carriage of Goods Act 1994⟧. ⟦Ss. 56 to 60 of the said Act⟧.",
            "Carriage of Goods Act 1994",
        ),
        ("⟦Pilotage Act 1988⟧. ⟦Carriage of Goods Act 1994⟧. ⟦the 1988 Act⟧ too.", "Pilotage Act 1988"),
        ("⟦Pilotage Act 1988⟧. ⟦Section 3 of the Act⟧ too.", "Pilotage Act 1988"),
        ("⟦Pilotage Act 1988⟧. ⟦The Act⟧ is clear.", "Pilotage Act 1988"),
        ("⟦Harbour Rules 2003⟧ under the ⟦Pilotage Act 1988⟧: ⟦rule 4⟧.", "Harbour Rules 2003"),
        ("⟦Pilotage Act 1988⟧. See ⟦42 U.S.C. § 1983⟧. ⟦§ 1985⟧ too.", "42 U.S.C."),
    ],
)
def test_what_a_bare_section_or_act_belongs_to(check: Check, marked: str, key: str) -> None:
    assert last(check, marked, "US").key == key


def test_what_is_called_by_an_act_is_no_act(check: Check) -> None:
    check("⟦Pilotage Act 1988⟧ (“the 1988 Act”). The 1988 Act Arrangements and the 1988 Act Scheme are old.")


def test_the_act_is_left_alone_where_two_were_cited(check: Check) -> None:
    check("⟦Pilotage Act 1988⟧ and ⟦Carriage of Goods Act 1994⟧. The Act is clear.")


def test_a_bare_section_before_its_act_belongs_to_it(check: Check) -> None:
    first, _ = check("Under ⟦section 9⟧, as amended, the ⟦Pilotage Act 1988⟧ gives a power.")
    assert (first.form, first.key, first.antecedent) == ("section", "Pilotage Act 1988", 1)


def test_a_bare_section_with_no_act_has_no_key(check: Check) -> None:
    (citation,) = check("⟦Section 9⟧ is clear.")
    assert (citation.form, citation.key, citation.antecedent) == ("section", "", None)


def test_articles_are_the_constitutions_in_india(check: Check) -> None:
    (citation,) = check("a breach of ⟦Article 21⟧ and", "IN")
    assert (citation.kind, citation.key) == ("constitution", "Constitution of India")


def test_sections_of_another_document_are_no_citations(check: Check) -> None:
    check("Under section 4 of this Agreement and section 9 of the said Lease, and section 5 hereof.")


def test_short_forms_do_not_look_beyond_their_text(grammar: Grammar) -> None:
    grammar.find(f"Carrow v Dunne {CARROW}", "UK")
    assert grammar.find("So Carrow at [14].", "UK") == ()


def test_a_page_of_a_volume_is_of_the_case_that_begins_last_before_it(check: Check) -> None:
    found = check(
        "⟦Orme v. Dask, 111 F. Supp. 2d 294 (S.D.N.Y. 2000)⟧. "
        "⟦Luff v. Dask, 111 F. Supp. 2d 346 (S.D.N.Y. 2000)⟧. "
        "So ⟦111 F. Supp. 2d at 317⟧; so ⟦111 F. Supp. 2d, at 350⟧; but not ⟦111 F. Supp. 2d at 12⟧.",
        "US",
    )
    assert [each.key for each in found[2:]] == ["111 F. Supp. 2d 294", "111 F. Supp. 2d 346", ""]


@pytest.mark.parametrize(
    ("text", "pinpoint"),
    [
        ("⟦Carrow v Luff [1987] AC 21⟧. ⟦Ibid 42⟧.", ("42",)),
        ("⟦Carrow v Luff [1987] AC 21⟧. ⟦Ibid 42–44⟧; again.", ("42-44",)),
        ("⟦Carrow v Luff [1987] AC 21⟧. ⟦Ibid⟧ 42 times.", None),
        ("⟦Carrow v Luff [1987] AC 21⟧. ⟦Ibid.⟧ 42 men came.", None),
    ],
)
def test_a_page_may_stand_right_behind_ibid(
    check: Check, text: str, pinpoint: tuple[str, ...] | None
) -> None:
    citation = last(check, text)
    assert citation.key == "[1987] AC 21"
    assert (citation.pinpoint.labels if citation.pinpoint else None) == pinpoint


def test_pages_of_parallel_reports_are_two_short_forms() -> None:
    text = "Carrow v. Dunne, 115 N.M. 41, 846 P.2d 347 (1993). Carrow, 115 N.M. at 49, 846 P.2d at 355."
    short = [each for each in Grammar.load().find(text, "US") if each.form == "short"]
    assert [(each.key, each.text) for each in short] == [
        ("115 N.M. 41", "Carrow, 115 N.M. at 49"),
        ("846 P.2d 347", "846 P.2d at 355"),
    ]


def test_a_defined_name_belongs_to_the_page_of_the_report_behind_it() -> None:
    text = (
        "Pell v. Carrow, 111 F.Supp.2d 294 (S.D.N.Y. 2000) (“Carrow”). As Carrow, 111 F.Supp.2d at 304, says."
    )
    last = Grammar.load().find(text, "US")[-1]
    assert (last.form, last.key, last.text) == (
        "short",
        "111 F. Supp. 2d 294",
        "Carrow, 111 F.Supp.2d at 304",
    )


def test_a_paragraph_behind_id_ends_before_the_next_report() -> None:
    found = Grammar.load().find(
        "Carrow v. Dunne, 2004-VT-37, ¶ 33, 176 Vt. 476; id. ¶ 39, 176 Vt. 476.", "US"
    )
    (same,) = [each for each in found if each.form == "id"]
    assert same.pinpoint is not None
    assert same.pinpoint.labels == ("39",)


def test_a_page_that_runs_into_the_next_report() -> None:
    found = Grammar.load().find("Carrow v. Dunne, 455 U.S. 489, 493,102 S.Ct. 1186 (1982).", "US")
    assert [each.key for each in found] == ["455 U.S. 489", "102 S. Ct. 1186"]
