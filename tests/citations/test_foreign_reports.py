"""American reports are read where American law is cited, and never for an Indian citation."""

import pytest

from lexls.citations.grammar import Grammar

TEXT = "See Miranda v. Arizona, 384 U.S. 436, and 347 F.2d 12; {} was so decided. Ibid."


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar.load()


@pytest.mark.parametrize("place", ["US", "UK", "AU", "IN", ""])
def test_they_are_read_where_nothing_else_looks_like_them(grammar: Grammar, place: str) -> None:
    found = grammar.find(TEXT.format("[1932] AC 562"), place)
    assert {"384 U.S. 436", "347 F.2d 12"} <= {each.key for each in found}


@pytest.mark.parametrize(
    "written", ["1978 (2) S.C.R. 621", "(1973) 4 SCC 225", "AIR 1973 SC 1461", "(1992) 1 CLR 5"]
)
def test_no_indian_citation_is_american(grammar: Grammar, written: str) -> None:
    found = grammar.find(TEXT.format(written), "IN")
    assert [each.jurisdiction for each in found] == ["US", "US", "IN", "IN"]


def test_a_report_like_indian_ones_is_not_read_in_an_indian_draft(grammar: Grammar) -> None:
    # What was passed over is not forgotten: an ibid behind it alone stands for nothing that is known.
    last = grammar.find("(1973) 4 SCC 225. See Pell v. Ryle, 12 F. 436. Ibid.", "IN")[-1]
    assert last.form == "id"
    assert last.key == ""
    assert last.unread
