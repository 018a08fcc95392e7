"""Which law a bare section is of, and where that cannot be told."""

from __future__ import annotations

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation

HARBOURS = "section 36(2) of the Harbours Act 1980"
PILOTS = "the Pilotage Act 1957"


def read(grammar: Grammar, text: str, jurisdiction: str = "UK") -> Citation | None:
    """The citation at the cursor ``|`` of a text, None if there is none."""
    place = text.index("|")
    found = grammar.find(text.replace("|", ""), jurisdiction)
    return next((each for each in found if each.span.start <= place < each.span.end), None)


def key(grammar: Grammar, text: str, jurisdiction: str = "UK") -> str:
    """The key of the citation at the cursor, "?" where it is said to be unread."""
    citation = read(grammar, text, jurisdiction)
    assert citation is not None
    assert bool(citation.key) != citation.unread
    return citation.key or "?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"By {HARBOURS} it is so. By {PILOTS} it is not. But |section 36 stands.", "Harbours Act 1980"),
        (f"By {HARBOURS} it is so. By {PILOTS} it is not. |Section 4 says why.", "Pilotage Act 1957"),
        (f"By {HARBOURS}. By section 36 of {PILOTS}. So |section 36(2).", "Pilotage Act 1957"),
        (f"By {HARBOURS}. {PILOTS} is new. Section 20 is wide. And |section 21.", "Pilotage Act 1957"),
        (
            "Sections 124 to 127 of the Harbours Act 1980, and the Pilotage Act 1957, s 3: |section 125.",
            "Harbours Act 1980",
        ),
    ],
)
def test_a_number_goes_to_the_act_that_last_had_it(grammar: Grammar, text: str, expected: str) -> None:
    assert key(grammar, text) == expected


def test_never_to_an_act_named_later(grammar: Grammar) -> None:
    text = f"By |section 9 of a measure nobody knows it is so.  Later came {PILOTS}."
    citation = read(grammar, text)
    assert citation is not None
    assert citation.key == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("38 U.S.C. § 7104(a). 38 C.F.R. § 20.302(a). See |§ 7266(a).", "38 U.S.C."),
        ("42 U.S.C. § 2000e-2(a). 28 U.S.C. § 1331. And |§ 2000e-5(b) too.", "42 U.S.C."),
        ("21 U.S.C. § 353(b). The rule of |§ 4631(d) is another.", "?"),
        ("17 C.F.R. § 240.10b-5. The rule of |§ 16 is another.", "?"),
        (
            "By § 16(b) of the Wharf Exchange Act of 1934, 15 U.S.C. § 78p(b), and 15 U.S.C. § 78c: |§ 16.",
            "Wharf Exchange Act 1934",
        ),
    ],
)
def test_an_act_has_only_numbers_like_its_own(grammar: Grammar, text: str, expected: str) -> None:
    assert key(grammar, text, "US") == expected


@pytest.mark.parametrize(
    "section",
    [
        "Wharf Guidelines |§ 15126",
        "Vt. Ords. Ann., Tit. 18, |§ 46(d)",
        "Romeo & Dunne, |§ 3.03",
        "|Section 828 of the Restatement",
        "|§ 8-515 of the Criminal Law Article",
        "2002 Note |§ 3.2(b)",
    ],
)
def test_a_section_of_what_was_not_read(grammar: Grammar, section: str) -> None:
    before = "42 U.S.C. § 1983. By § 12 of the Wharf Act of 1931 it is so."
    assert key(grammar, f"{before} See {section}.", "US") == "?"
    number = section.partition("|")[2].partition(" of ")[0]
    assert key(grammar, f"{before} See {section.replace('|', '')}. So |{number} says.", "US") == "?"


@pytest.mark.parametrize(
    "said", ["In the words of", "Under", "The plaintiff’s", "However,", "Congress enacted"]
)
def test_words_that_own_no_section(grammar: Grammar, said: str) -> None:
    assert key(grammar, f"42 U.S.C. § 1983. It is old. {said} |§ 1985 it is.", "US") == "42 U.S.C."


