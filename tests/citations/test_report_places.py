"""Citations are divided into series, volume and page, however lists write them."""

from __future__ import annotations

from itertools import permutations

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.report_places import PlaceReader, find_place

PLACES = {
    # As lists have it, the citation, the volume, whether it has pages.
    "712 F.3d 1184": ("712 F.3d 1184", "712 F.3d", True),
    "712 F.2d 1184": ("712 F.2d 1184", "712 F.2d", True),
    "712 F. 1184": ("712 F. 1184", "712 F.", True),
    "712 F. 3d 7": ("712 F.3d 7", "712 F.3d", True),
    "1 Cal.App.4th 22": ("1 Cal. App. 4th 22", "1 Cal. App. 4th", True),
    "1 Cal.App.3d 22": ("1 Cal. App. 3d 22", "1 Cal. App. 3d", True),
    "5 U.S. (1 Cranch) 137": ("5 U.S. 137", "5 U.S.", True),
    "2013 WL 1234567": ("2013 WL 1234567", "2013 WL", False),
    "2014-Ohio-1234": ("2014 Ohio 1234", "2014 Ohio", False),
    "2011 IL App (1st) 101234": ("2011 IL App (1st) 101234", "2011 IL App (1st)", False),
    "[2014] UKSC 12": ("[2014] UKSC 12", "[2014] UKSC", False),
    "[2014] EWHC 12 (Ch)": ("[2014] EWHC 12 (Ch)", "[2014] EWHC (Ch)", False),
    "[1990] 2 AC 1": ("[1990] 2 AC 1", "[1990] 2 AC", True),
    "(1992) 175 CLR 1": ("(1992) 175 CLR 1", "(1992) 175 CLR", True),
    "AIR 1978 SC 597": ("AIR 1978 SC 597", "AIR 1978 SC", True),
}


@pytest.mark.parametrize("written", PLACES)
def test_a_place_is_read_and_written(written: str) -> None:
    grammar = Grammar.load()
    place = PlaceReader(grammar, "US").read(written)
    assert place is not None
    assert (place.citation, place.volume_label, place.paged) == PLACES[written]
    assert find_place(place.citation, grammar, "US") == place


@pytest.mark.parametrize("first", PLACES)
def test_what_was_read_before_changes_nothing(first: str) -> None:
    grammar = Grammar.load()
    reader = PlaceReader(grammar, "US")
    reader.read(first)
    for written in PLACES:
        assert reader.read(written) == PlaceReader(grammar, "US").read(written)


def test_a_report_that_is_a_word_is_read_with_its_year() -> None:
    grammar = Grammar.load()
    place = PlaceReader(grammar, "US").read("1 Day 33", 1803)
    assert place is not None
    (cited,) = grammar.find("*Carrow v. Luff*, 1 Day 33 (Conn. 1803)", "US")
    assert find_place(cited.key, grammar, "US") == place


@pytest.mark.parametrize(
    "written", ["12 Nowhere 3", "12 F. 33a", "12a F. 33", "xii F. 3", "see above", "", "# F. #"]
)
def test_what_is_no_citation_has_no_place(written: str) -> None:
    reader = PlaceReader(Grammar.load(), "US")
    for _ in range(10):
        assert reader.read(written) is None


def test_each_place_has_its_own_number() -> None:
    grammar = Grammar.load()
    citations = [f"[{a}] {b} AC {c}" for a, b, c in permutations((1990, 1, 2, 11, 1991), 3) if a > 1900 > b]
    places = [place for each in citations if (place := find_place(each, grammar))]
    assert len(set(places)) == len(places) == len(citations)
    assert [each.citation for each in places] == citations
