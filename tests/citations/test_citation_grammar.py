from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation, fold

Check = Callable[..., tuple[Citation, ...]]


def labels(check: Check, marked: str, jurisdiction: str = "") -> list[tuple[str, ...]]:
    return [c.pinpoint.labels if c.pinpoint else () for c in check(marked, jurisdiction)]


@pytest.mark.parametrize(
    ("jurisdiction", "marked", "keys"),
    [
        ("UK", "so ⟦Orrin v Pell [1932] AC 562, 580⟧.", ["[1932] AC 562"]),
        ("UK", "in ⟦R (Varley) v Pell Line [2019] UKSC 41 at [50]⟧ and", ["[2019] UKSC 41"]),
        ("UK", "(⟦[2022] EWHC 345 (Ch)⟧)", ["[2022] EWHC 345 (Ch)"]),
        ("UK", "⟦Re Sable [1990] 1 WLR 153⟧;", ["[1990] 1 WLR 153"]),
        (
            "AU",
            "⟦Hale v Ryle [1992] HCA 23⟧; ⟦(1992) 175 CLR 1 at 42⟧.",
            ["[1992] HCA 23", "(1992) 175 CLR 1"],
        ),
        ("AU", "⟦Corporations Act 2001 (Cth) s 180(1)⟧", ["Corporations Act 2001 (Cth)"]),
        ("AU", "⟦Carriage of Goods Act 1995 (Austl), s 6⟧", ["Carriage of Goods Act 1995"]),  # of no state
        ("IN", "⟦Asha Rao v. State of Bihar, (1973) 4 SCC 225⟧", ["(1973) 4 SCC 225"]),
        ("IN", "⟦Rao v. Das & Ors. A.I.R.\n1973 S.C. 1461⟧", ["AIR 1973 SC 1461"]),
        ("IN", "⟦[1978] 2 S.C.R. 621⟧", ["[1978] 2 SCR 621"]),
        ("IN", "⟦Section 302 of the Indian Penal Code, 1860⟧", ["Indian Penal Code 1860"]),
        (
            "IN",
            "⟦s. 438 CrPC⟧ and ⟦section 482 BNSS⟧",
            ["Code of Criminal Procedure 1973", "Bharatiya Nagarik Suraksha Sanhita 2023"],
        ),
        ("US", "⟦Bush v. Gore, 531 U.S. 98, 99-100 (2000)⟧.", ["531 U.S. 98"]),
        ("US", "⟦Moore v. Ryle, 819 F.3d 880, 888 (6th Cir. 2016)⟧", ["819 F.3d 880"]),
        ("US", "⟦Moore v. Ryle, 819 F.3d 880, 888, (6th Cir. 2016)⟧", ["819 F.3d 880"]),  # a comma too many
        ("US", "⟦Ex parte Ryle, 71 U.S. (4 Wall.) 2 (1866)⟧", ["71 U.S. 2"]),
        (
            "US",
            "under ⟦42 U.S.C. §§ 1981, 1983⟧ and ⟦Fed. R. Civ. P. 12(b)(6)⟧",
            ["42 U.S.C.", "Fed. R. Civ. P."],
        ),
        ("CA", "⟦R v Ryle, 2023 SCC 2 at para 35⟧", ["2023 SCC 2"]),
        ("CA", "⟦Criminal Code, RSC 1985, c C-46, s 718.2(e)⟧", ["RSC 1985, c C-46"]),
        ("EU", "⟦Case C-131/12 Ryle v Hale⟧, ⟦ECLI:EU:C:2014:317⟧", ["Case C-131/12", "ECLI:EU:C:2014:317"]),
        ("EU", "⟦Article 17(1) of Regulation (EU) 2016/679⟧", ["Regulation 2016/679"]),
        ("ECHR", "⟦Ryle v Norway (App no 5493/72)⟧ and", ["5493/72"]),
        ("NZ", "⟦Hale v Ryle [2012] NZSC 11 at [7]⟧", ["[2012] NZSC 11"]),
        ("SG", "⟦Companies Act (Cap 50, 2006 Rev Ed) s 216⟧", ["Cap 50, 2006 Rev Ed"]),
        ("HK", "⟦HKSAR v Lam [2020] HKCFA 42⟧", ["[2020] HKCFA 42"]),
        ("", "⟦Human Rights Act 1998, s 6(1)⟧", ["Human Rights Act 1998"]),
        ("", "⟦section 12(2) of the Carriage of Goods Act 1994⟧", ["Carriage of Goods Act 1994"]),
        ("", "⟦Harbour Dues Regulations 2003, reg 4⟧", ["Harbour Dues Regulations 2003"]),
        ("", "the ⟦Offences against the Person Act 1861⟧", ["Offences against the Person Act 1861"]),
        ("", "by the ⟦Trade, Marine and Harbours Act 1988⟧", ["Trade, Marine and Harbours Act 1988"]),
    ],
)
def test_citations_are_found_whole(check: Check, jurisdiction: str, marked: str, keys: list[str]) -> None:
    for citation in check(marked, jurisdiction, keys):
        assert citation.jurisdiction == jurisdiction
        assert citation.form == "full"


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("Carrow v Dunne", "See Carrow v Dunne, "),
        ("Carrow Shipping Ltd. v. Dunne & Co.", "This is settled. Carrow Shipping Ltd. v. Dunne & Co., "),
        (
            "M.C. Rao v. Union of India and Ors.",
            "as held in M.C. Rao v. Union of India and Ors. reported in ",
        ),
        ("State of U.P. vs. R.K. Das", "Reliance was placed on State of U.P. vs. R.K. Das; "),
        ("In re Halloran", "Thus In re Halloran, "),
        ("Ex parte Poole", "but see Ex parte Poole, "),
        ("Re Varley Trust", "following Re Varley Trust "),
        ("R (Hale) v Harbour Board (No 2)", "In R (Hale) v Harbour Board (No 2) "),
        ("Sallow, Inc. v. Ryle Corp.", "Cf. Sallow, Inc. v. Ryle Corp., "),
        ("BUSH V. GORE", "as in BUSH V. GORE, "),
        ("Ryle v. V. Menon", "in Ryle v. V. Menon, "),
        ("Bengal Salt", "the Bengal Salt case "),
        ("Pell v Orrin", "the Court of Appeal in Pell v Orrin "),
        ("Quay Cranes (Aldmoor) Ltd v Northshore", "(Quay Cranes (Aldmoor) Ltd v Northshore "),
        ("", "Carrow argued that Dunne was wrong about "),
        ("", "He relied v. much on the rule, which is in "),
        ("", "Carrow v Dunne\n\n"),
    ],
)
def test_the_name_before_a_citation(grammar: Grammar, name: str, before: str) -> None:
    (citation,) = [c for c in grammar.find(f"{before}[2019] UKSC 41.", "UK") if c.form == "full"]
    assert citation.name == name
    if name:
        assert citation.text.startswith(name)