def test_a_contracts_section_stays_with_the_contract(grammar: Grammar) -> None:
    before = "By § 3 of the Wharf Act of 1931 it is so. By § 3 of this Agreement it is not."
    assert key(grammar, f"{before} So |§ 3 says.", "US") == "?"
    assert read(grammar, "By the Wharf Act of 1931, and |§ 3 of this Agreement, so.", "US") is None


@pytest.mark.parametrize(
    "section",
    ["|s 36(1) of the HA 1980", "|section 36 of [the 1980 Act]", "|s 31 of the [1980 Act]", "HA 1980, |s 4"],
)
def test_an_act_by_its_initials_or_year(grammar: Grammar, section: str) -> None:
    assert key(grammar, f"By the Harbours Act 1980 and {PILOTS}: {section}.") == "Harbours Act 1980"


@pytest.mark.parametrize("short", ["the P.A. Act, 1957", "the P.A. Act"])
def test_an_abbreviated_title_is_the_act(grammar: Grammar, short: str) -> None:
    text = f"By section 4 of the Pilotage Areas Act, 1957 and the Harbours Act, 1980: |section 4 of {short}."
    assert key(grammar, text, "IN") == "Pilotage Areas Act 1957"


def test_a_section_of_this_title_is_of_the_code(grammar: Grammar) -> None:
    text = "11 U.S.C. § 722. The Wharf Reform Act of 1978 says: exempted under |section 522 of this title."
    assert key(grammar, text, "US") == "11 U.S.C."
    assert key(grammar, "11 U.S.C. § 722; 28 U.S.C. § 157. By |section 541 of title 11.", "US") == "11 U.S.C."


def test_an_article_and_its_section_are_one_place(grammar: Grammar) -> None:
    text = "By |Article I, Section 8 of the Aldmoor Constitution it is so."
    citation = read(grammar, text, "US")
    assert citation is not None
    assert (citation.text, citation.key) == (text[4:-10], "Aldmoor Constitution")
    later = "The Wharf Act of 1931 is old. So is |Article 1, section 8."
    citation = read(grammar, text.replace("|", "") + " " + later, "US")
    assert citation is not None
    assert (citation.text, citation.key) == ("Article 1, section 8", "Aldmoor Constitution")


def test_the_act_with_a_number_is_the_act_that_had_it(grammar: Grammar) -> None:
    text = f"By {HARBOURS} it is so. By {PILOTS} it is not. See |section 36 of the Act."
    assert key(grammar, text) == "Harbours Act 1980"


@pytest.mark.parametrize("words", ["Access to the Wharfside", "Protection of the Harbour"])
def test_a_title_may_hold_an_article(grammar: Grammar, words: str) -> None:
    assert (
        key(grammar, f"ss 47-49 of the |National Parks and {words} Act 1949")
        == f"National Parks and {words} Act 1949"
    )
    assert key(grammar, "According to |Public Harbours Code section 3") == "Public Harbours Code"


def test_id_with_a_number_of_another_work(grammar: Grammar) -> None:
    text = "See Dunne, Wharf Law § 6.2. Id. § 6.2. By 49 U.S.C. § 1472 it is so. |Id. § 6.2."
    assert key(grammar, text, "US") == "?"


@pytest.mark.parametrize(
    ("text", "expected", "labels"),
    [
        ("By |ERISA § 502(a) it is so.", "Employee Retirement Income Security Act 1974", ("502(a)",)),
        ("By |Title VII § 703(a) it is so.", "Civil Rights Act 1964", ("703(a)",)),
        ("By |Rule 10b-5 it is so.", "17 C.F.R.", ("240.10b-5",)),
        ("By |Rule 10b–5(b) it is so.", "17 C.F.R.", ("240.10b-5(b)",)),
        ("By |§ 1983 it is so.", "42 U.S.C.", ("1983",)),
        ("By 29 U.S.C. § 1132(a). |Section 1983(c) it is.", "42 U.S.C.", ("1983(c)",)),
        ("By |Article III it is so.", "U.S. Const.", ("III",)),
        ("By |FRE 702 it is so.", "Fed. R. Evid.", ("702",)),
    ],
)
def test_american_laws_by_their_popular_names(
    grammar: Grammar, text: str, expected: str, labels: tuple[str, ...]
) -> None:
    citation = read(grammar, text, "US")
    assert citation is not None
    assert citation.pinpoint is not None
    assert (citation.key, citation.pinpoint.labels) == (expected, labels)


