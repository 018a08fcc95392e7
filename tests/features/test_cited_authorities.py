"""The authorities that a draft cites, each with its verdict and its places."""

from __future__ import annotations

from lexls.assessing.rules.engine import check
from lexls.export.cited_authorities import CitedEntry, list_cited

CARROW = "*Carrow v Luff* [2014] ASC 12"


def listed(marked, token) -> list[CitedEntry]:  # type: ignore[no-untyped-def]
    return list_cited(marked.snapshot, tuple(check(marked.snapshot, token)), token)


def test_parallel_and_short_citations_are_places_of_one_authority(read, token) -> None:
    draft = f"{CARROW}, (2014) 31 AldLR 5 at [3].\n\nWool burns: *Carrow* at [4]. *Ibid* at [1].\n|"
    (entry,) = listed(read(draft), token)
    assert (entry.title, entry.cited, entry.state) == ("Carrow v Luff", "[2014] ASC 12", "found")
    assert [place.text for place in entry.places] == [
        "Carrow v Luff [2014] ASC 12, (2014) 31 AldLR 5 at [3]",
        "Carrow at [4]",
        "Ibid at [1]",
    ]
    assert all(place.passage is not None for place in entry.places)


def test_what_is_wrong_or_missing_comes_first(read, token) -> None:
    draft = (
        f"{CARROW} at [3].\n\n*Pell v Stark* [2009] ACA 31 at [77].\n\n"
        "*Nobody v Known* [1999] ASC 999 at [1]. *Nobody* at [2].|"
    )
    entries = listed(read(draft), token)
    assert [(entry.title.partition(" [")[0], entry.state) for entry in entries] == [
        ("Pell v Stark", "wrong"),
        ("Nobody v Known", "missing"),
        ("Carrow v Luff", "found"),
    ]
    assert [place.text for place in entries[1].places] == [
        "Nobody v Known [1999] ASC 999 at [1]",
        "Nobody at [2]",
    ]
    assert entries[1].authority is None


def test_a_place_whose_quotation_differs_is_remarked_once(read, token) -> None:
    draft = (
        f"“A carrier who leaves the agreed route without reason answers for every loss”: {CARROW} at [3].|"
    )
    (entry,) = listed(read(draft), token)
    (place,) = entry.places
    assert len(place.remarks) == 1
    assert "necessity" in place.remarks[0]