def test_an_italic_name_masked_to_spaces_is_read(check: Check) -> None:
    (citation,) = check("See  ⟦Carrow v Dunne , [2014] UKSC 12⟧.", "UK")
    assert citation.name == "Carrow v Dunne"


@pytest.mark.parametrize(
    ("after", "kind", "expected"),
    [
        (" at [50]", "paragraph", ("50",)),
        (", [12]–[14]", "paragraph", ("12-14",)),
        (" at [12], [14] and [20]", "paragraph", ("12", "14", "20")),
        (" [7]", "paragraph", ("7",)),
        (", para 168", "paragraph", ("168",)),
        (" at paras 12-15", "paragraph", ("12-15",)),
        (", paragraphs 3 and 5", "paragraph", ("3", "5")),
        (" (at para 9)", "paragraph", ("9",)),
        (", ¶ 12", "paragraph", ("12",)),
        (" at 42", "paragraph", ("42",)),
        (" at p. 42", "page", ("42",)),
        (", pp 42-43", "page", ("42-43",)),
    ],
)
def test_pinpoints_after_a_neutral_citation(
    grammar: Grammar, after: str, kind: str, expected: tuple[str, ...]
) -> None:
    text = f"[2019] UKSC 41{after}, which"
    (citation,) = grammar.find(text, "UK")
    assert citation.pinpoint is not None
    assert (citation.pinpoint.kind, citation.pinpoint.labels) == (kind, expected)
    assert citation.text == f"[2019] UKSC 41{after}"
    assert citation.pinpoint.span.of(text) in after


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (", 580", ("580",)),
        (", 580G", ("580G",)),
        (", 99-100", ("99-100",)),
        (", 99, 101-02", ("99", "101-02")),
        (" at 42", ("42",)),
        (", at p. 42", ("42",)),
    ],
)
def test_pinpoints_after_a_report_are_pages(grammar: Grammar, after: str, expected: tuple[str, ...]) -> None:
    (citation,) = grammar.find(f"[1932] AC 562{after}.", "UK")
    assert citation.pinpoint is not None
    assert (citation.pinpoint.kind, citation.pinpoint.labels) == ("page", expected)


