"""Names of cases compared exactly: only declared ways of writing one are the same."""

from __future__ import annotations

import pytest

from lexls.citations.case_names.exact import compare_name
from lexls.citations.case_names.exact_party import OMISSIONS, Omission
from lexls.citations.case_names.word_relations import EQUIVALENCES, Equivalence
from lexls.text.phrases import load_phrases

_DATA = load_phrases("lexls.citations.case_names", "equivalences.toml")
DECLARED = [
    *_DATA["rewritten"],
    *_DATA["offices"],
    *_DATA["silent"].values(),
    _DATA["suffixes"],
    _DATA["short_for"],
    _DATA["places"],
]


@pytest.mark.parametrize("declared", DECLARED, ids=lambda each: str(each["reason"]))
def test_each_declared_way_of_writing_is_the_same_in_both_directions(declared: dict[str, list[str]]) -> None:
    first, second = declared["example"]
    assert compare_name(first, second).outcome == "same"
    assert compare_name(second, first).outcome == "same"


@pytest.mark.parametrize("equivalence", EQUIVALENCES, ids=lambda each: each.reason)
def test_each_equivalence_of_words_holds_in_both_directions(equivalence: Equivalence) -> None:
    first, second = (f"{each} v Pell" for each in equivalence.example)
    assert compare_name(first, second).outcome == "same"
    assert compare_name(second, first).outcome == "same"


@pytest.mark.parametrize("omission", OMISSIONS, ids=lambda each: each.reason)
def test_what_a_draft_may_leave_out(omission: Omission) -> None:
    assert compare_name(*omission.example).outcome == "same"


@pytest.mark.parametrize(
    "removed", [*_DATA["removed"], _DATA["aliases"]], ids=lambda each: str(each["reason"])
)
def test_what_of_a_title_does_not_name_a_party(removed: dict[str, list[str]]) -> None:
    assert compare_name(*removed["example"]).outcome == "same"


@pytest.mark.parametrize(
    ("written", "title", "outcome"),
    [
        ("321 Marl v Toll", "321 Marl v Toll", "same"),
        ("321 Marl Ltd v Toll", "321 Marl v Toll", "same"),
        ("In re State Police Litigation", "Re State Police Litigation", "same"),
        ("T. R. Marlapan v Toll", "Marlapan T. R. v Toll", "same"),
        ("T. Q. Marlapan v Toll", "Marlapan T. R. v Toll", "unclear"),
        ("Marl's", "Marl v Toll", "same"),
        ("In the Interest of W.K.", "Marl v W.K.", "same"),
        ("Marl v Toll (Marl II)", "Marl v Toll", "same"),
        ("Marl v Toll (Spoon)", "Marl v Toll", "unclear"),
        ("Brotherhood of Teamsters v Toll", "Brotherhood of Teamsters, Marl Teamsters v Toll", "same"),
        ("Orrin alias Velam v Toll", "Orrin alias Velan v Toll", "misspelt"),
        ("Orrin alias Velan v Toll", "Orrin v Toll", "unclear"),
        ("Marl v Toll and Spoon v Glass", "Marl v Toll", "unclear"),
        ("K. V. Marlapan v Toll", "K.V. Marlapan v Toll", "same"),
        ("K. V. MARLAPAN V. TOLL", "K.V. Marlapan v Toll", "same"),
        ("K. V. Marlapam v Toll", "K.V. Marlapan v Toll", "misspelt"),
        ("Marl v Dorrit", "Marl v Dorritt", "misspelt"),
        ("Marl Property Ltd v Toll", "Marl Properties Ltd v Toll", "misspelt"),
        ("Marl Props. Ltd v Toll", "Marl Properties Ltd v Toll", "same"),
        ("Hofmann v Toll", "Hoffmann v Toll", "misspelt"),
        ("Amrl v Toll", "Marl v Toll", "misspelt"),
        ("Toll v Marl", "Marl v Toll", "same"),
        ("Toll v Marll", "Marl v Toll", "other"),
        ("Spoon v Glass", "Marl v Toll", "other"),
        ("Marl v Glass", "Marl v Toll", "other"),
        ("Marl", "Marl v Toll", "same"),
        ("State", "Marl v State", "unclear"),
        ("Marl v Toll", "In re Marl", "unclear"),
        ("Jane Marl v Toll", "John Marl v Toll", "other"),
        ("Jane Marl v Toll", "Marl v Toll", "same"),
        ("Kane v Toll", "Marl and Kane v Toll", "unclear"),
        ("Marl Ltd v Toll", "Marl Inc v Toll", "unclear"),
        ("Marl v Toll (No 2)", "Marl v Toll (No 3)", "other"),
        ("Marl v Toll (No 2)", "Marl v Toll", "unclear"),
        ("State of Tollen v Marl", "State of Aldmoor v Marl", "other"),
        ("Pell, 531 at 98) and Orr v Ryle", "Marl v Toll", "unclear"),
        ("", "Marl v Toll", "unclear"),
        ("Marl v Toll", "", "unclear"),
    ],
)
def test_how_a_name_compares_with_a_title(written: str, title: str, outcome: str) -> None:
    assert compare_name(written, title).outcome == outcome


@pytest.mark.parametrize(
    ("written", "title", "differing", "recorded"),
    [
        ("Marl v Dorrit", "Marl v Dorritt", ("Dorrit",), ("Dorritt",)),
        ("Mral v Dorrit", "Marl v Dorritt", ("Mral", "Dorrit"), ("Marl", "Dorritt")),
        ("Marl v Glass", "Marl v Toll", ("Glass",), ("Toll",)),
        ("Marl and Kane v Toll", "Marl v Toll", ("Kane",), ("",)),
        ("Marl v Toll", "Marl v Toll", (), ()),
    ],
)
def test_the_words_that_differ(
    written: str, title: str, differing: tuple[str, ...], recorded: tuple[str, ...]
) -> None:
    found = compare_name(written, title)
    assert (found.written, found.recorded) == (differing, recorded)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Ctr.", "Center"),
        ("Ctrs.", "Centers"),
        ("Assoc.", "Associate"),
        ("Corr.", "Correction"),
        ("Eng’r", "Engineer"),
        ("Reprod.", "Reproduction"),
        ("Rts.", "Rights"),
        ("Rd.", "Road"),
    ],
)
def test_an_abbreviation_of_the_bluebook_stands_for_its_word(short: str, long: str) -> None:
    for names in ((short, long), (long, short)):
        assert compare_name(*(f"Carrow {each} v. Pell" for each in names)).outcome == "same"
