"""Authorities named in words as their countries do."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexls.index.records import Authority
from lexls.wording.place_words import cite_place, join_citation, put_in_marks


@pytest.mark.parametrize(
    ("name", "citation", "jurisdiction", "said"),
    [
        ("Weir v. Orr", "384 U.S. 4", "US", "Weir v. Orr, 384 U.S. 4"),
        ("Weir v Orr", "[2019] UKSC 41", "UK", "Weir v Orr [2019] UKSC 41"),
        ("Quay Act 2001", "Quay Act 2001", "UK", "Quay Act 2001"),
        ("", "384 U.S. 4", "US", "384 U.S. 4"),
        ("Weir v. Orr", "", "US", "Weir v. Orr"),
    ],
)
def test_a_comma_stands_before_an_american_report(
    name: str, citation: str, jurisdiction: str, said: str
) -> None:
    assert join_citation(name, citation, jurisdiction) == said


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        ("the pilot answers", "“the pilot answers”"),
        ("“the pilot answers”", "“the pilot answers”"),
        ("“the pilot answers", "“the pilot answers”"),
        ("the pilot answers.”", "“the pilot answers.”"),
        ("“the pilot” answers", "“‘the pilot’ answers”"),
        ("“the pilot” and “the master”", "“‘the pilot’ and ‘the master’”"),
    ],
)
def test_words_stand_between_one_pair_of_marks(words: str, quoted: str) -> None:
    assert put_in_marks(words) == quoted


@pytest.mark.parametrize(
    ("citation", "jurisdiction", "said"),
    [
        ("641 F. Supp. 2d 913", "US", ""),
        ("2018 CO 3", "US", "¶ 86"),
        ("", "US", "¶ 86"),
        ("[2014] ASC 12", "", "[86]"),
        ("(1968) 1 AldLR 301", "UK", "[86]"),
    ],
)
def test_paragraphs_are_cited_where_courts_number_them(citation: str, jurisdiction: str, said: str) -> None:
    assert cite_place(a_case(citation, jurisdiction), "86", 0) == said


def test_an_american_case_without_paragraphs_is_cited_by_its_page() -> None:
    assert cite_place(a_case("641 F. Supp. 2d 913", "US"), "86", 930) == "page 930"


def a_case(citation: str, jurisdiction: str) -> Authority:
    path = Path("/library/weir.md")
    citations = (citation,) if citation else ()
    return Authority(
        1, path, path.parent, path.name, "Weir v. Orr", "", citations, "", "", "case", jurisdiction, True
    )