@pytest.mark.parametrize(
    "after", [", 12 March 1990", ", 93 people", " in 1990", "\n\n[15] Next", ", 1990 saw"]
)
def test_what_is_no_pinpoint(grammar: Grammar, after: str) -> None:
    (citation,) = grammar.find(f"[1932] AC 562{after}", "UK")
    assert citation.pinpoint is None


@pytest.mark.parametrize(
    ("marked", "key", "pinpoint"),
    [
        ("see ⟦Ryle on Carriage (3rd edn, Quay Press 2018) para 12⟧.", "Ryle on Carriage (3 ed)", ("12",)),
        ("⟦Law of Ports 40 (2d ed. 1961)⟧", "Law of Ports (2 ed)", ("40",)),
    ],
)
def test_books_are_known_by_their_edition(
    check: Check, marked: str, key: str, pinpoint: tuple[str, ...]
) -> None:
    (citation,) = check(marked)
    assert (citation.kind, citation.key) == ("book", key)
    assert citation.pinpoint is not None
    assert citation.pinpoint.labels == pinpoint


def test_parallel_citations_share_group_name_and_year(check: Check) -> None:
    first, second, third, other = check(
        "⟦Roe v. Wade, 410 U.S. 113⟧, ⟦93 S. Ct. 705⟧, ⟦35 L. Ed. 2d 147 (1973)⟧; ⟦Pell v. Orr, 531 U.S. 98⟧",
        "US",
    )
    assert first.group == second.group == third.group != other.group
    assert {c.name for c in (first, second, third)} == {"Roe v. Wade"}
    assert {c.year for c in (first, second, third)} == {1973}


def test_citations_of_two_cases_are_not_parallel(check: Check) -> None:
    first, second = check("⟦[2019] UKSC 41⟧; ⟦[2019] UKSC 42⟧", "UK")
    assert first.group != second.group
    first, second = check("⟦[1992] HCA 23⟧; ⟦(2005) 175 CLR 1⟧", "AU")
    assert first.group != second.group
    first, second = check("⟦410 U.S. 113 (1973)⟧; ⟦93 S. Ct. 705⟧", "US")
    assert first.group != second.group


@pytest.mark.parametrize(
    "marked",
    [
        "⟦Pell v Orr [1992] HCA 23⟧; ⟦66 ALJR 408⟧",
        "⟦Pell v Orr (1992) 175 CLR 1 at 42⟧; ⟦(1992) 66 ALJR 408⟧",
        "⟦Pell v Orr [1992] HCA 23⟧; ⟦(1992) 175 CLR 1⟧",
    ],
)
def test_parallel_citations_behind_a_semicolon(check: Check, marked: str) -> None:
    first, second = check(marked, "AU")
    assert first.group == second.group


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("⟦ss 18–19 of the Harbours Act 1988⟧", ("18-19",)),
        ("⟦sections 18, 20 and 22A of the Harbours Act 1988⟧", ("18", "20", "22A")),
        ("⟦s. 302 r/w s. 34 IPC⟧", ("302", "34")),
        ("⟦Section 302 read with Section 149 of the IPC⟧", ("302", "149")),
        ("⟦Ss. 56 to 60 of the Harbours Act, 1988⟧", ("56-60",)),
        ("⟦s. 5(1)(a), (b) and (c) of the Harbours Act 1988⟧", ("5(1)(a)", "5(1)(b)", "5(1)(c)")),
        ("⟦Harbours Act 1988, ss 6(1) and 8⟧", ("6(1)", "8")),
        ("⟦Harbours Act 1988 (s 6)⟧", ("6",)),
        ("⟦Order XXXIX Rules 1 and 2 of the Code of Civil Procedure, 1908⟧", ("XXXIX:1", "2")),
        ("⟦Articles 14 and 21 of the Constitution of India⟧", ("14", "21")),
    ],
)
def test_lists_of_sections(check: Check, marked: str, expected: tuple[str, ...]) -> None:
    assert labels(check, marked, "IN") == [expected]