@pytest.mark.parametrize(
    "text", ["|ERISA governs it.", "By |Title VII it is so.", "|Title VII of the Wharf Act § 3."]
)
def test_an_abbreviation_alone_is_no_citation(grammar: Grammar, text: str) -> None:
    assert read(grammar, text, "US") is None


@pytest.mark.parametrize(
    ("defined", "use"),
    [
        ("the Harbour Wages Act of 1950, 29 U.S.C. § 201 et seq. (“HWA”)", "HWA § 7"),
        ("the Harbour Wages Act of 1950, as amended (“the Act”)", "the Act § 7"),
        ("the Harbour Wages Act of 1950, as amended (the Act)", "section 7 of the Act"),
        ("the Harbour Wages Act of 1950 (the HW Act)", "the HW Act § 7"),
        ("Title IV of the Harbour Wages Act of 1950, 29 U.S.C. § 201 (“Title IV”)", "Title IV § 7"),
        ("the Employee Retirement Income Security Act of 1974 (“ERISA”)", "ERISA"),
    ],
)
def test_a_definition_is_of_the_act_until_another_is_given(grammar: Grammar, defined: str, use: str) -> None:
    key = "Employee Retirement Income Security Act 1974" if use == "ERISA" else "Harbour Wages Act 1950"
    last = grammar.find(f"By {defined} it is so. The Pilotage Act of 1957 is another. By {use}.", "US")[-1]
    assert (last.key, last.form) == (key, "defined")
    assert last.text in use


def test_an_explicit_year_is_never_overridden(grammar: Grammar) -> None:
    text = (
        "By Federal Court Rules 2011 (Cth) (“Federal Court Rules”); the |Federal Court Rules 1979 (Cth), r 4."
    )
    assert key(grammar, text, "AU") == "Federal Court Rules 1979 (Cth)"


