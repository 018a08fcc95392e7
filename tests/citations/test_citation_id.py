"""What *id.* stands for, and where it stands for nothing that was read."""

from __future__ import annotations

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.known import CitedLast
from lexls.citations.model import Citation

CARROW = "Carrow v. Dunne, 819 F.3d 880, 888 (6th Cir. 2016)"
PELL = "Pell v. Ryle, 307 F.3d 105, 109 (2d Cir. 2002)"
CODE = "42 U.S.C. § 1983"
CARROW_KEY, PELL_KEY = "819 F.3d 880", "307 F.3d 105"


def read_id(grammar: Grammar, text: str) -> Citation:
    """The last *id.* of an American text; in it a cursor ``|`` stands before it."""
    place = text.index("|")
    found = grammar.find(text.replace("|", ""), "US")
    (citation,) = [each for each in found if each.span.start == place]
    assert citation.form == "id"
    return citation


@pytest.mark.parametrize(
    "between",
    [
        f"(quoting {PELL})",
        f"(citing Merrow v. Poole, 12 F.3d 3 (1st Cir. 1993); {PELL})",
        f"(holding, under {CODE} and {PELL}, that goods are kept (or sold))",
        f"(emphasis added) (quoting {PELL})",
        f"(quoting {PELL}) (Tr. 45)",
        f", quoting {PELL}",
        ", citing Pell v. Ryle, 307 F.3d 105, 109, 210 S. Ct. 4",
    ],
)
def test_an_authority_in_a_parenthetical_is_passed_over(grammar: Grammar, between: str) -> None:
    citation = read_id(grammar, f"{CARROW} {between}. The goods were kept. |Id. at 889.".replace(" ,", ","))
    assert (citation.key, citation.ambiguous) == (CARROW_KEY, False)


def test_the_parenthetical_of_id_is_passed_over(grammar: Grammar) -> None:
    citation = read_id(grammar, f"{CARROW}. So it was. Id. (quoting {PELL}). And so again. |Id. at 890.")
    assert citation.key == CARROW_KEY


@pytest.mark.parametrize("cited", [f"The rule is old (see {CARROW}).", f"(In {CARROW}, it was so.)"])
def test_a_citation_in_brackets_of_its_own_is_none(grammar: Grammar, cited: str) -> None:
    assert read_id(grammar, f"{PELL}. {cited} |Id. at 889.").key == CARROW_KEY


@pytest.mark.parametrize(
    "record",
    [
        "(Tr. 45.)",
        "(Tr. at 45-46.)",
        "CP at 45.",
        "Brief for Tollen as Amicus Curiae 18.",
        "Brief for Tollen et al. 18.",
        "App. 12.",
        "App. to Pet. for Cert. 47a.",
        "(Doc. 33 at 4.)",
        "[Dkt. 37.]",
        "ECF No. 14.",
        "(R. 14.)",
        "J.A. 5.",
        "N.T., 8/13/09, 102.",
        "Brief for Respondent 18.",
        "Reply Br. at 7.",
        "Dunne Decl. ¶ 12.",
        "Dunne’s Mem. at 7-8.",
        "Compl. ¶¶ 3, 4.",
        "Ex. B.  Compl. at 5.",
        "Ante, at 10.",
        "See Poole, 600 U. S., at ___ (slip op., at 12).",
    ],
)
def test_behind_the_record_it_stands_for_nothing_that_was_read(grammar: Grammar, record: str) -> None:
    citation = read_id(grammar, f"{CARROW}. The goods were kept. {record} They were not sold. |Id.")
    assert (citation.key, citation.unread) == ("", True)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (f"{CARROW}. The goods were sold at 5 percent. |Id.", CARROW_KEY),
        (f"{CARROW}. The ship came in at 9:30 and left at 11. |Id.", CARROW_KEY),
        (f"{CODE}(a) ¶ 6. So it is. |Id.", "42 U.S.C."),
    ],
)
def test_what_only_looks_like_the_record(grammar: Grammar, text: str, key: str) -> None:
    assert read_id(grammar, text).key == key


@pytest.mark.parametrize("place", [", at 47a", ", at A-1437", " ¶ 14"])
def test_a_place_that_no_authority_has(grammar: Grammar, place: str) -> None:
    citation = read_id(grammar, f"{CARROW}. The goods were kept. |Id.{place}.")
    assert (citation.key, citation.unread) == ("", True)


