"""Case names written in declared ways are the same, and altered ones never are; see `exact_name_matrix`."""

from __future__ import annotations

import pytest
from exact_name_matrix import NAMES, list_equivalents, list_misspellings, list_other_names

from lexls.citations.case_names.exact import compare_name


@pytest.mark.parametrize("name", NAMES, ids=lambda name: str(name[0]))
def test_a_name_written_in_a_declared_way_is_the_same(name: tuple[str, ...]) -> None:
    found = {each: compare_name(each, name[0]).outcome for each in list_equivalents(name)}
    assert {each: outcome for each, outcome in found.items() if outcome != "same"} == {}


@pytest.mark.parametrize("name", NAMES, ids=lambda name: str(name[0]))
def test_an_altered_name_is_never_the_same(name: tuple[str, ...]) -> None:
    altered = [*list_misspellings(name[0]), *list_other_names(name[0])]
    assert altered
    assert [each for each in altered if compare_name(each.written, each.title).outcome == "same"] == []


def test_nearly_every_misspelt_name_is_called_so() -> None:
    outcomes = [
        compare_name(each.written, each.title).outcome
        for name in NAMES
        for each in list_misspellings(name[0])
    ]
    assert outcomes.count("misspelt") > 0.9 * len(outcomes)
    assert set(outcomes) <= {"misspelt", "unclear", "other"}