def test_an_act_without_year_is_the_one_cited_with_it(check: Check) -> None:
    first, second = check("the ⟦Foreigners Act, 1946⟧ and ⟦s. 9 of the Foreigners Act⟧", "IN")
    assert (second.form, second.key, second.antecedent) == ("short", first.key, 0)


@pytest.mark.parametrize(
    ("jurisdiction", "text", "reads"),
    [
        ("IN", "(1990) 2 SCR 117", "IN"),
        ("CA", "[1986] 1 S.C.R. 103", "CA"),
        ("AU", "(1936) 55 CLR 499", "AU"),
        ("IN", "(1936) 55 CLR 499", "IN"),
        ("US", "374 S. C. 92", "US"),
    ],
)
def test_a_reporter_of_two_places_is_read_by_the_draft(
    grammar: Grammar, jurisdiction: str, text: str, reads: str
) -> None:
    (citation,) = grammar.find(text, jurisdiction)
    assert citation.jurisdiction == reads


@pytest.mark.parametrize("jurisdiction", ["IN", "AU", "UK", "CA"])
@pytest.mark.parametrize(
    "text", ["12 S.C.R. 45", "175 CLR 1", "22 P. 45", "3 A. 4", "12 Cal. 45", "9 Mass. 147"]
)
def test_american_state_reporters_are_read_in_american_drafts_only(
    grammar: Grammar, jurisdiction: str, text: str
) -> None:
    assert [c for c in grammar.find(text, jurisdiction) if c.jurisdiction == "US"] == []


def test_an_open_draft_reads_a_shared_reporter_as_its_other_citations_speak(grammar: Grammar) -> None:
    indian = "2023 INSC 1043; then AIR 1973 SC 1461; then [1978] 2 SCR 621."
    canadian = "2023 SCC 2; then 2019 ONCA 112; then [1986] 1 SCR 103."
    assert {c.jurisdiction for c in grammar.find(indian)} == {"IN"}
    assert {c.jurisdiction for c in grammar.find(canadian)} == {"CA"}


def test_a_neutral_citation_of_an_unknown_court_is_the_drafts(grammar: Grammar) -> None:
    (citation,) = grammar.find("[2014] XQZC 12 at [3]", "Aldmoor")
    assert (citation.key, citation.jurisdiction) == ("[2014] XQZC 12", "Aldmoor")


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("531 U. S. 98", "531 U.S. 98"),
        ("531 US 98", "531 U.S. 98"),
        ("Bush v. Gore, 531 U.S. 98 (2000)", "531 U.S. 98"),
        ("[2019] uksc 41", "[2019] uksc 41"),
        ("A.I.R. 1973 S.C. 1461", "AIR 1973 SC 1461"),
        ("1990 (2) SCC 117", "(1990) 2 SCC 117"),
        ("The Human Rights Act, 1998", "Human Rights Act 1998"),
        ("2006 WI 67; 715 N.W.2d 620", "2006 WI 67"),
        ("Cal. Penal Code", "Cal. Penal Code"),
        ("Licence   Agreement of  2003", "Licence Agreement of 2003"),
        ("", ""),
    ],
)
def test_the_key_of_a_citation_in_metadata(grammar: Grammar, written: str, key: str) -> None:
    assert grammar.key_of(written) == key


def test_keys_are_folded_to_letters_and_digits() -> None:
    assert fold("531 U. S. 98") == fold("531 U.S. 98") == "531us98"
    assert fold("[2019] UKSC 41") == "2019uksc41"
    assert fold("Löwe’s_Act (№ 2)") == "löwesactno2"


def test_an_empty_text_has_no_citations(grammar: Grammar) -> None:
    assert grammar.find("") == ()


@pytest.mark.parametrize(
    "written", ["Migration Act 1958 (Cth) s 5", "section 5 of the Migration Act", "Migration Act 1958, s 5"]
)
def test_an_act_has_one_key_with_its_year_and_state_or_without(written: str) -> None:
    (found,) = Grammar.load().find(written, "AU")
    assert found.key == "Migration Act 1958 (Cth)"