@pytest.mark.parametrize(
    "named", ["the Wharf Act of 1931 forbids it", "§ 1983 forbids it", "§ 12 of the Wharf Act lets it be"]
)
def test_an_act_only_named_is_passed_over(grammar: Grammar, named: str) -> None:
    citation = read_id(grammar, f"By {CODE} it is so. {CARROW}. In the court's words {named}. |Id. at 889.")
    assert citation.key == CARROW_KEY


def test_a_section_is_of_the_act_that_was_named(grammar: Grammar) -> None:
    citation = read_id(grammar, f"{CARROW}. The Wharf Act of 1931 is older. |Id. § 4.")
    assert citation.key == "Wharf Act 1931"


def test_what_is_quoted_of_a_section_that_opens_a_sentence(grammar: Grammar) -> None:
    before = f"By 9 U.S.C. § 2 it is so. {CARROW}."
    assert read_id(grammar, f"{before} Under §4, it “shall be made.” |Ibid.").key == "9 U.S.C."
    assert read_id(grammar, f"{before} It says that § 4 “shall be read.” |Ibid.").key == CARROW_KEY
    assert read_id(grammar, f"{before} Under §4, it “shall be made.” |Id. at 889.").key == CARROW_KEY


def test_an_act_that_is_cited_alone_is_not_passed_over(grammar: Grammar) -> None:
    assert read_id(grammar, f"{CARROW}. But see Wharf Act of 1931. |Id.").key == CARROW_KEY
    assert read_id(grammar, f"{CARROW}. See Wharf Act of 1931. |Id.").key == "Wharf Act 1931"


def test_pages_of_the_federal_register(grammar: Grammar) -> None:
    assert (
        read_id(grammar, f"{CARROW}. 43 Fed. Reg. 37672 (1978). |Id. at 37674.").key == "43 Fed. Reg. 37672"
    )
    assert read_id(grammar, f"{CARROW}. 102 Stat. 4113. |Id., at 4114.").key == "102 Stat. 4113"


def test_parallel_short_forms_are_one_authority(grammar: Grammar) -> None:
    first = "Carrow v. Dunne, 531 U.S. 98, 121 S. Ct. 525 (2000)"
    citation = read_id(grammar, f"{first}. {PELL}. Carrow, 531 U.S. at 104, 121 S. Ct. at 529. |Id.")
    assert (citation.key, citation.ambiguous) == ("531 U.S. 98", False)


def test_a_report_right_behind_it_says_what_it_is(grammar: Grammar) -> None:
    first = "Carrow v. Dunne, 531 U.S. 98, 121 S. Ct. 525 (2000)"
    citation = read_id(grammar, f"{first}. Under {CODE} goods are kept. |Id., 531 U.S. at 104.")
    assert citation.key == "531 U.S. 98"
    assert read_id(grammar, f"{first}. It is so. |Id., 12 Wall. at 104.").unread


def test_within_a_string_it_is_the_last(grammar: Grammar) -> None:
    citation = read_id(grammar, f"{CARROW}; {PELL}; |id. at 110.")
    assert (citation.key, citation.ambiguous) == (PELL_KEY, False)
    assert read_id(grammar, f"{CARROW}; {PELL}. |Id.").ambiguous


@pytest.mark.parametrize("said", ["In Carrow, the court", "The Carrow court also"])
def test_a_page_that_only_the_case_named_since_can_have(grammar: Grammar, said: str) -> None:
    assert read_id(grammar, f"{CARROW}. {PELL}. {said} said no. |Id. at 891.").key == CARROW_KEY
    assert read_id(grammar, f"{CARROW}. {PELL}. {said} said no. |Id. at 110.").key == PELL_KEY
    assert read_id(grammar, f"{CARROW}. (Tr. 45.) {said} said no. |Id. at 891.").key == CARROW_KEY


def test_the_number_of_a_note_before_it_is_no_volume(grammar: Grammar) -> None:
    assert read_id(grammar, f"{CARROW}. 10 |Id. at 889.").key == CARROW_KEY


def test_a_volume_before_it_is_of_the_record(grammar: Grammar) -> None:
    assert read_id(grammar, "See 22 The Grove 670 (Carrow); 10 |id., at 215.").unread
    assert read_id(grammar, f"{CARROW}. He lied, 9 Tr. 45; 10 |id., at 889.").unread


def test_the_number_of_a_paragraph_is_no_record(grammar: Grammar) -> None:
    assert read_id(grammar, f"¶13 So {CARROW}.\n¶14 It was so. |Id. at 889.").key == CARROW_KEY
    assert read_id(grammar, f"So {CARROW}. So the complaint, ¶ 14. |Id.").unread


