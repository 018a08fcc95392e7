"""Judgments found by case names written another way."""

from __future__ import annotations

import pytest

from lexls.citations.case_names.compare import is_shortened_party, make_party_key, split_party_key
from lexls.index.aliases import LooseNames


@pytest.mark.parametrize(
    ("cited", "title"),
    [
        ("Tarn v State of N.W.", "Tarn v State of North Wold"),
        ("Quenby v State of Aldmoor", "Quenby Alias Quen and Others v State of Aldmoor"),
        ("Wold Carriers v Marsh", "Messrs Wold Carriers v K. Marsh"),
        ("R. T. Barrow v Union of Wold", "Barrow v Union of Wold"),
        ("R. T. Barrow v Union of Wold", "Rosa Tarn Barrow v Union of Wold"),
        ("TB Luff v Union of Wold", "T. B. Luff v Union of Wold"),
        ("M/s Grey Gull Traders v Wold", "Messrs Grey Gull Traders v Wold"),
        ("Tarn v State of U.P.", "Tarn v State of Upper Pell"),
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
        ("R. T. Barrow v Union of Wold", "Nell Barrow v Union of Wold"),
        ("Nell Barrow v Union of Wold", "R. T. Barrow v Union of Wold"),
        ("Tarn v State of N.P.", "Tarn v State of Northwold"),
        ("K. S. Barrow v Union of Wold", "K. Nell Barrow v Union of Wold"),
    ],
)
def test_other_parties_do_not_fit(cited: str, title: str) -> None:
    assert not fits(cited, title)


def fits(cited: str, title: str) -> bool:
    one, other = split_party_key(make_party_key(cited)), split_party_key(make_party_key(title))
    assert one is not None
    assert other is not None
    return is_shortened_party(one[0], other[0]) and is_shortened_party(one[1], other[1])


def test_a_judgment_is_found_in_its_years_only() -> None:
    tarn = make_party_key("Tarn Alias Quen v State of North Wold")
    names = LooseNames()
    names.change({(tarn, 1970): 1, (tarn, 1990): 1})
    assert names.near((make_party_key("Tarn v State of N.W."), 1971), 3) == ((tarn, 1970),)
    assert names.near((make_party_key("Tarn v State of N.W."), 1989), 3) == ((tarn, 1990),)
    assert names.near((make_party_key("Tarn v State of N.W."), 1980), 3) == ()


def test_what_a_name_fits_is_found_again_when_names_come_and_go() -> None:
    short, tarn = (
        make_party_key("Tarn v State of N.W."),
        make_party_key("Tarn Alias Quen v State of North Wold"),
    )
    other = make_party_key("Tarn Alias Moss v State of North Wold")
    names = LooseNames()
    assert names.near((short, 1970), 3) == ()
    assert names.change({(tarn, 1970): 1}) == {(short, 1970)}
    assert names.near((short, 1970), 3) == ((tarn, 1970),)
    assert names.change({(other, 1971): 2}) == {(short, 1970)}
    assert set(names.near((short, 1970), 3)) == {(tarn, 1970), (other, 1971)}
    assert names.change({(tarn, 1970): -1, (other, 1971): -1}) == {(short, 1970)}
    assert names.near((short, 1970), 3) == ((other, 1971),)
