"""Places are completed wherever one is written: those of the authority cited there, each with its words."""

from __future__ import annotations

import pytest

from lexls.features.completion import complete, describe_item
from lexls.features.completion_item import CompletionItem
from lexls.features.pinpoint_context import _LEADS

CITED = "First *Carrow v Luff* [2014] ASC 12. "
NOTED = (
    "So.[^1] So.[^2] So.[^3] So.[^4]\n\n[^1]: *Carrow v Luff* [2014] ASC 12.\n\n"
    "[^2]: *Pell v Stark* [2009] ACA 31.\n\n[^3]: Ibid [2].\n\n"
)
ACT = "The Carriage of Goods Act 1994 (“CGA”) applies. "
CARROW = {"[1]", "[2]", "[3]", "[4]", "[5]"}
PELL = {"[1]", "[2]", "[3]"}
SECTIONS = {"s 11", "s 12", "s 13"}


def places(marked, token, **asked) -> list[CompletionItem]:  # type: ignore[no-untyped-def]
    items = complete(marked.snapshot, marked.start, token, **asked)
    assert all(item.kind == "place" for item in items)
    assert all(item.description for item in items)
    return items


@pytest.mark.parametrize(
    ("draft", "labels"),
    [
        (f"{CITED}Then *Carrow v Luff* [2014] ASC 12, [|", CARROW),
        (f"{CITED}Then *Carrow v Luff* [2014] ASC 12 [|", CARROW),
        (f"{CITED}Then *Carrow v Luff* [2014] ASC 12 at [|", CARROW),
        (f"{CITED}Then *Carrow v Luff* [2014] ASC 12 at [|]", CARROW),
        (f"{CITED}Then *Carrow v Luff* [2014] ASC 12 at |", CARROW),
        (f"{CITED}Then *Carrow v Luff* [2014] ASC 12, |", CARROW),
        (f"{CITED}Then *Carrow* at [|", CARROW),
        (f"{CITED}Ibid [|", CARROW),
        (f"{CITED}*Ibid* |", CARROW),
        (f"{CITED}*Ibid* at |", CARROW),
        (f"{CITED}So *Pell v Stark* [2009] ACA 31. Then *Carrow v Luff* [2014] ASC 12, [|", CARROW),
        (f"{NOTED}[^4]: *Carrow* (n 1) [|", CARROW),
        (f"{NOTED}[^4]: *Pell* (n 2) [|", PELL),
        (f"{NOTED}[^4]: Ibid [|", PELL),
        (f"{NOTED}[^4]: *Carrow* (n |", {"n 1"}),
        (f"{NOTED}[^4]: *Pell* (n |", {"n 2"}),
        (f"{NOTED}[^4]: (n |", {"n 1", "n 2"}),
        (f"{ACT}By the Carriage of Goods Act 1994, s |", SECTIONS),
        (f"{ACT}By the Carriage of Goods Act 1994 s |", SECTIONS),
        (f"{ACT}By the Carriage of Goods Act 1994 § |", {"§ 11", "§ 12", "§ 13"}),
        (f"{ACT}By the Carriage of Goods Act 1994 §|", {"§ 11", "§ 12", "§ 13"}),
        (f"{ACT}By CGA s |", SECTIONS),
    ],
)
def test_the_places_of_the_authority_cited_are_offered(read, token, draft: str, labels: set[str]) -> None:
    assert (
        labels
        <= {item.label for item in places(read(draft), token)}
        <= labels | {f"{sign} {part}" for sign in ("s", "§") for part in ("11(1)", "12(1)", "12(2)")}
    )


@pytest.mark.parametrize("lead", _LEADS, ids=lambda lead: lead.name)
def test_each_lead_is_found_in_its_example(lead) -> None:  # type: ignore[no-untyped-def]
    before, _, _ = lead.example.partition("|")
    assert next(each for each in _LEADS if each.pattern.search(before)) is lead


@pytest.mark.parametrize(
    ("draft", "written"),
    [
        ("Then *Carrow v Luff* [2014] ASC 12, [|", ", [4]"),
        ("Then *Carrow v Luff* [2014] ASC 12 at [|]", " at [4]"),
        ("Then *Carrow v Luff* [2014] ASC 12 at |", " at [4]"),
        ("Then *Carrow v Luff* [2014] ASC 12 at [4|", " at [4]"),
        ("Then *Carrow v Luff* [2014] ASC 12|", " at [4]"),
        ("Then *Carrow v Luff* [2014] ASC 12, |", ", [4]"),
    ],
)
def test_a_place_is_written_with_what_it_still_needs(read, token, draft: str, written: str) -> None:
    marked = read(draft)
    item = next(each for each in places(marked, token, behind=True) if each.label == "[4]")
    source = marked.draft.source
    text = source[: item.replace.start] + item.text + source[item.replace.end :]
    assert text == f"Then *Carrow v Luff* [2014] ASC 12{written}"


def test_its_first_words_stand_beside_a_place_without_its_number(read, token) -> None:
    words = {item.label: item.description for item in places(read(f"{CITED}Ibid [|"), token)}
    assert words["[4]"].startswith("Necessity is judged")
    notes = {item.label: item.description for item in places(read(f"{NOTED}[^4]: (n |"), token)}
    assert notes["n 2"].startswith("Pell v Stark")


def test_a_place_is_described_as_what_it_is(read, token) -> None:
    marked = read(f"{CITED}Ibid [|")
    item = next(each for each in places(marked, token) if each.label == "[4]")
    shown = describe_item(marked.snapshot, item.authority, "4", marked.start, token, item.place_kind)
    assert "Necessity is judged" in shown


def test_places_are_listed_behind_an_accepted_citation(read, token) -> None:
    """In an editor that asks again, the list that follows is that of the places."""
    marked = read("It is settled: Carr|")
    item = complete(marked.snapshot, marked.start, token)[0]
    assert item.asks_on
    source = marked.draft.source
    after = read(f"{source[: item.replace.start]}{item.bare}|{source[item.replace.end :]}")
    assert {each.label for each in places(after, token, behind=True)} == CARROW
    assert "[1]" not in {each.label for each in complete(after.snapshot, after.start, token)}


@pytest.mark.parametrize(
    "draft",
    [
        f"{CITED}The master was at |",
        f"{CITED}He said so, |",
        f"{CITED}It is the master's |",
        "The court sits at |",
        "Then [2031] ASC 99, [|",
        "Then *Nobody v None* [2031] ASC 99 at [|",
    ],
)
def test_where_nothing_is_cited_no_place_is_offered(read, token, draft: str) -> None:
    assert places(read(draft), token) == []


@pytest.mark.parametrize("place", ["*Carrow*, ¶ |", "*Carrow* ¶ |", "Carrow, ¶ |", "*Carrow* at ¶ |"])
def test_a_sign_behind_a_short_name_begins_no_title(read, token, place: str) -> None:
    found = places(read(f"So in *Carrow v Luff* [2014] ASC 12. Then {place}"), token)
    assert len(found) == len(CARROW)