@pytest.mark.parametrize(
    "head", ["14\n\nCARROW v. DUNNE\nOpinion of the Court\n\n", "Cite as: 577 U. S. ____ (2016)\n\n15\n\n"]
)
def test_the_head_of_a_page_cites_nothing(grammar: Grammar, head: str) -> None:
    assert read_id(grammar, f"So {PELL}. The goods\n\n{head}were kept. |Id. at 110.").key == PELL_KEY


def test_behind_the_head_of_a_page_the_text_goes_on_that_stood_above_its_notes(grammar: Grammar) -> None:
    foot = f"——————\n2 See also {CARROW}. Id. at 889.\n\n\n14\n\nGRAY v. HOLM\nOpinion of the Court\n\n"
    assert read_id(grammar, f"So {PELL}. The goods\n{foot}were kept. |Id. at 110.").key == PELL_KEY


def test_a_name_right_before_it_says_whose_it_is(grammar: Grammar) -> None:
    assert read_id(grammar, f"{CARROW}. {PELL}. The goods were kept. Carrow, |Id. at 889.").key == CARROW_KEY
    assert read_id(grammar, f"{CARROW}. The goods were kept. Grundel, |ibid.").unread


def test_it_does_not_cite_what_it_stands_for(grammar: Grammar) -> None:
    assert read_id(grammar, f"{CARROW}. So it was. See |id. (citing Carrow, 819 F.3d at 889).").unread
    assert read_id(grammar, f"{CARROW}. So it was. See |id. (citing {PELL}).").key == CARROW_KEY


def test_a_parallel_report_behind_it_says_what_it_is(grammar: Grammar) -> None:
    first = "Carrow v. Dunne, 531 U.S. 98, 100, 121 S. Ct. 525 (2000)"
    text = f"{first}. Under {CODE} goods are kept. |Id. at 104, 121 S. Ct. 525. So it was."
    assert read_id(grammar, text).key == "531 U.S. 98"
    assert read_id(grammar, f"{text.replace('|', '')} |Id. at 105.").key == "531 U.S. 98"


def test_a_page_that_only_another_of_the_last_can_have(grammar: Grammar) -> None:
    history = "cert. denied, — U.S. —, 117 S. Ct. 1723 (1997)"
    assert read_id(grammar, f"{CARROW}, {history}.\nThe goods were kept. |Id. at 889.").key == CARROW_KEY
    quoted = f"{PELL} (quoting H.R. Rep. No. 95-595, at 24 (1977)). The report is old. See |id. at 24."
    assert read_id(grammar, quoted).key == "H.R. Rep. No. 95-595"
    assert read_id(grammar, f"{PELL}. So it was.\n\nHe said no. |Id. at 24.").unread
    assert read_id(grammar, f"{PELL}. So it was. |Id. at 24.").key == PELL_KEY


@pytest.mark.parametrize(
    "record",
    [
        f"Rec. Doc. 75 at 10 (citing {PELL}).",
        "W. Gray, Debates of the Wharf Convention 268 (1846).",
        "Grundel II, at 31,897.",
        "MCM, paragraph 149h (1928).",
    ],
)
def test_what_was_not_read_with_its_place_and_year(grammar: Grammar, record: str) -> None:
    assert read_id(grammar, f"{CARROW}. {record} So it was. |Id.").unread


def test_the_pages_of_a_report_of_a_house_end_its_place(grammar: Grammar) -> None:
    text = "S. Rep. No. 1515, 81st Cong., 2d Sess., pp. 54–55 (1950). So it was. |Id., at 55."
    assert read_id(grammar, text).key == "S. Rep. No. 1515"


def test_a_case_behind_the_record_is_not_cited_by_the_id_before(grammar: Grammar) -> None:
    text = f"{CARROW}. So it was. |Id. at 889. He lied. App. 47–48, 819 F.3d, at 890."
    assert read_id(grammar, text).key == CARROW_KEY


def test_the_rest_of_a_place_may_stand_before_the_brackets(grammar: Grammar) -> None:
    text = "Tex. Water Code § 13.4151. Id. § 27.1013-.1015 (Wharf Well Act); |id. § 28.067 (shafts)."
    assert read_id(grammar, text).key == "Tex. Water Code"


