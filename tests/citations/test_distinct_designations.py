"""What tells two authorities apart stays in their keys, and what dates one is no place in it."""

from __future__ import annotations

import re

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.model import fold

GRAMMAR = Grammar.load()
_ORDINAL = re.compile(r"\(\d(?:st|nd|rd|d|th)\)")
DISTRICTS = [
    (form.jurisdiction, court)
    for form in GRAMMAR.forms
    for token, table in form.names.items()
    if token in ("court", "division")
    for court in table
    if _ORDINAL.search(court)
]


def read_keys(text: str, jurisdiction: str) -> list[str]:
    return [each.key for each in GRAMMAR.find(text, jurisdiction) if each.form == "full"]


@pytest.mark.parametrize(("jurisdiction", "court"), DISTRICTS)
def test_courts_of_two_districts_give_two_cases(jurisdiction: str, court: str) -> None:
    others = [_ORDINAL.sub(f"({number})", court) for number in ("1st", "2d", "3d", "4th", "5th")]
    keys = [read_keys(f"Tarn v. Vail, 2017 {each} 160{end}.", jurisdiction)
            for each in others for end in ("044", "044-U")]  # fmt: skip
    assert all(len(each) == 1 for each in keys)
    assert len({fold(each[0]) for each in keys}) == len(keys)


def test_no_name_of_a_court_stands_for_that_of_another_district() -> None:
    names = [
        (name, other)
        for form in GRAMMAR.forms
        for token, table in form.names.items()
        for name, variants in table.items()
        for other in variants
        if token in ("court", "division")
    ]
    assert names
    districts = [[re.sub("nd|rd", "d", "".join(_ORDINAL.findall(each))) for each in pair] for pair in names]
    assert [pair for pair, (one, other) in zip(names, districts, strict=True) if one != other] == []


@pytest.mark.parametrize("code", ["U.S.C.", "U.S.C.A.", "U. S. C."])
@pytest.mark.parametrize("title", [5, 18, 46])
@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("{title} {code} app. § 808", "{title} U.S.C. app."),
        ("{title} {code} App. § 808(a)", "{title} U.S.C. app."),
        ("{title} {code} Appendix § 808", "{title} U.S.C. app."),
        ("{title} App. {code} § 808", "{title} U.S.C. app."),
        ("{title} {code} app. 2 § 8", "{title} U.S.C. app. 2"),
        ("{title} {code} § 808 note", "{title} U.S.C. § 808 note"),
        ("{title} {code} § 808(a) (note)", "{title} U.S.C. § 808(a) note"),
        ("{title} {code} § 808 note (2018)", "{title} U.S.C. § 808 note"),
        ("{title} {code} § 808 notes that", "{title} U.S.C."),
        ("Under {title} {code} § 808 note that", "{title} U.S.C."),
    ],
)
def test_an_appendix_and_a_note_are_other_law_than_the_section(
    code: str, title: int, written: str, key: str
) -> None:
    expected = key.format(title=title)
    assert read_keys(written.format(title=title, code=code), "US") == [expected]
    assert GRAMMAR.key_of(expected, "US") == expected


@pytest.mark.parametrize("report", ["NY2d", "NY3d", "AD3d", "Misc 3d"])
@pytest.mark.parametrize("year", [1899, 1976, 2018])
@pytest.mark.parametrize("court", ["", "2d Dept ", "App Div, 1st Dept ", "Sup Ct, Kings County "])
@pytest.mark.parametrize(("pin", "labels"), [("", ()), (", 14", ("14",)), (", 14-15", ("14-15",))])
def test_a_year_in_square_brackets_behind_a_page_is_no_paragraph(
    report: str, year: int, court: str, pin: str, labels: tuple[str, ...]
) -> None:
    text = f"That is so (Tarn v Vail, 31 {report} 12{pin} [{court}{year}])."
    (citation,) = GRAMMAR.find(text, "US")
    assert (citation.year, citation.name) == (year, "Tarn v Vail")
    assert (citation.pinpoint.labels if citation.pinpoint else ()) == labels
    assert citation.span.end == text.index("]") + 1


@pytest.mark.parametrize(
    ("place", "text", "year", "labels"),
    [
        ("AU", "Tarn v Vail (1992) 175 CLR 12 [50]", 1992, ("50",)),
        ("AU", "Tarn v Vail 175 CLR 12 [1992]", 1992, ()),
        ("CA", "Tarn v Vail, 33 CCC (3d) 466 [1987]", 1987, ()),
        ("UK", "Tarn v Vail [2014] EWCA Civ 77 [61]", 2014, ("61",)),
        ("US", "Tarn v. Vail, 31 N.Y.3d 12 (2018)", 2018, ()),
    ],
)
def test_a_paragraph_in_brackets_stays_one(place: str, text: str, year: int, labels: tuple[str, ...]) -> None:
    citation = GRAMMAR.find(text, place)[0]
    assert citation.year == year
    assert (citation.pinpoint.labels if citation.pinpoint else ()) == labels
