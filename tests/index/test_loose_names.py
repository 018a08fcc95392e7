"""Judgments found by case names written another way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lexls.index.aliases import party_key
from lexls.index.loose_names import LooseNames, parties_of, same_party
from lexls.index.records import Authority


def authority(number: int, title: str) -> Authority:
    return Authority(
        id=number,
        path=Path(f"/library/{number}.txt"),
        relative=f"{number}.txt",
        title=title,
        citations=(),
        library=Path("/library"),
        court="",
        date="",
        kind="case",
        jurisdiction="",
        short_title="",
        is_text=True,
    )


@pytest.mark.parametrize(
    ("cited", "title"),
    [
        ("Tarn v State of N.W.", "Tarn v State of North Wold"),
        ("Quenby v State of Aldmoor", "Quenby Alias Quen and Others v State of Aldmoor"),
        ("Wold Carriers v Marsh", "Messrs Wold Carriers v K. Marsh"),
        ("R. T. Barrow v Union of Wold", "Barrow v Union of Wold"),
    ],
)
def test_parties_fit_though_they_are_shortened(cited: str, title: str) -> None:
    assert fits(cited, title)


@pytest.mark.parametrize(
    ("cited", "title"),
    [
        ("Tarn v State of Aldmoor", "Tarn v State of North Wold"),
        ("Sunder Tarn v State of Aldmoor", "Sunder Mull v State of Aldmoor"),
        ("Nagar Mull v State of Aldmoor", "N. T. Sunder Mull v State of Aldmoor"),
        ("State v Tarn", "Quenby v Tarn"),
    ],
)
def test_other_parties_do_not_fit(cited: str, title: str) -> None:
    assert not fits(cited, title)


def fits(cited: str, title: str) -> bool:
    one, other = parties_of(party_key(cited)), parties_of(party_key(title))
    assert one is not None
    assert other is not None
    return same_party(one[0], other[0]) and same_party(one[1], other[1])


def test_a_judgment_is_found_in_its_years_only() -> None:
    tarn = authority(1, "Tarn Alias Quen v State of North Wold")
    later = replace(tarn, id=2)
    names = LooseNames([(party_key(tarn.title), 1970, tarn), (party_key(later.title), 1990, later)])
    assert [each.id for each in names.near(party_key("Tarn v State of N.W."), 1971, 3)] == [1]
    assert [each.id for each in names.near(party_key("Tarn v State of N.W."), 1989, 3)] == [2]
    assert names.near(party_key("Tarn v State of N.W."), 1980, 3) == []