def test_a_note_may_go_on_at_the_foot_of_the_next_page(grammar: Grammar) -> None:
    head = "GRAY v. HOLM\nOpinion of the Court\n\n"
    first = f"So {PELL}. The goods\n——————\n2 See {CARROW}. So it was, and\n\n\n14\n\n{head}were kept."
    text = f"{first}\n——————\nit was so. |Id. at 889.\n\n\n15\n\n{head}So it was. Id. at 110."
    assert read_id(grammar, text).key == CARROW_KEY
    again = text.replace("|", "").replace("Id. at 110", "|Id. at 110")
    assert read_id(grammar, again).key == PELL_KEY


def test_the_notes_at_the_foot_of_a_page_are_no_part_of_its_text(grammar: Grammar) -> None:
    page = f"So {PELL} of the\n——————\n2 See {CARROW}."
    text = f"{page}\n\nCite as: 561 U. S. ____ (2010)\n\n5\n\ngoods. |Ibid."
    assert read_id(grammar, text).key == PELL_KEY


def test_a_case_named_in_brackets_behind_another_is_passed_over(grammar: Grammar) -> None:
    assert (
        read_id(grammar, f"{CARROW} (decided with Gray v. Holm). So it was. |Id. at 889.").key == CARROW_KEY
    )


@pytest.mark.parametrize("name", ["GRAY v. HOLM", "MICROSOFT CORP. v. i4i LTD. PARTNERSHIP"])
def test_the_head_of_a_page_with_a_name_of_small_letters(grammar: Grammar, name: str) -> None:
    assert read_id(
        grammar, f"{CARROW} said that\n\n\n8\n\n{name}\nOpinion of the Court\n\nit is. |Id. at 889."
    ).key


def test_what_is_quoted_at_the_page_and_named_since(grammar: Grammar) -> None:
    first = "Carrow v. Dunne, 541 U.S. 36 (2004). 226 P.3d 1, 8 (N.M. 2010) (quoting Carrow, 541 U.S. at 52)."
    assert read_id(grammar, f"{first} In Carrow this was so. |Id. at 52.").key == "541 U.S. 36"


def test_a_section_is_of_no_case_that_is_cited_by_pages(grammar: Grammar) -> None:
    assert read_id(grammar, f"{CARROW}. The note says so. |Id. § 75.").unread


def test_behind_a_case_without_page_it_stands_for_nothing_that_was_read(grammar: Grammar) -> None:
    assert read_id(grammar, f"{CARROW}. We granted certiorari. 556 U. S. ___ (2009). |Ibid.").unread
    head = "Cite as: 556 U. S. ____ (2009)\n\n7\n\nOpinion of the Court\n\n"
    assert read_id(grammar, f"{CARROW}. The goods\n\n{head}were kept. |Ibid.").key == CARROW_KEY


def test_a_report_is_known_as_it_is_written(grammar: Grammar) -> None:
    text = "Carrow v. Dunne, 125 Wn.2d 243, 250 (1994). Pell v. Ryle, 12 F.3d 3."
    assert read_id(grammar, f"{text} Carrow, 125 Wn.2d at 265. |Id. at 266.").key == "125 Wash. 2d 243"


@pytest.mark.parametrize("term", ["CDS", "CDS III"])
def test_a_case_by_initials_in_brackets(grammar: Grammar, term: str) -> None:
    named = "United States v. Carrow Dock Shipping, Inc., 621 F.3d 1162 (9th Cir. 2010)"
    text = f"{named} ({term}). {PELL}. So {term}, at 1170. |Id. at 1171."
    assert read_id(grammar, text).key == "621 F.3d 1162"


def test_a_person_behind_the_record_is_no_case(grammar: Grammar) -> None:
    cited = f"{CARROW}. The ship was lost. Record 1203."
    assert read_id(grammar, f"{cited} Carrow had told them so. |Id. at 889.").key == ""
    assert read_id(grammar, f"{cited} So it was held in Carrow. |Id. at 889.").key == CARROW_KEY


@pytest.mark.parametrize("place", ["¶ 11", "at ¶ 11", "¶¶ 11-12"])
def test_a_case_pinned_by_paragraph_has_paragraphs_whatever_its_report(grammar: Grammar, place: str) -> None:
    text = f"Carrow v Dunne, [2011] ASC 21 at [9]. The goods were kept: |id. {place}."
    assert read_id(grammar, text).key == "[2011] ASC 21"


def test_a_string_names_an_authority_once_in_a_row() -> None:
    last = CitedLast()
    for place in (0, 0, 0, 1, 1, 0):
        last = last.cite(place, "case", joined=True)
    assert last.string == (0, 1, 0)
