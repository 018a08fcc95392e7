"""Authorities named in words as their countries do."""

from __future__ import annotations

import pytest

from lexls.grounding.place_words import join_citation


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
