import random
from dataclasses import replace

import pytest

from lexls.index.library import Library
from lexls.reading.authority_names import AuthorityNames, NameIndexes


@pytest.fixture
def index(names: NameIndexes, library: Library) -> AuthorityNames:
    return names.of(library)


def first(index: AuthorityNames, typed: str) -> str:
    matches = list(index.by_name(typed))
    return index.authorities[matches[0]].title if matches else ""


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("Carrow", "Carrow v Luff"),
        ("car", "Carriage of Goods Act 1994"),
        ("carro", "Carrow v Luff"),
        ("Carrow v", "Carrow v Luff"),
        ("Carrow L", "Carrow v Luff"),
        ("Carrow and Luff", "Carrow v Luff"),
        ("Crarow v Luff", "Carrow v Luff"),
        ("Carow", "Carrow v Luff"),
        ("Stark", "Pell v Stark"),
        ("Registrar of T", "Thornby Estates Ltd v Registrar of Tides"),
        ("Thornby v Registrar", "Thornby Estates Ltd v Registrar of Tides"),
        ("Luff v Carrow", ""),
        ("Xyz", ""),
        ("v", ""),
        ("", ""),
    ],
)
def test_names_are_found_while_they_are_typed(index: AuthorityNames, typed: str, title: str) -> None:
    assert first(index, typed) == title


def test_the_first_party_is_a_better_match_than_the_second(index: AuthorityNames) -> None:
    qualities = {typed: max(index.by_name(typed).values()) for typed in ("Carrow", "Luff", "Carow")}
    assert qualities["Carrow"] > qualities["Luff"]
    assert qualities["Carrow"] > qualities["Carow"]


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        ("[2014] ASC 1", ["Carrow v Luff"]),
        ("2014 asc", ["Carrow v Luff"]),
        ("(1987) 4 A.L", ["Thornby Estates Ltd v Registrar of Tides"]),
        ("[2014] AHC", []),
        ("(1987) 4 Ald", ["Thornby Estates Ltd v Registrar of Tides"]),
        ("", []),
    ],
)
def test_citations_are_found_however_they_are_punctuated(
    index: AuthorityNames, typed: str, titles: list[str]
) -> None:
    assert [index.authorities[each].title for each in index.by_citation(typed)] == titles


def test_an_index_is_kept_until_the_library_changes(names: NameIndexes, library: Library) -> None:
    assert names.of(library) is names.of(library)


def test_an_index_moved_on_is_one_made_anew(names: NameIndexes, library: Library) -> None:
    chance = random.Random(1)
    authorities = {each.id: each for each in names.of(library).authorities.values()}
    titles = [
        *(each.title for each in authorities.values()),
        "Luff v Luff",
        "In re Thornby",
        "Tides Act 1990",
    ]
    for generation in range(1000, 1060):
        number = chance.randrange(1, 12)
        if number in authorities and chance.random() < 0.3:
            del authorities[number]
        else:
            known = authorities.get(number) or replace(next(iter(authorities.values())), id=number)
            authorities[number] = replace(known, title=chance.choice(titles))
        present = sorted(authorities.values(), key=lambda each: each.id)
        moved = names._build(present, generation)
        names._names = moved
        anew = NameIndexes()._build(present, generation)
        assert moved._literal == anew._literal
        assert moved._citations == anew._citations
        assert moved._vocabulary == anew._vocabulary
        assert {token: set(entries) for token, entries in moved._postings.items()} == {
            token: set(entries) for token, entries in anew._postings.items()
        }
        assert moved.authorities == anew.authorities
