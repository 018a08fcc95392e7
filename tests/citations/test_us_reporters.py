from __future__ import annotations

import subprocess
import sys

import pytest

from lexls.citations.grammar import Grammar


def keys(grammar: Grammar, text: str, jurisdiction: str) -> list[str]:
    return [citation.key for citation in grammar.find(f"so {text} and", jurisdiction)]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Day v. Root, 3 Root 55 (Conn. 1795),", "3 Root 55"),
        ("4 Hill & Den. 12", "4 Hill & Den. 12"),
        ("12 Abb. N. Cas. 45 (N.Y. 1880)", "12 Abb. N. Cas. 45"),
        ("33 At. Rep. 12", "33 A. 12"),
        ("44 Akron L. Rev. 33 (2010)", "44 Akron L. Rev. 33"),
        ("Ala. Admin. Code r. 218", "Ala. Admin. Code"),
    ],
)
def test_reporters_codes_and_journals_of_the_database_are_read(grammar: Grammar, text: str, key: str) -> None:
    assert keys(grammar, text, "US") == [key]
    assert keys(grammar, text, "") == [key]


@pytest.mark.parametrize(
    "text", ["12 Day 33 items", "12 Day 33 (Conn. 1995)", "3 Root 55 days", "7 Kirby 12 pages (in 2001)"]
)
def test_a_plain_word_is_a_reporter_only_with_a_year_that_it_can_have(grammar: Grammar, text: str) -> None:
    assert keys(grammar, text, "US") == []


@pytest.mark.parametrize("jurisdiction", ["UK", "AU", "IN", "CA", "EU", "ECHR", "NZ", "SG", "HK"])
@pytest.mark.parametrize("text", ["4 Hill & Den. 12", "3 Root 55 (Conn. 1795)", "33 At. Rep. 12"])
def test_the_database_is_for_american_drafts(grammar: Grammar, jurisdiction: str, text: str) -> None:
    found = grammar.find(f"so {text} and", jurisdiction)
    assert [citation for citation in found if citation.jurisdiction == "US"] == []


def test_own_forms_win_over_the_database(grammar: Grammar) -> None:
    assert keys(grammar, "531 U. S. 98", "US") == ["531 U.S. 98"]
    assert keys(grammar, "108 Wn.2d 17", "US") == ["108 Wash. 2d 17"]


def test_the_database_is_not_loaded_for_drafts_of_other_places() -> None:
    code = (
        "import sys; from lexls.citations.grammar import Grammar;"
        "Grammar.load().find('[2019] UKSC 41', 'UK'); print('reporters_db' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


def test_a_page_of_a_tax_court_report_is_of_the_case_that_begins_before_it(grammar: Grammar) -> None:
    text = (
        "*Carrow v. Dunne*, 90 T.C. 1130 (1988). *Stark v. Ryle*, 91 T.C. 20. In *Carrow*, 90 T.C. at 1134."
    )
    *_, short = grammar.find(text, "US")
    assert (short.form, short.key) == ("short", "90 T.C. 1130")
    assert short.pinpoint is not None
    assert short.pinpoint.labels == ("1134",)
