"""Citations of many forms as they stand in sentences: what each cites, by its key, and the place in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.model import fold


def read_rows(name: str) -> list[list[str]]:
    """The rows of a table beside this file, comments left out."""
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


ROWS = read_rows("forms_in_sentences.tsv")
OFFICIAL = read_rows("official_forms.tsv")
NAMES = ("Orme v Dask", "Pell v Vail")
Expected = list[tuple[str, str, str, str]]


@pytest.mark.parametrize(("place", "kind", "key", "labels", "sentence"), ROWS, ids=[row[-1] for row in ROWS])
def test_a_form_is_read_in_a_sentence(
    grammar: Grammar, place: str, kind: str, key: str, labels: str, sentence: str
) -> None:
    found = [each for each in grammar.find(sentence, place) if (each.key, each.kind) == (key, kind)]
    assert found, "not read"
    if labels != "-":
        assert labels in [";".join(each.pinpoint.labels) for each in found if each.pinpoint is not None]


def write_official(row: Sequence[str], *, pinned: bool, name: str = NAMES[0]) -> str:
    """The citation of a row of ``OFFICIAL``, with its pinpoint or without."""
    place, *_, written = row
    named = re.sub(
        r"(?<!\S)N(?=[\s,])", name.replace(" v ", " v. ") if place in ("US", "ECHR") else name, written
    )
    return re.sub(r"\{(.*?)\}", r"\1" if pinned else "", named)


def expect_official(row: Sequence[str], *, pinned: bool, name: str = NAMES[0]) -> Expected:
    """The folded key, pinpoint, year and name of each citation in a row of ``OFFICIAL``, "" for any name.

    The name is compared where it stands right before.
    """
    _, keys, pins, year, written = row
    named = name if written.startswith("N") else ""
    return [
        (fold(key), pin if pinned else "-", year, "" if place else named)
        for place, (key, pin) in enumerate(zip(keys.split("; "), pins.split(";"), strict=True))
    ]


def frame_official(row: Sequence[str], other: Sequence[str]) -> Iterator[tuple[str, Expected]]:
    """Sentences that cite a row of ``OFFICIAL``, with what must be read of each."""
    bare, pinned = (write_official(row, pinned=each) for each in (False, True))
    without, whole = (expect_official(row, pinned=each) for each in (False, True))
    yield f"It is settled. See {bare}. It is followed.", without
    yield f"It is settled. See {pinned}. It is followed.", whole
    yield f"That is the rule (see {pinned}).", whole
    more = write_official(other, pinned=True, name=NAMES[1])
    yield f"See {pinned}; {more}; and Moss.", [*whole, *expect_official(other, pinned=True, name=NAMES[1])]
    year = row[3]
    if year != "-" and not bare.endswith((")", "]")) and not re.search(rf"\([^()]*{year}\)", bare):
        for dated in (f"[{year}]", f"({year})"):
            yield f"It is settled. See {bare} {dated}. It is.", without
            yield f"It is settled. See {pinned} {dated}. It is.", whole


@pytest.mark.parametrize("at", range(len(OFFICIAL)), ids=["|".join((row[0], row[-1])) for row in OFFICIAL])
def test_an_official_form_is_read_with_its_place_and_year(grammar: Grammar, at: int) -> None:
    row = OFFICIAL[at]
    other = next(each for each in [*OFFICIAL[at + 1 :], *OFFICIAL[:at]] if each[0] == row[0])
    signs = {"paragraph": "¶", "page": "p"}
    for sentence, expected in frame_official(row, other):
        found = [
            (
                fold(each.key),
                "-" if each.pinpoint is None else signs[each.pinpoint.kind] + ",".join(each.pinpoint.labels),
                str(each.year),
                each.name.replace("v.", "v"),
            )
            for each in grammar.find(sentence, row[0])
            if each.form == "full"
        ]
        assert [each[:2] for each in found] == [each[:2] for each in expected], sentence
        for read, meant in zip(found, expected, strict=True):
            assert meant[2] in ("-", read[2]), sentence
            assert meant[3] in ("", read[3]), sentence


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("US", "He sold 88 Iowa, 257 Ohio and 12 Wall., 3 Hill plates."),
        ("US", "Silva v. Reclamation Dist. No. 1001 was settled."),
        ("US", "By 56 ICC 17.02.110(C) the buffer is wide."),
        ("US", "They have 32 Johnson 128 parts."),
        ("US", "They met Thompson, 501 and Holmes 272 of the crew in Chase 12."),
        ("IN", "The order in Writ Petition No. 1907 of 1983 was set aside."),
    ],
)
def test_what_only_looks_like_a_case_is_none(grammar: Grammar, place: str, sentence: str) -> None:
    assert [each.key for each in grammar.find(sentence, place) if each.form == "full"] == []


@pytest.mark.parametrize(
    ("sentence", "labels"),
    [
        ("Under 11 U.S.C. § 506(a), 1 the claim is secured.", ("506(a)",)),
        ("Under 11 U.S.C. § 506(a), 507 the claim is secured.", ("506(a)", "507")),
        ("Under 42 U.S.C. §§ 300, 5 he may sue.", ("300", "5")),
    ],
)
def test_the_mark_of_a_note_is_no_section(grammar: Grammar, sentence: str, labels: tuple[str, ...]) -> None:
    (citation,) = grammar.find(sentence, "US")
    assert citation.pinpoint is not None
    assert citation.pinpoint.labels == labels


def test_a_page_that_runs_into_a_volume_ends_before_it(grammar: Grammar) -> None:
    text = "Pell v. Orrin, 463 U.S. 277, 103 S. Ct. 3001 (1983). Id. at 292,103 S. Ct. at 3007. Id. at 1,234."
    places = [each.pinpoint.labels for each in grammar.find(text, "US") if each.pinpoint is not None]
    assert places == [("292",), ("3007",), ("1,234",)]


def test_a_case_that_a_bracket_quotes_is_pointed_back_to(grammar: Grammar) -> None:
    text = (
        "Pell v. Orrin, 393 U.S. 503 (1969). Vail v. Moss, 484 U.S. 260 (1988) (quoting Pell, supra, at 506)."
    )
    last = grammar.find(text, "US")[-1]
    assert (last.form, last.key, last.name) == ("supra", "393 U.S. 503", "Pell")


@pytest.mark.parametrize("year", ["[2007]", "(2007)", "[ 2007 ]"])
@pytest.mark.parametrize(
    ("place", "citation"),
    [
        ("US", "Orme v Dask, 44 AD3d 212"),
        ("US", "Orme v Dask, 7 NY3d 428"),
        ("US", "Orme v Dask, 2007 NY Slip Op 51192"),
        ("US", "Orme v. Dask, 2007 Guam 19"),
        ("US", "Orme v. Dask, 2007 IL App (1st) 101558"),
        ("US", "Orme v. Dask, 2007 ND 191"),
        ("US", "Orme v. Dask, 2007-Ohio-2951"),
        ("UK", "Orme v Dask [2007] UKHL 12"),
        ("AU", "Orme v Dask [2007] HCA 12"),
        ("CA", "Orme v Dask, 2007 SCC 12"),
        ("IN", "Orme v Dask 2007 INSC 12"),
        ("ZA", "Orme v Dask [2007] ZACC 12"),
    ],
)
def test_the_year_in_brackets_is_no_paragraph(grammar: Grammar, place: str, citation: str, year: str) -> None:
    found = list(grammar.find(f"It is settled. See {citation} {year}. It is.", place))
    assert found
    assert all(each.pinpoint is None for each in found)


@pytest.mark.parametrize("party", ["Thompson", "Holmes", "Taney", "Chase", "Gilmer", "Cooke", "Bee", "Deady"])
def test_a_party_is_no_reporter_of_the_next_volume(grammar: Grammar, party: str) -> None:
    found = list(grammar.find(f"See Orme v. {party}, 501 U. S. 722, 755 (1991).", "US"))
    assert [each.key for each in found] == ["501 U.S. 722"]