def test_an_article_behind_an_abbreviated_act_stands_alone(grammar: Grammar) -> None:
    assert key(grammar, "Section 138 of the N.I. Act. |Art. 226 is another.", "IN") == "Constitution of India"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("So 26 Stat. 567. By |section 4 of the tariff act of July 24, 1897, it was so.", "?"),
        ("So 26 Stat. 567. By |section 52 of the tariff act of 1890 it was so.", "?"),
        ("So 26 Stat. 567. By |section 5 of the act of March 3, 1891, c. 517, 26 Stat. 827.", "26 Stat. 827"),
        ("By sec. 5, act of Mar. 3, 1891 (26 Stat. 827). Now |section 5.", "26 Stat. 827"),
        ("By |Section 1333, Title 28, U.S. Code, it is so.", "28 U.S.C."),
        ("By |Section 66.01-3(a), Title 33, C.F.R., it is so.", "33 C.F.R."),
        ("So 26 Stat. 567. See |sec. 4, act of May 24, 1828.", "?"),
        ("So 26 Stat. 567. By |section 4 of the act to regulate commerce.", "?"),
        ("The Chip Wharf Act of 1984. Under |§ 284 of the federal patent laws.", "?"),
        ("By § 6 of the Wharf Act of 1950. See Dunne, Wharf Practice (3d ed. 1994) |§ 6.22.", "?"),
        ("By 25 C.F.R. § 115.1. So it was. Dunne |§1.05, at 84.", "?"),
        ("By § 16 of the Wharf Act of 1950. See Gray & Holm, |Section 16 Treatise and Guide.", "?"),
        ("By 31 Stat. 47. See U. S. C., |Title 31, §§ 314, 429.", "31 U.S.C."),
        ("By the Wharf Act of 1950. In |section 6, the Act says.", "Wharf Act 1950"),
        ("By 28 U.S.C. § 1604 and the Wharf Act of 1991. In |§ 1603, the Act says.", "28 U.S.C."),
        ("By |Section 3 of the Statutory Wharf Act of 1972 it is.", "Statutory Wharf Act 1972"),
        ("By 5 U.S.C. § 7701. See |§§ 1204(a)(2), 7701(g).", "5 U.S.C."),
        ("By 18 U.S.C. § 2339A(b) and 108 Stat. 2022 (§ 2339A). So |§ 2339A(c).", "18 U.S.C."),
        ("By 5 U.S.C. §§ 202(a), 205. See |§§ 202–203.", "5 U.S.C."),
        ("By 42 U.S.C. § 1983. See 18 U.S.C. § 3056(d) (fine); |§ 1751(e) (crime).", "18 U.S.C."),
        ("By § 6 of the Wharf Act of 1950. Dunne & Gray, Federal Wharves & Piers, |§ 6.3, at 8.", "?"),
        ("By 5 U.S.C. § 7701. Before the Board and the Federal Circuit, |§ 7703.", "5 U.S.C."),
        ("By 8 U.S.C. § 1101(a). (d) Construing |§1101(a) in favour of all, it is so.", "8 U.S.C."),
        ("By |section 659 of the Code of Civil Procedure it is so.", "Code of Civil Procedure"),
        ("The Wharf Act. By |section 92-301, R.C.M. 1947, it is so.", "Mont. Rev. Code"),
        ("By |section 775.084, Fla. Stat. (1999), it is so.", "Fla. Stat."),
        ("By Vt. Stat. Ann., Tit. 18, §4631(d). By |§4631(d) it is.", "Vt. Stat. Ann. tit. 18"),
        ("By |§ 61 of The Wharf Pension Act of 1979 it is so.", "Wharf Pension Act 1979"),
        ("By |Cal. Penal Code Ann. §187 it is so.", "Cal. Penal Code"),
        ("By 42 U.S.C. §2000e–2(a). By |§2000e–5(b) it is so.", "42 U.S.C."),
        ("By 33 U.S.C. § 2718(c), |§ 1018 grants much.", "33 U.S.C."),
        ("By 18 U.S.C. § 31(b) (risk); §2118(e) (pain); |§3286(b) (injury).", "18 U.S.C."),
        (
            "Restatement (Second) of Torts § 822. By § 6 of the Wharf Act. |§ 828 of the Restatement.",
            "Restatement (Second) of Torts",
        ),
        (
            "U.S. Const. art. I, § 8. By the New Jersey Constitution. It is in |the Constitution.",
            "U.S. Const.",
        ),
        ("By section 50-e of the General Municipal Law. By |section 50-e it is.", "N.Y. Gen. Mun. Law"),
        ("The Wharf Code. By Gray, Municipal Law |§ 53.02, it is so.", "?"),
        ("Under |section 522 of this title, by section 525 of the Wharf Act of 1978.", "?"),
        ("By section 525 of the Wharf Act of 1978. Under |section 522 of this title.", "Wharf Act 1978"),
        ("By Fed. R. Civ. P. 23. By W. Va. Rule 23 it is so. Its |Rule 23 is wide.", "W. Va. R."),
        ("By Fed. R. Civ. P. 23. By W. Va. Rule 23 it is so. Federal |Rule 23 is wide.", "Fed. R. Civ. P."),
    ],
)
def test_whose_a_section_is_by_the_words_next_to_it(grammar: Grammar, text: str, expected: str) -> None:
    assert key(grammar, text, "US") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Wharf Act of 1993. By |§ 5 of the Fourteenth\nAmendment it is so.", "U.S. Const."),
        ("The Wharf Act of 1993. By § 5 of the Fourteenth Amendment. So |§ 5.", "U.S. Const."),
        ("Wharves, Amdt. 14, |§ 1.", "U.S. Const."),
        ("By |section 8, Article I, of the Constitution.", "U.S. Const."),
        ("By 38 CFR § 20.302(a). It is an |Article I tribunal.", "U.S. Const."),
        ("By 42 U.S.C. § 1983. By Alaska Const, art. II, § 12; and |art. IV, § 15.", "Alaska Const."),
        ("By 42 U.S.C. § 1983. By Cal. Const. |Art. I, §7.5 it is so.", "Cal. Const."),
        ("By 42 U.S.C. § 1983. By |Art. V, See. 26, of the Montana Constitution.", "?"),
        ("The Hawaii Constitution. " + "It is so. " * 40 + "By |Article 15 of the city it is so.", "?"),
        ("For |Article XI-A of the Code it is so.", "?"),
        ("By 1978 Cal. Stats. ch. 1321, § 1. Under § 5 of the Fourteenth Amendment. So |§ 1.", "?"),
    ],
)
def test_articles_and_amendments_of_the_constitution(grammar: Grammar, text: str, expected: str) -> None:
    assert key(grammar, text, "US") == expected


