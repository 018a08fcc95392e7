"""Titles as a search of their own: scored by BM25, and the same whether made anew or from what was known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lexls.index.catalogue import TitleIndex
from lexls.index.records import Authority

TITLES = {
    3: "Lighthouses Act 1904",
    5: "Lighthouses and Lighthouses (Repeal) Act 1911",
    8: "Beacon v Lamplighter",
    9: "",
}


def authority(document: int, title: str) -> Authority:
    return Authority(
        id=document,
        path=Path(f"/law/{document}.md"),
        library=Path("/law"),
        relative=f"{document}.md",
        title=title,
        short_title="",
        citations=(),
        court="",
        date="",
        kind="statute",
        jurisdiction="",
        is_text=True,
    )


AUTHORITIES = [authority(document, title) for document, title in TITLES.items()]


def best(index: TitleIndex, *terms: str, documents: list[int] | None = None) -> dict[int, float]:
    found, scores = index.top(terms, 10, documents, None)
    return dict(zip(found.tolist(), scores.tolist(), strict=True))


def test_scores_are_those_of_bm25_without_idf() -> None:
    index = TitleIndex(
        [authority(1, "Beacon Beacon"), authority(2, "Beacon Wreck Storm Lamp"), authority(3, "")]
    )
    mean = (2 + 4 + 0) / 3
    twice = 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 2 / mean))
    once = 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 / mean))
    found = best(index, "beacon")
    assert found == pytest.approx({1: twice, 2: once})
    assert list(found) == [1, 2]


def test_how_rare_a_term_is_does_not_count() -> None:
    index = TitleIndex([authority(1, "Beacon"), authority(2, "Beacon"), authority(3, "Wreck")])
    # All titles are of one term, so that f (k1 + 1) / (f + k1) is 1.
    assert best(index, "beacon", "wreck") == pytest.approx({1: 1.0, 2: 1.0, 3: 1.0})


def test_only_the_documents_named_answer() -> None:
    index = TitleIndex(AUTHORITIES)
    assert list(best(index, "lighthous", documents=[3, 9])) == [3]
    assert index.terms([3]) == {"lighthous", "act", "1904"}
    assert index.terms([9, 77]) == frozenset()


def test_an_index_made_from_an_older_one_is_the_same_as_one_made_anew() -> None:
    older = TitleIndex(AUTHORITIES)
    now = [replace(AUTHORITIES[0], title="Beacons Act 1904"), *AUTHORITIES[2:], authority(12, "Lighthouses")]
    made, anew = TitleIndex(now, older), TitleIndex(now)
    assert made.terms() == anew.terms()
    for terms in (("lighthous",), ("beacon", "act"), ("repeal",)):
        assert best(made, *terms) == best(anew, *terms)
    assert list(best(made, "lighthous")) == [12]
    assert list(best(older, "lighthous")) == [5, 3]


def test_a_library_without_titles_answers_nothing() -> None:
    for index in (TitleIndex(), TitleIndex([authority(1, "")])):
        assert best(index, "lighthous") == {}
        assert index.terms() == frozenset()
