from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lexls.index.records import Authority
from lexls.retrieval.model import Filters, select_documents

LIBRARY = Path("/library")


def authority(number: int = 1, relative: str = "cases/carrow.md", **fields: Any) -> Authority:
    known: dict[str, Any] = {
        "title": "Carrow v Luff",
        "short_title": "",
        "citations": (),
        "court": "Supreme Court of Aldmoor",
        "date": "2014-03-09",
        "kind": "case",
        "jurisdiction": "Aldmoor",
        "is_text": True,
    }
    return Authority(
        id=number, path=LIBRARY / relative, library=LIBRARY, relative=relative, **{**known, **fields}
    )


def test_no_filter_lets_everything_through() -> None:
    assert select_documents([authority()], Filters()) is None


def test_only_documents_that_pass_are_select_documents() -> None:
    library = [authority(1), authority(2, kind="statute"), authority(3)]
    assert select_documents(library, Filters(kinds=frozenset({"case"}))) == {1, 3}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(kinds=frozenset({"statute", "contract"})), False),
        (Filters(courts=("supreme court",)), True),
        (Filters(courts=("High Court", "SUPREME")), True),
        (Filters(courts=("High Court",)), False),
        (Filters(within=frozenset({1, 2})), True),
        (Filters(within=frozenset({2})), False),
        (Filters(within=frozenset()), False),
        (Filters(excluded=(LIBRARY / "cases" / "carrow.md",)), False),
        (Filters(excluded=(LIBRARY / "cases",)), False),
        (Filters(excluded=(LIBRARY / "case",)), True),
        (Filters(date_from="2014"), True),
        (Filters(date_from="2014-03-09", date_to="2014-03-09"), True),
        (Filters(date_from="2014-03-10"), False),
        (Filters(date_to="2014-02"), False),
        (Filters(date_to="2014"), True),
        (Filters(date_to="2013"), False),
    ],
)
def test_each_filter_decides(filters: Filters, expected: bool) -> None:
    found = select_documents([authority()], filters)
    assert found is not None
    assert bool(found) is expected


def test_a_year_alone_is_compared_as_far_as_it_goes() -> None:
    assert select_documents([authority(date="2014")], Filters(date_from="2014-05"))


def test_an_unknown_date_passes_no_limit() -> None:
    assert select_documents([authority(date="")], Filters(date_from="1900")) == frozenset()
    assert select_documents([authority(date="")], Filters(date_to="2100")) == frozenset()


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(courts=("ninth circuit",)), True),
        (Filters(courts=("9th Cir.",)), True),
        (Filters(courts=("2d Cir.",)), False),
        (Filters(jurisdictions=frozenset({"US", "UK"})), True),
        (Filters(jurisdictions=frozenset({"UK"})), False),
    ],
)
def test_a_court_is_known_by_what_citations_call_it(filters: Filters, expected: bool) -> None:
    court = "United States Court of Appeals for the Ninth Circuit"
    american = authority(court=court, citations=("12 F.3d 34",), jurisdiction="US")
    assert (select_documents([american], filters) == {1}) is expected
