from __future__ import annotations

from datetime import date

import pytest

from lexls.citations.grammar import Grammar, find_impossibility

TODAY = date(2026, 11, 21)


def reason(grammar: Grammar, text: str, jurisdiction: str) -> str:
    citation = next(found for found in grammar.find(text, jurisdiction) if found.form == "full")
    return find_impossibility(citation, grammar, TODAY)


@pytest.mark.parametrize(
    ("jurisdiction", "text", "why"),
    [
        ("UK", "[2004] UKSC 12", "UKSC citations begin in 2009"),
        ("UK", "[2012] UKHL 12", "UKHL citations end in 2009"),
        ("UK", "[2019] UKSC 412", "no year of UKSC has 412 judgments"),
        ("UK", "[1949] 1 WLR 33", "WLR citations begin in 1953"),
        ("UK", "[1999] 9 WLR 33", "no year of WLR has 9 volumes"),
        ("UK", "[1870] AC 33", "AC citations begin in 1891"),
        ("UK", "(1999) 14 App Cas 337", "App Cas citations end in 1891"),
        ("UK", "[2027] UKSC 1", "2027 is still to come"),
        ("AU", "(1950) 175 CLR 1", "175 CLR is of about 1992, not of 1950"),
        ("AU", "(1999) 180 CLR 1", "180 CLR is of 1977 to 1995, not of 1999"),
        ("AU", "(1950) 274 CLR 1", "274 CLR is of 2020 or later, not of 1950"),
        ("IN", "AIR 1899 SC 12", "AIR citations begin in 1914"),
        ("IN", "AIR 1937 SC 21", "SC citations begin in 1950"),
        ("IN", "(1951) 3 SCC 12", "SCC citations begin in 1969"),
        ("IN", "(1973) 44 SCC 12", "no year of SCC has 44 volumes"),
        ("CA", "1997 SCC 12", "SCC citations begin in 2000"),
        ("US", "Bush v. Gore, 531 U.S. 98 (1987)", "531 U.S. is of about 2001, not of 1987"),
        ("US", "819 F.2d 880 (2016)", "F.2d citations end in 1994"),
        ("US", "44 F.4th 12 (2d Cir. 2012)", "F.4th citations begin in 2021"),
        ("US", "93 S. Ct. 705 (1992)", "93 S. Ct. is of 1971 to 1981, not of 1992"),
        ("HK", "(2019) 1 HKCFAR 1", "1 HKCFAR is of about 1997, not of 2019"),
    ],
)
def test_what_no_report_or_court_can_have_is_said(
    grammar: Grammar, jurisdiction: str, text: str, why: str
) -> None:
    assert reason(grammar, text, jurisdiction) == why


@pytest.mark.parametrize(
    ("jurisdiction", "text"),
    [
        ("UK", "[2009] UKSC 1"),
        ("UK", "[1932] UKHL 100"),
        ("UK", "[2002] 1 WLR 577"),
        ("AU", "[1992] HCA 23"),
        ("AU", "(1992) 175 CLR 1"),
        ("AU", "(1977) 180 CLR 266"),
        ("AU", "(1999) 200 CLR 1"),
        ("AU", "(2005) 225 CLR 88"),
        ("EU", "ECLI:EU:C:2014:2201"),
        ("US", "Ware v. Hill, 1 U.S. (1 Dall.) 12 (1764)"),
        ("AU", "(1885) 6 NSWLR 12"),
        ("IN", "(1973) 4 SCC 225"),
        ("IN", "AIR 1973 SC 1461"),
        ("IN", "[1949-50] SCR 321"),
        ("CA", "2000 SCC 1"),
        ("CA", "(1999) 174 DLR (4th) 193"),
        ("US", "Bush v. Gore, 531 U.S. 98 (2000)"),
        ("US", "531 U.S. 98"),
        ("US", "Cooper v. FAA, 816 F. Supp. 2d 778 (N.D. Cal. 2008)"),
        ("US", "Marbury v. Madison, 5 U.S. (1 Cranch) 137 (1803)"),
        ("US", "Roe v. Wade, 410 U.S. 113, 93 S. Ct. 705, 35 L. Ed. 2d 147 (1973)"),
        ("US", "42 U.S.C. § 1983"),
        ("UK", "Human Rights Act 1998, s 6"),
        ("", "Carrow v Dunne [2014] XQZC 12"),
    ],
)
def test_genuine_citations_are_plausible(grammar: Grammar, jurisdiction: str, text: str) -> None:
    assert reason(grammar, text, jurisdiction) == ""


def test_a_short_form_is_plausible(grammar: Grammar) -> None:
    found = grammar.find("Carrow v Dunne [2004] UKSC 12. Carrow at [3].", "UK")
    assert [bool(find_impossibility(citation, grammar, TODAY)) for citation in found] == [True, False]