def test_a_constitution_that_is_not_named_is_no_antecedent(grammar: Grammar) -> None:
    found = grammar.find("By § 5 of the Fourteenth Amendment. So § 5. And so § 5.", "US")
    assert [(each.key, each.antecedent) for each in found] == [("U.S. Const.", None)] * 3


def test_a_far_number_is_of_an_act_only_where_that_can_be_told(grammar: Grammar) -> None:
    assert key(grammar, "By the Wharf Act of 1950, |§ 6 too.", "US") == "Wharf Act 1950"
    gap = "It is so, and it was always so, as everybody knows. " * 8
    assert (
        key(grammar, f"By the Wharf Act of 1950 and the Pilot Act of 1960. {gap} |Section 6 too.", "US")
        == "?"
    )
    assert key(grammar, f"By the Wharf Act 1950. {gap} |Section 6 too.") == "Wharf Act 1950"
    many = "The Wharf Act of 1950 says so. " * 6
    assert key(grammar, f"{many} {gap} |Section 6 too.", "US") == "Wharf Act 1950"
    assert key(grammar, f"By 26 Stat. 567. {gap} |Section 6 too.", "US") == "?"


def test_a_number_of_no_act_is_a_wrong_one_of_the_only_act_around(grammar: Grammar) -> None:
    run = f"By {HARBOURS} it is so. Section 37 says why."
    assert key(grammar, f"{run} |Section 7484(2) too.") == "Harbours Act 1980"
    assert key(grammar, f"{run} By {PILOTS} it is not. |Section 7484(2) too.") == "?"
    assert key(grammar, f"{run} |Section 1184(2) too.") == "?"
    assert key(grammar, "By 17 U.S.C. § 106. And § 107. |Section 7484 too.", "US") == "?"
    many = "By 17 U.S.C. § 106 it is so. " * 5
    assert key(grammar, f"{many} |Section 7484 too.", "US") == "17 U.S.C."


@pytest.mark.parametrize(
    "declared",
    [
        "All section references are to the Wharf Code of 1954.",
        "Unless otherwise indicated, all statutory references are to the Wharf Code of 1954.",
        "All further references herein to sections are to the Wharf Code of 1954.",
        "All section\nreferences are to\nthe Wharf Code of 1954.",
    ],
)
def test_a_text_may_say_of_what_all_its_sections_are(grammar: Grammar, declared: str) -> None:
    for text in (
        f"{declared} By § 3 of the Pilot Act of 1960. Under |section 741 it is so.",
        f"By § 3 of the Pilot Act of 1960. Under |section 741 it is so.\n\n1 {declared}",
    ):
        assert key(grammar, text, "US") == "Wharf Code 1954"
    assert key(grammar, f"{declared} By § 3 of the Pilot Act of 1960. And |§ 3.", "US") == "Pilot Act 1960"


def test_an_act_that_is_quoted_speaks_of_itself(grammar: Grammar) -> None:
    text = "By the Wharf Act of 1934. 48 Stat. 817: “The sum is due under |this Act.”"
    assert read(grammar, text, "US") is None


def test_rules_and_schedules_that_no_court_and_no_code_has(grammar: Grammar) -> None:
    assert read(grammar, "By Fed. R. Civ. P. 12. By |Rule 16a it is so.", "US") is None
    assert read(grammar, "By the Wharf Act of 1950, § 3. See Ex. A |Schedules 1, 2.", "US") is None


def test_a_regulation_is_none_of_rules(grammar: Grammar) -> None:
    text = "By Rule 8(2) of the Wharf Service Rules, 1961 it is so. |Regulation 11(8) is another."
    assert read(grammar, text, "IN") is None


def test_what_an_indian_text_need_not_name(grammar: Grammar) -> None:
    assert key(grammar, "He was convicted under |Section 498-A.", "IN") == "Indian Penal Code 1860"
