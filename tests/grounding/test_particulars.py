"""Numbers, dates and provisions as they are compared, and the text of evidence as it is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexls.grounding.evidence import Evidence, TextSegment
from lexls.grounding.verification.evidence_text import ReadEvidence, find_quotation
from lexls.grounding.verification.particulars import find_numbers, find_provisions, read_place
from lexls.grounding.verification.wording import collect_titles, remove_titles
from lexls.index.records import Authority
from lexls.text.dates import find_mentioned_dates, remove_dates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("within twenty-one days", [(21, "day")]),
        ("1,000 crowns and 1000 casks", [(1000, ""), (1000, "")]),
        ("1,00,000 rupees", [(100000, "rs")]),
        ("$5 million or 2.5 crore", [(5e6, "$"), (2.5e7, "")]),
        ("five per cent or 5% or 5 percent", [(5, "%"), (5, "%"), (5, "%")]),
        ("three (3) days", [(3, "day"), (3, "day")]),
        ("one of them, but one year", [(1, "year")]),
        ("two hundred and fifty copies", [(250, "copy")]),
        ("the 2nd and the third", [(2, ""), (3, "")]),
        ("six and two others; two dozen eggs, 2 dozen eggs", [(6, ""), (2, ""), (24, ""), (24, "")]),
    ],
)
def test_numbers_have_value_and_unit(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(each.value, each.unit) for each in find_numbers(text)] == expected


@pytest.mark.parametrize(
    "text",
    ["9 March 2014", "March 9, 2014", "9th day of March, 2014", "2014-03-09", "9.3.2014", "Mar. 9, 2014"],
)
def test_a_date_is_the_same_however_it_is_written(text: str) -> None:
    (date,) = find_mentioned_dates(f"on {text} it rained")
    (same,) = find_mentioned_dates("on the 9th of March 2014")
    assert date.is_supported_by(same)
    assert same.is_supported_by(date)
    (other,) = find_mentioned_dates("10 March 2014")
    assert not other.is_supported_by(date)
    assert not date.is_supported_by(other)
    assert "2014" not in remove_dates(f"on {text} it rained")


def test_less_of_a_date_is_supported_by_more() -> None:
    (month,), (day,) = find_mentioned_dates("March 2014"), find_mentioned_dates("9 March 2014")
    assert month.is_supported_by(day)
    assert not day.is_supported_by(month)
    assert find_mentioned_dates("he may 5 times march 3 miles") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("section 9(1)(a)", [("section", "9 1 a")]),
        ("ss 9, 10(2) and 12A", [("section", "9"), ("section", "10 2"), ("section", "12a")]),
        ("§ 1331(b)", [("section", "1331 b")]),
        ("Article IV and rule 12.1", [("article", "iv"), ("rule", "12.1")]),
        ("clause B of the deed", [("clause", "b")]),
        ("under 9(2) only", [("", "9 2")]),
        ("Sabco's 3 cars, in order to go, part of it", []),
    ],
)
def test_provisions_are_read_to_the_last_letter(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(each.kind, " ".join(each.path)) for each in find_provisions(text)] == expected


def test_neither_part_nor_whole_is_the_same_provision() -> None:
    nine, first, second = (find_provisions(text)[0] for text in ("section 9", "s 9(1)", "section 9(2)"))
    assert first.is_named_by(find_provisions("section 9(1)")[0])
    for one, other in (
        (nine, first),
        (first, nine),
        (first, second),
        (first, find_provisions("rule 9(1)")[0]),
    ):
        assert not one.is_named_by(other)


def test_a_place_is_in_the_subdivision_whose_marker_stands_before_it() -> None:
    found = {
        (each.kind, each.path) for each in read_place("9", "statute", "9 Late return\n\n(1) No.\n\n(2) ")
    }
    assert ("section", ("9",)) in found
    assert ("section", ("9", "2")) in found
    assert ("section", ("9", "1")) not in found
    assert not list(read_place("", "statute", "(2) "))


def markdown(text: str, title: str = "Weir v Tide") -> ReadEvidence:
    about = Authority(
        1, Path("a.md"), Path(), "a.md", title, "", ("[2020] ACA 1",), "", "", "case", "", True
    )  # fmt: skip
    return ReadEvidence(
        Evidence("P1", about, 10, 10 + len(text), text, (TextSegment(10),), (10, 10 + len(text)))
    )


def test_what_is_shown_has_no_marks_and_nothing_unseen() -> None:
    read = markdown("[3] The *Heron* rule, see [the order](https://x.test/o), is\u200b **not** law.\n\nNext.")
    span = find_quotation(read, "The Heron rule, see the order, is not law.")
    assert span is not None
    assert read.shown(span) == "The Heron rule, see the order, is not law."
    assert read.pin(span).text == read.evidence.text[span.start : span.end]
    assert "https" in read.pin(span).text
    assert read.widened(span) == span


def test_a_pin_lies_within_whole_words_and_never_spans_everything() -> None:
    read = markdown("The apart of things. " + "The sea is wide and the weir is old. " * 200)
    assert find_quotation(read, "part of things") is None
    assert find_quotation(read, read.evidence.text) is None
    assert find_quotation(read, "apart of things") is not None


def test_a_title_that_turns_a_sentence_is_not_taken_out_of_it() -> None:
    for title in ("never", "must not", "wins always", "Never v Not"):
        titles = collect_titles([markdown("x", title).evidence.authority])
        assert remove_titles(f"He is {title} liable", titles) == f"He is {title} liable"
    titles = collect_titles([markdown("x").evidence.authority])
    assert remove_titles("In weir  v. Tide [2020] ACA 1 it is held", titles) == "In it is held"
